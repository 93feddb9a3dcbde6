/* NCCL's entry points on the host device, the symbols that libnccl.so has: groups of
   calls, what is checked of them, statuses. */
#include "cuda/nccl.h"

#include "communicators.h"
#include "hostcuda/api/captures.h"
#include "hostcuda/api/entry.h"
#include "reduce.h"

#pragma GCC visibility push(default)
#define N(result, name, ...) result name(CU_PARAMS(__VA_ARGS__));
#include "cuda/nccl.def"
#undef N
#pragma GCC visibility pop

enum { VERSION = 21300 }; /* the first of NCCL that has all of these functions */

typedef struct asked {
    struct asked *next;
    struct ncclComm *comm; /* borrowed */
    CUstream stream;
    hd_collective what;
    bool is_taken; /* joins another of the list */
} asked;

/* The calls of a thread since ncclGroupStart. */
static _Thread_local struct {
    unsigned depth;
    CUresult status; /* of the first that failed */
    asked *first, **end;
    struct ncclComm *joined[HD_RANKS_MOST]; /* borrowed: wait for their other ranks */
    struct ncclComm **handles[HD_RANKS_MOST];
    unsigned njoined;
} group;

static unsigned result_of(CUresult status)
{
    switch (status) {
    case CUDA_SUCCESS:
        return ncclSuccess;
    case CUDA_ERROR_INVALID_VALUE:
        return ncclInvalidArgument;
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
        return ncclInvalidUsage;
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_OPERATING_SYSTEM:
        return ncclSystemError;
    case CUDA_ERROR_UNKNOWN:
        return ncclRemoteError;
    case CUDA_ERROR_NOT_READY:
        return ncclInProgress;
    default:
        return ncclUnhandledCudaError;
    }
}

/* -- Groups --------------------------------------------------------------------------
 */

static CUresult group_begin(void)
{
    if (group.depth++ == 0) {
        group.status = CUDA_SUCCESS;
        group.first = NULL;
        group.end = &group.first;
        group.njoined = 0;
    }
    return CUDA_SUCCESS;
}

/* All of the ranks that joined; they end where some did not come. */
static CUresult wait_for_joined(void)
{
    CUresult status = group.status;

    for (unsigned i = 0; i < group.njoined && status == CUDA_SUCCESS; i++)
        status = hd_ranks_wait(&group.joined[i]->ranks);
    for (unsigned i = 0; i < group.njoined && status != CUDA_SUCCESS; i++) {
        *group.handles[i] = NULL;
        hd_comm_end(group.joined[i], true);
    }
    return status;
}

