/* The table behind handles: an array of slots that only grows, with a chain of free
   ones. A slot's generation goes up when its object dies, so an old handle never finds
   the slot's next object. */
#include "process.h"

/* generation << 32 | slot << 8 | kind; slot 0 stays empty, generations start at 1 */
#define SLOT_LIMIT (1u << 24)

CUresult hd_handle_create(hd_object *object, hd_kind kind, hd_context *context)
{
    hd_handle_table *table = &hd.handles;
    uint32_t slot = table->first_free;

    if (slot != 0) {
        table->first_free = table->slots[slot].next_free;
    } else {
        HD_FAIL_IF(table->count == SLOT_LIMIT, CUDA_ERROR_OUT_OF_MEMORY,
                   "no room for another handle");
        HD_TRY(hd_array_grow(&table->slots, sizeof *table->slots, table->count + 1,
                             &table->capacity));
        if (table->count == 0)
            table->slots[table->count++] = (struct hd_slot){0};
        slot = table->count++;
        table->slots[slot].generation = 1;
    }
    table->slots[slot].object = object;
    object->kind = kind;
    object->context = context;
    object->handle =
        (void *)((uintptr_t)table->slots[slot].generation << 32 | slot << 8 | kind);
    return CUDA_SUCCESS;
}

CUresult hd_object_create(hd_kind kind, hd_context *context, size_t size, void *object)
{
    hd_object *made = calloc(1, size);

    HD_FAIL_IF(!made, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes", size);
    HD_TRY_OR(hd_handle_create(made, kind, context), free(made));
    *(hd_object **)object = made;
    return CUDA_SUCCESS;
}

void hd_handle_retire(hd_object *object)
{
    uint32_t slot = (uintptr_t)object->handle >> 8 & (SLOT_LIMIT - 1);
    struct hd_slot *entry = &hd.handles.slots[slot];

    entry->object = NULL;
    entry->generation++;
    entry->next_free = hd.handles.first_free;
    hd.handles.first_free = slot;
}

void *hd_handle_object(hd_kind kind, const void *handle)
{
    uintptr_t bits = (uintptr_t)handle;
    uint32_t slot = bits >> 8 & (SLOT_LIMIT - 1);

    if ((bits & 0xff) != kind || slot >= hd.handles.count ||
        hd.handles.slots[slot].generation != bits >> 32)
        return NULL;
    return hd.handles.slots[slot].object;
}

CUresult hd_handle_find(hd_kind kind, const void *handle, void *object)
{
    static const char *const names[] = {[HD_CONTEXT] = "a context",
                                        [HD_MODULE] = "a module",
                                        [HD_FUNCTION] = "a function",
                                        [HD_STREAM] = "a stream",
                                        [HD_EVENT] = "an event",
                                        [HD_ARRAY] = "an array",
                                        [HD_LINK] = "a link",
                                        [HD_REFERENCE] = "a reference",
                                        [HD_GRAPH] = "a graph",
                                        [HD_NODE] = "a node of a graph",
                                        [HD_EXEC] = "an executable graph",
                                        [HD_MEMPOOL] = "a memory pool",
                                        [HD_LIBRARY] = "a library",
                                        [HD_KERNEL] = "a kernel of a library"};

    *(void **)object = hd_handle_object(kind, handle);
    HD_FAIL_IF(!*(void **)object,
               kind == HD_CONTEXT ? CUDA_ERROR_INVALID_CONTEXT
                                  : CUDA_ERROR_INVALID_HANDLE,
               "%p is not %s", (void *)(uintptr_t)handle, names[kind]);
    return CUDA_SUCCESS;
}

void hd_handles_list(void **handles, size_t room, const hd_object *first, size_t stride,
                     size_t count)
{
    for (size_t i = 0; i < room && i < count; i++)
        handles[i] = ((const hd_object *)((const char *)first + i * stride))->handle;
}
