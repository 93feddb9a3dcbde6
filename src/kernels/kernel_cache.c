/* What a context keeps for generated kernels: a table of those loaded so far, how its
   device likes them cut, and scratch memory for each stream. All of it is plain memory
   and driver handles, and not Modules and Functions of src/binding, each of which keeps
   its context alive: the table goes when the context goes. A kernel is found by
   comparing 24 bytes; a miss compiles. */
#include "kernel_text.h"
#include <string.h>

/* Scratch memory of a stream, by the driver's number of it. It is lent to one sequence
   of launches at a time: threads that share a stream may launch in between, so each has
   its own. A graph's nodes keep theirs; memory that got too small is freed. */
static const uint64_t OUTGROWN = UINT64_MAX, CAPTURED = UINT64_MAX - 1;
typedef struct {
    uint64_t stream, used; /* used: when last, in calls */
    CUdeviceptr memory;    /* owned: lives in the context */
    size_t bytes;
    int is_lent; /* to a thread that is yet to enqueue its launches */
} scratch;

typedef struct {
    kn_tuning tuning;
    uint32_t count, buckets; /* a power of two */
    kn_loaded **bucket;      /* owned, with the chains */
    kn_loaded *aside;        /* owned: those compiled under other checks than are on */
    scratch *scratch;        /* owned */
    int scratches;
    uint64_t uses;
} kernel_table;

/* -- The table of a context ----------------------------------------------------- */

static void chain_free(kn_loaded *chain, int alive)
{
    for (kn_loaded *next, *at = chain; at; at = next) {
        next = at->next;
        if (alive)
            BD_UNLOCKED(cu.cuModuleUnload(at->module)); /* may wait for callbacks */
        PyMem_Free(at);
    }
}

static void release(void *data, int alive)
{
    kernel_table *table = data;
    for (uint32_t i = 0; i < table->buckets; i++)
        chain_free(table->bucket[i], alive);
    chain_free(table->aside, alive);
    for (int i = 0; alive && i < table->scratches; i++)
        BD_UNLOCKED(cu.cuMemFree(table->scratch[i].memory));
    PyMem_Free(table->bucket);
    PyMem_Free(table->scratch);
    PyMem_Free(table);
}

static int look_at_device(bd_context *context, kn_tuning *tuning)
{
    static const CUdevice_attribute asked[] = {
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE};
    enum { COUNT = sizeof asked / sizeof *asked };
    int value[COUNT] = {0};
    for (int i = 0; i < COUNT; i++)
        if (BD_CALL(bd_context_state(context), cuDeviceGetAttribute, &value[i],
                    asked[i], bd_context_device(context)))
            return -1;
    kn_device device = {drv_get_info()->is_host, 10 * value[1] + value[2],
                        value[0] > 0 ? value[0] : 1, value[3], value[4]};
    kn_tuning_set(tuning, &device);
    return 0;
}

static kernel_table *table_of(bd_context *context)
{
    void **slot = bd_context_kernels(context);
    if (*slot)
        return *slot;
    kernel_table *table = PyMem_Calloc(1, sizeof *table);
    if (table) {
        table->buckets = 8;
        table->bucket = PyMem_Calloc(table->buckets, sizeof *table->bucket);
    }
    if (!table || !table->bucket)
        PyErr_NoMemory();
    else if (look_at_device(context, &table->tuning) == 0)
        return *slot = table;
    if (table)
        PyMem_Free(table->bucket);
    PyMem_Free(table);
    return NULL;
}

const kn_tuning *kn_tuning_of(bd_context *context)
{
    kernel_table *table = table_of(context);
    return table ? &table->tuning : NULL;
}

enum { WORDS = 3 }; /* of a key */
_Static_assert(sizeof(kn_key) == WORDS * sizeof(uint64_t), "keys have no gaps");

