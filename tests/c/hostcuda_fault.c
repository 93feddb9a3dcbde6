/* Kernels that fail, each in a context of its own: status, text, what lives on; and
   what kernels print and allocate. */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostcuda_test.h"

static const char *image_path;

/* -- What goes to a stream of the C library ---------------------------------------- */

static int saved;
static char captured[4096];

static void capture(FILE *stream)
{
    FILE *file = tmpfile();
    fflush(stream);
    saved = dup(fileno(stream));
    CHECK(file && dup2(fileno(file), fileno(stream)) >= 0);
    fclose(file);
}

static void captured_end(FILE *stream)
{
    fflush(stream);
    ssize_t n = pread(fileno(stream), captured, sizeof captured - 1, 0);
    captured[n > 0 ? n : 0] = '\0';
    dup2(saved, fileno(stream));
    close(saved);
}

/* -- Failures ---------------------------------------------------------------------- */

static const struct {
    const char *kernel;
    int mode, block;
    unsigned grid, threads;
    CUresult status;
    const char *detail;
} failures[] = {
    {"fail", 0, 5, 16, 1, CUDA_ERROR_ILLEGAL_ADDRESS,
     "kernel fail, block (5,0,0): invalid access at address 0x10, in no allocation"},
    {"fail", 1, 0, 1, 32, CUDA_ERROR_LAUNCH_FAILED,
     "kernel fail, block (0,0,0): integer division by zero"},
    {"fail", 2, 3, 4, 1, CUDA_ERROR_ASSERT,
     "kernel fail, block (3,0,0): thread (0,0,0): assertion `x > 0` failed at k.cu:12"},
    {"fail", 3, 0, 1, 1, CUDA_ERROR_LAUNCH_FAILED,
     "block (0,0,0): thread (0,0,0): trap"},
    {"fail", 4, 0, 1, 1, CUDA_ERROR_LAUNCH_FAILED,
     "free of 0x10, which malloc in a kernel"},
    {"fail", 5, 0, 1, 1, CUDA_ERROR_ILLEGAL_ADDRESS,
     "kernel fail, block (0,0,0): invalid access"},
    {"fail", 6, 0, 1, 1, CUDA_ERROR_ILLEGAL_ADDRESS, "invalid access at address 0x10"},
    {"stuck", 0, 0, 3, 8, CUDA_ERROR_LAUNCH_FAILED,
     "barrier reached by only part of the block's threads: threads 0, 2, 4, 6 wait at "
     "k.cu:12 (__syncthreads), threads 1, 3, 5, 7 wait at k.cu:11 (__syncthreads)"},
    {"stuck", 1, 0, 3, 8, CUDA_ERROR_LAUNCH_FAILED,
     "__shfl_sync waits for lanes that never arrive: threads 0, 2, 4, 6 wait at "
     "k.cu:13 "
     "(__shfl_sync of lanes 0xffffffff), threads 1, 3, 5, 7 wait at k.cu:11"},
};

static void failing(void)
{
    CUcontext bystander = NULL;
    CUdeviceptr untouched = 0;
    OK(cuCtxCreate_v2(&bystander, 0, 0));
    OK(cuMemAlloc_v2(&untouched, 4));
    for (size_t i = 0; i < 2 * sizeof failures / sizeof *failures; i++) {
        /* Twice: the second launch follows a good one, so the kernel is known to be
           short and fails in this thread. */
        size_t f = i / 2;
        CUcontext context = NULL, current = NULL;
        CUmodule module = NULL;
        CUevent event = NULL;
        CUdeviceptr memory = 0, bad = 16;
        int mode = failures[f].mode, block = -1;
        OK(cuCtxCreate_v2(&context, 0, 0));
        OK(cuModuleLoad(&module, image_path));
        OK(cuMemAlloc_v2(&memory, 64));
        OK(cuEventCreate(&event, 0));
        CUfunction kernel = function_named(module, failures[f].kernel);
        void *arguments[] = {&mode, &block, &bad};
        if (i % 2 == 1) {
            mode = strcmp(failures[f].kernel, "stuck") ? mode : 2;
            OK(cuLaunchKernel(kernel, failures[f].grid, 1, 1, failures[f].threads, 1, 1,
                              0, NULL, arguments, NULL));
            OK(cuCtxSynchronize());
            mode = failures[f].mode;
        }
        block = failures[f].block;
        if (mode == 2)
            capture(stderr);
        OK(cuLaunchKernel(kernel, failures[f].grid, 1, 1, failures[f].threads, 1, 1, 0,
                          NULL, arguments, NULL));
        CUresult status = cuCtxSynchronize();
        if (mode == 2) {
            captured_end(stderr);
            CHECK(strcmp(captured,
                         "k.cu:12: void k(int): block: [3,0,0], thread: [0,0,0] "
                         "Assertion `x > 0` failed.\n") == 0);
        }
        EXPECT(failures[f].status, status);
        DETAIL(failures[f].detail);
        /* It sticks, and explains itself each time. */
        EXPECT(failures[f].status, cuMemAlloc_v2(&memory, 4));
        EXPECT(failures[f].status, cuMemsetD8_v2(memory, 0, 4));
        EXPECT(failures[f].status, cuEventQuery(event));
        DETAIL(failures[f].detail);
        OK(cuMemFree_v2(memory));
        OK(cuEventDestroy_v2(event));
        OK(cuCtxDestroy_v2(context));
        OK(cuCtxGetCurrent(&current));
        CHECK(current == bystander);
        OK(cuMemsetD8_v2(untouched, 1, 4));
        OK(cuCtxSynchronize());
    }
    OK(cuCtxDestroy_v2(bystander));
}

