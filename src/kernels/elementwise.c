/* Operations on arrays, element by element or along an axis: from a request to a
   launch. The kernel is known by the operation, the types of its operands and the class
   of their layout, never by shape. Its source is written once for each such combination
   and context. */
#include "kernel_text.h"
#include <string.h>

enum { SPACE_AXES = 6, MOST_ARRAYS = KN_MOST_OPERANDS }; /* as in strided.cuh */

/* -- Source --------------------------------------------------------------------- */

typedef struct {
    char memory[48], value[48]; /* T and C of an operand */
} type_pair;

static type_pair types_of(const kn_key *key, int k)
{
    type_pair types;
    if (key->compute[k] == KN_NONE)
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
    else if (role == KN_PLACE)
        kn_put(text, ", pycuda::ramp<%s, %d> %s", types.value, !is_fixed(key, k), name);
    else if (key->variant == KN_TILES && is_fixed(key, k))
        kn_put(text, ", pycuda::across<%s, %s, %d> %s", types.memory, types.value, k,
               name);
    else
        kn_put(text, ", pycuda::%s<%s, %s> %s",
               role == KN_RESULT  ? "out"
               : is_fixed(key, k) ? "fixed"
                                  : "in",
               types.memory, types.value, name);
}

static void put_function(cmp_text *text, const kn_key *key,
                         const kn_signature *signature, const char *name,
                         const char *code)
{
    kn_role role;
    kn_put(text, "    static PYCUDA_DEVICE void %s(", name);
    for (int k = 0; (role = signature->variable[k].role); k++) {
        type_pair types = types_of(key, role == KN_INDEX ? 0 : k);
        kn_put(text, "%s%s %s%s", k ? ", " : "",
               role == KN_TABLE ? types.memory : types.value,
               role == KN_TABLE    ? "*"
               : role == KN_RESULT ? "&"
                                   : "",
               signature->variable[k].name);
    }
    kn_put(text, ") { %s; }\n", code);
}

static int is_sum(const kn_operation *operation)
{
    return operation->combine == KN_AXIS_ADD;
}

static void put_operation(cmp_text *text, const kn_key *key,
                          const kn_operation *operation)
{
    kn_put(text, "struct operation {\n");
    put_function(text, key, operation->signature, "of", operation->code);
    if (operation->first)
        put_function(text, key, operation->signature, "first", operation->first);
    if (is_sum(operation)) {
        const kn_operation *combine = &kn_operations[operation->combine];
        type_pair types = types_of(key, 0);
        kn_put(text, "    static PYCUDA_DEVICE void combine(%s &z, %s a) { %s; }\n",
               types.value, types.value, combine->code);
    }
    kn_put(text, "};\n\n");
}

