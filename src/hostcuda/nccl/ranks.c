/* The ranks of a communicator. What they share is one file in memory (memfd), which
   other processes open by way of the one that made the id: nothing of it has a name
   that could be left behind. It begins with a header; places for what ranks give to
   each other follow, which take memory when they are first written. */
#include "ranks.h"
#include "hostcuda/run/waits.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAGIC "hostcuda"
enum { COOKIE = 16, SPINS = 2000, LOOK = 64 };
#define SLEEP_NANOSECONDS 50000 /* between looks, when SPINS were in vain */

/* What an id says; the rest of its bytes is 0. */
typedef struct {
    char magic[sizeof MAGIC];
    int process, file;
    char cookie[COOKIE];
} id_content;
_Static_assert(sizeof(id_content) <= sizeof(ncclUniqueId), "an id has room for it");

struct hd_ranks_shared {
    char cookie[COOKIE];
    int maker, file; /* the process that made the id, where it keeps it open */
    _Atomic bool is_closed;
    _Atomic int size; /* 0: no rank has joined */
    _Atomic int joined;
    _Atomic uint64_t arrived; /* at barriers, of all ranks together */
    _Atomic int failed;       /* 1: the text is being written; 2: it is there */
    char text[HD_DETAIL];
    struct {
        _Atomic int process; /* 0: it has not joined */
        int device;
        _Atomic bool is_gone;
        hd_request request;
    } rank[HD_RANKS_MOST];
};

#define HEADER (((sizeof(hd_ranks_shared) - 1) / 4096 + 1) * 4096)

static size_t bytes_for(int size)
{
    return HEADER + (size_t)(size + 1) * HD_RANKS_CHUNK +
           (size_t)size * size * sizeof(hd_box);
}

char *hd_ranks_result_unlocked(const hd_ranks *ranks)
{
    return (char *)ranks->shared + HEADER;
}

char *hd_ranks_slot_unlocked(const hd_ranks *ranks, int i)
{
    return hd_ranks_result_unlocked(ranks) + (size_t)(i + 1) * HD_RANKS_CHUNK;
}

hd_box *hd_ranks_box_unlocked(const hd_ranks *ranks, int from, int to)
{
    return (hd_box *)hd_ranks_slot_unlocked(ranks, ranks->size) + from * ranks->size +
           to;
}

hd_request *hd_ranks_request_unlocked(const hd_ranks *ranks, int i)
{
    return &ranks->shared->rank[i].request;
}

/* -- Joining ------------------------------------------------------------------------
 */

static hd_ranks_shared *map(int file, size_t bytes)
{
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return mapped == MAP_FAILED ? NULL : mapped;
}

CUresult hd_ranks_id(ncclUniqueId *id)
{
    id_content content = {MAGIC, getpid(), -1, ""};
    hd_ranks_shared *shared = NULL;

    content.file = memfd_create("hostcuda-ranks", MFD_CLOEXEC);
    if (content.file >= 0 && !ftruncate(content.file, HEADER))
        shared = map(content.file, HEADER);
    if (!shared ||
        getrandom(content.cookie, COOKIE, 0) != (ssize_t)sizeof content.cookie) {
        if (content.file >= 0)
            close(content.file);
        if (shared)
            munmap(shared, HEADER);
        return hd_fail(CUDA_ERROR_OPERATING_SYSTEM,
                       "no memory that several processes share");
    }
    memcpy(shared->cookie, content.cookie, COOKIE);
    shared->maker = content.process;
    shared->file = content.file;
    munmap(shared, HEADER);
    memset(id, 0, sizeof *id);
    memcpy(id, &content, sizeof content);
    return CUDA_SUCCESS;
}

