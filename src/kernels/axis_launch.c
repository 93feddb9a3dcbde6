/* Launches of reductions along an axis: who takes what of it, on the host device and on
   GPUs; see axis.cuh and axis_shared.cuh. */
#include "kernel_text.h"

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
static kn_block_shape shape_of_shares(const kn_iteration_space *space,
                                      const kn_tuning *tuning, int first,
                                      kn_axis_parameter *axis)
{
    unsigned long long rows = kn_rows_beyond(space, 1),
                       results = space->length[0] * rows;
    npy_intp own = magnitude(axis->stride[first]);
    int is_along = results == 1 || magnitude(space->stride[first][0]) > own;
    unsigned long long worthwhile = tuning->axis_threads, length = axis->length;
    unsigned ahead = tuning->axis_sharing; /* elements that a thread has under way */
    kn_block_shape shape = {.width = 1, .height = 1, .threads = {KN_BLOCK, 1}};
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
    kn_cut into = kn_cut_into(space, &shape);
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
                        const kn_block_shape *shape, const kn_request *request,
                        kn_axis_parameter *axis, CUdeviceptr *scratch)
{
    enum { AT_HAND = 4 };
    kn_cut into = kn_cut_into(space, shape);
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

int kn_launch_axis(bd_context *context, kn_loaded *loaded, kn_iteration_space *space,
                   const kn_request *request, int shares, kn_axis_parameter *axis,
                   CUdeviceptr *pointers, void **params)
{
    const kn_tuning *tuning = loaded->tuning;
    int first = kn_operations[request->operation].signature->results;
    CUdeviceptr scratch = 0;
    kn_block_shape shape;
    params[1] = axis;
    if (shares)
        shape = shape_of_shares(space, tuning, first, axis);
    else { /* a result is of several rows: not too little of each */
        unsigned width = KN_BLOCK, bytes = tuning->axis_row_bytes;
        while (width * space->size[first] < bytes && 8 * width <= space->length[0])
            width *= 2; /* and full blocks mostly */
        unsigned each = kn_each_of(tuning, kn_widest_of(space, first));
        shape = kn_shape_of_rows(space, width, space->layout == KN_ROWS ? each : 1);
    }
    if (shape.segments > 1 &&
        lend_partial(context, space, &shape, request, axis, &scratch)) {
        kn_scratch_used(context, scratch);
        return -1;
    }
    int failed = kn_launch_strided(context, loaded, space, &shape, pointers,
                                   request->stream, params);
    if (scratch)
        kn_scratch_used(context, scratch);
    return failed;
}

/* Whether all elements are aligned as vectors of `each` are; places are none. */
static int are_aligned(const kn_iteration_space *space, const kn_request *request,
                       unsigned each)
{
    const kn_signature *signature = kn_operations[request->operation].signature;
    for (int k = 0; k < space->arrays; k++) {
        int operand = space->operand[k];
        size_t bits = request->operand[operand].pointer;
        bits |= (size_t)request->axis_stride[operand];
        for (int d = 1; d < space->ndim; d++)
            bits |= (size_t)space->stride[k][d];
        int is_fixed = k >= signature->results && space->fixed >> operand & 1;
        if (signature->variable[operand].role != KN_PLACE && !is_fixed &&
            bits % (each * space->size[k]))
            return 0;
    }
    return space->length[0] % each == 0;
}

uint32_t kn_results_alone(const kn_tuning *tuning, const kn_request *request,
                          kn_iteration_space *space)
{
    int results = kn_operations[request->operation].signature->results;
    unsigned each = kn_each_of(tuning, kn_widest_of(space, results));
    if (tuning->axis_sharing && request->axis_length >= tuning->axis_sharing)
        return 0;
    if (each > 1 && space->layout == KN_ROWS &&
        (space->count / each < tuning->axis_threads ||
         !are_aligned(space, request, each)))
        space->layout = KN_STRIDED;
    return tuning->axis_sharing ? 1 : results;
}

kn_axis_parameter kn_axis_of(const kn_request *request)
{
    return (kn_axis_parameter){.length = request->axis_length,
                               .divisor = request->axis_divisor,
                               .is_rooted = request->axis_is_rooted};
}
