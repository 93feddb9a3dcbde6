/* What calls of the host device cost: each row is timed over many rounds and printed in
   nanoseconds. Build in the checkout, after `meson setup build/x && ninja -C build/x`:
     gcc -O2 -Isrc bench/hostcuda.c -o build/hostcuda_bench -Lbuild/x/python/pycuda \
         -lhostcuda -Wl,-rpath,$PWD/build/x/python/pycuda
     build/hostcuda_bench build/x/tests/c/hostcuda.image */
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "../tests/c/hostcuda_test.h"

static CUmodule module;
static CUdeviceptr memory;
static CUstream stream;
static CUevent event;
static CUgraphExec graph;
static CUfunction empty, scale, reverse, waiting;
static char host[4 << 20];

#define ROW(name, ...)     \
    static void name(void) \
    {                      \
        __VA_ARGS__;       \
    }

static float factor = 1;
static int count = 32;
static CUdeviceptr small;

ROW(launch, LAUNCH(empty, 1, 32, 0, NULL))
ROW(launch_and_wait, LAUNCH(empty, 1, 32, 0, NULL), cuStreamSynchronize(NULL))
ROW(launch_three, LAUNCH(scale, 1, 32, 0, &memory, &factor, &count),
    cuStreamSynchronize(NULL))
ROW(launch_blocks, LAUNCH(empty, 100000, 32, 0, NULL), cuStreamSynchronize(NULL))
ROW(launch_states, LAUNCH(reverse, 10000, 1, 4, &memory), cuStreamSynchronize(NULL))
ROW(copy_4k, cuMemcpyHtoD_v2(memory, host, 4096))
ROW(copy_4m, cuMemcpyHtoD_v2(memory, host, 4 << 20))
ROW(record, cuEventRecord(event, stream), cuStreamWaitEvent(NULL, event, 0))
ROW(allocate, cuMemAlloc_v2(&small, 4096), cuMemFree_v2(small))
ROW(allocate_async, cuMemAllocAsync(&small, 4096, stream),
    cuMemFreeAsync(small, stream))
ROW(enqueue, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream,
                            (void *[]){&memory, &factor, &count}, NULL))
ROW(enqueue_record, cuEventRecord(event, stream))
ROW(query, cuStreamQuery(stream))
ROW(launch_graph, cuGraphLaunch(graph, stream))

/* The stream is busy until `release`. */
static CUdeviceptr flag;

static void hold(void)
{
    int one = 1;
    *(volatile int *)(uintptr_t)flag = 0;
    cuLaunchKernel(waiting, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&flag, &one}, NULL);
}

static void release(void)
{
    __atomic_store_n((int *)(uintptr_t)flag, 1, __ATOMIC_RELEASE);
    cuStreamSynchronize(stream);
}

static const struct {
    const char *name;
    void (*function)(void);
    int rounds, divisor;
    bool busy; /* the stream has work meanwhile */
} rows[] = {
    {"launch of an empty kernel + synchronize", launch_and_wait, 200000, 1},
    {"launch of an empty kernel", launch, 200000, 1},
    {"launch of 32 threads, 3 arguments + synchronize", launch_three, 200000, 1},
    {"one block of run()", launch_blocks, 100, 100000},
    {"one block of two passes", launch_states, 100, 10000},
    {"copy of 4 KB to the device", copy_4k, 200000, 1},
    {"copy of 4 MB to the device", copy_4m, 200, 1},
    {"event record + wait, idle streams", record, 200000, 1},
    {"event record, stream with work", enqueue_record, 20000, 1, 1},
    {"stream query", query, 200000, 1},
    {"launch, 3 arguments, into a stream with work", enqueue, 20000, 1, 1},
    {"launch of a graph of two kernels", launch_graph, 50000, 1},
    {"allocate and free 4 KB", allocate, 200000, 1},
    {"allocate and free 4 KB, stream-ordered", allocate_async, 200000, 1},
};

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    if (argc != 2 || cuInit(0) || cuCtxCreate_v2(&context, 0, 0) ||
        cuModuleLoad(&module, argv[1]) || cuMemAlloc_v2(&memory, 8 << 20))
        return 1;
    empty = function_named(module, "empty");
    scale = function_named(module, "scale");
    reverse = function_named(module, "reverse");
    cuStreamCreate(&stream, 0);
    cuEventCreate(&event, 0);
    waiting = function_named(module, "wait");
    cuMemAllocManaged(&flag, 4, CU_MEM_ATTACH_GLOBAL);
    CUgraph both = NULL;
    cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    enqueue();
    enqueue();
    cuStreamEndCapture(stream, &both);
    cuGraphInstantiateWithFlags(&graph, both, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct timespec start, end;
        for (int r = 0; r < rows[i].rounds / 10; r++)
            rows[i].function();
        cuCtxSynchronize();
        if (rows[i].busy)
            hold();
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (int r = 0; r < rows[i].rounds; r++)
            rows[i].function();
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (rows[i].busy)
            release();
        double ns = 1e9 * (double)(end.tv_sec - start.tv_sec) +
                    (double)(end.tv_nsec - start.tv_nsec);
        printf("%10.1f ns  %s\n", ns / rows[i].rounds / rows[i].divisor, rows[i].name);
    }
    return cuCtxDestroy_v2(context) != CUDA_SUCCESS;
}
