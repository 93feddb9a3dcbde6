/* Matrix products by tiles: a kernel for each three types, found again like those of
   element-wise operations. It computes in the type of the result, float for 16 bits. A
   long sum is made of spans, a launch each that adds to the result: its error grows
   with the length of a span and their number, as with a BLAS, and not with the whole
   length. A second set of sums in the kernel costs the host device a quarter of its
   speed. */
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
    kn_put(
        text,
        ", int adds)\n{\n    pycuda::multiply<%s>(m, n, length, z, a, b, adds);\n}\n",
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
    return kn_load(context, &key, &text, NULL, 0, 1, &name);
}

int kn_multiply(bd_context *context, const kn_product *product)
{
    enum { SIDE = KN_PRODUCT_SIDE, TILE = KN_PRODUCT_TILE, SPAN = KN_PRODUCT_SPAN };
    const kn_type types[] = {product->z.type, product->a.type, product->b.type};
    kn_product p = *product;
    int adds = 0;
    void *params[] = {&p.m, &p.n, &p.length, &p.z, &p.a, &p.b, &adds};
    unsigned block[2] = {SIDE, SIDE};
    unsigned grid[2] = {(unsigned)((p.n + TILE - 1) / TILE),
                        (unsigned)((p.m + TILE - 1) / TILE)};
    kn_loaded *loaded = find(context, types);
    if (!loaded)
        return -1;
    for (long long from = 0; from == 0 || from < product->length; from += SPAN) {
        p.length = product->length - from < SPAN ? product->length - from : SPAN;
        if (kn_launch(context, loaded->function[0], grid, block, product->stream,
                      params))
            return -1;
        p.a.first += SPAN * p.a.across * (long long)kn_type_size(p.a.type);
        p.b.first += SPAN * p.b.down * (long long)kn_type_size(p.b.type);
        adds = 1;
    }
    return 0;
}
