/* Operations on arrays, element by element or along an axis: from a request to a
   launch. The kernel is known by the operation, the types of its operands and the class
   of their layout, never by shape. Its source is written once for each such combination
   and context. */
#include "kernel_text.h"
#include <string.h>

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

static int step_of(const kn_key *key, int k)
{
    return key->steps >> KN_STEP_BITS * k & ((1 << KN_STEP_BITS) - 1);
}

/* One of KN_STEPPED. */
static void put_stepped(cmp_text *text, const kn_key *key, int k, kn_role role,
                        const char *name)
{
    type_pair types = types_of(key, k);
    int step = step_of(key, k);
    kn_put(text, ", pycuda::%s<pycuda::%s<%s, %s>",
           step == KN_STEP_ANY ? "apart" : "stepped", role == KN_RESULT ? "out" : "in",
           types.memory, types.value);
    if (step != KN_STEP_ANY)
        kn_put(text, ", %d", step == KN_STEP_BACK ? -1 : step);
    kn_put(text, "> %s", name);
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
    else if (key->variant == KN_STEPPED)
        put_stepped(text, key, k, role, name);
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

/* Of KN_STEPPED: which of the arrays lie any number of bytes apart: a bit for each. */
static unsigned parted(const kn_key *key, const kn_signature *signature)
{
    unsigned bits = 0, array = 0;
    for (int k = 0; signature->variable[k].role >= KN_PLACE; k++)
        if (!is_scalar(key, k) && signature->variable[k].role != KN_TABLE)
            bits |= (unsigned)(step_of(key, k) == KN_STEP_ANY) << array++;
    return bits;
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
    else if (key->variant == KN_SHORT_ROWS)
        kn_put(text, "short_rows<operation>(space");
    else if (key->variant == KN_STEPPED)
        kn_put(text, "stepped_rows<operation, %u>(space", parted(key, signature));
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

static int launch(bd_context *context, kn_loaded *loaded, kn_iteration_space *space,
                  const kn_request *request, unsigned tile_bytes, CUdeviceptr *pointers,
                  void **params)
{
    int results = kn_operations[request->operation].signature->results;
    size_t widest = kn_widest_of(space, results);
    if (space->layout == KN_FLAT)
        return kn_launch_flat(context, loaded, space->count, widest,
                              kn_widest_result_of(space, results), request->stream,
                              params);
    unsigned each = kn_each_of(loaded->tuning, widest);
    kn_block_shape shape = tile_bytes ? kn_shape_of_tiles(tile_bytes > 8 ? 32 : 64)
                                      : kn_shape_of_rows(space, KN_BLOCK, each);
    return kn_launch_strided(context, loaded, space, &shape, pointers, request->stream,
                             params);
}

/* Rows without gaps that short_rows of strided.cuh is for. */
static int are_short(const kn_iteration_space *space, const kn_tuning *tuning)
{
    return space->layout == KN_ROWS && space->length[0] < tuning->short_rows &&
           space->length[0] % tuning->row_vector;
}

/* A strided space as KN_STEPPED, unless places or pointers in rows are counted. */
static uint16_t step_along(kn_iteration_space *space, const kn_operation *operation)
{
    for (int k = 0; operation->signature->variable[k].role; k++)
        if (operation->signature->variable[k].role == KN_BASE ||
            operation->signature->variable[k].role == KN_PLACE)
            return 0;
    uint16_t steps = kn_iteration_space_steps(space);
    if (steps)
        space->layout = KN_STEPPED;
    return steps;
}

/* By which template, and what the key says of it. */
static int choose_layout(bd_context *context, const kn_request *request,
                         kn_iteration_space *space, kn_key *key, unsigned *tile_bytes)
{
    const kn_operation *operation = &kn_operations[request->operation];
    int is_host = drv_get_info()->is_host;
    uint16_t steps = 0;
    if (!operation->first && is_host)
        kn_iteration_space_lengthen(space, operation);
    if (operation->first || space->layout != KN_FLAT) {
        const kn_tuning *tuning = kn_tuning_of(context);
        if (!tuning)
            return -1;
        if (operation->first)
            key->alone = kn_results_alone(tuning, request, space);
        else if (are_short(space, tuning))
            space->layout = KN_SHORT_ROWS;
        else if (space->layout == KN_STRIDED && tuning->has_tiles)
            *tile_bytes = kn_iteration_space_tile(space, request);
        else if (space->layout == KN_STRIDED && is_host)
            steps = step_along(space, operation);
    }
    if (steps)
        key->steps = steps;
    else
        key->fixed = (uint16_t)space->fixed;
    return 0;
}

static int operate(bd_context *context, const kn_request *request)
{
    const kn_operation *operation = &kn_operations[request->operation];
    kn_axis_parameter axis = kn_axis_of(request);
    CUdeviceptr pointers[KN_MOST_OPERANDS];
    void *params[KN_MOST_OPERANDS + 2];
    int next = 0, at = operation->first ? 2 : 1;
    kn_role role;
    kn_key key;
    kn_iteration_space space;
    unsigned tile_bytes = 0;
    kn_iteration_space_make(&space, request);
    if (space.count == 0)
        return 0;
    memset(&key, 0, sizeof key);
    if (choose_layout(context, request, &space, &key, &tile_bytes))
        return -1;
    key.program = request->operation;
    key.variant = space.layout;
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
        return kn_launch_axis(context, loaded, &space, request, is_shared(&key), &axis,
                              pointers, params);
    return launch(context, loaded, &space, request, tile_bytes, pointers, params);
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
