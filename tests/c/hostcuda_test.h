/* What the tests of hostcuda share: checks that count, and the image. A test is a
   foreign client: it sees the exported symbols alone. */
#ifndef HOSTCUDA_TEST_H
#define HOSTCUDA_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/types.h"

#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#include "cuda/missing.def"
#undef F

static int checks_passed, checks_failed;

#define CHECK(condition) check(__FILE__, __LINE__, #condition, condition)

/* The call must answer this status. */
#define EXPECT(expected, call) expect(__FILE__, __LINE__, #call, expected, call)
#define OK(call) EXPECT(CUDA_SUCCESS, call)

/* The text that the last failed call left must contain this. */
#define DETAIL(part) expect_detail(__FILE__, __LINE__, part)

static inline void check(const char *file, int line, const char *condition, int holds)
{
    __atomic_fetch_add(holds ? &checks_passed : &checks_failed, 1, __ATOMIC_RELAXED);
    if (!holds)
        fprintf(stderr, "%s:%d: %s\n", file, line, condition);
}

static inline void expect(const char *file, int line, const char *call,
                          CUresult expected, CUresult status)
{
    const char *name = NULL, *wanted = NULL, *detail = "";
    if (status == expected) {
        __atomic_fetch_add(&checks_passed, 1, __ATOMIC_RELAXED);
        return;
    }
    __atomic_fetch_add(&checks_failed, 1, __ATOMIC_RELAXED);
    cuGetErrorName(status, &name);
    cuGetErrorName(expected, &wanted);
    cuxGetErrorDetail(&detail);
    fprintf(stderr, "%s:%d: %s: %s (%s), expected %s\n", file, line, call,
            name ? name : "?", detail, wanted ? wanted : "?");
}

static inline void expect_detail(const char *file, int line, const char *part)
{
    const char *detail = NULL;
    if (cuxGetErrorDetail(&detail) == CUDA_SUCCESS && detail && strstr(detail, part)) {
        checks_passed++;
        return;
    }
    checks_failed++;
    fprintf(stderr, "%s:%d: detail \"%s\" lacks \"%s\"\n", file, line,
            detail ? detail : "(null)", part);
}

static inline CUfunction function_named(CUmodule module, const char *name)
{
    CUfunction function = NULL;
    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

/* Launches with the current context's default stream; parameters as pointers to
   values. */
#define LAUNCH(function, grid, block, shared, ...)                  \
    cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, NULL, \
                   (void *[]){__VA_ARGS__}, NULL)

static inline int report(void)
{
    size_t live = 0;
    if (cuxGetLiveObjects(NULL, &live) == CUDA_SUCCESS && live != 0) {
        checks_failed++;
        fprintf(stderr, "%zu objects were not freed\n", live);
    }
    printf("%d checks passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}

#endif