/* A read far past the end of an allocation names it; work behind the failure is
   dropped, its events happen, callbacks are told. */
static CUresult told;

static void tell(CUstream stream, CUresult status, void *data)
{
    told = status;
}

static void never(void *data)
{
    *(int *)data = 1;
}

static void aftermath(void)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    CUstream stream = NULL;
    CUevent event = NULL;
    CUdeviceptr memory = 0, past = 0, flag = 0;
    int mode = 0, block = 0, called = 0, one = 1;
    char text[100];
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuStreamCreate(&stream, 0));
    OK(cuEventCreate(&event, 0));
    OK(cuMemAlloc_v2(&memory, 100000));
    OK(cuMemAllocManaged(&flag, 64, CU_MEM_ATTACH_GLOBAL));
    memset((void *)(uintptr_t)flag, 0, 64);
    past = memory + 102400; /* the first page behind */
    CUdeviceptr mark = flag + 8;
    OK(cuLaunchKernel(function_named(module, "wait"), 1, 1, 1, 1, 1, 1, 0, stream,
                      (void *[]){&flag, &one}, NULL));
    OK(cuLaunchKernel(function_named(module, "fail"), 8, 1, 1, 1, 1, 1, 0, stream,
                      (void *[]){&mode, &block, &past}, NULL));
    OK(cuMemsetD32Async(mark, 7, 1, stream));
    OK(cuEventRecord(event, stream));
    OK(cuStreamAddCallback(stream, tell, NULL, 0));
    OK(cuLaunchHostFunc(stream, never, &called));
    __atomic_store_n((int *)(uintptr_t)flag, 1, __ATOMIC_RELEASE);
    EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(stream));
    snprintf(text, sizeof text,
             "2400 bytes past the end of the allocation of 100000 bytes at %p",
             (void *)(uintptr_t)memory);
    DETAIL(text);
    CHECK(told == CUDA_ERROR_ILLEGAL_ADDRESS && called == 0);
    CHECK(*(volatile int *)(uintptr_t)mark == 0);
    EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventSynchronize(event));
    OK(cuCtxDestroy_v2(context));
}

/* Blocks that wait for one that fails are let go. */
static void spinning_neighbours(void)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    CUdeviceptr flags = 0;
    int chained = 1;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuMemAlloc_v2(&flags, 1 << 20));
    OK(cuMemsetD8_v2(flags, 0, 1 << 20));
    CUdeviceptr shifted =
        flags + (1 << 20) - 8; /* the third block has no flag of its own */
    OK(LAUNCH(function_named(module, "spin"), 1000, 4, 0, &flags, &chained));
    OK(cuCtxSynchronize());
    OK(cuMemsetD8_v2(flags, 0, 1 << 20));
    OK(LAUNCH(function_named(module, "spin"), 60000, 4, 0, &shifted, &chained));
    EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    DETAIL("kernel spin, block (");
    OK(cuCtxDestroy_v2(context));
    int there = -6;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuMemAlloc_v2(&flags, 4));
    OK(cuMemsetD8_v2(flags, 0, 4));
    OK(LAUNCH(function_named(module, "meet"), 6, 1, 0, &flags, &there));
    EXPECT(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
    DETAIL("kernel meet, block (1,0,0): thread (0,0,0): trap");
    OK(cuCtxDestroy_v2(context));
}

/* A fault that is not a kernel's goes to the handler that was there first. */
static sigjmp_buf out;

static void ours(int signal)
{
    siglongjmp(out, 1);
}

static void ours_informed(int signal, siginfo_t *info, void *machine)
{
    siglongjmp(out, info->si_signo);
}

