/* Handles, which users hold in place of pointers. A handle is a number made of a slot,
   the slot's generation and a kind, so that a null, foreign or stale one is recognised
   without touching memory that may have been freed. */
#ifndef HOSTCUDA_HANDLES_H
#define HOSTCUDA_HANDLES_H

#include "error.h"

struct hd_context;

typedef enum {
    HD_CONTEXT = 1,
    HD_MODULE,
    HD_FUNCTION,
    HD_STREAM,
    HD_EVENT,
    HD_ARRAY,
    HD_LINK,
    HD_REFERENCE, /* to a texture or surface */
    HD_GRAPH,
    HD_NODE,
    HD_EXEC,
    HD_MEMPOOL,
    HD_LIBRARY,
    HD_KERNEL, /* of a library */
    HD_MEMORY, /* counted like the others, but known by its address */
    HD_LIVE,
} hd_kind;

/* The first member of everything that has a handle. */
typedef struct hd_object hd_object;
struct hd_object {
    hd_kind kind;
    void *handle; /* given to the user */
    struct hd_context
        *context; /* borrowed: the parent, which destroys its children first */
    hd_object *previous, *next;   /* children of the same context */
    void (*destroy)(hd_object *); /* of a child; may drop the lock */
};

typedef struct {
    struct hd_slot {
        hd_object *object; /* borrowed; NULL when free */
        uint32_t generation, next_free;
    } *slots; /* owned */
    size_t capacity;
    uint32_t count, first_free;
} hd_handle_table;

/* Gives the object a handle. */
CUresult hd_handle_create(hd_object *object, hd_kind kind, struct hd_context *context);
/* A zeroed object of `size` bytes with a handle. */
CUresult hd_object_create(hd_kind kind, struct hd_context *context, size_t size,
                          void *object);
/* Makes the handle stale. */
void hd_handle_retire(hd_object *object);
/* Returns the object of a handle of that kind, or NULL. */
void *hd_handle_object(hd_kind kind, const void *handle);
/* Stores the object in *object, or fails with a sentence. */
CUresult hd_handle_find(hd_kind kind, const void *handle, void *object);

/* Lists the handles of `count` objects in an array, `stride` bytes apart, up to `room`.
 */
void hd_handles_list(void **handles, size_t room, const hd_object *first, size_t stride,
                     size_t count);

/* Declares a variable for the object of a handle, or returns from the function. */
#define HD_FIND(type, variable, kind, handle) \
    type *variable = NULL;                    \
    HD_TRY(hd_handle_find(kind, handle, &variable))

#endif
