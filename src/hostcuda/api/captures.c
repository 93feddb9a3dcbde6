/* Captures under way, and what they forbid. A forbidden call makes the captures that it
   would have disturbed invalid: work that is submitted to them fails from then on, and
   so does their end. The rules are those of the CUDA programming guide, section "CUDA
   graphs", and of cuThreadExchangeStreamCaptureMode. */
#include "captures.h"
#include "entry.h"
#include "hostcuda/run/kernel_launch.h"

struct hd_capture {
    hd_capture *next;     /* owned: in `captures` */
    hd_graph *graph;      /* owned until the capture ends */
    hd_stream *origin;    /* borrowed */
    hd_captured *members; /* borrowed: of the streams that take member */
    hd_thread *thread;    /* the thread that began it; only compared, never followed */
    CUstreamCaptureMode mode;
    uint64_t id;
    bool own;     /* it created the graph, and destroys it on failure */
    bool invalid; /* a forbidden call was made */
};

static hd_capture *captures; /* owned: under way */

/* -- Life -------------------------------------------------------------------------- */

static CUresult join_capture(hd_capture *capture, hd_stream *stream)
{
    hd_captured *member = malloc(sizeof *member);

    HD_FAIL_IF(!member, CUDA_ERROR_OUT_OF_MEMORY, "no memory to capture a stream");
    *member =
        (hd_captured){.capture = capture, .stream = stream, .next = capture->members};
    capture->members = stream->captured = member;
    return CUDA_SUCCESS;
}

static void leave_capture(hd_captured *member)
{
    HD_UNLINK(member->capture->members, member, next);
    member->stream->captured = NULL;
    hd_nodes_clear(&member->dependencies);
    free(member->answer);
    free(member);
}

/* Ends the capture; a graph of the user's stays also when it failed. */
static void capture_end(hd_capture *capture, bool failed)
{
    HD_UNLINK(captures, capture, next);
    if (!captures)
        hd_queues_set_capture(NULL);
    while (capture->members)
        leave_capture(capture->members);
    capture->graph->capture = NULL;
    if (failed && capture->own)
        hd_graph_destroy(capture->graph);
    free(capture);
}

void hd_capture_forget(hd_stream *stream)
{
    if (!stream->captured)
        return;
    hd_capture *capture = stream->captured->capture;
    capture->invalid = true;
    if (capture->origin != stream) {
        leave_capture(stream->captured);
        return;
    }
    capture_end(capture, true);
}

/* hd_graph.abandon */
static void abandon(hd_graph *graph)
{
    graph->capture->own = false;
    capture_end(graph->capture, true);
}

static hd_capture *capture_with(uint64_t id)
{
    hd_capture *capture = captures;

    while (capture && capture->id != id)
        capture = capture->next;
    return capture;
}

/* -- What is forbidden ------------------------------------------------------------- */

static CUresult invalidate(hd_capture *capture, CUresult status, const char *text)
{
    capture->invalid = true;
    return hd_fail(status, "%s", text);
}

static CUresult check_valid(const hd_capture *capture)
{
    HD_FAIL_IF(capture->invalid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
               "an earlier call made the capture invalid: end it");
    return CUDA_SUCCESS;
}

CUresult hd_capture_refuses(hd_stream *stream, const char *call)
{
    if (!stream->captured)
        return CUDA_SUCCESS;
    stream->captured->capture->invalid = true;
    return hd_fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "%s: the stream is captured",
                   call);
}

/* A captured stream that the legacy stream of the context would wait for, or NULL. */
static hd_stream *captured_blocking(const hd_context *context)
{
    for (hd_stream *stream = context->streams; stream; stream = stream->next) {
        if (stream->captured && (stream->flags & CU_STREAM_NON_BLOCKING) == 0)
            return stream;
    }
    return NULL;
}

CUresult hd_capture_allows(hd_stream *stream)
{
    hd_context *context = stream->object.context;

    if (!captures)
        return CUDA_SUCCESS;
    if (stream->captured)
        return invalidate(stream->captured->capture,
                          CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                          "the stream is captured: it has no work to ask or wait for");
    hd_stream *other = stream == &context->legacy ? captured_blocking(context) : NULL;
    if (!other)
        return CUDA_SUCCESS;
    return invalidate(
        other->captured->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
        "the default stream would wait for a stream that is captured: use "
        "another stream, or capture one made with the flag NON_BLOCKING");
}

CUresult hd_capture_allows_wait(const hd_context *context)
{
    CUresult status = CUDA_SUCCESS;

    for (hd_stream *stream = captures ? context->streams : NULL; stream;
         stream = stream->next) {
        if (stream->captured)
            status = invalidate(stream->captured->capture,
                                CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                "a stream of the context is captured");
    }
    return status;
}

