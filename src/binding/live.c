/* What memory is alive: a list of it in the order of allocation, with the place in the
   program that asked for it and the array it is for; and how much it is at most. Each
   object that owns memory has a place in the list (memory.c), so that nothing is
   allocated for it. Of the place the code object and the offset of the instruction are
   kept, which costs some hundred instructions; the line is looked up when somebody
   asks. */
#include "live.h"
#include "numpy_api.h"

/* -- Places ---------------------------------------------------------------------- */

/* The folder of the package with a slash, NULL and no exception if nobody knows. */
static PyObject *package_folder(bd_state *state)
{
    if (state->package)
        return state->package;
    PyObject *name = PyUnicode_FromString("pycuda"), *init = NULL;
    PyObject *package = name ? PyImport_GetModule(name) : NULL;
    if (package && (init = PyModule_GetFilenameObject(package))) {
        Py_ssize_t end =
            PyUnicode_FindChar(init, '/', 0, PyUnicode_GET_LENGTH(init), -1);
        state->package = PyUnicode_Substring(init, 0, end + 1);
    }
    Py_XDECREF(init);
    Py_XDECREF(package);
    Py_XDECREF(name);
    PyErr_Clear();
    return state->package;
}

/* Programs allocate from few files: the last one of either kind is known by its
   address; where `outside` is known, callers have compared with that. */
static int is_outside(void *data, PyObject *file)
{
    bd_state *state = data;
    if (file == state->inside)
        return 0;
    PyObject *folder = package_folder(state);
    if (!folder)
        return 0;
    int is_inside = PyUnicode_Tailmatch(file, folder, 0, PY_SSIZE_T_MAX, -1) != 0;
    PyObject **last = is_inside ? &state->inside : &state->outside;
    Py_XSETREF(*last, Py_NewRef(file));
    return !is_inside;
}

/* -- The list -------------------------------------------------------------------- */

static void freed_clear(bd_freed *one)
{
    Py_CLEAR(one->live.allocated.code);
    Py_CLEAR(one->live.dtype);
    Py_CLEAR(one->site.code);
}

/* Its address is other memory's now. */
__attribute__((noinline)) static void forget_overlapped(bd_state *state,
                                                        CUdeviceptr begin, size_t size)
{
    for (unsigned i = 0; i < BD_FREED_KEPT; i++) {
        bd_freed *one = &state->freed[i];
        if (one->pointer < begin + size && begin < one->pointer + one->size) {
            freed_clear(one);
            one->size = 0;
        }
    }
}

void bd_live_begin(bd_live *live, bd_device_pointer *memory, int on_host)
{
    bd_context *context = memory->base.context;
    bd_state *state = context->state;
    live->allocated = py_site_find(state->outside, is_outside, state);
    live->memory = memory;
    live->on_host = on_host;
    if (state->freed && !on_host)
        forget_overlapped(state, memory->pointer, memory->size);
    live->next = state->live;
    if (live->next)
        live->next->link = &live->next;
    live->link = &state->live;
    state->live = live;
    bd_count *count = &context->live[on_host];
    count->bytes += memory->size;
    if (count->bytes > count->most)
        count->most = count->bytes;
}

/* Under check, what is freed is remembered for a while: a kernel may still use it. */
__attribute__((noinline)) static void remember(bd_state *state, const bd_live *live)
{
    if (!state->freed && !(state->freed = PyMem_New(bd_freed, BD_FREED_KEPT)))
        return;
    if (state->frees == 0)
        memset(state->freed, 0, BD_FREED_KEPT * sizeof *state->freed);
    bd_freed *one = &state->freed[state->frees++ % BD_FREED_KEPT];
    freed_clear(one);
    *one = (bd_freed){live->memory->pointer, live->memory->size, *live,
                      py_site_find(state->outside, is_outside, state)};
    Py_XINCREF(one->live.allocated.code);
    Py_XINCREF(one->live.dtype);
}

void bd_live_end(bd_live *live)
{
    if (!live->link)
        return;
    bd_context *context = live->memory->base.context;
    if (context->state->keeps_freed && !live->on_host)
        remember(context->state, live);
    *live->link = live->next;
    if (live->next)
        live->next->link = live->link;
    live->link = NULL;
    context->live[live->on_host].bytes -= live->memory->size;
    Py_CLEAR(live->allocated.code);
    Py_CLEAR(live->dtype);
}

void bd_live_note_array(bd_live *live, PyObject *dtype, int ndim,
                        const Py_ssize_t *shape)
{
    if (live->dtype || !live->link)
        return;
    live->dtype = Py_NewRef(dtype);
    live->ndim = ndim;
    for (int i = 0; i < ndim && i < BD_LIVE_AXES; i++)
        live->shape[i] = shape[i];
}

const bd_live *bd_live_find(bd_state *state, CUdeviceptr address)
{
    const bd_live *live = state->live;
    while (live && address - live->memory->pointer >= live->memory->size)
        live = live->next;
    return live;
}

