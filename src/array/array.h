/* GPUArray inside the room. One C type; shape and strides are C arrays, in the instance
   if the axes are few; Python attributes are made when asked for. Views hold the array
   they look into. */
#ifndef PYCUDA_ARRAY_H
#define PYCUDA_ARRAY_H

#include "binding/object.h"
#include "kernels/kernels.h"

enum { AR_MOST_AXES = KN_MOST_AXES };
enum { AR_AXES_AT_HAND = 4 }; /* instances of 512 bytes are malloc's, and slower */
enum { AR_C = 1, AR_F = 2 };  /* contiguous in that order; both: one axis, or empty */

typedef struct ar_step ar_step;
typedef struct ar_lazy ar_lazy;

typedef struct {
    bd_device_pointer head; /* .base.parent: what owns the memory, or NULL for none;
                               .base.other: the array that this is a view of, never
                               itself a view of another, or a base that was given */
    PyArray_Descr *dtype;   /* owned */
    PyObject *allocator;    /* owned; NULL: pycuda.driver.mem_alloc */
    ar_step *pending; /* owned: how to compute the elements, which are in memory if it
                         is NULL; see pending.h */
    npy_intp size;    /* elements */
    int ndim;
    uint8_t type;    /* kn_type */
    uint8_t order;   /* AR_C | AR_F */
    uint8_t is_view; /* gpudata is an address inside of what owns the memory */
    npy_intp *shape, *strides; /* in bytes; at hand, or owned by the instance if there
                                  were more axes once: see ar_reserve_axes */
    npy_intp at_hand[2][AR_AXES_AT_HAND];
} ar_array;

#define AR(object) ((ar_array *)(object))
#define AR_ITEMSIZE(array) ((npy_intp)PyDataType_ELSIZE((array)->dtype))
#define AR_MEMORY(array) ((array)->head.base.parent)
#define AR_BASE(array) ((array)->head.base.other)

/* Python objects of the room. */
typedef struct {
    PyObject *numpy, *mem_alloc, *flags_type;
    PyObject *is_open; /* True: open_to_host() */
} ar_objects;
#define AR_OBJECTS(state) ((ar_objects *)(state)->array)
_Static_assert(sizeof(ar_objects) == sizeof((bd_state *)0)->array, "all are there");

/* -- Shapes and strides (layout.c) ---------------------------------------------- */

/* Integers, each at least 0, or -1 for one that follows of the others. */
int ar_lengths_parse(PyObject *const *items, Py_ssize_t count, int least,
                     npy_intp *shape, int *ndim);
/* Whether it stands for one integer. Arrays with axes have the method, too, and raise.
 */
int ar_is_index(PyObject *object);
/* An integer or a sequence of them. */
int ar_shape_parse(PyObject *object, int least, npy_intp *shape, int *ndim);
/* What NumPy does with a dtype such as "(2,)i4" where it makes an array: the shape in
   it becomes axes behind the others, and what is left the dtype, whose reference
   changes. */
int ar_dtype_axes(PyArray_Descr **dtype, npy_intp *shape, int *ndim);
/* Makes room for the shape and strides of so many axes, before they are set. Where they
   were before stays memory as long as the array does. -1: MemoryError. */
int ar_reserve_axes(ar_array *array, int ndim);
/* A sequence of `ndim` integers. */
int ar_strides_parse(PyObject *object, int ndim, npy_intp *strides);
/* ValueError if the bytes are more than an integer counts. Every shape that a user's
   numbers go into passes here once; no product of lengths overflows later. */
int ar_check_size(int ndim, const npy_intp *shape, npy_intp itemsize);
/* Strides without gaps; order 'C' or 'F'. */
void ar_strides_fill(npy_intp *strides, int ndim, const npy_intp *shape,
                     npy_intp itemsize, char order);
/* The same with axes in the order of other strides, as far as they say one. */
void ar_strides_like(npy_intp *strides, int ndim, const npy_intp *shape,
                     npy_intp itemsize, int count, const npy_intp *const *others);
