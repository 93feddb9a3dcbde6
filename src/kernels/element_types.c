/* NumPy's dtypes as types that kernels compute with. */
#include "kernel_text.h"

static const struct {
    int number, size;
    const char *name;
} types[KN_TYPE_COUNT] = {
#define T(id, number, size, name) [KN_##id] = {number, size, name},
    KN_TYPES(T)
#undef T
};

kn_type kn_type_of(PyArray_Descr *dtype)
{
    if (!PyDataType_ISNOTSWAPPED(dtype))
        return KN_NONE;
    switch (dtype->type_num) {
#define T(id, number, size, name) \
    case number:                  \
        return KN_##id;
        KN_TYPES(T)
#undef T
    case NPY_LONGLONG:
        return KN_I64;
    case NPY_ULONGLONG:
        return KN_U64;
    default:
        return KN_NONE;
    }
}

PyArray_Descr *kn_type_dtype(kn_type type)
{
    return PyArray_DescrFromType(types[type].number);
}

size_t kn_type_size(kn_type type)
{
    return types[type].size;
}

const char *kn_type_name(kn_type type)
{
    return types[type].name;
}
