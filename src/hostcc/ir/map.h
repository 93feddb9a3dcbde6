/* map.c: a hash table from pointers to numbers. */
#ifndef HOSTCC_MAP_H
#define HOSTCC_MAP_H

#include "hostcc/ir/unit.h"

typedef struct cc_map cc_map;

cc_map *cc_map_new(void);
void cc_map_put(cc_map *, const void *key, unsigned value);
int cc_map_get(const cc_map *, const void *key); /* -1: not there */

#endif
