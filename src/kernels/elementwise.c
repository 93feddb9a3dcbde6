/* Element-wise operations: from a request to a launch. The kernel is known by the
   operation, the types of its operands and the class of their layout, never by shape.
   Source text is written once for each such combination and context. */
#include "kernel_text.h"
#include <string.h>

/* kn_key.variant: a layout; for folds FOLD more, for those that round SUM more. */
enum { FOLD = KN_STRIDED + 1, SUM = 2 * FOLD };
enum { WALK_AXES = 6, MOST_ARRAYS = KN_MOST_OPERANDS }; /* as in strided.cuh */

/* -- Source --------------------------------------------------------------------- */

typedef struct {
    char memory[48], value[48]; /* T and C of an operand */
} type_pair;

static void type_of(const kn_key *key, int k, type_pair *type)
{
    if (key->compute[k] == KN_NONE)
        snprintf(type->value, sizeof type->value, "pycuda::bytes<%u>", key->itemsize);
    else
        snprintf(type->value, sizeof type->value, "%s", kn_type_name(key->compute[k]));
    if (key->storage[k] == KN_NONE)
        strcpy(type->memory, type->value);
    else
        snprintf(type->memory, sizeof type->memory, "%s",
                 kn_type_name(key->storage[k]));
}

static int uses(const kn_key *key, kn_type first, kn_type last)
{
    for (int k = 0; k < KN_MOST_OPERANDS; k++)
        if ((key->compute[k] >= first && key->compute[k] <= last) ||
            (key->storage[k] >= first && key->storage[k] <= last))
            return 1;
    return 0;
}

static void put_operands(cmp_text *text, const kn_key *key, const char *letters,
                         int as_values)
{
    type_pair type;
    for (int k = 0; letters[k]; k++) {
        char letter = letters[k];
        const char *comma = k || !as_values ? ", " : "";
        type_of(key, letter == 'i' ? 0 : k, &type);
        if (as_values)
            kn_put(text, "%s%s %s%c", comma, letter == 't' ? type.memory : type.value,
                   letter == 't'                    ? "*"
                   : letter == 'z' || letter == 'u' ? "&"
                                                    : "",
                   letter);
        else if (letter == 't')
            kn_put(text, "%spycuda::constant<%s *> t", comma, type.memory);
        else if (key->scalars & 1 << k)
            kn_put(text, "%spycuda::constant<%s> %c", comma, type.value, letter);
        else if (letter == 'k')
            kn_put(text, "%spycuda::ramp<%s, %d> k", comma, type.value,
                   !(key->fixed & 1 << k));
        else if (letter != 'i')
            kn_put(text, "%spycuda::%s<%s, %s> %c", comma,
                   letter == 'z' || letter == 'u' ? "out"
                   : key->fixed & 1 << k          ? "fixed"
                                                  : "in",
                   type.memory, type.value, letter);
    }
}

static void put_call(cmp_text *text, const kn_key *key, const char *letters)
{
    static const char *const templates[] = {
        [KN_FLAT] = "flat<operation>(n",
        [KN_ROWS] = "rows<operation, 0>(w",
        [KN_STRIDED] = "rows<operation, 1>(w",
        [FOLD + KN_ROWS] = "fold<pycuda::plain_fold, operation, 0>(w, f",
        [FOLD + KN_STRIDED] = "fold<pycuda::plain_fold, operation, 1>(w, f",
        [SUM + KN_ROWS] = "fold<pycuda::sum_fold, operation, 0>(w, f",
        [SUM + KN_STRIDED] = "fold<pycuda::sum_fold, operation, 1>(w, f",
    };
    type_pair type;
    kn_put(text, "    pycuda::%s", templates[key->variant]);
    for (int k = 0; letters[k]; k++) {
        type_of(key, 0, &type);
        if (letters[k] == 'i')
            kn_put(text, ", pycuda::index<%s>()", type.value);
        else
            kn_put(text, ", %c", letters[k]);
    }
    kn_put(text, ");\n");
}

static int is_sum(const kn_operation *fold)
{
    return fold->then == KN_FOLD_ADD;
}

static void put_function(cmp_text *text, const kn_key *key, const char *name,
                         const char *code)
{
    kn_put(text, "    static PYCUDA_DEVICE void %s(", name);
    put_operands(text, key, kn_operations[key->program].operands, 1);
    kn_put(text, ") { %s; }\n", code);
}

/* How a fold's results are folded. */
static void put_join(cmp_text *text, const kn_key *key, const char *code)
{
    type_pair type;
    type_of(key, 0, &type);
    kn_put(text, "    static PYCUDA_DEVICE void join(%s &z, %s a) { %s; }\n",
           type.value, type.value, code);
}

static void put_source(cmp_text *text, const kn_key *key, int arrays, const char *name)
{
    const kn_operation *operation = &kn_operations[key->program];
    kn_put_narrow(text, key->storage, KN_MOST_OPERANDS);
    if (uses(key, KN_C64, KN_C128))
        kn_put(text, "#include <pycuda-complex.hpp>\n");
    kn_put(text, "#include <pycuda/%s.cuh>\n\nstruct operation {\n",
           key->variant == KN_FLAT ? "elementwise" : "strided");
    put_function(text, key, "of", operation->code);
    if (operation->first) {
        put_function(text, key, "first", operation->first);
        if (is_sum(operation))
            put_join(text, key, kn_operations[operation->then].code);
    }
    kn_put(text, "};\n\nextern \"C\" __global__ void %s(", name);
    if (key->variant == KN_FLAT)
        kn_put(text, "size_t n");
    else
        kn_put(text, "const pycuda::walk<%d> w", arrays);
    if (operation->first)
        kn_put(text, ", const pycuda::along<%d> f", arrays);
    put_operands(text, key, operation->operands, 0);
    kn_put(text, ")\n{\n");
    put_call(text, key, operation->operands);
    kn_put(text, "}\n");
}

