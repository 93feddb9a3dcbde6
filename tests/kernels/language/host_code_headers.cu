/* Host code that includes what else a Linux machine has, and names its types outside of
   functions; all of the standard library under one name; vectors of the processor.

   let    n = 64
   inout  x = ints(0, 99, n)
   call   _Z5raiseIiEvPT_S0_i(x, 3, n)
   expect x = x + 3
   nvcc
*/
#include <alloca.h>
#include <bits/stdc++.h>
#include <byteswap.h>
#include <cuda_profiler_api.h>
#include <err.h>
#include <error.h>
#include <fnmatch.h>
#include <glob.h>
#include <immintrin.h>
#include <libgen.h>
#include <malloc.h>
#include <pwd.h>
#include <regex.h>
#include <sys/cdefs.h>
#include <sys/errno.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/statvfs.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sysexits.h>
#include <termios.h>
#include <values.h>
#include <x86intrin.h>
#ifdef __HOSTCC__ /* no toolkit has both names */
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

static nvtxEventAttributes_t mark;
#endif

static_assert(MAXINT == 2147483647, "");
static_assert(sizeof(__m256d) == 32 && alignof(__m128i) == 16, "");

template <class T> __global__ void raise(T *x, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += by;
}

struct Session {
    struct termios before;
    struct tms start;
    struct utsname machine;
    fd_set sockets;
    regex_t pattern;
    glob_t files;
    std::unordered_map<std::string, std::vector<int>> found;
};

static __m128 sum(__m128 a, __m128 b)
{
    return _mm_add_ps(a, b);
}

static inline void wait_for(Session &s, int socket)
{
    FD_ZERO(&s.sockets);
    FD_SET(socket, &s.sockets);
    struct timeval time = {1, 0};
    if (select(socket + 1, &s.sockets, nullptr, nullptr, &time) < 0)
        error(EX_OSERR, errno, "select");
}

int main(int argc, char **argv)
{
    Session s = {};
    if (tcgetattr(0, &s.before) || uname(&s.machine) ||
        regcomp(&s.pattern, "a*", REG_EXTENDED))
        errx(EX_USAGE, "%s", basename(argv[0]));
    times(&s.start);
    std::sort(argv, argv + argc);
    void *buffer = memalign(64, 4096);
    cudaProfilerStart();
    raise<<<1, 64>>>((int *)buffer, 3, 64);
    cudaProfilerStop();
    __m128 two = sum(_mm_set1_ps(1), _mm_set1_ps(1));
    wait_for(s, bswap_32(argc) & (int)two[0]);
    free(buffer);
}