/* The kernel, which passes its parameters on to a template. */
static void put_kernel(cmp_text *text, const kn_key *key, const kn_operation *operation,
                       const char *name, int arrays)
{
    const kn_signature *signature = operation->signature;
    kn_role role;
    kn_put(text, "extern \"C\" __global__ void %s(", name);
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
        kn_put(text, "reduce_axis<pycuda::%s, operation, %d>(space, axis",
               is_sum(operation) ? "in_groups" : "in_order",
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
           key->variant == KN_FLAT    ? "elementwise"
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

static size_t widest_of(const kn_iteration_space *space)
{
    size_t widest = 1;
    for (int k = 0; k < space->arrays; k++)
        widest = space->size[k] > widest ? space->size[k] : widest;
    return widest;
}

int kn_launch_flat(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t widest, CUstream stream, void **params)
{
    size_t share = (size_t)KN_BLOCK * each_of(loaded, widest);
    unsigned grid[2] = {(unsigned)((n + share - 1) / share), 1};
    unsigned block[2] = {KN_BLOCK, 1};
    params[0] = &n;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

/* pycuda::iteration_space of strided.cuh, with as many rows of strides as there are
 * arrays. */
typedef struct {
    long long columns;
    unsigned rows, blocks, axes;
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

/* What a block takes: rows of `width` threads at most, each of which takes so many
   elements; or a tile of that side. */
typedef struct {
    unsigned width, each, side;
} block_share;

/* Pieces of `size`, a power of two, that it takes for n. */
static unsigned long long pieces(unsigned long long n, unsigned size)
{
    return (n + size - 1) >> __builtin_ctz(size);
}

/* How many blocks there are along axis 0 and along all others; rows: of elements. */
static void cut(const kn_iteration_space *space, block_share share, unsigned block[2],
                unsigned long long *rows, unsigned long long *blocks,
                unsigned long long *bands)
{
    block[0] = block[1] = *rows = 1;
    for (int d = share.side ? 2 : 1; d < space->ndim; d++)
        *rows *= space->length[d];
    if (share.side) {
        block[0] = 32;
        block[1] = 8;
        *blocks = pieces(space->length[0], share.side);
        *bands = pieces(space->length[1], share.side) * *rows;
        return;
    }
    while (block[0] < share.width && block[0] * share.each < space->length[0])
        block[0] *= 2;
    while (block[0] * block[1] < KN_BLOCK && block[1] < *rows)
        block[1] *= 2;
    *blocks = pieces(space->length[0], block[0] * share.each);
    *bands = pieces(*rows, block[1]);
}

/* Slowest axes are taken apart until what is left fits a grid. */
static int launch_strided(bd_context *context, kn_loaded *loaded,
                          kn_iteration_space *space, block_share share,
                          CUdeviceptr *pointers, CUstream stream, void **params)
{
    unsigned long long rows, blocks, bands;
    unsigned block[2];
    cut(space, share, block, &rows, &blocks, &bands);
    if (rows > INT_MAX || blocks * bands > INT_MAX || space->ndim > SPACE_AXES) {
        int d = --space->ndim, result = 0;
        for (long long i = 0; i < space->length[d] && !result; i++) {
            result =
                launch_strided(context, loaded, space, share, pointers, stream, params);
            for (int k = 0; k < space->arrays; k++)
                pointers[k] += space->stride[k][d];
        }
        for (int k = 0; k < space->arrays; k++)
            pointers[k] -= space->length[d] * space->stride[k][d];
        space->ndim++;
        return result;
    }
    space_parameter w = {space->length[0], (unsigned)rows, (unsigned)blocks,
                         (unsigned)space->ndim};
    for (int d = 0; d < SPACE_AXES; d++) {
        set_divisor(&w, d, d && d < space->ndim ? (unsigned)space->length[d] : 1);
        for (int k = 0; k < space->arrays; k++)
            w.stride[k][d] = d < space->ndim ? space->stride[k][d] : 0;
    }
    unsigned grid[2] = {(unsigned)(blocks * bands), 1};
    params[0] = &w;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

/* tile_bytes: as kn_iteration_space_tile says. */
static block_share share_of(const kn_loaded *loaded, const kn_iteration_space *space,
                            const kn_operation *operation, unsigned tile_bytes)
{
    block_share share = {KN_BLOCK, 1, tile_bytes > 8 ? 32 : tile_bytes ? 64 : 0};
    const kn_tuning *tuning = loaded->tuning;
    if (!operation->first) {
        if (tuning->flat_bytes > 1)
            share.each = each_of(loaded, widest_of(space));
        return share;
    }
    /* A result is of several rows: not too little of each, and full blocks mostly. */
    while (share.width * space->size[operation->signature->results] <
               tuning->axis_row_bytes &&
           8 * share.width <= space->length[0])
        share.width *= 2;
    return share;
}

static int operate(bd_context *context, const kn_request *request)
{
    const kn_operation *operation = &kn_operations[request->operation];
    struct {
        long long length, stride[MOST_ARRAYS];
    } axis = {.length = request->axis_length};
    CUdeviceptr pointers[KN_MOST_OPERANDS];
    void *params[KN_MOST_OPERANDS + 2];
    int next = 0, at = 1;
    kn_role role;
    kn_key key;
    kn_iteration_space space;
    kn_iteration_space_make(&space, request);
    if (space.count == 0)
        return 0;
    unsigned tile_bytes = 0;
    if (space.layout == KN_STRIDED) {
        const kn_tuning *tuning = kn_tuning_of(context);
        if (!tuning)
            return -1;
        if (tuning->has_tiles)
            tile_bytes = kn_iteration_space_tile(&space, request);
    }
    memset(&key, 0, sizeof key);
    key.program = request->operation;
    key.variant = space.layout;
    key.fixed = (uint16_t)space.fixed;
    if (operation->first)
        params[at++] = &axis;
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
    if (space.layout == KN_FLAT)
        return kn_launch_flat(context, loaded, space.count, widest_of(&space),
                              request->stream, params);
    block_share share = share_of(loaded, &space, operation, tile_bytes);
    return launch_strided(context, loaded, &space, share, pointers, request->stream,
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
