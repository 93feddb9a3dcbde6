/* Whether all that runs on the device waits for what nothing will bring about. */
#ifndef HOSTCUDA_IDLE_H
#define HOSTCUDA_IDLE_H

#include "workers.h"

/* Whether somebody wants to know: the worker's block, which has only spun in its last
   turn, is to call hd_idle_note_unlocked. */
bool hd_idle_is_asked(void);
/* Notes a turn after which the block's threads are as `standing`, a number, says;
   `idle`: such turns change nothing. Returns whether the device has come to a stand, so
   that the block is to end. */
bool hd_idle_note_unlocked(hd_worker *worker, uint64_t standing, bool idle);
/* The worker's block goes on, or is left. */
void hd_idle_moved_unlocked(hd_worker *worker);

/* Nothing but so many spinning workers runs or can start, and nobody but they can write
   to memory: asks them, again and again. Returns whether they were told to end. */
bool hd_idle_ask(unsigned spinning);
/* It is otherwise. */
void hd_idle_forget(void);

#endif
