/* Matrix products by tiles: a kernel for each three types, found again like those of
   element-wise operations. It computes in the type of the result, float for 16 bits. */
#include "kernel_text.h"
#include <string.h>

static void put_source(cmp_text *text, const kn_key *key)
{
    const char *const letters = "zab";
    kn_put(text, "#include <pycuda-complex.hpp>\n");
    kn_put_narrow(text, key->storage, 3);
    kn_put(text,
           "#include <pycuda/product.cuh>\n"
           "extern \"C\" __global__ void pycuda_product(long long m, long long n, "
           "long long length");
    for (int k = 0; k < 3; k++)
        kn_put(text, ", pycuda::matrix<%s%s> %c", k ? "const " : "",
               kn_type_name(key->storage[k]), letters[k]);
    kn_put(text, ")\n{\n    pycuda::multiply<%s>(m, n, length, z, a, b);\n}\n",
           kn_type_name(kn_type_compute(key->storage[0])));
}

static kn_loaded *find(bd_context *context, const kn_type *types)
{
    static const char *const name = "pycuda_product";
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_PRODUCT;
    for (int k = 0; k < 3; k++)
        key.storage[k] = types[k];
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    put_source(&text, &key);
    loaded = text.failed ? (kn_loaded *)PyErr_NoMemory()
                         : kn_load(context, &key, text.bytes, NULL, 0, 1, &name);
    cmp_text_clear(&text);
    return loaded;
}

int kn_multiply(bd_context *context, const kn_product *product)
{
    enum { SIDE = KN_PRODUCT_SIDE, TILE = KN_PRODUCT_TILE };
    const kn_matrix *all[] = {&product->z, &product->a, &product->b};
    const kn_type types[] = {product->z.type, product->a.type, product->b.type};
    struct { /* pycuda::matrix */
        CUdeviceptr first;
        long long down, across;
    } matrix[3];
    long long m = product->m, n = product->n, length = product->length;
    void *params[] = {&m, &n, &length, &matrix[0], &matrix[1], &matrix[2]};
    unsigned block[2] = {SIDE, SIDE};
    unsigned grid[2] = {(unsigned)((n + TILE - 1) / TILE),
                        (unsigned)((m + TILE - 1) / TILE)};
    kn_loaded *loaded = find(context, types);
    for (int k = 0; k < 3; k++) {
        matrix[k].first = all[k]->first;
        matrix[k].down = all[k]->down;
        matrix[k].across = all[k]->across;
    }
    return loaded ? kn_launch(context, loaded->function[0], grid, block,
                              product->stream, params)
                  : -1;
}
