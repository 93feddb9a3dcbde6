#ifndef HOSTCUDA_EVENTS_H
#define HOSTCUDA_EVENTS_H

#include "queues.h"

typedef struct {
    hd_object object;
    unsigned flags;
    hd_point *point; /* counted: of the last record; NULL before the first */
} hd_event;

void hd_event_destroy(hd_event *event);

#endif