static void foreign_fault(void)
{
    int *volatile nowhere = (int *)8;
    int status = 0;
    volatile int came_back = sigsetjmp(out, 1);
    if (came_back == 0)
        *(volatile int *)nowhere = 1;
    CHECK(came_back == 1);
    came_back = sigsetjmp(out, 1);
    if (came_back == 0)
        raise(SIGFPE);
    CHECK(came_back == SIGFPE);
    /* Where there was none, the process ends. */
    pid_t child = fork();
    if (child == 0) {
        raise(SIGILL);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status != 0);
}

/* A fault of a host function is the program's own: its handler gets it, and the context
   is as well as before. */
static _Atomic int came_back_in_call;

static void faulty(void *data)
{
    int *volatile nowhere = (int *)8;
    volatile int came_back = sigsetjmp(out, 1);
    if (came_back == 0)
        *(volatile int *)nowhere = 1;
    came_back_in_call += came_back;
}

static void faulty_callback(CUstream stream, CUresult status, void *data)
{
    CHECK(status == CUDA_SUCCESS);
    faulty(data);
}

static void host_function_fault(void)
{
    CUcontext context = NULL;
    CUdeviceptr memory = 0;
    unsigned char byte = 0;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuMemAlloc_v2(&memory, 1));
    for (int i = 1; i <= 3; i++) {
        OK(cuLaunchHostFunc(NULL, faulty, NULL));
        OK(cuStreamAddCallback(NULL, faulty_callback, NULL, 0));
        OK(cuMemsetD8Async(memory, (unsigned char)i, 1, NULL));
        OK(cuMemcpyDtoH_v2(&byte, memory, 1));
        CHECK(byte == i && came_back_in_call == 2 * i);
    }
    OK(cuCtxDestroy_v2(context));
}

/* Where the program has no handler, that is its end, as without a device. */
static void deadly_host_function(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        CUcontext context = NULL;
        cuInit(0);
        cuCtxCreate_v2(&context, 0, 0);
        cuLaunchHostFunc(NULL, (CUhostFn)(uintptr_t)raise, (void *)(uintptr_t)SIGSEGV);
        cuCtxSynchronize();
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status != 0);
}

/* -- printf and malloc ------------------------------------------------------------- */

static void printing(void)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    int n = 3, lines = 0;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    CUfunction say = function_named(module, "say");
    capture(stdout);
    OK(LAUNCH(say, 1, 32, 0, &n));
    OK(cuStreamSynchronize(NULL));
    captured_end(stdout);
    CHECK(strcmp(captured,
                 "block 0 of 0:   4.50|text  |-5000000000|c|-3|0xff|   5|100%|%q"
                 "|2.500000|d|narrow|    7\n") == 0);
    capture(stdout);
    OK(LAUNCH(say, 40, 1, 0, &n));
    OK(cuCtxSynchronize());
    captured_end(stdout);
    for (char *line = captured; *line; line = strchr(line, '\n') + 1)
        lines += strncmp(line, "block ", 6) == 0;
    CHECK(lines == 40);
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE,
                     100)); /* a full buffer is shown, not lost */
    capture(stdout);
    OK(LAUNCH(say, 40, 1, 0, &n));
    OK(cuCtxDestroy_v2(context));
    captured_end(stdout);
    lines = 0;
    for (char *line = captured; *line; line = strchr(line, '\n') + 1)
        lines += strncmp(line, "block ", 6) == 0;
    CHECK(lines == 40);
}

static void heap(void)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    CUdeviceptr out_pointers = 0;
    void *pointers[64];
    int bytes = 100000, got = 0;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuMemAlloc_v2(&out_pointers, sizeof pointers));
    CUfunction kernel = function_named(module, "heap");
    for (int round = 0; round < 3; round++) {
        OK(LAUNCH(kernel, 64, 1, 0, &out_pointers, &bytes));
        OK(cuMemcpyDtoH_v2(pointers, out_pointers, sizeof pointers));
        got = 0;
        for (int i = 0; i < 64; i++)
            got += pointers[i] != NULL;
        CHECK(got == 64);
    }
    bytes = 9 << 20; /* the heap has 8 */
    OK(LAUNCH(kernel, 64, 1, 0, &out_pointers, &bytes));
    OK(cuMemcpyDtoH_v2(pointers, out_pointers, sizeof pointers));
    for (int i = 0; i < 64; i++)
        CHECK(pointers[i] == NULL);
    OK(cuCtxDestroy_v2(context));
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = ours, .sa_flags = SA_NODEFER};
    deadly_host_function();
    sigaction(SIGSEGV, &action, NULL);
    action.sa_flags = SA_NODEFER | SA_SIGINFO;
    action.sa_sigaction = ours_informed;
    sigaction(SIGFPE, &action, NULL);
    image_path = argv[1];
    OK(cuInit(0));
    failing();
    aftermath();
    spinning_neighbours();
    foreign_fault();
    host_function_fault();
    printing();
    heap();
    return report();
}
