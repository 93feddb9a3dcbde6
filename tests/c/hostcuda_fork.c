/* Children of a process that uses the device: they have its memory and none of its
   threads, perhaps even a lock that was held. Every call answers NOT_INITIALIZED, and
   says what to do; nothing hangs, also at exit. The parent works on. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostcuda_every.h"

/* Sanitizers want no threads after a fork, and miss at exit those that there were. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
enum { THREADS = 2, CHILDREN = SANITIZED ? 5 : 20 };

/* These look nothing up that a device is needed for. */
static int is_pure(const char *name)
{
    return !strcmp(name, "cuDriverGetVersion") || !strcmp(name, "cuGetProcAddress") ||
           !strncmp(name, "cuGetError", 10) || !strcmp(name, "cuxGetErrorDetail");
}

static int never(const char *name)
{
    return 0;
}

static int answered[2]; /* otherwise, NOT_INITIALIZED */

static void judge(const char *name, CUresult status)
{
    if (is_pure(name))
        return;
    if (status == CUDA_SUCCESS)
        fprintf(stderr, "%s succeeds in a child\n", name);
    CHECK(status != CUDA_SUCCESS);
    answered[status == CUDA_ERROR_NOT_INITIALIZED]++;
}

static void *call(void *unused)
{
    unsigned flags = 0;
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetFlags(&flags));
    return NULL;
}

static int child(void)
{
    CUstream stream = NULL;
    alarm(600); /* against hangs alone: a busy machine may take long */
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuStreamCreate(&stream, 0));
    DETAIL("this process was forked");
    DETAIL("\"spawn\"");
    handle = room;
    call_every(never, judge);
    CHECK(answered[0] < 30 && answered[1] > 400); /* some look at arguments first */
    if (!SANITIZED) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, call, NULL) == 0);
        pthread_join(thread, NULL);
    }
    return checks_failed != 0;
}

static CUcontext context;
static CUmodule module;
static int ended;

static void *work(void *unused)
{
    CUstream stream = NULL;
    CUdeviceptr memory = 0;
    int rounds = 1000, total = 0, found = 0;
    OK(cuCtxPushCurrent_v2(context));
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc_v2(&memory, 4));
    OK(cuMemsetD32Async(memory, 0, 1, stream));
    while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
        OK(cuLaunchKernel(function_named(module, "busy"), 1, 1, 1, 1, 1, 1, 0, stream,
                          (void *[]){&memory, &rounds}, NULL));
        OK(cuStreamSynchronize(stream));
        total += rounds;
    }
    OK(cuMemcpyDtoH_v2(&found, memory, 4));
    CHECK(found == total);
    OK(cuMemFree_v2(memory));
    OK(cuStreamDestroy_v2(stream));
    return NULL;
}

/* Settings that are refused, each in a process that has not begun. */
static const struct {
    const char *name, *value, *detail;
} settings[] = {
    {"HOSTCUDA_DEVICES", "65", "HOSTCUDA_DEVICES=65: must be a number from 1 to 64"},
    {"HOSTCUDA_DEVICES", "1K", "from 1 to 64"},
    {"HOSTCUDA_THREADS", "many", "from 1 to 1024"},
    {"HOSTCUDA_THREADS", "-1", "from 1 to 1024"},
    {"HOSTCUDA_CACHE", "0", "HOSTCUDA_CACHE=0: must be"},
    {"HOSTCUDA_MEMORY", "0", "HOSTCUDA_MEMORY=0: must be"},
    {"HOSTCUDA_MEMORY", "20000000000G", "HOSTCUDA_MEMORY=20000000000G: must be"},
};

static void refused_settings(void)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int status = -1;
        pid_t id = fork();
        if (id == 0) {
            setenv(settings[i].name, settings[i].value, 1);
            EXPECT(CUDA_ERROR_INVALID_VALUE, cuInit(0));
            DETAIL(settings[i].detail);
            exit(checks_failed != 0);
        }
        CHECK(id > 0 && waitpid(id, &status, 0) == id && status == 0);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    refused_settings();
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
    DETAIL("cuInit was not called");
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < CHILDREN; i++) {
        int status = -1;
        pid_t id = fork();
        if (id == 0) {
            int failed = child();
            if (SANITIZED)
                _exit(failed);
            exit(failed);
        }
        CHECK(id > 0 && waitpid(id, &status, 0) == id && status == 0);
    }
    __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(cuCtxDestroy_v2(context));
    return report();
}
