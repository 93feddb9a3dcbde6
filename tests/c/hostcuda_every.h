/* Calls every entry point that the list names, with arguments of the right types and
   bad values. */
#ifndef HOSTCUDA_EVERY_H
#define HOSTCUDA_EVERY_H

#include "hostcuda_test.h"

#define ZEROS(...) CU_JOIN(ZEROS_, CU_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ZEROS_0()
#define ZEROS_1(t) VALUE(t)
#define ZEROS_2(t, ...) VALUE(t), ZEROS_1(__VA_ARGS__)
#define ZEROS_3(t, ...) VALUE(t), ZEROS_2(__VA_ARGS__)
#define ZEROS_4(t, ...) VALUE(t), ZEROS_3(__VA_ARGS__)
#define ZEROS_5(t, ...) VALUE(t), ZEROS_4(__VA_ARGS__)
#define ZEROS_6(t, ...) VALUE(t), ZEROS_5(__VA_ARGS__)
#define ZEROS_7(t, ...) VALUE(t), ZEROS_6(__VA_ARGS__)
#define ZEROS_8(t, ...) VALUE(t), ZEROS_7(__VA_ARGS__)
#define ZEROS_9(t, ...) VALUE(t), ZEROS_8(__VA_ARGS__)
#define ZEROS_10(t, ...) VALUE(t), ZEROS_9(__VA_ARGS__)
#define ZEROS_11(t, ...) VALUE(t), ZEROS_10(__VA_ARGS__)

/* A value for an argument: handles are `handle`, other pointers lead to zeroed memory
   unless all is to be null, numbers are `number`. */
static void *handle;
static long number;
static int null_pointers;
static char room[1 << 16];

static void *argument(int is_handle, int is_pointer, size_t size)
{
    static _Alignas(16) char values[16][256];
    static unsigned turn;
    char *value = memset(values[turn++ % 16], 0, sizeof *values);
    void *pointer = is_handle ? handle : null_pointers ? NULL : room;
    if (is_handle || is_pointer)
        memcpy(value, &pointer, sizeof pointer);
    else
        memcpy(value, &number, size < sizeof number ? size : sizeof number);
    return value;
}

#define IS_HANDLE(t)           \
    _Generic((t){0},           \
        CUcontext: 1,          \
        CUmodule: 1,           \
        CUfunction: 1,         \
        CUstream: 1,           \
        CUevent: 1,            \
        CUarray: 1,            \
        CUtexref: 1,           \
        CUsurfref: 1,          \
        CUlinkState: 1,        \
        CUmemoryPool: 1,       \
        CUgraph: 1,            \
        CUgraphNode: 1,        \
        CUgraphExec: 1,        \
        CUlibrary: 1,          \
        CUkernel: 1,           \
        CUgraphicsResource: 1, \
        default: 0)
#define VALUE(t) \
    *(t *)argument(IS_HANDLE(t), __builtin_classify_type((t){0}) == 5, sizeof(t))

/* Calls all but those that `skip` names, and tells `judge` what came of it. */
static void call_every(int (*skip)(const char *name),
                       void (*judge)(const char *name, CUresult status))
{
    memset(room, 0, sizeof room);
#define F(name, suffix, version, ...) \
    if (!skip(#name))                 \
        judge(#name, name##suffix(ZEROS(__VA_ARGS__)));
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#include "cuda/missing.def"
#undef F
}

#endif
