/* What the end of a thread does to contexts. */
#ifndef HOSTCUDA_CONTEXTS_H
#define HOSTCUDA_CONTEXTS_H

#include "hostcuda/core/process.h"

/* A thread ends: releases its per-thread default streams. */
void hd_contexts_forget_thread(const hd_thread *thread);

#endif