void bd_live_measure(const bd_state *state)
{
    for (const bd_live *live = state->live; live; live = live->next)
        if (!live->on_host && live->memory->size)
            cu.cuxSetAllocationUse(live->memory->pointer, live->memory->size);
}

/* -- Words ----------------------------------------------------------------------- */

/* "an array of 1000 float32", "an array of (30, 40) float32", "an allocation of 4000
   bytes". */
static PyObject *what_it_is(PyObject *dtype, size_t count, PyObject *shape)
{
    if (dtype == Py_None)
        return PyUnicode_FromFormat("an allocation of %zu bytes", count);
    if (shape == Py_None || PyTuple_GET_SIZE(shape) < 2)
        return PyUnicode_FromFormat("an array of %zu %S", count, dtype);
    return PyUnicode_FromFormat("an array of %S %S", shape, dtype);
}

/* None: there is none, or it is too long to be kept. */
static PyObject *shape_of(const bd_live *live)
{
    if (!live->dtype || live->ndim > BD_LIVE_AXES)
        Py_RETURN_NONE;
    PyObject *shape = PyTuple_New(live->ndim);
    for (int i = 0; shape && i < live->ndim; i++) {
        PyObject *length = PyLong_FromSsize_t(live->shape[i]);
        if (length)
            PyTuple_SET_ITEM(shape, i, length);
        else
            Py_CLEAR(shape);
    }
    return shape;
}

/* Memory that is alive, or was. */
typedef struct {
    CUdeviceptr pointer;
    size_t size;
    const bd_live *live;
    const py_site *freed;
    PyObject *owner; /* owned: stays while text is made; NULL: gone already */
} found_memory;

static int find(bd_state *state, CUdeviceptr base, int is_freed, found_memory *found)
{
    const bd_live *live = is_freed ? NULL : bd_live_find(state, base);
    static const py_site nowhere = {0};
    if (live) {
        *found = (found_memory){live->memory->pointer, live->memory->size, live,
                                &nowhere, Py_NewRef((PyObject *)live->memory)};
        return 1;
    }
    for (unsigned back = 1; state->freed && back <= BD_FREED_KEPT; back++) {
        const bd_freed *one = &state->freed[(state->frees - back) % BD_FREED_KEPT];
        if (base - one->pointer >= one->size)
            continue;
        *found = (found_memory){one->pointer, one->size, &one->live, &one->site, NULL};
        return 1;
    }
    return 0;
}

PyObject *bd_live_describe(bd_state *state, CUdeviceptr base, CUdeviceptr address,
                           const char *name, int is_freed)
{
    found_memory found;
    if (!find(state, base, is_freed, &found))
        Py_RETURN_NONE;
    const bd_live *live = found.live;
    /* Text of a dtype is made by Python code, under which the array may be freed. */
    PyObject *dtype = Py_NewRef(live->dtype ? live->dtype : Py_None);
    Py_ssize_t itemsize =
        live->dtype ? PyDataType_ELSIZE((PyArray_Descr *)live->dtype) : 1;
    itemsize += !itemsize;
    Py_ssize_t byte = (Py_ssize_t)(address - found.pointer);
    Py_ssize_t element = byte / itemsize - (byte % itemsize < 0);
    const char *unit = live->dtype ? "element" : "byte";
    PyObject *site = py_site_text(&live->allocated), *text = NULL, *result = NULL;
    PyObject *freed = site ? py_site_text(found.freed) : NULL;
    PyObject *shape = freed ? shape_of(live) : NULL;
    PyObject *what = shape ? what_it_is(dtype, found.size / itemsize, shape) : NULL;
    if (what)
        text = PyUnicode_FromFormat("%s %zd of %s%s%U%s%V", unit, element,
                                    name ? name : "", name ? ", " : "", what,
                                    site == Py_None ? "" : " allocated at ",
                                    site == Py_None ? NULL : site, "");
    if (text)
        result = PyTuple_Pack(5, text, site, freed, dtype, shape);
    Py_XDECREF(text);
    Py_XDECREF(what);
    Py_XDECREF(shape);
    Py_XDECREF(freed);
    Py_XDECREF(site);
    Py_DECREF(dtype);
    Py_XDECREF(found.owner);
    return result;
}

void bd_live_forget(bd_state *state)
{
    for (unsigned i = 0; state->freed && i < BD_FREED_KEPT; i++)
        freed_clear(&state->freed[i]);
    PyMem_Free(state->freed);
    state->freed = NULL;
    state->frees = 0;
}

/* -- For pycuda.tools ------------------------------------------------------------ */

/* The owners and where they were allocated, noted before anything is made for which the
   collector may run and end some of them. -1: no memory. */
