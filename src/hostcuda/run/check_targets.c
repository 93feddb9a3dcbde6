/* Check mode: what an address lies in, where the compiler could not tell, as of a
   pointer that was read from memory. That is an allocation or a variable of a module,
   the running block's shared memory, a local variable, or what the image and the launch
   have for themselves: tables and texts, the counter of a grid's barrier. */
#include <pthread.h>

#include "check_targets.h"
#include "texture_record.h"

static bool is_in(uint64_t address, const void *base, uint64_t size)
{
    return address - (uintptr_t)base < size;
}

/* This thread's stack, or the one that the worker's pieces run on. Local arrays are
   there or in the worker's state. Which of them is not known here, nor where it ends.
 */
static hd_target local_at(const hd_worker *worker, uint64_t address)
{
    static _Thread_local hd_scratch own;
    pthread_attr_t attributes;
    void *base = NULL;

    if (!own.base && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &base, &own.size);
        pthread_attr_destroy(&attributes);
        own.base = base;
    }
    const hd_scratch *places[] = {&own, &worker->stack, &worker->state};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (is_in(address, places[i]->base, places[i]->size))
            return (hd_target){.base = (uintptr_t)places[i]->base,
                               .size = places[i]->size,
                               .space = CUX_SPACE_LOCAL,
                               .state = CUX_STATE_LIVE};
    return (hd_target){0};
}

static cuxSpace space_of(hd_memory_kind kind)
{
    return kind == HD_MEMORY_HEAP ? CUX_SPACE_HEAP : CUX_SPACE_GLOBAL;
}

static hd_target in_allocation(uint64_t address)
{
    hd_target target = {0};

    hd_lock();
    const hd_allocation *allocation = hd_memory_find((const void *)address);
    if (allocation && allocation->kind != HD_MEMORY_ARRAY &&
        allocation->kind != HD_MEMORY_TEXTURE &&
        (allocation->kind == HD_MEMORY_HEAP || hd_memory_is_mapped(allocation)))
        target = (hd_target){.base = (uintptr_t)hd_memory_used(allocation).base,
                             .size = hd_memory_used(allocation).size,
                             .space = space_of(allocation->kind),
                             .state = CUX_STATE_LIVE,
                             .allocation = allocation->id};
    hd_unlock();
    return target;
}

/* What it was meant for, perhaps. */
static hd_target near_by(uint64_t address)
{
    hd_lock();
    hd_near near = hd_memory_near((const char *)address);
    hd_unlock();
    if (!near.base)
        return (hd_target){0};
    return (hd_target){.base = (uintptr_t)near.base,
                       .size = near.size,
                       .space = space_of(near.kind),
                       .state = near.is_freed ? CUX_STATE_FREED : CUX_STATE_LIVE,
                       .allocation = near.id};
}

hd_target hd_target_of_unlocked(const hd_worker *worker, uint64_t address)
{
    const hd_launch *launch = (const hd_launch *)worker->work;
    const hd_image *image = &launch->code->image;
    uint64_t shared = launch->kernel->shared_bytes + launch->launch.dynamic_shared;

    if (worker->frame->shared && is_in(address, worker->frame->shared, shared))
        return (hd_target){(uintptr_t)worker->frame->shared, shared, CUX_SPACE_SHARED,
                           CUX_STATE_LIVE, 0};
    hd_target target = in_allocation(address);
    if (target.size != 0)
        return target;
    target = local_at(worker, address);
    if (target.size != 0)
        return target;
    uint64_t constants = (uint64_t)(image->constants_end - image->constants);
    if (is_in(address, image->constants, constants))
        return (hd_target){(uintptr_t)image->constants, constants, CUX_SPACE_CONSTANT,
                           CUX_STATE_LIVE, 0};
    if (is_in(address, launch->params, launch->kernel->param_bytes))
        return (hd_target){(uintptr_t)launch->params, launch->kernel->param_bytes,
                           CUX_SPACE_CONSTANT, CUX_STATE_LIVE, 0};
    if (is_in(address, &launch->arrived, sizeof launch->arrived))
        return (hd_target){(uintptr_t)&launch->arrived, sizeof launch->arrived,
                           CUX_SPACE_GLOBAL, CUX_STATE_LIVE, 0};
    return near_by(address);
}

/* -- Textures and surfaces --------------------------------------------------------- */

/* The record of an object, or of a reference of the module, to which something is
   bound; NULL: there is none. */
static const __hc_texture *record_at(const hd_module *module, uint64_t address)
{
    const hd_allocation *allocation = hd_memory_find((const void *)address);

    if (allocation && allocation->kind == HD_MEMORY_TEXTURE &&
        (uintptr_t)allocation->base == address)
        return (const __hc_texture *)address;
    for (uint32_t i = 0; address != 0 && i < module->nglobals; i++) {
        const hc_global *global = &module->image->globals[i];
        if ((global->kind == HC_TEXTURE || global->kind == HC_SURFACE) &&
            *(const uint64_t *)global->address == address)
            return (const __hc_texture *)address;
    }
    return NULL;
}

static bool has_memory(const __hc_texture *record)
{
    const hd_allocation *allocation = hd_memory_find(record->base);
    uint64_t bytes = (uint64_t)(record->extent[2] - 1) * record->slice +
                     (uint64_t)(record->extent[1] - 1) * record->pitch +
                     (uint64_t)record->extent[0] * record->element;

    return allocation &&
           bytes <= allocation->size - (size_t)(record->base - allocation->base);
}

hd_object_state hd_texture_state_unlocked(const hd_worker *worker, uint64_t address,
                                          bool is_surface, uint64_t *memory)
{
    const hd_launch *launch = (const hd_launch *)worker->work;
    hd_object_state state = HD_OBJECT_OTHER;

    hd_lock();
    const __hc_texture *record = record_at(launch->function->module, address);
    if (record && record->is_surface == is_surface) {
        state = has_memory(record) ? HD_OBJECT_LIVE : HD_OBJECT_MEMORY;
        *memory = (uintptr_t)record->base;
    }
    hd_unlock();
    return state;
}