/* Sets size, order and head.size from shape, strides and dtype. */
void ar_layout_note(ar_array *array);
/* Whether the elements fill their memory without gaps, in whatever order of axes. */
int ar_is_dense(const ar_array *array);
/* 'C', 'F' from "C", "F", "A" or "K" for an array like this; 'K': keep its order. */
int ar_order_parse(PyObject *object, const ar_array *like, char *order);
/* The shape to which those of `count` arrays broadcast; ValueError. */
int ar_broadcast(ar_array *const *arrays, int count, npy_intp *shape, int *ndim);
/* Strides of an array under a larger shape. */
void ar_broadcast_strides(const ar_array *array, int ndim, npy_intp *strides);
int ar_has_shape(const ar_array *array, int ndim, const npy_intp *shape);
/* Whether two arrays are the same elements of the same memory in the same order. */
int ar_same_elements(const ar_array *a, const ar_array *b);
/* Whether the stretches of memory that the elements span have bytes in common. */
int ar_overlap(const ar_array *a, const ar_array *b);
/* Whether an array may have two elements with bytes in common. */
int ar_has_shared_elements(const ar_array *array);
/* How far from the first element others begin, in bytes: below <= 0 <= above;
   ValueError if that overflows. */
int ar_reach(const ar_array *array, npy_intp *below, npy_intp *above);
PyObject *ar_tuple(int count, const npy_intp *values);

/* -- Setters of attributes (relayout.c) ------------------------------------------ */

int ar_set_shape(PyObject *self, PyObject *value, void *closure);
int ar_set_strides(PyObject *self, PyObject *value, void *closure);
int ar_set_dtype(PyObject *self, PyObject *value, void *closure);
/* Of what follows of these: an integer, which is not kept. */
int ar_set_derived(PyObject *self, PyObject *value, void *name);

/* -- Pending results (pending.c) ------------------------------------------------ */

int ar_lazy_init(bd_state *state);
void ar_lazy_clear(bd_state *state);
/* Nobody asks for the array's value any more. */
void ar_pending_drop(ar_array *array);

/* -- Making arrays (gpuarray.c) ------------------------------------------------- */

int ar_check(PyObject *object);
/* The GPUArray that is expected there, borrowed; NULL: TypeError. */
ar_array *ar_expect(PyObject *object, const char *what);
/* The same, of a dtype to compute with. */
ar_array *ar_expect_numbers(PyObject *object, const char *what);
/* With memory of its own; strides NULL: C order. allocator NULL: the context's pool;
   None, or mem_alloc itself: mem_alloc. */
ar_array *ar_new(bd_state *state, PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                 const npy_intp *strides, PyObject *allocator);
/* A result without axes. allocator NULL or None: that of the other array. */
ar_array *ar_new_single(ar_array *like, PyArray_Descr *dtype, PyObject *allocator);
/* TypeError for a dtype with Python objects in it, or a shape of its own. */
int ar_check_dtype(PyArray_Descr *dtype);
/* The address for a launch or a copy, and the one way to it: what was freed, or went
   with its context, is refused. */
int ar_address(ar_array *array, CUdeviceptr *address);
/* The same for a kernel in that stream that writes all of a new result. */
int ar_result_place(ar_array *result, CUstream stream, kn_result_place *to);
/* Whether elements lie at multiples of their size. NumPy, and ours, ask for less of
   complex numbers than what takes each as one word. */
int ar_is_aligned_to_size(const ar_array *array);
/* A result like that array: its class and allocator; order 'C', 'F' or 'K'. */
ar_array *ar_like(ar_array *like, PyArray_Descr *dtype, char order);
/* The same in another shape. context: the current one, NULL where the caller has not
   asked, or has run Python code since. */
ar_array *ar_like_shape(bd_context *context, ar_array *like, PyArray_Descr *dtype,
                        int ndim, const npy_intp *shape, const npy_intp *strides);
/* Looks into the memory of another array, `offset` bytes on; dtype NULL: the same, else
   ValueError where its elements would not be aligned. */
