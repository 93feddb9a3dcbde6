/* The linker, as a context sees it that ends and takes unfinished links along. */
#ifndef HOSTCUDA_LINKS_H
#define HOSTCUDA_LINKS_H

#include "process.h"

/* Drops the lock. */
void hd_link_destroy(hd_object *link);

#endif
