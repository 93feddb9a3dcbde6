/* Stream memory operations: a word is written, or waited for, when the stream comes to
   it. A wait is work that spins, so other work has its turn meanwhile, and whatever
   changes the word may be a kernel, another stream or the host. */
#include <sched.h>

#include "entry.h"
#include "hostcuda/core/written_memory.h"
#include "hostcuda/run/queues.h"
#include "hostcuda/run/thread_pool.h"

typedef struct {
    hd_work work;
    void *address;
    cuuint64_t value;
    bool wide, waits;
    unsigned condition; /* of a wait */
} word_operation;

static cuuint64_t load(const word_operation *word)
{
    return word->wide ? __atomic_load_n((cuuint64_t *)word->address, __ATOMIC_SEQ_CST)
                      : __atomic_load_n((cuuint32_t *)word->address, __ATOMIC_SEQ_CST);
}

static bool holds(const word_operation *word)
{
    cuuint64_t now = load(word), narrow = word->wide ? 0 : 32;

    switch (word->condition) {
    case CU_STREAM_WAIT_VALUE_GEQ: /* cyclic */
        return (int64_t)((now - word->value) << narrow) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
        return now == word->value;
    case CU_STREAM_WAIT_VALUE_AND:
        return (now & word->value) != 0;
    default:
        return (~(now | word->value) << narrow) != 0;
    }
}

static void write_value(const word_operation *word)
{
    if (word->wide)
        __atomic_store_n((cuuint64_t *)word->address, word->value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((cuuint32_t *)word->address, (cuuint32_t)word->value,
                         __ATOMIC_SEQ_CST);
    hd_written_set_unlocked((void *)word->address, word->wide ? 8 : 4);
}

static void run_operation(hd_work *work, hd_worker *worker, uint64_t first,
                          uint64_t last)
{
    word_operation *word = (word_operation *)work;

    if (!word->waits)
        write_value(word);
    while (word->waits && !holds(word) && !atomic_load(&work->cancelled)) {
        if (!worker->aside)
            hd_pool_step_aside_unlocked(worker);
        sched_yield();
    }
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    snprintf(text, size, "stream memory operation: ");
}

static CUresult check_operation(const word_operation *word, unsigned flags)
{
    size_t bytes = word->wide ? 8 : 4;

    HD_REFUSE_IF((uintptr_t)word->address % bytes != 0,
                 "%p is not aligned to %zu bytes", word->address, bytes);
    HD_REFUSE_IF(word->waits ? (flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH) >
                                   CU_STREAM_WAIT_VALUE_NOR
                             : flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER,
                 "0x%x are no flags of a stream memory operation", flags);
    return hd_memory_check(hd_memory_find(word->address), word->address, bytes);
}

/* One operation of a list; fills `word`; NOT_READY: there is nothing to do. */
static CUresult parse(const CUstreamBatchMemOpParams *params, word_operation *word)
{
    CUstreamBatchMemOpType type = params->operation;

    if (type == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES ||
        type == CU_STREAM_MEM_OP_BARRIER)
        return CUDA_ERROR_NOT_READY;
    HD_REFUSE_IF(type < CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
                     type > CU_STREAM_MEM_OP_WRITE_VALUE_64,
                 "%d is not a stream memory operation", (int)type);
    word->wide = type >= CU_STREAM_MEM_OP_WAIT_VALUE_64;
    word->waits = type == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
                  type == CU_STREAM_MEM_OP_WAIT_VALUE_64;
    word->address = (void *)(uintptr_t)params->waitValue.address;
    word->value = word->wide ? params->waitValue.value64 : params->waitValue.value;
    word->condition = params->waitValue.flags & 3;
    return check_operation(word, params->waitValue.flags);
}

static CUresult submit(hd_stream *stream, const CUstreamBatchMemOpParams *params)
{
    word_operation *word = NULL;

    HD_TRY(hd_work_create(sizeof *word, run_operation, 1, &word));
    HD_TRY_OR(parse(params, word), free(word));
    word->work.node = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    word->work.describe = describe;
    word->work.spins = word->waits;
    return hd_submit(stream, &word->work, word->waits ? HD_QUEUE : HD_BEGIN);
}

CUresult cuStreamBatchMemOp_v2(CUstream handle, unsigned int count,
                               CUstreamBatchMemOpParams *params, unsigned int flags)
{
    word_operation word = {0};
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_REFUSE_IF(count > 256 || flags != 0 || (count > 0 && !params),
                 "a batch has up to 256 operations and no flags");
    for (unsigned pass = 0; pass < 2; pass++) { /* nothing is done if one is wrong */
        for (unsigned i = 0; i < count; i++) {
            if (pass == 1)
                HD_TRY(hd_stream_find(handle, &stream)); /* the lock was dropped */
            CUresult status =
                pass == 0 ? parse(&params[i], &word) : submit(stream, &params[i]);
            if (status != CUDA_ERROR_NOT_READY)
                HD_TRY(status);
        }
    }
    return CUDA_SUCCESS;
}

#define WORD_OPERATION(name, kind, bits, field)                                 \
    CUresult name(CUstream stream, CUdeviceptr address, cuuint##bits##_t value, \
                  unsigned int flags)                                           \
    {                                                                           \
        CUstreamBatchMemOpParams params = {                                     \
            .waitValue = {.operation = CU_STREAM_MEM_OP_##kind##_VALUE_##bits,  \
                          .address = address,                                   \
                          .field = value,                                       \
                          .flags = flags}};                                     \
        return cuStreamBatchMemOp_v2(stream, 1, &params, 0);                    \
    }
WORD_OPERATION(cuStreamWriteValue32_v2, WRITE, 32, value)
WORD_OPERATION(cuStreamWriteValue64_v2, WRITE, 64, value64)
WORD_OPERATION(cuStreamWaitValue32_v2, WAIT, 32, value)
WORD_OPERATION(cuStreamWaitValue64_v2, WAIT, 64, value64)