ar_array *ar_view(ar_array *of, PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                  const npy_intp *strides, npy_intp offset);
/* What an array from another library keeps of this one: its memory, even if the array
   is given other memory; operations on it do not wait from now on (lazy.c). */
PyObject *ar_share(ar_array *array);

/* -- Copies on the device (array_copy.c) ---------------------------------------- */

/* to[...] = from, which broadcasts; as if it were copied first where they overlap. */
int ar_assign_array(ar_array *to, ar_array *from, CUstream stream);
/* array[...] = number, which the dtype must be able to hold. */
int ar_assign_number(ar_array *array, PyObject *number, CUstream stream);
/* A copy without gaps; order 'C', 'F' or 'K'; dtype NULL: the same. */
ar_array *ar_copy(ar_array *array, PyArray_Descr *dtype, char order, CUstream stream);
/* The array itself if it is contiguous, else a copy. New reference. */
ar_array *ar_contiguous(ar_array *array, CUstream stream);

/* -- Copies to and from the host (transfer.c) ----------------------------------- */

/* array[...] = source, a GPUArray, numpy.ndarray or scalar. */
int ar_assign(ar_array *array, PyObject *source, CUstream stream);
PyObject *ar_get(ar_array *array); /* new numpy.ndarray */
extern PyMethodDef ar_transfer_methods[], ar_transfer_functions[];
int ar_buffer(PyObject *array, Py_buffer *view, int flags); /* bf_getbuffer */

/* -- Pages of host memory (prefault.c) ------------------------------------------ */

typedef struct ar_prefault ar_prefault;
ar_prefault *ar_prefault_begin(void *place,
                               size_t bytes); /* NULL: it is not worth it */
void ar_prefault_end(ar_prefault *);          /* stops and waits; NULL is fine */

/* -- Indexing and shapes (indexing.c, taking.c, reshape.c) ----------------------- */

PyObject *ar_subscript(PyObject *self, PyObject *index);
int ar_ass_subscript(PyObject *self, PyObject *index, PyObject *value);
PyObject *ar_item(PyObject *self, Py_ssize_t index);
/* The elements at those places along an axis; waits to hear whether these are there.
   NotImplemented: they are not, or pycuda/_indexing.py has to do it. */
PyObject *ar_take_along(bd_state *state, ar_array *array, int axis, ar_array *index);
/* Replaces a -1; ValueError for another number of elements. */
int ar_shape_complete(const ar_array *array, int ndim, npy_intp *shape);
/* The elements in C or F order, as many, in another shape. */
ar_array *ar_reshape(ar_array *array, int ndim, const npy_intp *shape, char order);
extern PyMethodDef ar_shape_methods[], ar_shape_functions[];
PyObject *ar_transposed(PyObject *self, void *closure); /* property T */

/* -- Operations (promote.c, operate.c) ------------------------------------------ */

/* What takes part in an operation. */
enum { AR_WEAK_INT = KN_TYPE_COUNT, AR_WEAK_FLOAT, AR_WEAK_COMPLEX };
typedef struct {
    ar_array *array;  /* owned by who asked; NULL: a scalar */
    PyObject *scalar; /* borrowed */
    uint8_t type;     /* kn_type; of Python's numbers AR_WEAK_... */
} ar_operand;

/* An array, or what pycuda/_interop.py makes of an object with
   __cuda_array_interface__. 1, 0: neither, -1. New reference. */
int ar_from(bd_state *state, PyObject *object, ar_array **array);
/* 1; 0: it is nothing to compute with; -1: exception. */
int ar_operand_from(bd_state *state, PyObject *object, ar_operand *operand);
/* The types in which NumPy's ufunc of that name computes with operands of those types:
   first the results', then the operands'. TypeError if it does not. */
int ar_promote(bd_state *state, int operation, const ar_operand *in, uint8_t *types);
/* What is meant by a dtype; TypeError for those that are nothing to compute with. */
int ar_type_parse(PyObject *dtype, kn_type *type);
/* Writes a number in the type that operations on `type` compute in; 16 bytes. */
int ar_scalar_store(PyObject *number, kn_type type, char *value);

