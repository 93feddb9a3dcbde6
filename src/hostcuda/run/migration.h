/* Work runs in the calling thread if its kernel was short so far, but the launch at
   hand may differ: a loop may take more turns this time, or never end. So a caller's
   pieces run on a stack of their own, and a thread watches them: where one takes too
   long, a signal stops it within the generated code, its registers are kept, and the
   caller returns as from any launch. A thread of the pool goes on from there: it sends
   itself a signal, and returns from that with those registers. */
#ifndef HOSTCUDA_MIGRATION_H
#define HOSTCUDA_MIGRATION_H

#include "workers.h"

/* A caller's pieces are asked to move after once to twice this time. */
#define HD_MIGRATION_NANOSECONDS 10000000

/* Gives the worker a stack for pieces that may move. False where there is no memory, or
   where this thread has blocked the signal and so could not be stopped. */
bool hd_migration_prepare(hd_worker *worker);
/* Calls the function on another stack, which ends at `top`. */
void hd_call_on_unlocked(char *top, void (*function)(hd_worker *), hd_worker *worker);
/* Calls function(worker) on the worker's. */
void hd_migration_call_unlocked(hd_worker *worker, void (*function)(hd_worker *));
/* Continues, in this thread, at the instruction where the worker was stopped. */
void hd_migration_resume_unlocked(hd_worker *worker) __attribute__((noreturn));
/* Asks the thread that runs the worker's pieces to stop; without effect while that is
   outside of generated code. */
void hd_migration_request(hd_worker *worker);
void hd_migration_install(void);

#endif
