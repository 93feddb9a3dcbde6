/* Tests of src/driver against two fake drivers, given as argv[1] (a folder with
   libcuda.so.1) and argv[2] (a host device). The choice of a driver is final in a
   process, so each row of the table of selections runs this program again, as
   `driver_table load HOST`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "driver/driver.h"

static int passed, failed;

#define CHECK(condition)                                                               \
    ((condition) ? (void)passed++                                                      \
                 : (void)(failed++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
                                            #condition)))

static const char *gpu_folder, *host_library, *self;

typedef struct {
    const char *driver, *version, *devices, *trace; /* the environment */
    const char *host; /* libhostcuda.so as drv_load gets it; "HOST" is the fake */
    const char
        *output; /* of the child: all of it, or its beginning if it ends in "..." */
} selection;

static const selection selections[] = {
    {"auto", 0, 0, 0, "HOST", "cuda 12040\n"},
    {"", 0, 0, 0, "/none", "cuda 12040\n"},
    {"auto", 0, "0", 0, "HOST",
     "pycuda: no usable GPU (libcuda.so.1: no CUDA-capable device is detected): "
     "kernels run "
     "on the host device. PYCUDA_DRIVER=host silences this line.\nhost 12040\n"},
    {"auto", "11080", 0, 0, "HOST",
     "no usable GPU (libcuda.so.1: the driver supports CUDA 11.8, and 12.0 or newer is "
     "needed; update the NVIDIA driver) and no host device (HOST: the driver "
     "supports..."},
    {"auto", 0, "0", 0, "/none.so",
     "no usable GPU (libcuda.so.1: no CUDA-capable device is detected) and no host "
     "device "
     "(/none.so is not there: this package was built without the host device; "
     "`apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev` and "
     "another "
     "`pip install` "
     "bring it)\n"},
    {"cuda", 0, "0", 0, "HOST", "cuda 12040\n"},
    {"host", 0, 0, 0, "HOST", "host 12040\n"},
    {"HOST", 0, 0, 0, "/none", "host 12040\n"},
    {"host", 0, 0, 0, "/none.so",
     "PYCUDA_DRIVER=host: /none.so is not there: this package was built without the "
     "host device; `apt install llvm-19-dev libclang-19-dev liblld-19-dev "
     "libc++-19-dev` "
     "and another "
     "`pip install` bring it\n"},
    {"cuda", "11080", 0, 0, "HOST",
     "PYCUDA_DRIVER=cuda: libcuda.so.1: the driver supports CUDA 11.8, and 12.0 or "
     "newer is "
     "needed; update the NVIDIA driver\n"},
    {"nvidia", 0, 0, 0, "HOST",
     "PYCUDA_DRIVER=nvidia: expected auto, cuda, host or the path of a driver "
     "library\n"},
    {"SELF", 0, 0, 0, "HOST", "PYCUDA_DRIVER=..."},
    {"host", 0, 0, "/none/trace", "HOST",
     "PYCUDA_TRACE=/none/trace: cannot write that file\n"},
    {"host", 0, 0, "1", "HOST", "cuMemAlloc(0x..."},
};

static void set(const char *name, const char *value)
{
    value ? setenv(name, value, 1) : unsetenv(name);
}

/* Replaces the words HOST and SELF by the paths they stand for. */
static const char *path_of(const char *word)
{
    if (!strcmp(word, "HOST"))
        return host_library;
    return strcmp(word, "SELF") ? word : self;
}