static Py_ssize_t gather(bd_state *state, bd_device_pointer ***owners, py_site **sites)
{
    Py_ssize_t count = 0, most = 1;
    for (const bd_live *live = state->live; live; live = live->next)
        most++;
    *owners = PyMem_New(bd_device_pointer *, most);
    *sites = PyMem_New(py_site, most);
    if (!*owners || !*sites)
        return -1;
    for (const bd_live *live = state->live; live; live = live->next) {
        PyObject *owner = (PyObject *)live->memory;
        if (Py_REFCNT(owner) == 0 || live->memory->base.context->dead)
            continue; /* on its way out, or gone with its context */
        (*owners)[count] = (bd_device_pointer *)Py_NewRef(owner);
        (*sites)[count] = live->allocated;
        Py_XINCREF((*sites)[count++].code);
    }
    return count;
}

BD_METHOD(live_memory, 0, 0, "_live_memory()",
          "(bytes, owner, where it was allocated) of all memory that is alive, the "
          "latest first.")
{
    bd_device_pointer **owners;
    py_site *sites;
    Py_ssize_t count = gather(bd_state_get(self), &owners, &sites);
    PyObject *list = count < 0 ? PyErr_NoMemory() : PyList_New(count);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *where = list ? py_site_text(&sites[i]) : NULL;
        PyObject *one = where ? Py_BuildValue("nOO", (Py_ssize_t)owners[i]->size,
                                              (PyObject *)owners[i], where)
                              : NULL;
        if (one)
            PyList_SET_ITEM(list, i, one);
        else
            Py_CLEAR(list);
        Py_XDECREF(where);
        Py_DECREF((PyObject *)owners[i]);
        Py_XDECREF(sites[i].code);
    }
    PyMem_Free(owners);
    PyMem_Free(sites);
    return list;
}

BD_METHOD(
    describe, 2, 4, "_describe_address(base, address, name=None, is_freed=False)",
    "What a user calls an address: \"element 1000 of x, an array of 1000 float32 "
    "allocated at program.py:12\", and where it was allocated and freed, dtype and "
    "shape. base: an address in the memory that was meant; of memory that was freed "
    "under check, if is_freed. None: nobody owns that, or owned.")
{
    uint64_t base, address;
    const char *name = NULL;
    int is_freed = in[3] ? PyObject_IsTrue(in[3]) : 0;
    if (is_freed < 0 || py_unsigned(in[0], "base", UINT64_MAX, &base) ||
        py_unsigned(in[1], "address", UINT64_MAX, &address) ||
        (in[2] && in[2] != Py_None && !(name = py_text(in[2]))))
        return NULL;
    return bd_live_describe(bd_state_get(self), base, address, name, is_freed);
}

/* How far beside memory an access may lie to be taken for one that was meant for it. */
enum { NEAR = 256 };

BD_METHOD(memory_near, 1, 1, "_memory_near(address)",
          "(base, bytes, whether it was freed) of the device memory that an address in "
          "none was meant for: what was there until it was freed under check, else the "
          "nearest beside it. None: there is none near by.")
{
    uint64_t address;
    if (py_unsigned(in[0], "address", UINT64_MAX, &address))
        return NULL;
    bd_state *state = bd_state_get(self);
    found_memory found;
    if (find(state, address, 1, &found))
        return Py_BuildValue("KKi", found.pointer, (unsigned long long)found.size, 1);
    const bd_live *nearest = NULL;
    uint64_t least = NEAR;
    for (const bd_live *live = state->live; live; live = live->next) {
        uint64_t base = live->memory->pointer, end = base + live->memory->size;
        uint64_t distance = address < base ? base - address : address - end;
        if (live->on_host || distance >= least)
            continue;
        least = distance;
        nearest = live;
    }
    if (!nearest)
        Py_RETURN_NONE;
    return Py_BuildValue("KKi", (unsigned long long)nearest->memory->pointer,
                         (unsigned long long)nearest->memory->size, 0);
}

BD_METHOD(memory_counts, 0, 1, "_memory_counts(reset=False)",
          "(bytes, most bytes) of device memory that was alive in the current context, "
          "and of host memory. reset: what is alive now is the most from now on.")
{
    bd_context *context = bd_context_current(bd_state_get(self));
    int reset = in[0] ? PyObject_IsTrue(in[0]) : 0;
    if (!context || reset < 0)
        return NULL;
    bd_count *live = context->live;
    for (int i = 0; reset && i < 2; i++)
        live[i].most = live[i].bytes;
    return Py_BuildValue("LLLL", (long long)live[0].bytes, (long long)live[0].most,
                         (long long)live[1].bytes, (long long)live[1].most);
}

PyMethodDef bd_live_methods[] = {
    BD_ROW("_live_memory", live_memory),
    BD_ROW("_describe_address", describe),
    BD_ROW("_memory_near", memory_near),
    BD_ROW("_memory_counts", memory_counts),
    {NULL},
};