CUresult hd_capture_allows_unsafe(void)
{
    CUresult status = CUDA_SUCCESS;

    for (hd_capture *capture = captures; capture; capture = capture->next) {
        bool own = capture->thread == hd_self &&
                   capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
        bool foreign = hd_self->capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                       capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (hd_self->capture_mode != CU_STREAM_CAPTURE_MODE_RELAXED && (own || foreign))
            status = invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                "the call may synchronize: capture in relaxed mode");
    }
    return status;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    HD_ENTER();
    HD_NEED(mode && (unsigned)*mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
    CUstreamCaptureMode before = hd_self->capture_mode;
    hd_self->capture_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

/* -- What becomes a node ----------------------------------------------------------- */

CUresult hd_capture_node(hd_stream *stream, CUgraphNodeType type, hd_node **node)
{
    HD_TRY(check_valid(stream->captured->capture));
    HD_TRY(hd_node_create(stream->captured->capture->graph, type,
                          &stream->captured->dependencies, node));
    hd_nodes_clear(&stream->captured->dependencies);
    return hd_nodes_add(&stream->captured->dependencies, *node);
}

static CUresult take_work(hd_stream *stream, hd_work *work)
{
    hd_node *node = NULL;
    HD_TRY_OR(hd_capture_node(stream, work->node, &node), free(work));
    node->task.work = work;
    if (work->node == CU_GRAPH_NODE_TYPE_KERNEL)
        node->task.subject = ((hd_launch *)work)->function->object.handle;
    return CUDA_SUCCESS;
}

static CUresult add_event(hd_stream *stream, CUgraphNodeType type, hd_event *event)
{
    hd_node *node = NULL;

    HD_TRY(hd_capture_node(stream, type, &node));
    node->task.subject = event->object.handle;
    return CUDA_SUCCESS;
}

CUresult hd_capture_graph(hd_stream *stream, hd_graph *graph)
{
    hd_node *node = NULL;
    hd_graph *copy = NULL;

    HD_TRY(hd_graph_copy(graph, stream->object.context, HD_NODE, &copy));
    HD_TRY_OR(hd_capture_node(stream, CU_GRAPH_NODE_TYPE_GRAPH, &node),
              hd_graph_destroy(copy));
    node->task.child = copy;
    return CUDA_SUCCESS;
}

CUresult hd_capture_record(hd_stream *stream, hd_event *event, bool external)
{
    if (external)
        return add_event(stream, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
    HD_TRY(check_valid(stream->captured->capture));
    hd_nodes_clear(&event->dependencies);
    event->capture = stream->captured->capture->id;
    return hd_nodes_add_all(&event->dependencies, &stream->captured->dependencies);
}

CUresult hd_capture_wait(hd_stream *stream, hd_event *event, bool external)
{
    hd_capture *capture = stream->captured ? stream->captured->capture : NULL;
    hd_capture *from = capture_with(event->capture);

    if (capture && external)
        return add_event(stream, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
    if (capture)
        HD_TRY(check_valid(capture));
    if (capture && !from)
        return invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                          "the event was not recorded in this capture");
    HD_FAIL_IF(!from, CUDA_ERROR_CAPTURED_EVENT,
               "the event was last recorded in a capture that has ended");
    HD_TRY(check_valid(from));
    if (stream == &stream->object.context->legacy)
        return invalidate(from, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                          "the default stream cannot be captured");
    if (!capture) {
        HD_TRY(join_capture(from, stream));
    } else if (capture != from) {
        capture->invalid = true;
        return invalidate(from, CUDA_ERROR_STREAM_CAPTURE_MERGE,
                          "the event was recorded in another capture");
    }
    return hd_nodes_add_all(&stream->captured->dependencies, &event->dependencies);
}

static const hd_capture_hooks hooks = {.take = take_work, .allows = hd_capture_allows};

/* -- Entry points ------------------------------------------------------------------ */

/* Captures into a graph of its own, or into one of the user's after some of its nodes.
 */
static CUresult begin_capture(CUstream handle, CUgraph graph_handle,
                              const CUgraphNode *after, size_t count,
                              CUstreamCaptureMode mode, bool own)
{
    hd_graph *graph = NULL;
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED((unsigned)mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
    HD_FAIL_IF(stream == &stream->object.context->legacy,
               CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
               "the default stream cannot be captured");
    HD_FAIL_IF(stream->captured, CUDA_ERROR_ILLEGAL_STATE,
               "the stream is captured already");
    if (own)
        HD_TRY(hd_graph_create(stream->object.context, HD_GRAPH, &graph));
    else
        HD_TRY(hd_handle_find(HD_GRAPH, graph_handle, &graph));
    HD_REFUSE_IF(graph->capture, "the graph is being captured");
    HD_REFUSE_IF(graph->embedded, "the graph belongs to a node of another one");
    HD_REFUSE_IF(graph->object.context != stream->object.context,
                 "graph and stream belong to different contexts");
    hd_capture *capture = calloc(1, sizeof *capture);
    if (!capture && own)
        hd_graph_destroy(graph);
    HD_FAIL_IF(!capture, CUDA_ERROR_OUT_OF_MEMORY, "no memory to capture a stream");
    *capture = (hd_capture){.next = captures,
                            .graph = graph,
                            .origin = stream,
                            .thread = hd_self,
                            .mode = mode,
                            .id = ++hd.serial,
                            .own = own};
    captures = capture;
    hd_queues_set_capture(&hooks);
    graph->capture = capture;
    graph->abandon = abandon;
    CUresult status = join_capture(capture, stream);
    if (status == CUDA_SUCCESS)
        status = hd_nodes_find(&stream->captured->dependencies, graph, after, count);
    if (status != CUDA_SUCCESS)
        capture_end(capture, true);
    return status;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    return begin_capture(stream, NULL, NULL, 0, mode, true);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode *after,
                                     const CUgraphEdgeData *edges, size_t count,
                                     CUstreamCaptureMode mode)
{
    HD_TRY(hd_edges_check(edges, count));
    return begin_capture(stream, graph, after, count, mode, false);
}

/* Whether everything captured came back to the stream that the capture began in. */
static bool is_joined(const hd_capture *capture)
{
    hd_graph_mark(capture->graph, &capture->origin->captured->dependencies);
    for (const hd_captured *member = capture->members; member; member = member->next) {
        for (size_t i = 0; i < member->dependencies.count; i++) {
            if (!member->dependencies.list[i]->marked)
                return false;
        }
    }
    return true;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph_handle)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(graph_handle);
    *graph_handle = NULL;
    HD_FAIL_IF(!stream->captured, CUDA_ERROR_ILLEGAL_STATE,
               "the stream is not captured");
    hd_capture *capture = stream->captured->capture;
    if (capture->origin != stream)
        return invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                          "the capture began in another stream");
    HD_FAIL_IF(
        capture->thread != hd_self && capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED,
        CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture began in another thread");
    CUresult status = check_valid(capture);
    if (status == CUDA_SUCCESS && !is_joined(capture))
        status = hd_fail(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                         "the stream has not waited for all work of others that joined "
                         "the capture");
    if (status == CUDA_SUCCESS)
        *graph_handle = capture->graph->object.handle;
    capture_end(capture, status != CUDA_SUCCESS);
    return status;
}

static CUstreamCaptureStatus status_of(const hd_stream *stream)
{
    return !stream->captured                    ? CU_STREAM_CAPTURE_STATUS_NONE
           : stream->captured->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                                : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

static CUresult check_legacy(hd_stream *stream)
{
    return stream == &stream->object.context->legacy ? hd_capture_allows(stream)
                                                     : CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_TRY(check_legacy(stream));
    HD_ANSWER(status, status_of(stream));
}

/* The list is the stream's own, until it is asked again. */
static CUresult list_tips(hd_stream *stream, const CUgraphNode **nodes)
{
    size_t count = stream->captured->dependencies.count;
    CUgraphNode *list = realloc(stream->captured->answer, (count + 1) * sizeof *list);

    if (!list)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *nodes = stream->captured->answer = list;
    return hd_nodes_answer(&stream->captured->dependencies, list, &count);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus *status,
                                   cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **nodes, size_t *count)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_TRY(check_legacy(stream));
    HD_NEED(status);
    *status = status_of(stream);
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_SUCCESS;
    if (id)
        *id = stream->captured->capture->id;
    if (graph)
        *graph = stream->captured->capture->graph->object.handle;
    if (count)
        *count = stream->captured->dependencies.count;
    return nodes ? list_tips(stream, nodes) : CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus *status,
                                   cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **nodes,
                                   const CUgraphEdgeData **edges, size_t *count)
{
    if (edges)
        *edges = NULL; /* all dependencies are full ones */
    return cuStreamGetCaptureInfo_v2(handle, status, id, graph, nodes, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode *nodes,
                                           size_t count, unsigned int flags)
{
    hd_nodes dependencies = {0};
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    HD_FAIL_IF(!stream->captured, CUDA_ERROR_ILLEGAL_STATE,
               "the stream is not captured");
    CUresult status = check_valid(stream->captured->capture);
    if (status == CUDA_SUCCESS)
        status = hd_nodes_find(&dependencies, stream->captured->capture->graph, nodes,
                               count);
    if (status == CUDA_SUCCESS && flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES)
        status = hd_nodes_add_all(&dependencies, &stream->captured->dependencies);
    if (status != CUDA_SUCCESS) {
        hd_nodes_clear(&dependencies);
        return status;
    }
    hd_nodes_clear(&stream->captured->dependencies);
    stream->captured->dependencies = dependencies;
    return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *nodes,
                                              const CUgraphEdgeData *edges,
                                              size_t count, unsigned int flags)
{
    HD_TRY(hd_edges_check(edges, count));
    return cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
