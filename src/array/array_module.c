/* What the rooms of arrays and kernels add to pycuda._native: the types, the functions
   that pycuda/gpuarray.py and cumath.py name, and the objects and memory they keep. */
#include "array.h"
#include "libraries/libraries.h"

static PyStructSequence_Field flag_fields[] = {
    {"f_contiguous", "without gaps, the first axis fastest"},
    {"c_contiguous", "without gaps, the last axis fastest"},
    {"forc", "either"},
    {"fnc", "f_contiguous and not c_contiguous"},
    {NULL},
};

static PyStructSequence_Desc flags = {
    "pycuda.gpuarray.ArrayFlags", "How an array lies in memory.", flag_fields,
    3, /* in the tuple, as in PyCUDA; fnc has a name alone */
};

static int objects_create(bd_state *state, PyObject *module)
{
    ar_objects *objects = AR_OBJECTS(state);
    objects->numpy = PyImport_ImportModule("numpy");
    objects->mem_alloc = PyObject_GetAttrString(module, "mem_alloc");
    objects->flags_type = (PyObject *)PyStructSequence_NewType(&flags);
    return objects->numpy && objects->mem_alloc && objects->flags_type ? 0 : -1;
}

int ar_module_exec(PyObject *module)
{
    static PyMethodDef *const functions[] = {
        ar_transfer_functions,       ar_function_rows,
        ar_reduction_functions,      ar_creation_functions,
        ar_axis_reduction_functions, ar_dlpack_functions,
        ar_lazy_functions,           ar_product_functions,
        ar_shape_functions,          ar_sorting_functions,
        ar_selection_functions,      ar_library_functions,
        ar_counting_functions,       ar_search_functions,
        ar_collective_functions,     ar_factor_functions,
        ar_small_functions,          ar_sparse_functions,
        ar_accumulation_functions,   ar_numpy_reduction_functions,
    };
    bd_state *state = bd_state_get(module);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0)
            return -1;
    kn_init(state);
    lib_init(state);
    return ar_promotion_init(state) || ar_lazy_init(state) ||
                   objects_create(state, module) ||
                   ar_array_type_create(state, module) ||
                   ar_generated_types_create(state, module)
               ? -1
               : 0;
}