static kn_loaded *make(bd_context *context, const kn_key *key, int arrays)
{
    char name[40];
    const char *names[] = {name};
    cmp_text text = {0};
    kn_lower(kn_operations[key->program].name, name);
    put_source(&text, key, arrays, name);
    return kn_load(context, key, &text, NULL, 0, 1, names);
}

/* -- Launches ------------------------------------------------------------------- */

static int launch_flat(bd_context *context, kn_loaded *loaded, const kn_walk *walk,
                       const kn_request *request, void **params)
{
    size_t n = walk->count, widest = 1, each = 1;
    for (int k = 0; k < walk->arrays; k++)
        widest = walk->size[k] > widest ? walk->size[k] : widest;
    if (!kn_device_of(context)->is_host && widest < 16)
        each = 16 / widest;
    size_t share = each * KN_BLOCK;
    unsigned grid[2] = {(unsigned)((n + share - 1) / share), 1};
    unsigned block[2] = {KN_BLOCK, 1};
    params[0] = &n;
    return kn_launch(context, loaded->function[0], grid, block, request->stream,
                     params);
}

/* pycuda::walk of strided.cuh, with as many rows of strides as there are arrays. */
typedef struct {
    long long columns;
    unsigned rows, blocks, axes;
    unsigned length[WALK_AXES], magic[WALK_AXES], shift[WALK_AXES];
    long long stride[MOST_ARRAYS][WALK_AXES];
} walk_parameter;

/* Division of integers below 2^31 as a multiplication (Granlund and Montgomery, 1994).
 */
static void set_divisor(walk_parameter *w, int d, unsigned length)
{
    unsigned shift = length > 1 ? 32 - (unsigned)__builtin_clz(length - 1) : 0;
    w->length[d] = length;
    w->shift[d] = shift;
    w->magic[d] = (unsigned)((((1ull << shift) - length) << 32) / length + 1);
}

/* Slowest axes are taken apart until what is left fits a grid. */
static int launch_strided(bd_context *context, kn_loaded *loaded, kn_walk *walk,
                          CUdeviceptr *pointers, CUstream stream, void **params)
{
    unsigned long long rows = 1, blocks, bands;
    unsigned block[2] = {1, 1};
    for (int d = 1; d < walk->ndim; d++)
        rows *= walk->length[d];
    while (block[0] < KN_BLOCK && block[0] < walk->length[0])
        block[0] *= 2;
    while (block[0] * block[1] < KN_BLOCK && block[1] < rows)
        block[1] *= 2;
    blocks = (walk->length[0] + block[0] - 1) / block[0];
    bands = (rows + block[1] - 1) / block[1];
    if (rows > INT_MAX || blocks * bands > INT_MAX || walk->ndim > WALK_AXES) {
        int d = --walk->ndim, result = 0;
        for (long long i = 0; i < walk->length[d] && !result; i++) {
            result = launch_strided(context, loaded, walk, pointers, stream, params);
            for (int k = 0; k < walk->arrays; k++)
                pointers[k] += walk->stride[k][d];
        }
        for (int k = 0; k < walk->arrays; k++)
            pointers[k] -= walk->length[d] * walk->stride[k][d];
        walk->ndim++;
        return result;
    }
    walk_parameter w = {walk->length[0], (unsigned)rows, (unsigned)blocks,
                        (unsigned)walk->ndim};
    for (int d = 0; d < WALK_AXES; d++) {
        set_divisor(&w, d, d && d < walk->ndim ? (unsigned)walk->length[d] : 1);
        for (int k = 0; k < walk->arrays; k++)
            w.stride[k][d] = d < walk->ndim ? walk->stride[k][d] : 0;
    }
    unsigned grid[2] = {(unsigned)(blocks * bands), 1};
    params[0] = &w;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

static int operate(bd_context *context, const kn_request *request)
{
    const kn_operation *operation = &kn_operations[request->operation];
    const char *letters = operation->operands;
    struct {
        long long length, stride[MOST_ARRAYS];
    } along = {.length = request->fold_length};
    CUdeviceptr pointers[KN_MOST_OPERANDS];
    void *params[KN_MOST_OPERANDS + 2];
    int next = 0, at = 1;
    kn_key key;
    kn_walk walk;
    kn_walk_make(&walk, request);
    if (walk.count == 0)
        return 0;
    memset(&key, 0, sizeof key);
    key.program = request->operation;
    key.variant = walk.layout;
    key.fixed = (uint16_t)walk.fixed;
    if (operation->first) {
        key.variant += is_sum(operation) ? SUM : FOLD;
        params[at++] = &along;
    }
    for (int k = 0; letters[k] && letters[k] != 'i'; k++) {
        const kn_operand *operand = &request->operand[k];
        along.stride[k] = request->fold_stride[k];
        key.storage[k] = operand->storage;
        key.compute[k] = operand->compute;
        key.scalars |= operand->is_scalar << k;
        if (operand->storage == KN_NONE && !operand->is_scalar)
            key.itemsize = (uint32_t)request->itemsize;
        if (operand->strides) {
            pointers[next] = operand->pointer;
            params[at++] = &pointers[next++];
        } else
            params[at++] =
                operand->is_scalar ? (void *)operand->value : (void *)&operand->pointer;
    }
    kn_loaded *loaded = kn_find(context, &key);
    if (!loaded && !(loaded = make(context, &key, walk.arrays)))
        return -1;
    return walk.layout == KN_FLAT ? launch_flat(context, loaded, &walk, request, params)
                                  : launch_strided(context, loaded, &walk, pointers,
                                                   request->stream, params);
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
