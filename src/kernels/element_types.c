/* NumPy's dtypes as types that kernels compute with. bfloat16 is another package's,
   ml_dtypes', and NumPy numbers it when that is imported. */
#include "kernel_text.h"
#include <string.h>

static const struct {
    int number, size;
    const char *name;
} types[KN_TYPE_COUNT] = {
#define TYPE(id, number, size, name) [KN_##id] = {number, size, name},
    KN_TYPES(TYPE)
#undef TYPE
};

static int bfloat16; /* its number, for the life of the process; 0: not met yet */

static int is_bfloat16(PyArray_Descr *dtype)
{
    const char *name = dtype->typeobj->tp_name, *last = strrchr(name, '.');
    if (!bfloat16 && dtype->type_num >= NPY_USERDEF &&
        !strcmp(last ? last + 1 : name, "bfloat16"))
        bfloat16 = dtype->type_num;
    return bfloat16 && dtype->type_num == bfloat16;
}

kn_type kn_type_of(PyArray_Descr *dtype)
{
    if (!PyDataType_ISNOTSWAPPED(dtype))
        return KN_NONE;
    switch (dtype->type_num) {
#define TYPE(id, number, size, name) \
    case number:                     \
        return KN_##id;
        KN_TYPES(TYPE)
#undef TYPE
    case NPY_LONGLONG:
        return KN_I64;
    case NPY_ULONGLONG:
        return KN_U64;
    default:
        return is_bfloat16(dtype) ? KN_BF16 : KN_NONE;
    }
}

PyArray_Descr *kn_type_dtype(kn_type type)
{
    return PyArray_DescrFromType(type == KN_BF16 ? bfloat16 : types[type].number);
}

size_t kn_type_size(kn_type type)
{
    return types[type].size;
}

kn_type kn_word_type(size_t size, size_t places)
{
    static const kn_type words[] = {
        [1] = KN_U8, [2] = KN_U16, [4] = KN_U32, [8] = KN_U64, [16] = KN_C128};
    return size <= 16 && words[size] && places % (size < 8 ? size : 8) == 0
               ? words[size]
               : KN_NONE;
}

void kn_put_narrow(cmp_text *text, const uint8_t *storage, int count)
{
    if (memchr(storage, KN_F16, count))
        kn_put(text, "#define PYCUDA_HALF\n#include <cuda_fp16.h>\n");
    if (memchr(storage, KN_BF16, count))
        kn_put(text, "#define PYCUDA_BFLOAT16\n#include <cuda_bf16.h>\n");
}

const char *kn_type_name(kn_type type)
{
    return types[type].name;
}