enum { AR_MOST_IN = 5, AR_MOST_OUT = 2 };
typedef struct {
    int operation, inputs, outputs;
    ar_operand in[AR_MOST_IN];
    ar_array *out[AR_MOST_OUT];              /* owned; NULL: to be made */
    uint8_t types[AR_MOST_OUT + AR_MOST_IN]; /* results', then operands' */
    CUstream stream;
} ar_call;

void ar_call_init(ar_call *call, int operation);
/* Takes the operands; 1; 0: one of them is nothing to compute with; -1. */
int ar_call_operands(bd_state *state, ar_call *call, PyObject *const *in);
/* Makes results and launches; the types are set. */
int ar_call_run(bd_state *state, ar_call *call);
/* Inside of lazy(): whether the call, of operands and results of one layout, became a
   pending result or part of one: 1, 0; -1. is_given: the result was there before. */
int ar_defer(bd_state *state, bd_context *context, const ar_call *call,
             const kn_request *request, int is_given);
/* A reduction of arrays of one layout that are pending results, or of which one is: as
   one kernel that does not write them, if nothing speaks against it: 1, 0; -1. */
enum { AR_MOST_REDUCED = 2 };
int ar_defer_reduction(bd_state *state, bd_context *context, kn_reduction *reduction,
                       ar_array *const *in, int inputs, ar_array *result);
/* A row of operations.def by NumPy's name, or by its own; -1: NotImplementedError. */
int ar_find_operation(PyObject *name, int by_numpy);
/* The result or results as a Python object, and the end of the call. failed: NULL. */
PyObject *ar_call_finish(ar_call *call, int failed);

/* NumPy's ufunc of that name on GPU arrays. out: array or NULL; NotImplemented if an
   operand is nothing to compute with. */
PyObject *ar_ufunc(bd_state *state, int operation, PyObject *const *in, PyObject *out,
                   PyObject *stream);

/* -- Reductions (array_reductions.c, axis_reductions.c) ---------------------------- */

/* What sums are of: integers in 64 bits, as NumPy has it. */
kn_type ar_sum_type(kn_type type);
/* Of all elements, by a row of reductions.def for one array: without axes. */
ar_array *ar_reduce_whole(bd_state *state, int row, ar_array *array, kn_type type,
                          CUstream stream);
/* Along an axis with elements, which stays with length one. compute: what these are
   converted to; divisor: of sums. */
typedef struct {
    int operation, axis, is_rooted;
    kn_type compute, type;
    double divisor;
    CUstream stream;
} ar_axis_reduction;
ar_array *ar_reduce_axis(bd_state *state, const ar_axis_reduction *wanted,
                         ar_array *array);

/* -- The type (array_type.c) ---------------------------------------------------- */

extern const PyType_Slot ar_instance_slots[]; /* gpuarray.c; ended by a row of zeros */
extern const PyType_Slot ar_number_slots[];   /* operators.c; likewise */
int ar_array_type_create(bd_state *state, PyObject *module);

/* -- The rest ------------------------------------------------------------------- */

extern PyMethodDef ar_function_rows[], ar_reduction_functions[],
    ar_creation_functions[], ar_axis_reduction_functions[], ar_accumulation_functions[],
    ar_product_functions[], ar_library_functions[], ar_factor_functions[],
    ar_small_functions[], ar_collective_functions[], ar_sorting_functions[],
    ar_selection_functions[], ar_counting_functions[], ar_search_functions[],
    ar_dlpack_functions[], ar_lazy_functions[], ar_dlpack_methods[],
    ar_operation_methods[], ar_sparse_functions[], ar_numpy_reduction_functions[];
int ar_promotion_init(bd_state *state);
int ar_generated_types_create(bd_state *state, PyObject *module);

/* Adds this folder's types and functions to the module. */
int ar_module_exec(PyObject *module);

#endif
