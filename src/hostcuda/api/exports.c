/* Tables generated from the lists: cuGetProcAddress, and names and texts of status
   codes. */
#include "entry.h"

/* -- cuGetProcAddress -------------------------------------------------------------- */

static const struct {
    const char *name, *symbol; /* without and with the suffix: both are understood */
    int version;
    void *address;
} entries[] = {
#define F(name, suffix, version, ...) \
    {#name, #name #suffix, version, (void *)name##suffix},
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#include "cuda/missing.def"
#undef F
};

/* Whether an entry answers to a name: its own, its symbol's, or its own without the
   number of a later form. */
static bool is_named(size_t i, const char *name)
{
    size_t length = strlen(name);

    return strcmp(name, entries[i].symbol) == 0 ||
           (strncmp(name, entries[i].name, length) == 0 &&
            (entries[i].name[length] == '\0' ||
             strncmp(entries[i].name + length, "_v", 2) == 0));
}

CUresult cuGetProcAddress_v2(const char *name, void **address, int version,
                             cuuint64_t flags, CUdriverProcAddressQueryResult *result)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    int best = -1;

    HD_NEED(name && address);
    *address = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!is_named(i, name))
            continue;
        if (version < entries[i].version && entries[i].version > 12000) {
            if (found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
                found = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        } else if (entries[i].version > best) { /* the latest form that is asked for */
            best = entries[i].version;
            found = CU_GET_PROC_ADDRESS_SUCCESS;
            *address = entries[i].address;
        }
    }
    if (result)
        *result = found;
    return found == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuDriverGetVersion(int *version)
{
    HD_ANSWER(version, HD_DRIVER_VERSION);
}

/* -- Status codes ------------------------------------------------------------------ */

static const struct {
    CUresult status;
    const char *name, *text;
} statuses[] = {
#define E(name, value, text) {name, #name, text},
#include "cuda/errors.def"
#undef E
};

static CUresult status_find(CUresult status, const char **answer, bool text)
{
    HD_NEED(answer);
    *answer = NULL;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (statuses[i].status == status) {
            *answer = text ? statuses[i].text : statuses[i].name;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult status, const char **name)
{
    return status_find(status, name, false);
}

CUresult cuGetErrorString(CUresult status, const char **text)
{
    return status_find(status, text, true);
}
