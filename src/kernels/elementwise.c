/* Operations on arrays, element by element or along an axis: from a request to a
   launch. The kernel is known by the operation, the types of its operands and the class
   of their layout, never by shape. Its source is written once for each such combination
   and context. */
#include "kernel_text.h"
#include <string.h>

enum { SPACE_AXES = 6, MOST_ARRAYS = KN_MOST_OPERANDS }; /* as in strided.cuh */

/* -- Source --------------------------------------------------------------------- */

typedef struct {
    char memory[48], value[64]; /* T and C of an operand */
} type_pair;

static type_pair types_of(const kn_key *key, int k)
{
    type_pair types;
    if (key->program == KN_AXIS_VARIANCE && k == 0)
        snprintf(types.value, sizeof types.value, "pycuda::moments<%s, %s>",
                 kn_type_name(key->compute[1]), kn_type_name(key->compute[0]));
    else if (key->compute[k] == KN_NONE)
        snprintf(types.value, sizeof types.value, "pycuda::bytes<%u>", key->itemsize);
    else
        snprintf(types.value, sizeof types.value, "%s", kn_type_name(key->compute[k]));
    if (key->storage[k] == KN_NONE)
        memcpy(types.memory, types.value, sizeof types.memory);
    else
        snprintf(types.memory, sizeof types.memory, "%s",
                 kn_type_name(key->storage[k]));
    return types;
}

static int uses(const kn_key *key, kn_type first, kn_type last)
{
    for (int k = 0; k < KN_MOST_OPERANDS; k++)
        if ((key->compute[k] >= first && key->compute[k] <= last) ||
            (key->storage[k] >= first && key->storage[k] <= last))
            return 1;
    return 0;
}

static int is_scalar(const kn_key *key, int k)
{
    return key->scalars >> k & 1;
}

static int is_fixed(const kn_key *key, int k)
{
    return key->fixed >> k & 1;
}

/* An operand as the template takes it. */
static void put_parameter(cmp_text *text, const kn_key *key, int k, kn_role role,
                          const char *name)
{
    type_pair types = types_of(key, k);
    if (role == KN_TABLE)
        kn_put(text, ", pycuda::constant<%s *> %s", types.memory, name);
    else if (is_scalar(key, k))
        kn_put(text, ", pycuda::constant<%s> %s", types.value, name);
    else if (role == KN_BASE)
        kn_put(text, ", pycuda::base<%s, %d> %s", types.memory, !is_fixed(key, k),
               name);
    else if (role == KN_PLACE)
        kn_put(text, ", pycuda::ramp<%s, %d> %s", types.value, !is_fixed(key, k), name);
    else if (key->variant == KN_TILES && is_fixed(key, k))
        kn_put(text, ", pycuda::across<%s, %s, %d> %s", types.memory, types.value, k,
               name);
    else
        kn_put(text,
               role == KN_FIRST ? ", pycuda::beginning<pycuda::%s<%s, %s>> %s"
                                : ", pycuda::%s<%s, %s> %s",
               role == KN_RESULT  ? "out"
               : is_fixed(key, k) ? "fixed"
                                  : "in",
               types.memory, types.value, name);
}

static void put_function(cmp_text *text, const kn_key *key,
                         const kn_signature *signature, const char *name,
                         const char *code)
{
    int count = 0, has_place;
    kn_role role;
    while (signature->variable[count].role)
        count++;
    has_place = signature->variable[count - 1].role == KN_PLACE;
    if (has_place) /* whatever type of integer a template counts in */
        kn_put(text, "    template <class I>\n");
    kn_put(text, "    static PYCUDA_DEVICE void %s(", name);
    for (int k = 0; k < count; k++) {
        type_pair types =
            types_of(key, signature->variable[k].role == KN_INDEX ? 0 : k);
        role = signature->variable[k].role;
        int is_pointer = role == KN_TABLE || role == KN_BASE;
        kn_put(text, "%s%s %s%s", k ? ", " : "",
               has_place && (k == 0 || k == count - 1) ? "I"
               : is_pointer                            ? types.memory
                                                       : types.value,
               is_pointer          ? "*"
               : role == KN_RESULT ? "&"
                                   : "",
               signature->variable[k].name);
    }
    kn_put(text, ") { %s; }\n", code);
}

