/* Threads that wait for work, and what ends their waits. */
#ifndef HOSTCUDA_WAITS_H
#define HOSTCUDA_WAITS_H

#include "context_state.h"

#define HD_ASK_NANOSECONDS 50000000 /* between questions whether the user gives up */

/* Fails in a host function, which would wait for its own end. */
CUresult hd_may_wait(void);
/* hd_wait_begin registers the thread with the work, hd_wait_end waits, and helps
   meanwhile. `own`: the work is this thread's, and is dropped if the user gives up. */
void hd_wait_begin(hd_work *work);
CUresult hd_wait_end(hd_work *work, bool own);
/* The work has ended: wakes the threads that wait for it. */
void hd_waiters_wake(hd_work *work);
/* The thread ends, perhaps in the middle of a wait: unregisters it. */
void hd_forget_waiter(hd_thread *thread);
/* Wait for the work, or all that was submitted until now; then hd_context_synchronized.
   Drop the lock: afterwards only contexts are sure to be there still. NOT_READY: the
   user gave up, see cuxSetWaitFunction. */
CUresult hd_work_wait(hd_work *work);
CUresult hd_stream_wait(hd_stream *stream);
CUresult hd_context_wait(hd_context *context);
/* The same whatever the status, before something that the work may use goes. NOT_READY:
   the user gave up, now or in an earlier wait for the same work. */
CUresult hd_context_drain(hd_context *context);
/* The end of every synchronization: shows device printf, answers the status. */
CUresult hd_context_synchronized(hd_context *context);
/* Registers what else is done at the end of every synchronization. */
void hd_on_synchronized(void (*function)(hd_context *));
/* Waits for the context's work, then has the child destroyed. Drops the lock. */
CUresult hd_child_unload(hd_kind kind, const void *handle);

#endif
