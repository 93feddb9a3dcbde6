/* The signals that kernels raise: handlers, and a stack for those in each thread. */
#ifndef HOSTCUDA_FAULTS_H
#define HOSTCUDA_FAULTS_H

#include <ucontext.h>

#include "workers.h"

/* The interrupted instruction and stack pointer, from a signal's mcontext_t. */
#ifdef __x86_64__
#define HD_INSTRUCTION(machine) ((const char *)(machine)->gregs[REG_RIP])
#define HD_STACK_POINTER(machine) ((uintptr_t)(machine)->gregs[REG_RSP])
#else
#define HD_INSTRUCTION(machine) ((const char *)(machine)->pc)
#define HD_STACK_POINTER(machine) ((uintptr_t)(machine)->sp)
#endif

/* Installs the handlers, in front of whatever is installed. */
void hd_faults_install(void);
/* Installs them again if other handlers have been installed since. Does nothing if it
   checked a moment ago; `now` 0: checks in any case, and more thoroughly. */
void hd_faults_check_unlocked(uint64_t now);
/* Gives the thread a stack for signals, so that overflows of its own are caught. */
void hd_faults_start_thread_unlocked(hd_thread *thread);
void hd_faults_end_thread_unlocked(hd_thread *thread);
/* Set while a handler of others may be in front of ours: pieces check when they start.
 */
extern volatile bool hd_faults_unguarded;

#endif
