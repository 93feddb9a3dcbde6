/* How products of a sparse matrix are cut into blocks, for pycuda/sparse, which
   launches their kernels. */
#include "array.h"

BD_METHOD(
    csr_geometry, 0, 0, "_csr_geometry()",
    "(threads of a block, tiles, uneven tiles) for sparse.cuh and sparse_dense.cuh. "
    "Tiles are given by (rows and elements of one, elements of a row that shares "
    "one, elements of a piece of a longer row); 0 of them: there are none.")
{
    bd_context *context = bd_context_current(bd_state_get(self));
    const kn_tuning *tuning = context ? kn_tuning_of(context) : NULL;
    if (!tuning)
        return NULL;
    const kn_csr_tiles *tiles = &tuning->csr_tiles, *uneven = &tuning->csr_uneven;
    return Py_BuildValue("I(III)(III)", tuning->csr_threads, tiles->tile,
                         tiles->longest, tiles->piece, uneven->tile, uneven->longest,
                         uneven->piece);
}

PyMethodDef ar_sparse_functions[] = {
    BD_ROW("_csr_geometry", csr_geometry),
    {NULL},
};
