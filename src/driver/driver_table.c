/* What functions.def and errors.def become: the table, its rows, the names of status
   codes, and a trampoline for each entry point, because a call through `cu` must be
   safe before a driver is loaded and where the driver lacks the function. */
#include "driver_table.h"

drv_info drv_loaded;

const drv_info *drv_get_info(void)
{
    return &drv_loaded;
}

static CUresult absent(void)
{
    return drv_loaded.path && !drv_loaded.forked ? CUDA_ERROR_NOT_SUPPORTED
                                                 : CUDA_ERROR_NOT_INITIALIZED;
}

#define F(name, suffix, version, ...)                     \
    static CUresult absent_##name(CU_PARAMS(__VA_ARGS__)) \
    {                                                     \
        return absent();                                  \
    }
#include "cuda/functions.def"
#undef F

#define F(name, suffix, version, ...) .name = absent_##name,
drv_table cu = {
#include "cuda/functions.def"
};
drv_table drv_real = {
#include "cuda/functions.def"
};
#undef F

#define F(name, suffix, version, ...) \
    {#name, #name #suffix, offsetof(drv_table, name), (drv_entry *)absent_##name},
const drv_row drv_rows[DRV_COUNT] = {
#include "cuda/functions.def"
};

typedef struct {
    CUresult result;
    const char *name, *text;
} result_row;

static const result_row results[] = {
#define E(name, value, text) {name, #name, text},
#include "cuda/errors.def"
#undef E
};

static const result_row *result_find(CUresult result)
{
    static const result_row unknown = {0, "CUDA_ERROR (unknown code)",
                                       "unrecognized error code"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].result == result)
            return &results[i];
    return &unknown;
}

const char *drv_result_name(CUresult result)
{
    return result_find(result)->name;
}

const char *drv_result_text(CUresult result)
{
    return result_find(result)->text;
}
