/* Page-locked memory on the way between arrays and a GPU, 64 KiB a context. The driver
   copies pageable memory through memory of its own and waits for each copy; from here
   copies are enqueued like launches, and one wait does for all of them. One call at a
   time has it; who finds it lent, or is on the host device, copies without. Owned by
   the context; if that ends in a call that has it, by that call. */
#include "staging.h"
#include "context.h"

struct bd_staging {
    unsigned char *memory; /* NULL: there was none to be had, or it is gone */
    int is_lent, has_ended;
};

bd_staging *bd_staging_lend(bd_state *state)
{
    bd_context *context = bd_context_current(state);
    bd_staging *self;
    if (!context)
        PyErr_Clear();
    if (!context || drv_get_info()->is_host || bd_stream_usual(state))
        return NULL;
    if (!(self = context->staging)) {
        if (!(self = PyMem_Calloc(1, sizeof *self)))
            return NULL;
        context->staging = self;
        self->is_lent = 1; /* while the GIL is let go */
        void *memory;
        int has_memory = !BD_UNLOCKED(cu.cuMemHostAlloc(&memory, BD_STAGING_BYTES, 0));
        self->memory = has_memory && !self->has_ended ? memory : NULL;
        bd_staging_return(self);
        if (!has_memory || bd_context_current(state) != context ||
            context->staging != self) {
            PyErr_Clear();
            return NULL;
        }
    }
    if (self->is_lent || !self->memory)
        return NULL;
    self->is_lent = 1;
    return self;
}

unsigned char *bd_staging_at(const bd_staging *self, size_t offset)
{
    return self->memory ? self->memory + offset : NULL;
}

void bd_staging_return(bd_staging *self)
{
    self->is_lent = 0;
    if (self->has_ended)
        bd_staging_release(self, 1);
}

void bd_staging_release(bd_staging *self, int alive)
{
    if (!self)
        return;
    if (!alive)
        self->memory = NULL; /* it went with its context */
    if (self->is_lent) {
        self->has_ended = 1;
        return;
    }
    if (self->memory)
        BD_UNLOCKED(cu.cuMemFreeHost(self->memory));
    PyMem_Free(self);
}
