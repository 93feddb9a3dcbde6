/* The pool: the threads that run pieces of work, for all devices together.

   A worker is what one thread needs to run a kernel: the frame, its memory, the way out
   of a fault. The pool's threads have one each; a caller that runs pieces borrows it.
 */
#ifndef HOSTCUDA_WORKERS_H
#define HOSTCUDA_WORKERS_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

#include "abi/frame.h"
#include "cuda/types.h"

struct hd_thread;
struct hd_work;

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

/* Memory that grows, between pages that fault. */
typedef struct {
    char *map; /* owned */
    size_t map_size;
    char *base; /* 64-byte aligned */
    size_t size;
} hd_scratch;

typedef struct hd_worker {
    struct hd_worker *next; /* hd.pool.spare_workers */
    hd_scratch shared, state;
    hc_frame *frames;          /* in state: one a block that runs at a time */
    hc_frame *frame;           /* borrowed: of the block that runs now */
    const uint32_t *alive;     /* in state: frame.alive as each block starts with it */
    uint32_t nframes, vectors; /* blocks at a time; vectors of a block */
    bool whole;                /* all lanes of a block's vectors are threads */
    uint64_t prepared;         /* serial of the work the frames are laid out for */
    struct hd_work *work;      /* borrowed: it runs pieces of this */
    bool aside;                /* counted in hd.pool.aside */
    uint64_t first, last;      /* pieces that it runs */
    /* While a caller runs them, see migration.h */
    hd_scratch stack;              /* that they run on */
    struct hd_worker *next_caller; /* hd.pool.callers */
    pthread_t thread;
    bool watched;            /* it is in that list */
    uint64_t turn, seen;     /* number of this run; that of the one seen last */
    _Atomic uint64_t wanted; /* the run that is to move */
    volatile bool moved;     /* has left the thread that began it */
    volatile bool arriving;  /* a signal's return takes it into this thread */
    volatile bool armed;     /* a fault is the work's, `jump` leads out */
    hd_jump jump;            /* leads out of the pieces, and why it was taken */
    enum { HD_JUMP_FAILED, HD_JUMP_MOVED, HD_JUMP_DONE } why;
    CUresult failure; /* what ended the pieces, with its text; 0: another piece */
    int signal;
    const char *address;
    const char *instruction; /* what failed there; NULL: not known */
    char text[320];
    char *line; /* owned: device printf is put together here */
    size_t line_capacity;
} hd_worker;

typedef struct {
    struct hd_work *ready;    /* borrowed: has pieces to take; by priority, then age */
    hd_worker *spare_workers; /* owned */
    pthread_cond_t wake;      /* idle threads wait here */
    unsigned threads, idle;   /* started; of those, waiting */
    unsigned active;          /* threads that run pieces, callers included */
    unsigned aside;           /* threads that only spin: others run in their place */
    pthread_cond_t calls_wake;
    struct hd_work *calls; /* borrowed: host functions that are due */
    unsigned call_threads;
    unsigned signalled; /* idle threads that were woken and have not come yet */
    hd_worker *callers; /* borrowed: run pieces in threads of the user */
    hd_worker *moved;   /* owned: pieces that have left those, and wait for a thread */
    uint64_t turns;     /* runs in threads of the user, so far */
    pthread_cond_t watch_wake;
    unsigned watch_threads;
    bool watching; /* that thread looks now and then */
} hd_pool;

void hd_pool_start(void);
/* Lets the pool take the work's pieces. */
void hd_pool_publish(struct hd_work *work);
/* Hands a host function to the thread that runs those; false if there can be none. */
bool hd_pool_call(struct hd_work *work);
/* Takes pieces of published work in this thread until none is left, then finishes it if
   it was last. Drops the lock meanwhile. False: this thread cannot. */
bool hd_pool_take_part(struct hd_work *work);
/* Runs unpublished work in this thread; publishes what is left after `budget`
   nanoseconds. Drops the lock meanwhile. */
void hd_pool_run_here(struct hd_work *work, uint64_t budget);
/* Whether another thread may run pieces now. */
bool hd_pool_has_room(void);

/* The piece that the worker runs waits for something that other work may have to bring
   about: lets another thread work in its place, until it goes on. */
void hd_pool_step_aside_unlocked(hd_worker *worker);
void hd_pool_step_back_unlocked(hd_worker *worker);
/* Ends the piece that this worker runs: the work fails. Called by the work itself. */
void hd_worker_abort_unlocked(hd_worker *worker, CUresult status, const char *format,
                              ...) __attribute__((noreturn, format(printf, 3, 4)));
/* Leaves the pieces, from wherever they are. */
static inline void __attribute__((noreturn)) hd_worker_leave_unlocked(hd_worker *worker,
                                                                      int why)
{
    worker->why = why;
    HD_JUMP_TO(worker->jump);
}
/* At least `size` bytes at scratch->base; ends the piece where memory is short. */
void hd_scratch_reserve_unlocked(hd_worker *worker, hd_scratch *scratch, size_t size);

/* Ends the piece if another one of the work has failed: nobody waits for that. */
void hd_worker_check_unlocked(hd_worker *worker);

/* faults.c: installs the handlers, in front of whatever is installed. */
void hd_faults_install(void);
/* The same where somebody has installed others since. Does nothing if it looked a
   moment ago; `now` 0: looks in any case, and more closely. */
void hd_faults_check_unlocked(uint64_t now);
/* Gives the thread a stack for signals, so that overflows of its own are caught. */
void hd_faults_start_thread_unlocked(struct hd_thread *thread);
void hd_faults_end_thread_unlocked(struct hd_thread *thread);

#endif
