/* A worker is what one thread needs to run pieces of work: the frame of a block, its
   memory, the way out of a fault. The pool's threads have one each; a caller that runs
   pieces borrows it. */
#ifndef HOSTCUDA_WORKERS_H
#define HOSTCUDA_WORKERS_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

#include "abi/frame.h"
#include "work.h"

/* Sanitizers know one stack a thread, and the jumps of the C library: with them, pieces
   stay where they began. Others get __builtin_setjmp, which costs a few stores. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HD_MOVES 0
typedef sigjmp_buf hd_jump;
#define HD_JUMP_SET(jump) sigsetjmp(jump, 0)
#define HD_JUMP_TO(jump) siglongjmp(jump, 1)
#else
#define HD_MOVES 1
typedef void *hd_jump[5];
#define HD_JUMP_SET(jump) __builtin_setjmp(jump)
#define HD_JUMP_TO(jump) __builtin_longjmp(jump, 1)
#endif

/* Bytes of the stack that a thread of ours runs pieces on. What the user's threads have
   may be a hundredth of it, and a kernel of 200 lines that is compiled without
   optimisation can have a frame of megabytes: all its values for 16 lanes at once. */
#define HD_STACK_BYTES ((size_t)64 << 20)

/* Memory that grows, between pages that fault. */
typedef struct {
    char *map; /* owned */
    size_t map_size;
    char *base; /* 64-byte aligned */
    size_t size;
} hd_scratch;

typedef struct hd_stacks hd_stacks; /* thread_stacks.c */

struct hd_worker {
    hd_worker *next; /* in a list of the pool */
    hd_scratch shared, state;
    hd_stacks *stacks;         /* owned: of threads that run one at a time; or NULL */
    hc_frame *frames;          /* in state: one a block that runs at a time */
    hc_frame *frame;           /* borrowed: of the block that runs now */
    const uint32_t *alive;     /* in state: frame.alive as each block starts with it */
    uint32_t nframes, vectors; /* blocks at a time; vectors of a block */
    bool whole;                /* all lanes of a block's vectors are threads */
    bool bare;                 /* the one frame is as bare launches need it */
    uint64_t prepared;         /* serial of the work the frames are laid out for */
    hd_work *work;             /* borrowed: it runs pieces of this */
    bool aside;                /* see hd_pool_step_aside_unlocked */
    unsigned share;            /* its own, see ranges.h */
    uint64_t first, last;      /* pieces that it runs */
    uint64_t ended;            /* of those, the one that has ended itself */
    uint64_t piece;            /* the one that runs, where that is kept account of */
    uint64_t idle_round,
        standing; /* see idle.c: of its block's last turn that was noted */
    unsigned idle_turns;
    /* While a caller runs them, see migration.h */
    hd_scratch stack;       /* that they run on */
    hd_worker *next_caller; /* in the pool's list of callers */
    pthread_t thread;
    bool watched;            /* it is in that list */
    uint64_t turn, seen;     /* number of this run; that of the one seen last */
    _Atomic uint64_t wanted; /* the run that is to move */
    volatile bool moved;     /* has left the thread that began it */
    volatile bool arriving;  /* a signal's return takes it into this thread */
    volatile bool armed;     /* a fault is the work's, `jump` leads out */
    hd_jump jump;            /* leads out of the pieces, and why it was taken */
    enum { HD_JUMP_FAILED, HD_JUMP_MOVED, HD_JUMP_DONE, HD_JUMP_ENDED } why;
    CUresult failure; /* the failure that ended the pieces, with its text; 0: another
                         piece failed */
    int signal;
    const char *address;
    bool stack_full;         /* the address is behind the end of the stack */
    bool untold;             /* the processor did not say which address it was */
    const char *instruction; /* the failing instruction; NULL: not known */
    char text[HD_DETAIL];
    char *line; /* owned: device printf is put together here */
    size_t line_capacity;
};

/* The context whose work the worker runs. */
static inline hd_context *hd_worker_context(const hd_worker *worker)
{
    return worker->work->stream->object.context;
}

/* Ends the piece that this worker runs: the work fails. Called by the work itself. */
void hd_worker_abort_unlocked(hd_worker *worker, CUresult status, const char *format,
                              ...) __attribute__((noreturn, format(printf, 3, 4)));
/* Ends the piece that this worker runs, its number, and nothing else: the pieces behind
   it go on. Where pieces may wait for each other, ends the work, without a failure. */
void hd_worker_end_piece_unlocked(hd_worker *worker, uint64_t piece)
    __attribute__((noreturn));
/* Leaves the pieces, from wherever they are. */
static inline void __attribute__((noreturn)) hd_worker_leave_unlocked(hd_worker *worker,
                                                                      int why)
{
    worker->why = why;
    HD_JUMP_TO(worker->jump);
}
/* At least `size` bytes at scratch->base; ends the piece where memory is short. */
void hd_scratch_reserve_unlocked(hd_worker *worker, hd_scratch *scratch, size_t size);

/* Ends the piece if the work is cancelled. */
void hd_worker_check_unlocked(hd_worker *worker);

/* Runs ranges of pieces in this thread until none is left or, if it is `alone` in the
   work, `budget` nanoseconds are over. True: the worker is to move to another thread,
   with the pieces that it has begun (migration.h). */
bool hd_worker_run_unlocked(hd_worker *worker, hd_work *work, bool alone,
                            uint64_t budget);
/* Continues pieces that have moved to this thread. */
void hd_worker_resume_unlocked(hd_worker *worker);
static inline bool hd_work_has_pieces(const hd_work *work)
{
    return atomic_load_explicit(&work->taken, memory_order_relaxed) < work->pieces;
}

#endif