static void check_selection(const selection *row)
{
    int ends[2];
    char output[2048], expected[2048], *word;
    if (pipe(ends))
        abort();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        set("PYCUDA_DRIVER", path_of(row->driver));
        set("PYCUDA_TRACE", row->trace);
        set("FAKE_VERSION", row->version);
        set("FAKE_DEVICES", row->devices);
        set("LD_LIBRARY_PATH", gpu_folder);
        execl(self, self, "load", path_of(row->host), (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    output[fread(output, 1, sizeof output - 1, from)] = 0;
    fclose(from);
    waitpid(child, NULL, 0);

    snprintf(expected, sizeof expected, "%s", row->output);
    if ((word = strstr(expected, "HOST: ")))
        snprintf(word, expected + sizeof expected - word, "%s%s", host_library,
                 strstr(row->output, "HOST: ") + 4);
    size_t length = strlen(expected);
    int open_ended = length > 3 && !strcmp(expected + length - 3, "...");
    if (open_ended ? strncmp(output, expected, length - 3) : strcmp(output, expected)) {
        failed++;
        fprintf(stderr,
                "PYCUDA_DRIVER=%s printed\n  %swhere this was expected:\n  %s\n",
                row->driver, output, expected);
    } else {
        passed++;
    }
}

/* The child: what was loaded, and one call for the trace. */
static int load(const char *host)
{
    char message[1024] = "";
    if (drv_load(host, message, sizeof message)) {
        printf("%s\n", message);
        return 1;
    }
    CUdeviceptr pointer;
    cu.cuMemAlloc(&pointer, 64);
    printf("%s %d\n", drv_get_info()->is_host ? "host" : "cuda",
           drv_get_info()->version);
    return 0;
}

static void check_calls(void)
{
    char message[256] = "", detail[8];
    const char *text = detail;
    CUdeviceptr pointer = 0;
    CUipcMemHandle handle = {.reserved = {[63] = 7}};

    CHECK(drv_get_info()->path == NULL);
    CHECK(cu.cuMemAlloc(&pointer, 1) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(drv_load(host_library, message, sizeof message) == CUDA_SUCCESS);
    CHECK(drv_load("/none.so", message, sizeof message) == CUDA_SUCCESS);
    CHECK(!strcmp(drv_get_info()->path, host_library) && drv_get_info()->is_host);
    CHECK(cu.cuMemAlloc(&pointer, 16) == CUDA_SUCCESS && pointer == 0x10010);
    CHECK(cu.cuIpcOpenMemHandle(&pointer, handle, 1) == CUDA_SUCCESS && pointer == 8);
    CHECK(cu.cuxGetErrorDetail(&text) == CUDA_SUCCESS && *text == 0);
    CHECK(cu.cuModuleUnload(NULL) == CUDA_ERROR_NOT_SUPPORTED);

    CHECK(drv_inject("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY) == CUDA_SUCCESS);
    CHECK(cu.cuMemAlloc(&pointer, 1) == CUDA_SUCCESS);
    CHECK(cu.cuMemAlloc(&pointer, 1) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cu.cuMemAlloc(&pointer, 1) == CUDA_SUCCESS);
    CHECK(drv_inject("cuCtxSynchronize", 1, CUDA_ERROR_LAUNCH_FAILED) == CUDA_SUCCESS);
    CHECK(cu.cuIpcOpenMemHandle(&pointer, handle, 1) == CUDA_SUCCESS && pointer == 8);
    CHECK(cu.cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
    CHECK(cu.cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(drv_inject("cuMemAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY) == CUDA_SUCCESS);
    CHECK(drv_inject("cuMemAlloc", 0, CUDA_SUCCESS) == CUDA_SUCCESS);
    CHECK(cu.cuMemAlloc(&pointer, 1) == CUDA_SUCCESS);
    CHECK(drv_inject("cuModuleUnload", 1, CUDA_ERROR_INVALID_HANDLE) == CUDA_SUCCESS);
    CHECK(cu.cuModuleUnload(NULL) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cu.cuModuleUnload(NULL) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(drv_inject("cuNoSuch", 1, CUDA_ERROR_UNKNOWN) == CUDA_ERROR_NOT_FOUND);

    CHECK(
        !strcmp(drv_result_name(CUDA_ERROR_OUT_OF_MEMORY), "CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK(!strcmp(drv_result_text(CUDA_ERROR_INVALID_VALUE), "invalid argument"));
    CHECK(!strcmp(drv_result_text((CUresult)12345), "unrecognized error code"));
}

/* Each call is one line; what the driver writes through its pointers is not shown. */
static void check_trace(void)
{
    char path[] = "/tmp/driver_table_XXXXXX", line[512], expected[512];
    close(mkstemp(path));
    char command[1024];
    snprintf(command, sizeof command,
             "PYCUDA_DRIVER='%s' PYCUDA_TRACE=%s '%s' load /none >/dev/null",
             host_library, path, self);
    CHECK(system(command) == 0);
    FILE *trace = fopen(path, "r");
    unsigned long long pointer;
    double microseconds = -1;
    CHECK(fgets(line, sizeof line, trace));
    int read = sscanf(line, "cuMemAlloc(0x%llx, 64) = %[A-Z_], %lf us", &pointer,
                      expected, &microseconds);
    CHECK(read == 3 && !strcmp(expected, "CUDA_SUCCESS") && microseconds >= 0);
    CHECK(!fgets(line, sizeof line, trace));
    fclose(trace);
    unlink(path);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: %s GPU_FOLDER HOST_LIBRARY\n", argv[0]), 2;
    if (!strcmp(argv[1], "load"))
        return load(argv[2]);
    self = argv[0];
    gpu_folder = argv[1];
    host_library = argv[2];
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
        check_selection(&selections[i]);
    check_trace();
    setenv("PYCUDA_DRIVER", "host", 1);
    unsetenv("PYCUDA_TRACE");
    check_calls();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
