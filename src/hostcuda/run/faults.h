/* The signals that kernels raise: handlers, and a stack for those in each thread. */
#ifndef HOSTCUDA_FAULTS_H
#define HOSTCUDA_FAULTS_H

#include "workers.h"

/* Installs the handlers, in front of whatever is installed. */
void hd_faults_install(void);
/* The same where somebody has installed others since. Does nothing if it looked a
   moment ago; `now` 0: looks in any case, and more closely. */
void hd_faults_check_unlocked(uint64_t now);
/* Gives the thread a stack for signals, so that overflows of its own are caught. */
void hd_faults_start_thread_unlocked(hd_thread *thread);
void hd_faults_end_thread_unlocked(hd_thread *thread);
/* A handler of others is in front: pieces are to look at each start. */
extern volatile bool hd_faults_unguarded;

#endif
