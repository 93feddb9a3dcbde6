/* The current context and its sticky error, and how the objects that a context owns are
   made and freed. */
#include "context_state.h"

/* -- State ------------------------------------------------------------------------- */

CUresult hd_context_status(const hd_context *context)
{
    HD_FAIL_IF(!context->alive, CUDA_ERROR_CONTEXT_IS_DESTROYED,
               "the context was destroyed meanwhile");
    if (context->error != CUDA_SUCCESS)
        memcpy(hd_self->detail, context->detail, HD_DETAIL);
    return context->error;
}

CUresult hd_context_current(hd_context **context)
{
    HD_FAIL_IF(hd_self->depth == 0, CUDA_ERROR_INVALID_CONTEXT,
               "no context is current");
    *context = hd_handle_object(HD_CONTEXT, hd_self->stack[hd_self->depth - 1]);
    HD_FAIL_IF(!*context, CUDA_ERROR_CONTEXT_IS_DESTROYED,
               "the current context was destroyed");
    return hd_context_status(*context);
}

void hd_context_set_error(hd_context *context, CUresult status, const char *detail)
{
    if (context->error != CUDA_SUCCESS)
        return;
    context->error = status;
    strncpy(context->detail, detail, HD_DETAIL - 1);
    /* Running work may wait for work that is now dropped: it is cancelled, too. */
    for (hd_stream *stream = context->streams; stream; stream = stream->next) {
        if (status != CUDA_SUCCESS && stream->head && stream->head->started &&
            stream->head->kind == HD_PIECES)
            atomic_store(&stream->head->cancelled, true);
    }
}

/* -- Children ---------------------------------------------------------------------- */

CUresult hd_child_create(hd_context *context, hd_kind kind, size_t size,
                         void (*destroy)(hd_object *), void *child)
{
    hd_object *made = NULL;

    HD_TRY(hd_object_create(kind, context, size, &made));
    made->destroy = destroy;
    made->next = context->children;
    if (made->next)
        made->next->previous = made;
    context->children = made;
    hd.live[kind]++;
    *(hd_object **)child = made;
    return CUDA_SUCCESS;
}

void hd_child_retire(hd_object *child)
{
    if (child->previous)
        child->previous->next = child->next;
    else
        child->context->children = child->next;
    if (child->next)
        child->next->previous = child->previous;
    hd_handle_retire(child);
    hd.live[child->kind]--;
}

void hd_child_destroy(hd_object *child)
{
    hd_child_retire(child);
    free(child);
}

CUresult hd_child_end(hd_kind kind, const void *handle)
{
    HD_FIND(hd_object, child, kind, handle);
    child->destroy(child);
    return CUDA_SUCCESS;
}
