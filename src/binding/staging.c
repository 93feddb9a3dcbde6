/* Page-locked memory on the way between arrays and a GPU, 64 KiB a context. The driver
   copies pageable memory through memory of its own and waits for each copy; from here
   copies are enqueued like launches, and one wait does for all of them. One call at a
   time has it; who finds it lent, or is on the host device, copies without. Owned by
   the context; if that ends in a call that has it, by that call.

   Behind it are echoes: the last few results of reductions, which the kernels write
   there, too. A program that asks for one waits and reads: there is no copy to enqueue,
   which costs a fifth of the time of a small sum on an H200. Each has the next
   number, which the memory of the result keeps; its place is another one's when as many
   came after it as there are. A kernel that writes an echo ends 0.2 to 0.5 us later, so
   there are none while a program asks for no results; the first that it asks for is
   copied. */
#include "staging.h"
#include "memory.h"
#include <string.h>

enum { ECHOES = 64, UNREAD_MOST = 32, ECHO_BYTES = 16 };
static const uint64_t LEFT_OUT = UINT64_MAX; /* in place of an echo's number */

struct bd_staging {
    unsigned char *memory; /* NULL: there was none to be had, or it is gone */
    int is_lent, has_ended;
    uint64_t echoes; /* so far */
    unsigned unread; /* of them, since a program last asked for a result */
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
        int has_memory = !BD_UNLOCKED(
            cu.cuMemHostAlloc(&memory, BD_STAGING_BYTES + ECHOES * ECHO_BYTES, 0));
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
    if (self->memory && self->echoes) /* kernels may be about to write one */
        BD_UNLOCKED(cu.cuCtxSynchronize());
    if (self->memory)
        BD_UNLOCKED(cu.cuMemFreeHost(self->memory));
    PyMem_Free(self);
}

/* -- Echoes ---------------------------------------------------------------------- */

static unsigned char *echo_place(const bd_staging *self, uint64_t number)
{
    return self->memory + BD_STAGING_BYTES + number % ECHOES * ECHO_BYTES;
}

CUdeviceptr bd_echo_begin(bd_state *state, bd_context *context, PyObject *memory,
                          size_t bytes)
{
    bd_device_pointer *of = (bd_device_pointer *)memory;
    bd_staging *self;
    if (drv_get_info()->is_host || bytes > ECHO_BYTES ||
        !bd_memory_is_private(state, memory) || of->size != bytes ||
        of->base.context != context || !(self = context->staging) || !self->memory)
        return 0;
    if (self->unread == UNREAD_MOST) {
        of->echo = LEFT_OUT;
        return 0;
    }
    self->unread++;
    of->echo = ++self->echoes;
    return (uintptr_t)echo_place(self, of->echo); /* of all that is page-locked */
}

static bd_staging *staging_of(const bd_device_pointer *memory)
{
    const bd_context *context = memory->base.context;
    return context->dead ? NULL : context->staging;
}

/* NULL: there is none. */
static const unsigned char *echo_of(const bd_device_pointer *memory, size_t bytes)
{
    const bd_staging *staging = staging_of(memory);
    return memory->echo && memory->echo != LEFT_OUT && !memory->freed &&
                   memory->size == bytes && staging && staging->memory &&
                   staging->echoes - memory->echo < ECHOES
               ? echo_place(staging, memory->echo)
               : NULL;
}

/* Other threads may do anything to the memory meanwhile. */
static int wait_for_echo(bd_state *state, bd_device_pointer *memory, void *to,
                         size_t bytes)
{
    const unsigned char *echo;
    if (BD_CALL_UNLOCKED(state, cuStreamSynchronize, NULL))
        return -1;
    if (!(echo = echo_of(memory, bytes)))
        return 0;
    memcpy(to, echo, bytes);
    return 1;
}

int bd_echo_read(bd_state *state, PyObject *memory, void *to, size_t bytes)
{
    bd_device_pointer *of = (bd_device_pointer *)memory;
    CUcontext current = NULL;
    if (bytes > ECHO_BYTES || !memory || !bd_memory_is_private(state, memory))
        return 0;
    if (bd_write_pending(state)) /* which may change it */
        return -1;
    bd_staging *staging = staging_of(of);
    if (of->echo && staging)
        staging->unread = 0;
    if (!echo_of(of, bytes) || bd_stream_usual(state) || cu.cuCtxGetCurrent(&current) ||
        current != of->base.context->handle)
        return 0;
    Py_INCREF(memory);
    int result = wait_for_echo(state, of, to, bytes);
    Py_DECREF(memory);
    return result;
}

void bd_echo_end(bd_state *state, PyObject *memory)
{
    if (memory && bd_is_device_pointer(state, memory))
        ((bd_device_pointer *)memory)->echo = 0;
}

/* -- Flags ----------------------------------------------------------------------- */

bd_staging *bd_flags_lend(bd_state *state, CUdeviceptr *place)
{
    bd_staging *flags = bd_staging_lend(state);
    if (!flags)
        return NULL;
    memset(flags->memory, 0, 2 * sizeof(int));
    *place = (uintptr_t)flags->memory;
    return flags;
}

int bd_flags_read(bd_state *state, bd_staging *flags, int value[2])
{
    int failed = BD_CALL_UNLOCKED(state, cuStreamSynchronize, NULL);
    value[0] = 1;
    value[1] = 0;
    if (flags->memory)
        memcpy(value, flags->memory, 2 * sizeof *value);
    bd_staging_return(flags);
    return failed ? -1 : 0;
}

void bd_flags_return(bd_staging *flags)
{
    bd_staging_return(flags);
}