static uint32_t hash(const kn_key *key)
{
    uint64_t words[WORDS], value = 0;
    memcpy(words, key, sizeof words);
    for (int i = 0; i < WORDS; i++)
        value = (value ^ words[i]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(value >> 32);
}

/* Without a call of memcmp, which takes longer than to compare. */
static int is_same(const kn_key *a, const kn_key *b)
{
    uint64_t left[WORDS], right[WORDS], differing = 0;
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    for (int i = 0; i < WORDS; i++)
        differing |= left[i] ^ right[i];
    return !differing;
}

kn_loaded *kn_find(bd_context *context, const kn_key *key)
{
    kernel_table *table = *bd_context_kernels(context);
    if (!table)
        return NULL;
    kn_loaded *at = table->bucket[hash(key) & (table->buckets - 1)];
    while (at && !is_same(&at->key, key))
        at = at->next;
    return at;
}

static void insert(kernel_table *table, kn_loaded *loaded)
{
    kn_loaded **bucket = &table->bucket[hash(&loaded->key) & (table->buckets - 1)];
    loaded->next = *bucket;
    *bucket = loaded;
}

/* A table that cannot grow just gets longer chains. */
static void grow(kernel_table *table)
{
    kn_loaded **old = table->bucket, **bucket;
    uint32_t buckets = table->buckets;
    if (!(bucket = PyMem_Calloc(2 * buckets, sizeof *bucket)))
        return;
    table->bucket = bucket;
    table->buckets = 2 * buckets;
    for (uint32_t i = 0; i < buckets; i++)
        for (kn_loaded *next, *at = old[i]; at; at = next) {
            next = at->next;
            insert(table, at);
        }
    PyMem_Free(old);
}

/* -- Making kernels ------------------------------------------------------------- */

/* The loaded module's functions. */
static int get_functions(bd_state *state, kn_loaded *loaded, int count,
                         const char *const *names)
{
    for (int i = 0; i < count; i++)
        if (BD_CALL(state, cuModuleGetFunction, &loaded->function[i], loaded->module,
                    names[i]) ||
            bd_function_load(state, loaded->function[i], names[i], 0))
            return -1;
    return 0;
}

/* Under which kernels are compiled here. How often lines run is asked of users' own. */
static unsigned checks_of_kernels(void)
{
    return bd_checks() & ~(unsigned)CUX_CHECK_COVERAGE;
}

kn_loaded *kn_load(bd_context *context, const kn_key *key, cmp_text *source,
                   PyObject *options, int keep, int count, const char *const *names)
{
    bd_state *state = bd_context_state(context);
    kernel_table *table = table_of(context);
    kn_loaded *loaded = PyMem_Calloc(1, sizeof *loaded), *result = NULL;
    cmp_request request = {
        .source = source->bytes, .target = "cubin", .no_extern_c = 1, .keep = keep};
    cmp_outcome outcome = {{0}};
    unsigned checks = checks_of_kernels();
    char words[BD_CHECK_WORDS];
    bd_check_words(checks, words);
    request.checks = words;
    if (!loaded || source->failed)
        PyErr_NoMemory();
    if (!table || !loaded || source->failed ||
        !cmp_words_from(options ? options : Py_None, &request.options) ||
        cmp_compile_or_raise(&request, &outcome))
        goto done;
    loaded->key = *key;
    loaded->checks = checks;
    loaded->tuning = &table->tuning;
    if (BD_CALL_UNLOCKED(state, cuModuleLoadData, &loaded->module,
                         outcome.image.bytes) ||
        bd_context_check(context)) /* another thread may have ended it: no table */
        goto done;
    if (get_functions(state, loaded, count, names)) {
        BD_UNLOCKED(cu.cuModuleUnload(loaded->module));
        goto done;
    }
    if (++table->count > 2 * table->buckets)
        grow(table);
    insert(table, loaded);
    result = loaded;
done:
    if (!result)
        PyMem_Free(loaded);
    cmp_text_clear(source);
    cmp_text_clear(&request.options);
    cmp_outcome_clear(&outcome);
    return result;
}

/* -- Users' programs ------------------------------------------------------------ */

uint32_t kn_program_new(bd_state *state)
{
    return KN_ROW_COUNT + state->programs++;
}

/* Moves the kernels of one program, or of any (NULL), from a chain to another: how many
   that are. */
static uint32_t move(kn_loaded **from, const uint32_t *program, kn_loaded **to)
{
    uint32_t count = 0;
    while (*from) {
        kn_loaded *loaded = *from;
        if (program && loaded->key.program != *program) {
            from = &loaded->next;
            continue;
        }
        *from = loaded->next;
        loaded->next = *to;
        *to = loaded;
        count++;
    }
    return count;
}

/* Takes the program's kernels in that context out of the table. */
static kn_loaded *take_out(kernel_table *table, uint32_t program)
{
    kn_loaded *gone = NULL;
    for (uint32_t i = 0; table && i < table->buckets; i++)
        table->count -= move(&table->bucket[i], &program, &gone);
    if (table)
        move(&table->aside, &program, &gone);
    return gone;
}

void kn_program_forget(bd_state *state, uint32_t program)
{
    bd_context *context = NULL;
    while ((context = bd_context_each(state, context))) {
        kn_loaded *gone = take_out(*bd_context_kernels(context), program);
        if (!gone)
            continue;
        Py_INCREF((PyObject *)context); /* other threads run meanwhile */
        int entered = bd_context_enter(context);
        chain_free(gone, entered >= 0);
        bd_context_leave(context, entered);
        Py_DECREF((PyObject *)context);
        context = NULL; /* and the list may be another */
    }
}

/* Other checks are on: kernels that were compiled under others are set aside, in each
   context, and those that were are back. */
static void sort_by_checks(bd_state *state)
{
    unsigned checks = checks_of_kernels();
    bd_context *context = NULL;
    while ((context = bd_context_each(state, context))) {
        kernel_table *table = *bd_context_kernels(context);
        kn_loaded *all = NULL;
        if (!table)
            continue;
        for (uint32_t i = 0; i < table->buckets; i++)
            move(&table->bucket[i], NULL, &all);
        move(&table->aside, NULL, &all);
        table->count = 0;
        for (kn_loaded *next; all; all = next) {
            next = all->next;
            if (all->checks == checks) {
                insert(table, all);
                table->count++;
                continue;
            }
            all->next = table->aside;
            table->aside = all;
        }
    }
}

/* -- Launches ------------------------------------------------------------------- */

int kn_launch_shared(bd_context *context, CUfunction function, const unsigned grid[3],
                     const unsigned block[2], unsigned shared, CUstream stream,
                     void **params)
{
    bd_state *state = bd_context_state(context);
    const bd_geometry geometry = {
        {grid[0], grid[1], grid[2]}, {block[0], block[1], 1}, shared, stream};
    return bd_check(state, bd_launch(state, function, &geometry, params, NULL),
                    "cuLaunchKernel");
}

int kn_launch(bd_context *context, CUfunction function, const unsigned grid[2],
              const unsigned block[2], CUstream stream, void **params)
{
    const unsigned all[3] = {grid[0], grid[1], 1};
    return kn_launch_shared(context, function, all, block, 0, stream, params);
}

int kn_allow_shared(bd_context *context, CUfunction function, unsigned bytes)
{
    return BD_CALL(bd_context_state(context), cuFuncSetAttribute, function,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes)
               ? -1
               : 0;
}

/* Frees memory that was outgrown, or if there are many, the least recently used, unless
   it is lent. The table may be gone afterwards. */
static void scratch_clean(kernel_table *table)
{
    enum { MANY = 32 };
    int at = -1, count = 0;
    for (int i = 0; i < table->scratches; i++) {
        const scratch *one = &table->scratch[i];
        if (one->is_lent)
            continue;
        int is_older = at < 0 || one->used < table->scratch[at].used;
        count += one->stream != CAPTURED;
        if (one->stream == OUTGROWN || (one->stream != CAPTURED && is_older))
            at = i;
        if (one->stream == OUTGROWN)
            break;
    }
    if (at < 0 || (table->scratch[at].stream != OUTGROWN && count <= MANY))
        return;
    CUdeviceptr memory = table->scratch[at].memory;
    table->scratch[at] = table->scratch[--table->scratches];
    BD_UNLOCKED(cu.cuMemFree(memory)); /* waits for the work that uses it */
}

/* The number that a driver gives a stream never comes again, as a handle does, and
   tells the streams of threads apart, which share one. */
static uint64_t stream_number(CUstream stream)
{
    unsigned long long number;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (stream && !cu.cuStreamIsCapturing(stream, &status) &&
        status != CU_STREAM_CAPTURE_STATUS_NONE)
        return CAPTURED;
    return cu.cuStreamGetId(stream, &number) ? (uintptr_t)stream : number;
}

/* Memory of that stream that is not lent, of so many bytes; NULL: there is none. What
   is too small is marked as outgrown. */
static scratch *scratch_free_of(kernel_table *table, uint64_t stream, size_t bytes)
{
    scratch *small = NULL;
    for (int i = 0; i < table->scratches && stream != CAPTURED; i++) {
        scratch *one = &table->scratch[i];
        if (one->stream != stream || one->is_lent)
            continue;
        if (one->bytes >= bytes)
            return one;
        small = one;
    }
    if (small)
        small->stream = OUTGROWN;
    return NULL;
}

int kn_scratch(bd_context *context, CUstream stream, size_t bytes, CUdeviceptr *pointer)
{
    bd_state *state = bd_context_state(context);
    kernel_table *table = table_of(context);
    uint64_t number = stream_number(stream);
    scratch *found, *more;
    CUdeviceptr memory;
    if (!table)
        return -1;
    scratch_clean(table);
    if (bd_context_check(context) || !(table = table_of(context)))
        return -1;
    bytes += 16;
    if (!(found = scratch_free_of(table, number, bytes))) {
        bytes = bytes < 65536 ? 65536 : bytes;
        if (BD_CALL(state, cuMemAlloc, &memory, bytes))
            return -1;
        if (bd_context_check(context)) /* another thread may have ended it: no table */
            return -1;
        if (BD_CALL(state, cuMemsetD32Async, memory, 0, 4, stream) ||
            !(more = PyMem_Realloc(table->scratch,
                                   (table->scratches + 1) * sizeof *more))) {
            if (!PyErr_Occurred())
                PyErr_NoMemory();
            cu.cuMemFree(memory);
            return -1;
        }
        table->scratch = more;
        found = &more[table->scratches++];
        *found = (scratch){number, 0, memory, bytes, 0};
    }
    found->used = ++table->uses;
    found->is_lent = 1;
    *pointer = found->memory;
    return 0;
}

void kn_scratch_used(bd_context *context, CUdeviceptr pointer)
{
    kernel_table *table = *bd_context_kernels(context);
    for (int i = 0; table && i < table->scratches; i++) {
        scratch *one = &table->scratch[i];
        if (pointer - one->memory < one->bytes)
            one->is_lent = 0;
    }
}

void kn_init(bd_state *state)
{
    state->release_kernels = release;
    state->note_checks = sort_by_checks;
}
