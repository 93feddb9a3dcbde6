/* Matrix products by tiles: a kernel for each three types, found again like those of
   element-wise operations. It computes in the type of the result, float for 16 bits. */
#include "kernel_text.h"
#include <string.h>

static void put_source(cmp_text *text, const kn_key *key)
{
    const char *const letters = "zab";
    const char *computes = kn_type_name(kn_type_compute(key->storage[0]));
    kn_put(text, "#include <pycuda-complex.hpp>\n");
    kn_put_narrow(text, key->storage, 3);
    /* With sums of 4 bytes four blocks of 64 registers a thread share a multiprocessor:
       on an H200 5 % faster than three of 80. Wider ones are best with what the
       compiler takes. */
    kn_put(
        text,
        "#include <pycuda/product.cuh>\n"
        "extern \"C\" __global__ void __launch_bounds__(256, sizeof(%s) == 4 ? 4 : 1)\n"
        "pycuda_product(long long m, long long n, long long length",
        computes);
    for (int k = 0; k < 3; k++)
        kn_put(text, ", pycuda::matrix<%s%s> %c", k ? "const " : "",
               kn_type_name(key->storage[k]), letters[k]);
    kn_put(text, ")\n{\n    pycuda::multiply<%s>(m, n, length, z, a, b);\n}\n",
           computes);
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
    enum { SIDE = KN_PRODUCT_SIDE, TILE = KN_PRODUCT_TILE };
    const kn_type types[] = {product->z.type, product->a.type, product->b.type};
    kn_product p = *product;
    void *params[] = {&p.m, &p.n, &p.length, &p.z, &p.a, &p.b};
    unsigned block[2] = {SIDE, SIDE};
    unsigned grid[2] = {(unsigned)((p.n + TILE - 1) / TILE),
                        (unsigned)((p.m + TILE - 1) / TILE)};
    kn_loaded *loaded = find(context, types);
    return loaded ? kn_launch(context, loaded->function[0], grid, block,
                              product->stream, params)
                  : -1;
}