/* Opens the file of an id and maps its header. */
static CUresult open_id(const ncclUniqueId *id, int *file, hd_ranks_shared **header)
{
    id_content content;
    char path[64];

    memcpy(&content, id, sizeof content);
    HD_REFUSE_IF(memcmp(content.magic, MAGIC, sizeof MAGIC) != 0,
                 "these bytes are no id of the host device's: it is made by "
                 "ncclGetUniqueId in one rank and given to the others");
    snprintf(path, sizeof path, "/proc/%d/fd/%d", content.process, content.file);
    *file = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    *header = *file >= 0 && !fstat(*file, &status) && S_ISREG(status.st_mode) &&
                      status.st_size >= (off_t)HEADER
                  ? map(*file, HEADER)
                  : NULL;
    if (*header && memcmp((*header)->cookie, content.cookie, COOKIE) == 0)
        return CUDA_SUCCESS;
    if (*header)
        munmap(*header, HEADER);
    if (*file >= 0)
        close(*file);
    return hd_fail(CUDA_ERROR_INVALID_VALUE,
                   "the id is used up, as all of its ranks have joined, or process %d, "
                   "which made it, has ended or is not seen from here",
                   content.process);
}

/* Takes the place of the rank in the header. */
static CUresult take_place(hd_ranks_shared *header, int size, int rank)
{
    int known = 0;

    HD_REFUSE_IF(!atomic_compare_exchange_strong(&header->size, &known, size) &&
                     known != size,
                 "this rank says that there are %d ranks, another one %d", size, known);
    known = 0;
    HD_REFUSE_IF(
        !atomic_compare_exchange_strong(&header->rank[rank].process, &known, getpid()),
        "rank %d has joined already, in process %d", rank, known);
    return CUDA_SUCCESS;
}

CUresult hd_ranks_join(const ncclUniqueId *id, int size, int rank, int device,
                       hd_ranks *ranks)
{
    int file = -1;
    hd_ranks_shared *header = NULL;

    HD_REFUSE_IF(size < 1 || size > HD_RANKS_MOST,
                 "%d ranks; on the host device there may be 1 to %d", size,
                 HD_RANKS_MOST);
    HD_REFUSE_IF(rank < 0 || rank >= size, "rank %d of %d", rank, size);
    HD_TRY(open_id(id, &file, &header));
    CUresult status = take_place(header, size, rank);
    if (status == CUDA_SUCCESS) {
        ranks->bytes = bytes_for(size);
        ranks->shared = ftruncate(file, ranks->bytes) ? NULL : map(file, ranks->bytes);
        ranks->size = size;
        ranks->rank = rank;
        if (ranks->shared) {
            ranks->shared->rank[rank].device = device;
            atomic_fetch_add(&header->joined, 1);
            syscall(SYS_futex, &header->joined, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        } else {
            atomic_store(&header->rank[rank].process, 0);
            status = hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no %zu bytes of addresses",
                             ranks->bytes);
        }
    }
    munmap(header, HEADER);
    close(file);
    return status;
}

static bool is_gone(const hd_ranks *ranks, int i)
{
    int process = atomic_load(&ranks->shared->rank[i].process);
    return atomic_load(&ranks->shared->rank[i].is_gone) ||
           (process != 0 && process != getpid() && kill(process, 0) != 0 &&
            errno == ESRCH);
}

/* A rank, other than this one, that takes part no longer; -1: there is none. */
static int find_gone(const hd_ranks *ranks)
{
    for (int i = 0; i < ranks->size; i++)
        if (i != ranks->rank && is_gone(ranks, i))
            return i;
    return -1;
}

/* Ranks of one device and process would have to run in one default stream, one behind
   the other. */
static CUresult check_devices(const hd_ranks *ranks)
{
    for (int i = 0; i < ranks->size; i++) {
        int device = ranks->shared->rank[i].device;
        HD_REFUSE_IF(i != ranks->rank && ranks->shared->rank[i].process == getpid() &&
                         device == ranks->shared->rank[ranks->rank].device,
                     "ranks %d and %d are both on device %d; HOSTCUDA_DEVICES=%d in "
                     "the environment makes a device for each",
                     i, ranks->rank, device, ranks->size);
    }
    return CUDA_SUCCESS;
}

/* Until another rank joins, of this process or another; for a while at most, since a
   process that is killed says nothing. */