/* Whether it is an axis reduction, and threads share its results. */
static int is_shared(const kn_key *key)
{
    return kn_operations[key->program].first && !key->alone;
}

/* Whether the order in which elements are combined makes a difference to digits. */
static int is_sum(const kn_operation *operation)
{
    return operation->combine == KN_AXIS_ADD || operation->combine == KN_VARIANCES;
}

/* Partial results and others of the same, as the operation that combines them says. */
static void put_combine(cmp_text *text, const kn_key *key, const kn_operation *combine)
{
    const kn_signature *signature = combine->signature;
    int results = signature->results;
    kn_put(text, "    static PYCUDA_DEVICE void combine(");
    for (int k = 0; k < 2 * results; k++)
        kn_put(text, "%s%s %s%s", k ? ", " : "", types_of(key, k % results).value,
               k < results ? "&" : "", signature->variable[k].name);
    kn_put(text, ") { %s; }\n", combine->code);
}

static void put_operation(cmp_text *text, const kn_key *key,
                          const kn_operation *operation)
{
    kn_put(text, "struct operation {\n");
    put_function(text, key, operation->signature, "of", operation->code);
    if (operation->first) {
        put_function(text, key, operation->signature, "first", operation->first);
        put_combine(text, key, &kn_operations[operation->combine]);
    }
    kn_put(text, "};\n\n");
}

/* The kernel, which passes its parameters on to a template. */
static void put_kernel(cmp_text *text, const kn_key *key, const kn_operation *operation,
                       const char *name, int arrays)
{
    const kn_signature *signature = operation->signature;
    kn_role role;
    kn_put(text, "extern \"C\" __global__ %svoid %s(",
           is_shared(key) ? "PYCUDA_AXIS_BOUNDS " : "", name);
    if (key->variant == KN_FLAT)
        kn_put(text, "size_t n");
    else
        kn_put(text, "const pycuda::iteration_space<%d> space", arrays);
    if (operation->first)
        kn_put(text, ", const pycuda::reduced_axis<%d> axis", arrays);
    for (int k = 0; (role = signature->variable[k].role) >= KN_PLACE; k++)
        put_parameter(text, key, k, role, signature->variable[k].name);
    kn_put(text, ")\n{\n    pycuda::");
    if (key->variant == KN_FLAT)
        kn_put(text, "flat<operation>(n");
    else if (operation->first)
        kn_put(text, "reduce_%s<operation, %s, %d, %d>(space, axis",
               key->alone ? "alone" : "shared", is_sum(operation) ? "true" : "false",
               key->alone ? (int)key->alone : signature->results,
               key->variant == KN_STRIDED);
    else if (key->variant == KN_TILES)
        kn_put(text, "tiles<operation>(space");
    else
        kn_put(text, "rows<operation, %d>(space", key->variant == KN_STRIDED);
    for (int k = 0; (role = signature->variable[k].role); k++)
        if (role == KN_INDEX)
            kn_put(text, ", pycuda::index<%s>()", types_of(key, 0).value);
        else
            kn_put(text, ", %s", signature->variable[k].name);
    kn_put(text, ");\n}\n");
}

static kn_loaded *make_kernel(bd_context *context, const kn_key *key, int arrays)
{
    const kn_operation *operation = &kn_operations[key->program];
    char name[40];
    const char *names[] = {name};
    cmp_text text = {0};
    kn_lower(operation->name, name);
    kn_put_narrow(&text, key->storage, KN_MOST_OPERANDS);
    if (uses(key, KN_C64, KN_C128))
        kn_put(&text, "#include <pycuda-complex.hpp>\n");
    kn_put(&text, "#include <pycuda/%s.cuh>\n\n",
           is_shared(key)             ? "axis_shared"
           : operation->first         ? "axis"
           : key->variant == KN_FLAT  ? "elementwise"
           : key->variant == KN_TILES ? "tiles"
                                      : "strided");
    put_operation(&text, key, operation);
    put_kernel(&text, key, operation, name, arrays);
    return kn_load(context, key, &text, NULL, 0, 1, names);
}

