/* Host code that speaks to other machines beside a kernel: headers of POSIX, whose
   types are members of classes.

   let    n = 64
   inout  x = ints(0, 99, n)
   call   _Z5shiftIiEvPT_S0_i(x, 2, n)
   expect x = x + 2
   nvcc
*/
#include <arpa/inet.h>
#include <endian.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

static_assert(__BYTE_ORDER == __LITTLE_ENDIAN, "of this machine");

enum class Domain { v4 = AF_INET, v6 = AF_INET6 };

template <class T> __global__ void shift(T *x, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += by;
}

class Peer
{
    sockaddr_in address_{};
    sockaddr_in6 wide_{};
    sockaddr_storage any_{};
    pollfd waiting_{};
    addrinfo hints_{};
    rusage used_{};
    rlimit limit_{};
    sem_t ready_{};
    int socket_ = -1;

  public:
    explicit Peer(Domain domain)
    {
        socket_ = socket(static_cast<int>(domain), SOCK_STREAM, 0);
        int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        address_.sin_family = AF_INET;
        address_.sin_port = htons(80);
        address_.sin_addr.s_addr = htonl(INADDR_ANY);
        waiting_ = {socket_, POLLIN, 0};
        ioctl(socket_, FIONBIO, &on);
        getrlimit(RLIMIT_NOFILE, &limit_);
        getrusage(RUSAGE_SELF, &used_);
    }
    template <class T> void receive(T *x, int n)
    {
        if (poll(&waiting_, 1, 10) > 0)
            recv(socket_, x, n * sizeof *x, MSG_WAITALL);
        shift<<<1, 64>>>(x, T(2), n);
    }
};

int main()
{
    int *x;
    cudaMallocHost(&x, 256);
    Peer(Domain::v4).receive(x, 64);
    return static_cast<int>(syscall(SYS_gettid) > 0);
}
