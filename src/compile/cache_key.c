/* The key of the cache: all that an image depends on but the included files, which its
   entry lists. A compiler counts by path and by the number that the linker gave it for
   its content, so that installed anew it is the same one; without such a number by size
   and time of change: asking it for a version takes a process. */
#include "compile_job.h"
#include "abi/cpu.h"
#include <stdlib.h>
#include <unistd.h>

/* Another number when what we make of the same source changes. */
#define CACHE_FORMAT "pycuda-c images 6"

/* Variables of the environment that compilers read, and by which an image may change. A
   test looks at what they ask for. */
#define FRONT_END                                                         \
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", \
        "OBJCPLUS_INCLUDE_PATH", "COMPILER_PATH", "SOURCE_DATE_EPOCH",    \
        "LLVM_OVERRIDE_PRODUCER"
#define EDG "EDG_BASE", "EDG_MODULES_PATH", "NV_NVVM_VERSION", "USR_INCLUDE"

static const char *const of_hostcc[] = {FRONT_END, "CLANG_NO_DEFAULT_CONFIG",
                                        "HOSTCC_INCLUDE", NULL};
static const char *const of_nvrtc[] = {EDG, "LLVM_OVERRIDE_PRODUCER",
                                       "NVRTC_APPEND_FLAGS", "NVRTCWIZ", NULL};
/* With all that nvcc.profile may speak of, and where the host's compiler is. */
static const char *const of_nvcc[] = {FRONT_END,
                                      EDG,
                                      "NVCC_PREPEND_FLAGS",
                                      "NVCC_APPEND_FLAGS",
                                      "NVCC_CCBIN",
                                      "PATH",
                                      "LD_LIBRARY_PATH",
                                      "GCC_EXEC_PREFIX",
                                      "GCC_ROOT",
                                      "G++_ROOT",
                                      "BINUTILS_ROOT",
                                      "TOP",
                                      "INCLUDES",
                                      "LIBRARIES",
                                      "SYSTEM_INCLUDES",
                                      "LIBRARY_PATH",
                                      "LPATH",
                                      "CICC_PATH",
                                      "NVVMIR_LIBRARY_DIR",
                                      "CUDAFE_FLAGS",
                                      "LLVMC_FLAGS",
                                      "NVASM_FLAGS",
                                      "NVLINK_FLAGS",
                                      "NVVM_FLAGS",
                                      "NVVMCCWIZ",
                                      "OCG_FLAGS",
                                      "PTXAS_FLAGS",
                                      "NVDISASM_FLAGS",
                                      "GCC_COMPARE_DEBUG",
                                      "LLVMDIS_FLAGS",
                                      NULL};

/* Those that are lists of folders. */
static const char *const lists[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                    NULL};

/* Options whose values are no paths. */
static const char *const without_path[] = {"-D",
                                           "-U",
                                           "-O",
                                           "-G",
                                           "-g",
                                           "-w",
                                           "-m64",
                                           "-std",
                                           "--std",
                                           "-arch",
                                           "-code",
                                           "--gpu-architecture",
                                           "--gpu-code",
                                           "-fmad",
                                           "--fmad",
                                           "-ftz",
                                           "--ftz",
                                           "-prec-",
                                           "--prec-",
                                           "-maxrregcount",
                                           "--maxrregcount",
                                           "-use_fast_math",
                                           "--use_fast_math",
                                           "-lineinfo",
                                           "-rdc",
                                           "--relocatable-device-code",
                                           "--device-debug",
                                           "-default-device",
                                           "-device-int128",
                                           "--cubin",
                                           "--ptx",
                                           "--fatbin",
                                           "--preprocess",
                                           "--lazy-loading",
                                           "--kernel",
                                           "--layout",
                                           NULL};

static int starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Whether a word of the command may mean a path from the folder where we are. */
static int may_be_relative(const char *word)
{
    const char *value = strchr(word, '=');
    if (*word == '/' || starts(word, "-I/") || (value && value[1] == '/'))
        return 0;
    for (const char *const *option = without_path; *option; option++)
        if (starts(word, *option))
            return 0;
    return 1;
}

/* A list of folders has one that begins nowhere: an empty one is where we are. */
static int has_relative(const char *list)
{
    for (; list; list = strchr(list, ':'), list += list != NULL)
        if (*list != '/')
            return 1;
    return 0;
}

static int depends_on_folder(const cmp_job *job)
{
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        if (may_be_relative(word))
            return 1;
    for (const char *const *name = lists; *name; name++)
        if (has_relative(getenv(*name)))
            return 1;
    return 0;
}

/* The content of this one would have to count. */
static int has_file_of_options(const cmp_job *job)
{
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        if (*word == '@' || starts(word, "-optf") || starts(word, "--options-file"))
            return 1;
    return 0;
}

static const char *const *variables(const cmp_job *job)
{
    return job->backend == &cmp_hostcc  ? of_hostcc
           : job->backend == &cmp_nvrtc ? of_nvrtc
                                        : of_nvcc;
}

int cmp_key_make(const cmp_job *job, cmp_key key)
{
    struct stat status;
    cmp_text parts = {0};
    char here[PATH_MAX] = "";
    if (has_file_of_options(job) || stat(job->compiler, &status) ||
        (depends_on_folder(job) && !getcwd(here, sizeof here)))
        return 0;
    cmp_put(&parts, CACHE_FORMAT);
    cmp_put(&parts, "%s", job->compiler);
    cmp_put(&parts, "%s", here);
    cmp_put(&parts, "%s", job->request->target);
    if (job->backend == &cmp_hostcc)
        cmp_put(&parts, "%llx", (unsigned long long)hc_cpu_identity());
    /* NVIDIA's are many programs, of which this is one. */
    if (job->backend != &cmp_hostcc ||
        !cmp_build_id_put(&parts, job->compiler, &status))
        cmp_put(&parts, "%lld %lld.%09ld", (long long)status.st_size,
                (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    for (const char *const *name = variables(job); *name; name++)
        if (getenv(*name))
            cmp_put(&parts, "%s=%s", *name, getenv(*name));
    cmp_put(&parts, "%zu", job->arguments.size);
    cmp_put_bytes(&parts, job->arguments.bytes, job->arguments.size);
    cmp_put_bytes(&parts, job->source.bytes, job->source.size);
    int result = parts.failed ? 0 : cmp_digest(parts.bytes, parts.size, key) ? -1 : 1;
    cmp_text_clear(&parts);
    return result;
}