/* -- Launches ------------------------------------------------------------------- */

/* Elements that a thread takes, where the widest has so many bytes. */
static unsigned each_of(const kn_loaded *loaded, size_t widest)
{
    unsigned bytes = loaded->tuning->flat_bytes;
    return widest > bytes || bytes % widest ? 1 : bytes / (unsigned)widest;
}

/* Bytes of the widest operand that has more than one element in a row. */
static size_t widest_of(const kn_iteration_space *space)
{
    size_t widest = 1;
    for (int k = 0; k < space->arrays; k++)
        if (space->size[k] > widest && !(space->fixed >> space->operand[k] & 1))
            widest = space->size[k];
    return widest;
}

int kn_launch_flat(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t widest, CUstream stream, void **params)
{
    size_t share = (size_t)KN_BLOCK * each_of(loaded, widest);
    unsigned grid[2] = {(unsigned)kn_divide_up(n, share), 1};
    unsigned block[2] = {KN_BLOCK, 1};
    params[0] = &n;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

/* pycuda::iteration_space of strided.cuh, with as many rows of strides as there are
 * arrays. */
typedef struct {
    long long columns;
    unsigned rows, axes;
    unsigned length[SPACE_AXES], magic[SPACE_AXES], shift[SPACE_AXES];
    long long stride[MOST_ARRAYS][SPACE_AXES];
} space_parameter;

/* Division of integers below 2^31 as a multiplication (Granlund and Montgomery, 1994).
 */
static void set_divisor(space_parameter *w, int d, unsigned length)
{
    unsigned shift = length > 1 ? 32 - (unsigned)__builtin_clz(length - 1) : 0;
    w->length[d] = length;
    w->shift[d] = shift;
    w->magic[d] = (unsigned)((((1ull << shift) - length) << 32) / length + 1);
}

/* What a block takes of a space: `width` elements of a row, of `height` rows; or a tile
   of axes 0 and 1 of that size. Of so many segments of an axis that is reduced each is
   a block's. */
typedef struct {
    unsigned width, height, threads[2], segments;
    int is_tile;
} block_shape;

/* Pieces of `size`, a power of two, that it takes for n. */
static unsigned long long pieces(unsigned long long n, unsigned size)
{
    return (n + size - 1) >> __builtin_ctz(size);
}

/* How many blocks there are along axis 0 and along all others; rows: of elements. */
typedef struct {
    unsigned long long rows, blocks, bands;
} cut;

static unsigned long long rows_beyond(const kn_iteration_space *space, int axes)
{
    unsigned long long rows = 1;
    for (int d = axes; d < space->ndim; d++)
        rows *= space->length[d];
    return rows;
}

static cut cut_into(const kn_iteration_space *space, const block_shape *shape)
{
    cut into = {.rows = rows_beyond(space, shape->is_tile ? 2 : 1),
                .blocks = pieces(space->length[0], shape->width)};
    into.bands = shape->is_tile ? pieces(space->length[1], shape->height) * into.rows
                                : pieces(into.rows, shape->height);
    return into;
}

static block_shape shape_of_tiles(unsigned side)
{
    return (block_shape){side, side, {32, 8}, 1, 1};
}

/* Rows of `width` threads at most, each of which takes so many elements. */
static block_shape shape_of_rows(const kn_iteration_space *space, unsigned width,
                                 unsigned each)
{
    unsigned long long rows = rows_beyond(space, 1);
    block_shape shape = {.height = 1, .threads = {1}, .segments = 1};
    while (shape.threads[0] < width && shape.threads[0] * each < space->length[0])
        shape.threads[0] *= 2;
    while (shape.threads[0] * shape.height < KN_BLOCK && shape.height < rows)
        shape.height *= 2;
    shape.width = shape.threads[0] * each;
    shape.threads[1] = shape.height;
    return shape;
}

/* Slowest axes are taken apart until what is left fits a grid. */
static int launch_strided(bd_context *context, kn_loaded *loaded,
                          kn_iteration_space *space, const block_shape *shape,
                          CUdeviceptr *pointers, CUstream stream, void **params)
{
    cut into = cut_into(space, shape);
    if (into.rows > INT_MAX || into.blocks * into.bands > INT_MAX ||
        space->ndim > SPACE_AXES) {
        int d = --space->ndim, result = 0;
        for (long long i = 0; i < space->length[d] && !result; i++) {
            result =
                launch_strided(context, loaded, space, shape, pointers, stream, params);
            for (int k = 0; k < space->arrays; k++)
                pointers[k] += space->stride[k][d];
        }
        for (int k = 0; k < space->arrays; k++)
            pointers[k] -= space->length[d] * space->stride[k][d];
        space->ndim++;
        return result;
    }
    space_parameter w = {space->length[0], (unsigned)into.rows, (unsigned)space->ndim};
    for (int d = 0; d < SPACE_AXES; d++) {
        set_divisor(&w, d,
                    !d                ? (unsigned)into.blocks
                    : d < space->ndim ? (unsigned)space->length[d]
                                      : 1);
        for (int k = 0; k < space->arrays; k++)
            w.stride[k][d] = d < space->ndim ? space->stride[k][d] : 0;
    }
    unsigned grid[2] = {(unsigned)(into.blocks * into.bands), shape->segments};
    params[0] = &w;
    return kn_launch(context, loaded->function[0], grid, shape->threads, stream,
                     params);
}

/* -- Reductions along an axis ---------------------------------------------------- */

/* pycuda::reduced_axis, with as many strides as there are arrays. */
typedef struct {
    long long length;
    double divisor;
    CUdeviceptr finished, partial;
    unsigned sharing, apart, width, height, is_rooted;
    long long stride[MOST_ARRAYS];
} axis_parameter;

static npy_intp magnitude(npy_intp x)
{
    return x < 0 ? -x : x;
}

static unsigned power_up_to(unsigned long long most)
{
    unsigned power = 1;
    while (power < KN_BLOCK && 2 * power <= most)
        power *= 2;
    return power;
}

/* Threads of a block that share results take elements side by side, if these lie closer
   than those of other results; else a warp takes elements of results side by side. Then
   as many threads share one as it takes to fill a GPU, and blocks if threads of one do
   not do. */
static block_shape shape_of_shares(const kn_iteration_space *space,
                                   const kn_tuning *tuning, int first,
                                   axis_parameter *axis)
{
    unsigned long long rows = rows_beyond(space, 1), results = space->length[0] * rows;
    npy_intp own = magnitude(axis->stride[first]);
    int is_along = results == 1 || magnitude(space->stride[first][0]) > own;
    unsigned long long worthwhile = tuning->axis_threads, length = axis->length;
    unsigned ahead = tuning->axis_sharing; /* elements that a thread has under way */
    block_shape shape = {.width = 1, .height = 1, .threads = {KN_BLOCK, 1}};
    unsigned most = power_up_to(length / ahead);
    axis->sharing = 1;
    if (is_along)
        axis->sharing = most;
    else {
        size_t size = space->size[first];
        unsigned side = size < 4 ? 128 / (unsigned)size : 32;
        while (shape.width < side && shape.width < space->length[0])
            shape.width *= 2;
        while (axis->sharing < most && axis->sharing * shape.width < KN_BLOCK &&
               results * axis->sharing < worthwhile)
            axis->sharing *= 2;
    }
    while (axis->sharing * shape.width < KN_BLOCK && shape.width < space->length[0])
        shape.width *= 2;
    while (axis->sharing * shape.width * shape.height < KN_BLOCK && shape.height < rows)
        shape.height *= 2;
    axis->apart = is_along ? 1 : shape.width * shape.height;
    axis->width = shape.width;
    axis->height = shape.height;
    shape.threads[0] = axis->sharing * shape.width * shape.height;
    cut into = cut_into(space, &shape);
    unsigned long long wanted = worthwhile / KN_BLOCK / (into.blocks * into.bands);
    unsigned long long fit = length / (2ull * ahead * axis->sharing);
    unsigned long long segments = wanted < fit ? wanted : fit;
    shape.segments = segments < 1 ? 1 : (unsigned)segments;
    return shape;
}

/* Bytes that a block keeps of a result. */
static size_t partial_size(const kn_request *request)
{
    size_t size = kn_type_size(request->operand[0].compute);
    int is_pair = kn_operations[request->operation].signature->results > 1;
    return is_pair || request->operation == KN_AXIS_VARIANCE ? 32 : size;
}

/* Memory in which blocks leave partial results for the last one, after counters of how
   many did: four that are 0 anyway, or as many as there are results' blocks. */
static int lend_partial(bd_context *context, const kn_iteration_space *space,
                        const block_shape *shape, const kn_request *request,
                        axis_parameter *axis, CUdeviceptr *scratch)
{
    enum { AT_HAND = 4 };
    cut into = cut_into(space, shape);
    size_t blocks = into.blocks * into.bands, counters = 0;
    size_t results = shape->segments * blocks * shape->width * shape->height;
    if (blocks > AT_HAND)
        counters = (blocks + 3) / 4 * 4;
    if (kn_scratch(context, request->stream,
                   4 * counters + results * partial_size(request), scratch))
        return -1;
    axis->finished = *scratch + (counters ? 16 : 0);
    axis->partial = *scratch + 16 + 4 * counters;
    return counters && BD_CALL(bd_context_state(context), cuMemsetD32Async,
                               axis->finished, 0, counters, request->stream)
               ? -1
               : 0;
}

static int launch_axis(bd_context *context, kn_loaded *loaded,
                       kn_iteration_space *space, const kn_request *request, int shares,
                       axis_parameter *axis, CUdeviceptr *pointers, void **params)
{
    const kn_tuning *tuning = loaded->tuning;
    int first = kn_operations[request->operation].signature->results;
    CUdeviceptr scratch = 0;
    block_shape shape;
    params[1] = axis;
    if (shares)
        shape = shape_of_shares(space, tuning, first, axis);
    else { /* a result is of several rows: not too little of each */
        unsigned width = KN_BLOCK, bytes = tuning->axis_row_bytes;
        while (width * space->size[first] < bytes && 8 * width <= space->length[0])
            width *= 2; /* and full blocks mostly */
        shape = shape_of_rows(space, width, 1);
    }
    if (shape.segments > 1 &&
        lend_partial(context, space, &shape, request, axis, &scratch)) {
        kn_scratch_used(context, scratch);
        return -1;
    }
    int failed = launch_strided(context, loaded, space, &shape, pointers,
                                request->stream, params);
    if (scratch)
        kn_scratch_used(context, scratch);
    return failed;
}

/* As in kn_key. */
static uint32_t results_alone(const kn_tuning *tuning, const kn_request *request)
{
    if (!tuning->axis_sharing)
        return kn_operations[request->operation].signature->results;
    return request->axis_length < tuning->axis_sharing;
}

static axis_parameter axis_of(const kn_request *request)
{
    return (axis_parameter){.length = request->axis_length,
                            .divisor = request->axis_divisor,
                            .is_rooted = request->axis_is_rooted};
}

static int operate(bd_context *context, const kn_request *request)
{
    const kn_operation *operation = &kn_operations[request->operation];
    axis_parameter axis = axis_of(request);
    CUdeviceptr pointers[KN_MOST_OPERANDS];
    void *params[KN_MOST_OPERANDS + 2];
    int next = 0, at = operation->first ? 2 : 1;
    kn_role role;
    kn_key key;
    kn_iteration_space space;
    kn_iteration_space_make(&space, request);
    if (space.count == 0)
        return 0;
    unsigned tile_bytes = 0;
    memset(&key, 0, sizeof key);
    if (operation->first || space.layout == KN_STRIDED) {
        const kn_tuning *tuning = kn_tuning_of(context);
        if (!tuning)
            return -1;
        if (operation->first)
            key.alone = results_alone(tuning, request);
        else if (tuning->has_tiles)
            tile_bytes = kn_iteration_space_tile(&space, request);
    }
    key.program = request->operation;
    key.variant = space.layout;
    key.fixed = (uint16_t)space.fixed;
    for (int k = 0; (role = operation->signature->variable[k].role) >= KN_PLACE; k++) {
        const kn_operand *operand = &request->operand[k];
        axis.stride[k] = request->axis_stride[k];
        key.storage[k] = operand->storage;
        key.compute[k] = operand->compute;
        key.scalars |= operand->is_scalar << k;
        if (operand->storage == KN_NONE && !operand->is_scalar)
            key.itemsize = (uint32_t)request->itemsize;
        if (operand->is_scalar)
            params[at++] = (void *)operand->value;
        else if (role == KN_TABLE)
            params[at++] = (void *)&operand->pointer;
        else {
            pointers[next] = operand->pointer;
            params[at++] = &pointers[next++];
        }
    }
    kn_loaded *loaded = kn_find(context, &key);
    if (!loaded && !(loaded = make_kernel(context, &key, space.arrays)))
        return -1;
    if (operation->first)
        return launch_axis(context, loaded, &space, request, is_shared(&key), &axis,
                           pointers, params);
    if (space.layout == KN_FLAT)
        return kn_launch_flat(context, loaded, space.count, widest_of(&space),
                              request->stream, params);
    unsigned each =
        loaded->tuning->flat_bytes > 1 ? each_of(loaded, widest_of(&space)) : 1;
    block_shape shape = tile_bytes ? shape_of_tiles(tile_bytes > 8 ? 32 : 64)
                                   : shape_of_rows(&space, KN_BLOCK, each);
    return launch_strided(context, loaded, &space, &shape, pointers, request->stream,
                          params);
}

/* Copies of elements of many bytes, as copies of words along one axis more: a kernel
   that moved whole elements would take as long to compile as they are, and there would
   be one for each size. Words are as wide as all addresses allow. */
typedef struct {
    kn_request request;
    npy_intp shape[KN_MOST_AXES], strides[2][KN_MOST_AXES];
} copy_of_words;

static int is_copy_of_words(const kn_request *request)
{
    return request->operation == KN_COPY && request->operand[0].storage == KN_NONE &&
           request->itemsize > 16 && request->ndim < KN_MOST_AXES &&
           !request->operand[1].is_scalar;
}

static void take_apart(const kn_request *request, copy_of_words *words)
{
    static const kn_type types[] = {KN_U8, KN_U16, KN_U32, KN_U64, KN_C128};
    int ndim = request->ndim, type = 0;
    size_t all = 16 | request->itemsize;
    for (int k = 0; k < 2; k++) {
        all |= request->operand[k].pointer;
        for (int d = 0; d < ndim; d++)
            all |= (size_t)request->operand[k].strides[d];
    }
    while (!(all & 1u << type))
        type++;
    words->request = *request;
    words->request.ndim = ndim + 1;
    words->request.shape = words->shape;
    memcpy(words->shape, request->shape, ndim * sizeof *words->shape);
    words->shape[ndim] = (npy_intp)request->itemsize >> type;
    for (int k = 0; k < 2; k++) {
        kn_operand *operand = &words->request.operand[k];
        memcpy(words->strides[k], operand->strides, ndim * sizeof *words->shape);
        words->strides[k][ndim] = 1 << type;
        operand->strides = words->strides[k];
        operand->storage = operand->compute = types[type];
    }
}

static int copy_words(bd_context *context, const kn_request *request)
{
    copy_of_words words;
    take_apart(request, &words);
    return operate(context, &words.request);
}

int kn_operate(bd_context *context, const kn_request *request)
{
    return is_copy_of_words(request) ? copy_words(context, request)
                                     : operate(context, request);
}
