/* The pool: the threads that run pieces of work, for all devices together. */
#ifndef HOSTCUDA_THREAD_POOL_H
#define HOSTCUDA_THREAD_POOL_H

#include "workers.h"

/* For how long a thread that has run pieces looks for more, or for their end, before it
   sleeps: to wake it takes longer, launches that are waited for one by one follow
   within this time, and all threads of a launch end within it. */
#define HD_SPIN_NANOSECONDS 20000

/* Called once. `finish` ends work that has no more pieces, or a host function. */
void hd_pool_start(void (*finish)(hd_work *));
/* Lets the pool take the work's pieces. */
void hd_pool_publish(hd_work *work);
/* Hands a host function to the thread that runs those; false if there can be none. */
bool hd_pool_call(hd_work *work);
/* Takes pieces of published work in this thread until none is left, then finishes it if
   it was last. Drops the lock meanwhile. False: this thread cannot. */
bool hd_pool_take_part(hd_work *work);
/* Runs unpublished work in this thread; publishes what is left after `budget`
   nanoseconds. Drops the lock meanwhile. */
void hd_pool_run_here(hd_work *work, uint64_t budget);
/* Whether any thread of the pool was started; whether one more may run pieces now. */
bool hd_pool_has_threads(void);
bool hd_pool_has_room(void);
/* How many workers spin, if nothing else runs or can start; else 0. */
unsigned hd_pool_only_spins(void);

/* The worker's piece waits for a condition that other work may have to bring about:
   another thread may run in its place until it steps back. */
void hd_pool_step_aside_unlocked(hd_worker *worker);
void hd_pool_step_back_unlocked(hd_worker *worker);

#endif