/* What is asked of one communicator in one stream becomes one piece of work. */
static CUresult submit(asked *first)
{
    unsigned count = 0;
    hd_stream *stream = NULL;

    for (asked *one = first; one; one = one->next)
        count += one->comm == first->comm && one->stream == first->stream;
    HD_TRY(hd_comm_check(first->comm));
    HD_TRY(hd_comm_stream(first->comm, first->stream, &stream));
    hd_collective *list = malloc(count * sizeof *list);
    HD_FAIL_IF(!list, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %u calls", count);
    count = 0;
    for (asked *one = first; one; one = one->next)
        if (one->comm == first->comm && one->stream == first->stream) {
            list[count++] = one->what;
            one->is_taken = true;
        }
    CUresult status = hd_comm_submit(first->comm, stream, list, count);
    free(list);
    return status;
}

/* Under the lock; it may be dropped. */
static CUresult group_end(void)
{
    HD_FAIL_IF(group.depth == 0, CUDA_ERROR_INVALID_CONTEXT,
               "ncclGroupEnd without ncclGroupStart");
    if (--group.depth > 0)
        return group.status;
    CUresult status = wait_for_joined();
    for (asked *one = group.first, *next; one; one = next) {
        if (status == CUDA_SUCCESS && !one->is_taken)
            status = submit(one);
        next = one->next;
        free(one);
    }
    return status;
}

unsigned ncclGroupStart(void)
{
    return result_of(group_begin());
}

static CUresult end_entered(void)
{
    HD_ENTER();
    return group_end();
}

unsigned ncclGroupEnd(void)
{
    return result_of(end_entered());
}

/* -- Communicators -------------------------------------------------------------------
 */

unsigned ncclGetVersion(int *version)
{
    if (!version)
        return ncclInvalidArgument;
    *version = VERSION;
    return ncclSuccess;
}

const char *ncclGetLastError(struct ncclComm *comm)
{
    return hd_self ? hd_self->detail : "";
}

static CUresult make_id(ncclUniqueId *id)
{
    HD_ENTER();
    HD_NEED(id);
    return hd_ranks_id(id);
}

unsigned ncclGetUniqueId(ncclUniqueId *id)
{
    return result_of(make_id(id));
}

static CUresult join(struct ncclComm **comm, int size, ncclUniqueId id, int rank)
{
    HD_ENTER();
    HD_NEED(comm);
    group_begin();
    CUresult status = group.njoined < HD_RANKS_MOST
                          ? hd_comm_create(&id, size, rank, comm)
                          : CUDA_ERROR_INVALID_VALUE;
    if (status == CUDA_SUCCESS) {
        group.handles[group.njoined] = comm;
        group.joined[group.njoined++] = *comm;
    } else if (group.status == CUDA_SUCCESS) {
        group.status = status;
    }
    return group_end();
}

unsigned ncclCommInitRank(struct ncclComm **comm, int size, ncclUniqueId id, int rank)
{
    return result_of(join(comm, size, id, rank));
}

static CUresult end(struct ncclComm *comm, bool stops)
{
    HD_ENTER();
    CUresult status = hd_comm_check(comm);
    if (status != CUDA_ERROR_INVALID_VALUE)
        hd_comm_end(comm, stops);
    return status == CUDA_ERROR_INVALID_VALUE ? status : CUDA_SUCCESS;
}

unsigned ncclCommDestroy(struct ncclComm *comm)
{
    return comm ? result_of(end(comm, false)) : ncclSuccess;
}

unsigned ncclCommAbort(struct ncclComm *comm)
{
    return comm ? result_of(end(comm, true)) : ncclSuccess;
}

/* -- Collective operations -----------------------------------------------------------
 */

/* Bytes from `at`, which device code of the communicator's context reaches. */
static CUresult check_memory(const char *at, uint64_t count, size_t size)
{
    HD_REFUSE_IF(count > SIZE_MAX / size, "%llu elements", (unsigned long long)count);
    return hd_memory_check(hd_memory_find(at), at, count * size);
}

static CUresult check(const struct ncclComm *comm, CUstream handle,
                      const hd_collective *what)
{
    const hd_request *request = &what->request;
    size_t size = hd_nccl_size(request->type);
    hd_stream *stream = NULL;
    int given = request->kind == HD_REDUCE_SCATTER ? comm->ranks.size : 1;
    int got = request->kind == HD_ALL_GATHER ? comm->ranks.size : 1;
    bool at_root = request->root == comm->ranks.rank;

    HD_TRY(hd_comm_stream(comm, handle, &stream));
    HD_TRY(hd_capture_refuses(stream, "a collective operation of NCCL"));
    HD_REFUSE_IF(size == 0, "%u is no ncclDataType_t", request->type);
    HD_REFUSE_IF(request->operation >= ncclNumOps, "%u is no ncclRedOp_t",
                 request->operation);
    HD_REFUSE_IF(request->root < 0 || request->root >= comm->ranks.size,
                 "rank %d of %d", request->root, comm->ranks.size);
    HD_REFUSE_IF(request->count > SIZE_MAX / size / comm->ranks.size, "%llu elements",
                 (unsigned long long)request->count);
    if (request->kind != HD_RECEIVE && (request->kind != HD_BROADCAST || at_root))
        HD_TRY(check_memory(what->from, request->count * given, size));
    if (request->kind != HD_SEND && (request->kind != HD_REDUCE || at_root))
        HD_TRY(check_memory(what->to, request->count * got, size));
    return CUDA_SUCCESS;
}

static CUresult add(struct ncclComm *comm, CUstream stream, const hd_collective *what)
{
    HD_TRY(hd_comm_check(comm));
    HD_TRY(check(comm, stream, what));
    asked *one = calloc(1, sizeof *one);
    HD_FAIL_IF(!one, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a call");
    one->comm = comm;
    one->stream = stream;
    one->what = *what;
    *group.end = one;
    group.end = &one->next;
    return CUDA_SUCCESS;
}

static CUresult ask_entered(struct ncclComm *comm, CUstream stream,
                            const hd_collective *what)
{
    HD_ENTER();
    group_begin();
    CUresult status = what->request.count > 0 ? add(comm, stream, what) : CUDA_SUCCESS;
    if (group.status == CUDA_SUCCESS)
        group.status = status;
    return group_end();
}

static unsigned ask(hd_collective_kind kind, const void *from, void *to, size_t count,
                    unsigned type, unsigned operation, int root, struct ncclComm *comm,
                    CUstream stream)
{
    const hd_collective what = {{kind, type, operation, root, count}, from, to, 0};
    return result_of(ask_entered(comm, stream, &what));
}

unsigned ncclAllReduce(const void *from, void *to, size_t count, unsigned type,
                       unsigned operation, struct ncclComm *comm, CUstream stream)
{
    return ask(HD_ALL_REDUCE, from, to, count, type, operation, 0, comm, stream);
}

unsigned ncclBroadcast(const void *from, void *to, size_t count, unsigned type,
                       int root, struct ncclComm *comm, CUstream stream)
{
    return ask(HD_BROADCAST, from, to, count, type, 0, root, comm, stream);
}

unsigned ncclReduce(const void *from, void *to, size_t count, unsigned type,
                    unsigned operation, int root, struct ncclComm *comm,
                    CUstream stream)
{
    return ask(HD_REDUCE, from, to, count, type, operation, root, comm, stream);
}

unsigned ncclAllGather(const void *from, void *to, size_t count, unsigned type,
                       struct ncclComm *comm, CUstream stream)
{
    return ask(HD_ALL_GATHER, from, to, count, type, 0, 0, comm, stream);
}

unsigned ncclReduceScatter(const void *from, void *to, size_t count, unsigned type,
                           unsigned operation, struct ncclComm *comm, CUstream stream)
{
    return ask(HD_REDUCE_SCATTER, from, to, count, type, operation, 0, comm, stream);
}

unsigned ncclSend(const void *from, size_t count, unsigned type, int peer,
                  struct ncclComm *comm, CUstream stream)
{
    return ask(HD_SEND, from, NULL, count, type, 0, peer, comm, stream);
}

unsigned ncclRecv(void *to, size_t count, unsigned type, int peer,
                  struct ncclComm *comm, CUstream stream)
{
    return ask(HD_RECEIVE, NULL, to, count, type, 0, peer, comm, stream);
}
