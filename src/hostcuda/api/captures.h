/* Stream capture: what is submitted to a stream that is captured becomes nodes of a
   graph. Streams join a capture by waiting for an event that was recorded in it. */
#ifndef HOSTCUDA_CAPTURES_H
#define HOSTCUDA_CAPTURES_H

#include "events.h"

typedef struct hd_capture hd_capture;

/* A stream as a member of a capture: hd_stream.captured. */
typedef struct hd_captured {
    hd_capture *capture;      /* borrowed */
    hd_stream *stream;        /* borrowed: owns this */
    struct hd_captured *next; /* members of the same capture */
    hd_nodes dependencies;    /* borrowed: of the next captured work */
    CUgraphNode *answer;      /* owned: of cuStreamGetCaptureInfo */
} hd_captured;

/* Adds a node that depends on all captured work of the stream; its next work depends on
   the node. */
CUresult hd_capture_node(hd_stream *stream, CUgraphNodeType type, hd_node **node);
/* The same for an event's record, a wait for an event, and the launch of a graph; a
   wait adds no node but a dependency. All other work that is submitted to the stream
   becomes a node by hd_capture_hooks. */
CUresult hd_capture_record(hd_stream *stream, hd_event *event, bool external);
CUresult hd_capture_wait(hd_stream *stream, hd_event *event, bool external);
CUresult hd_capture_graph(hd_stream *stream, hd_graph *graph);

/* Calls that captures forbid, and that invalidate them: using or querying a captured
   stream, or the legacy stream beside a captured one that it would wait for;
   synchronizing the context of one; calls that may do either. All succeed while nothing
   is captured. */
CUresult hd_capture_allows(hd_stream *stream);
CUresult hd_capture_allows_wait(const hd_context *context);
CUresult hd_capture_allows_unsafe(void);
/* The call cannot become a node. */
CUresult hd_capture_refuses(hd_stream *stream, const char *call);
/* The stream is destroyed: ends its membership. */
void hd_capture_forget(hd_stream *stream);

#endif
