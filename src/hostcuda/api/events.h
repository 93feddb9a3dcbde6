/* Events: names for a point in a stream, or for a place in a capture. */
#ifndef HOSTCUDA_EVENTS_H
#define HOSTCUDA_EVENTS_H

#include "graphs.h"

typedef struct {
    hd_object object;
    unsigned flags;
    hd_point *point;       /* counted: of the last record; NULL before the first */
    uint64_t capture;      /* id: the last record was in that capture; or 0 */
    hd_nodes dependencies; /* borrowed: of that record, while the capture goes on */
} hd_event;

/* The event's next point is reached when the stream comes to it. */
CUresult hd_event_record(hd_event *event, hd_stream *stream);

#endif
