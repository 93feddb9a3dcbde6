/* What is made of the factors of dense matrices: triangles, determinants; and the unit
   matrices that inverses are solved for. A source for each dtype, and the launches. */
#include "kernel_text.h"

enum { SIDE = 32, HEIGHT = 8, THREADS = 128 }; /* as in factors.cuh */
enum { IS_TRANSPOSED = 1, IS_UPPER = 2 };      /* kn_key.variant of a triangle */

static const char triangle[] =
    "extern \"C\" __global__ void pycuda_triangle(\n"
    "    T *to, const T *from, long long rows, long long columns, long long ld,\n"
    "    long long apart)\n"
    "{\n"
    "    pycuda::triangle<is_transposed, is_upper>(to, from, rows, columns, ld,\n"
    "                                              apart);\n"
    "}\n";

static const char identity[] =
    "extern \"C\" __global__ void pycuda_identity(T *to, long long n)\n"
    "{\n"
    "    pycuda::identity(to, n);\n"
    "}\n";

static const char determinant[] =
    "extern \"C\" __global__ void pycuda_determinant(\n"
    "    const T *lu, const long long *pivots, const int *info, long long n,\n"
    "    T *signs, R *logarithms, T *determinants)\n"
    "{\n"
    "    pycuda::determinant<W>(lu, pivots, info, n, signs, logarithms,\n"
    "                           determinants);\n"
    "}\n";

static void put_types(cmp_text *text, kn_type type)
{
    int is_complex = type == KN_C64 || type == KN_C128;
    kn_type real = type == KN_C64 ? KN_F32 : type == KN_C128 ? KN_F64 : type;
    if (is_complex)
        kn_put(text, "#include <pycuda-complex.hpp>\n");
    kn_put(text,
           "#include <pycuda/factors.cuh>\n"
           "typedef %s T;\ntypedef %s R;\ntypedef %s W;\n",
           kn_type_name(type), kn_type_name(real),
           kn_type_name(is_complex ? KN_C128 : KN_F64));
}

static kn_loaded *find(bd_context *context, uint32_t program, kn_type type, int variant)
{
    const char *const name[] = {program == KN_TRIANGLE   ? "pycuda_triangle"
                                : program == KN_IDENTITY ? "pycuda_identity"
                                                         : "pycuda_determinant"};
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = program;
    key.variant = (uint8_t)variant;
    key.storage[0] = type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    put_types(&text, type);
    if (program == KN_TRIANGLE)
        kn_put(&text, "const bool is_transposed = %s, is_upper = %s;\n%s",
               variant & IS_TRANSPOSED ? "true" : "false",
               variant & IS_UPPER ? "true" : "false", triangle);
    else
        kn_put(&text, "%s", program == KN_IDENTITY ? identity : determinant);
    return kn_load(context, &key, &text, NULL, 0, 1, name);
}

static int launch(bd_context *context, const kn_loaded *loaded, size_t blocks,
                  unsigned width, unsigned height, CUstream stream, void **params)
{
    if (blocks > INT_MAX) {
        PyErr_SetString(PyExc_ValueError, "matrices: too many elements for a launch");
        return -1;
    }
    return kn_launch(context, loaded->function[0], (unsigned[]){(unsigned)blocks, 1},
                     (unsigned[]){width, height}, stream, params);
}

int kn_triangle_take(bd_context *context, const kn_triangle *asked)
{
    int variant =
        (asked->is_transposed ? IS_TRANSPOSED : 0) | (asked->is_upper ? IS_UPPER : 0);
    kn_loaded *loaded = find(context, KN_TRIANGLE, asked->type, variant);
    kn_triangle t = *asked;
    void *params[] = {&t.to, &t.from, &t.rows, &t.columns, &t.ld, &t.apart};
    size_t across = kn_divide_up(t.columns, SIDE), down = kn_divide_up(t.rows, SIDE);
    return loaded ? launch(context, loaded, t.count * across * down, SIDE, HEIGHT,
                           t.stream, params)
                  : -1;
}

int kn_identity_fill(bd_context *context, kn_type type, CUdeviceptr to, long long count,
                     long long n, CUstream stream)
{
    kn_loaded *loaded = find(context, KN_IDENTITY, type, 0);
    void *params[] = {&to, &n};
    return loaded ? launch(context, loaded, count * n, THREADS, 1, stream, params) : -1;
}

int kn_determinant_take(bd_context *context, const kn_determinant *asked)
{
    kn_loaded *loaded = find(context, KN_DETERMINANT, asked->type, 0);
    kn_determinant d = *asked;
    void *params[] = {&d.lu,    &d.pivots,     &d.info,        &d.n,
                      &d.signs, &d.logarithms, &d.determinants};
    return loaded ? launch(context, loaded, d.count, THREADS, 1, d.stream, params) : -1;
}
