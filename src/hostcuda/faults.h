/* Signals that a kernel raises: turned into the failure of that kernel. */
#ifndef HOSTCUDA_FAULTS_H
#define HOSTCUDA_FAULTS_H

#include "process.h"

/* Installs the handlers, in front of whatever is installed. A handler that somebody
   installs later comes first, and takes the faults of kernels for its own. */
void hd_faults_install(void);
/* Gives the thread a stack for signals, once, so that a kernel that overflows its stack
 * is caught. */
void hd_faults_start_thread_unlocked(hd_thread *thread);
void hd_faults_end_thread_unlocked(hd_thread *thread);

#endif