static void sleep_unlocked(hd_ranks_shared *shared, int joined)
{
    struct timespec most = {0, HD_ASK_NANOSECONDS};
    syscall(SYS_futex, &shared->joined, FUTEX_WAIT, joined, &most, NULL, 0);
}

CUresult hd_ranks_wait(const hd_ranks *ranks)
{
    hd_ranks_shared *shared = ranks->shared;
    uint64_t start = hd_nanoseconds_unlocked(), asked = start;
    int joined;

    while ((joined = atomic_load(&shared->joined)) < ranks->size) {
        cuxWaitFunction give_up = hd.give_up;
        void *data = hd.give_up_data;
        hd_unlock();
        sleep_unlocked(shared, joined);
        uint64_t now = hd_nanoseconds_unlocked();
        bool is_over = false;
        if (give_up && now - asked >= HD_ASK_NANOSECONDS) {
            asked = now;
            is_over = give_up(now - start, data) > 0;
        }
        hd_lock();
        HD_FAIL_IF(is_over, CUDA_ERROR_NOT_READY, "the wait was given up");
        int gone = find_gone(ranks);
        HD_FAIL_IF(gone >= 0, CUDA_ERROR_UNKNOWN, "rank %d left before all had joined",
                   gone);
    }
    if (shared->maker == getpid() && !atomic_exchange(&shared->is_closed, true))
        close(shared->file);
    return check_devices(ranks);
}

void hd_ranks_leave(hd_ranks *ranks)
{
    atomic_store(&ranks->shared->rank[ranks->rank].is_gone, true);
}

void hd_ranks_end(hd_ranks *ranks)
{
    munmap(ranks->shared, ranks->bytes);
}

/* -- Waiting for each other ---------------------------------------------------------
 */

const char *hd_ranks_failure_unlocked(const hd_ranks *ranks)
{
    return atomic_load(&ranks->shared->failed) == 2 ? ranks->shared->text : NULL;
}

void hd_ranks_fail_unlocked(const hd_ranks *ranks, const char *format, ...)
{
    int none = 0;
    va_list arguments;

    if (!atomic_compare_exchange_strong(&ranks->shared->failed, &none, 1))
        return;
    va_start(arguments, format);
    vsnprintf(ranks->shared->text, sizeof ranks->shared->text, format, arguments);
    va_end(arguments);
    atomic_store(&ranks->shared->failed, 2);
}

bool hd_ranks_pause_unlocked(const hd_ranks *ranks, int peer, unsigned *turns)
{
    if (atomic_load(&ranks->shared->failed) || atomic_load(&ranks->is_stopped) ||
        atomic_load(ranks->cancelled))
        return false;
    if (++*turns < SPINS) {
        sched_yield();
        return true;
    }
    nanosleep(&(struct timespec){0, SLEEP_NANOSECONDS}, NULL);
    return *turns % LOOK != 0 ||
           (peer < 0 ? find_gone(ranks) < 0 : !is_gone(ranks, peer));
}

void hd_ranks_fail_for_unlocked(const hd_ranks *ranks, int peer)
{
    int gone = peer < 0 ? find_gone(ranks) : peer;

    if (atomic_load(&ranks->is_stopped))
        return;
    if (atomic_load(ranks->cancelled))
        hd_ranks_fail_unlocked(ranks, "the context of rank %d met an error",
                               ranks->rank);
    else
        hd_ranks_fail_unlocked(ranks, "rank %d takes part no longer", gone);
}

bool hd_ranks_meet_unlocked(hd_ranks *ranks)
{
    uint64_t wanted = ++ranks->barriers * ranks->size;
    unsigned turns = 0;

    atomic_fetch_add(&ranks->shared->arrived, 1);
    while (atomic_load(&ranks->shared->arrived) < wanted)
        if (!hd_ranks_pause_unlocked(ranks, -1, &turns)) {
            /* One that was here last may be gone since. */
            if (atomic_load(&ranks->shared->arrived) >= wanted)
                break;
            hd_ranks_fail_for_unlocked(ranks, -1);
            return false;
        }
    return true;
}
