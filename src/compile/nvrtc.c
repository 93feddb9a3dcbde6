/* NVRTC, the compiler of GPU code that is a library: much faster than nvcc, because no
   process and no host compiler is involved. It has no headers of the C library: ours of
   include/nvrtc stand in for them; a toolkit's own are used where there is one. */
#include "nvrtc_texts.h"
#include <dlfcn.h>
#include <stdlib.h>

/* The long spelling of -I, for folders whose files change with the compiler alone, and
   that of -include, for files that count as included. */
#define TOOLKIT "--include-path="
#define FIRST "--pre-include="

/* What the source is called: it stands in no folder, also not in the one where we are,
   where NVRTC would look for what it includes. */
#define NOWHERE "/dev/null/kernel.cu"

/* Headers that may be included and hold nothing: what they declare is built in or
   stands in preamble.h. Those that hold something are files of include/nvrtc. */
#define NAMES                                                                        \
    "assert.h", "cassert", "cmath", "cstddef", "cstdio", "cstdlib", "cstring",       \
        "ctype.h", "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h",                 \
        "device_launch_parameters.h", "math.h", "stdarg.h", "stdbool.h", "stddef.h", \
        "stdio.h", "stdlib.h", "string.h", "surface_functions.h",                    \
        "texture_fetch_functions.h", "time.h"
static const char *const empty_headers[] = {NAMES};
enum { EMPTY = sizeof empty_headers / sizeof *empty_headers };

typedef struct program program;

/* F(name, parameters): what we call of NVRTC; each returns 0 or an error. */
#define FUNCTIONS(F)                                                   \
    F(nvrtcCreateProgram, program **, const char *, const char *, int, \
      const char *const *, const char *const *)                        \
    F(nvrtcDestroyProgram, program **)                                 \
    F(nvrtcCompileProgram, program *, int, const char *const *)        \
    F(nvrtcGetProgramLogSize, program *, size_t *)                     \
    F(nvrtcGetProgramLog, program *, char *)                           \
    F(nvrtcGetPTXSize, program *, size_t *)                            \
    F(nvrtcGetPTX, program *, char *)                                  \
    F(nvrtcGetCUBINSize, program *, size_t *)                          \
    F(nvrtcGetCUBIN, program *, char *)                                \
    F(nvrtcVersion, int *, int *)

typedef struct {
#define F(name, ...) int (*name)(__VA_ARGS__);
    FUNCTIONS(F)
#undef F
} library;

/* Fills the table, or says what is wrong. The library has threads, so it stays loaded.
 */
static const char *load(library *nvrtc, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return dlerror();
#define F(name, ...)                                                 \
    if (!(nvrtc->name = (int (*)(__VA_ARGS__))dlsym(handle, #name))) \
        return dlerror();
    FUNCTIONS(F)
#undef F
    return NULL;
}

static int translate(cmp_job *job)
{
    cmp_text *arguments = &job->arguments;
    char headers[PATH_MAX];
    int all_known = cmp_nvrtc_translate(job);
    cmp_put_includes(job);
    /* nvcc bears host functions beside kernels, and generic lambdas in them. */
    cmp_put(arguments, "-default-device");
    cmp_put(arguments, "-device-int128"); /* as nvcc has it */
    cmp_put(arguments, "-I%s/include/nvrtc", cmp_package_folder());
    cmp_put(arguments, FIRST "%s/include/nvrtc/preamble.h", cmp_package_folder());
    if (cmp_nvrtc_headers(job->compiler, "cuda_fp16.h", headers))
        cmp_put(arguments, TOOLKIT "%s", headers);
    if (cmp_nvrtc_headers(job->compiler, "nv/target", headers))
        cmp_put(arguments, TOOLKIT "%s", headers);
    return all_known;
}

/* nvcc in place of NVRTC; 0: there is none, or NVRTC itself was asked for. */
static int has_nvcc(cmp_job *job)
{
    const char *asked = job->request->compiler;
    char library[PATH_MAX];
    cmp_text before = job->outcome->message;
    if (asked && !strcmp(asked, cmp_nvrtc.name))
        return 0;
    memcpy(library, job->compiler, sizeof library);
    job->outcome->message = (cmp_text){0};
    int found = cmp_nvcc.find(job);
    cmp_text_clear(&job->outcome->message);
    job->outcome->message = before;
    if (!found)
        memcpy(job->compiler, library, sizeof library);
    return found;
}

/* Lets the nvcc that was found do it. */
static int run_nvcc(cmp_job *job)
{
    cmp_outcome *outcome = job->outcome;
    job->arguments.size = job->files.size = 0;
    outcome->message.size = outcome->command.size = outcome->errors.size = 0;
    job->backend = &cmp_nvcc;
    cmp_nvcc.translate(job);
    return cmp_nvcc.run(job);
}

/* Appends what a pair of functions gives: the size, then the text or image. */
static void fetch(cmp_text *text, program *p, int (*size_of)(program *, size_t *),
                  int (*get)(program *, char *))
{
    size_t size;
    char *place = size_of(p, &size) ? NULL : cmp_text_extend(text, size);
    if (place && get(p, place))
        text->size = 0;
}

/* From 12.9 on NVRTC has a cache of machine code of its own, which has been seen to
   give the code of -ftz=false for -ftz=true and the other way round; ours is enough. */
static void leave_its_cache(const library *nvrtc, cmp_text *arguments)
{
    int major = 0, minor = 0;
    if (!nvrtc->nvrtcVersion(&major, &minor) && (major > 12 || minor >= 9))
        cmp_put(arguments, "--no-cache");
}

static void keep(cmp_job *job)
{
    char path[PATH_MAX + 32], *folder = job->outcome->folder;
    if (!cmp_folder_create(job, folder))
        return;
    snprintf(path, sizeof path, "%s/kernel.cu", folder);
    cmp_write(&job->source, path);
    snprintf(path, sizeof path, "%s/kernel.%s", folder, job->request->target);
    cmp_write(&job->outcome->image, path);
}

/* Compiles a source with these headers as the job says; 0: it did not. */
static int compile(cmp_job *job, const library *nvrtc, const cmp_text *source,
                   const cmp_header_lists *lists)
{
    cmp_outcome *outcome = job->outcome;
    cmp_text ptx = {0};
    program *p = NULL;
    int count = 0, status;
    char **argv = cmp_argv(&job->arguments);
    while (argv && argv[count])
        count++;
    status =
        !argv || nvrtc->nvrtcCreateProgram(&p, source->bytes, NOWHERE, lists->count,
                                           lists->texts, lists->names);
    if (!status) {
        status = nvrtc->nvrtcCompileProgram(p, count, (const char *const *)argv);
        fetch(&outcome->errors, p, nvrtc->nvrtcGetProgramLogSize,
              nvrtc->nvrtcGetProgramLog);
    }
    if (!status && !strcmp(job->request->target, "ptx"))
        fetch(&outcome->image, p, nvrtc->nvrtcGetPTXSize, nvrtc->nvrtcGetPTX);
    else if (!status) {
        fetch(&outcome->image, p, nvrtc->nvrtcGetCUBINSize, nvrtc->nvrtcGetCUBIN);
        fetch(&ptx, p, nvrtc->nvrtcGetPTXSize, nvrtc->nvrtcGetPTX);
    }
    if (ptx.size && outcome->image.size)
        cmp_entries_append(&outcome->image, ptx.bytes);
    if (p)
        nvrtc->nvrtcDestroyProgram(&p);
    free(argv);
    cmp_text_clear(&ptx);
    return outcome->image.size > 0;
}

static int run(cmp_job *job)
{
    cmp_outcome *outcome = job->outcome;
    library nvrtc = {0};
    cmp_user_texts texts = {0};
    cmp_header_lists lists = {0};
    int result = 0;
    const char *problem = NULL;
    cmp_user_texts_read(&texts, job, FIRST);
    /* An #include line that a macro makes may lead to anything. */
    if ((texts.attributes.why || !job->files_known) && has_nvcc(job)) {
        result = run_nvcc(job);
        goto done;
    }
    cmp_put(&outcome->command, "%s", job->compiler);
    if (texts.attributes.why) {
        cmp_put(&outcome->message, "%s: %s, or install nvcc", texts.where,
                texts.attributes.why);
        goto done;
    }
    if ((problem = load(&nvrtc, job->compiler))) {
        cmp_put(&outcome->message, "cannot use NVRTC: %s", problem);
        goto done;
    }
    leave_its_cache(&nvrtc, &job->arguments);
    cmp_put_words(&outcome->command, "", &job->arguments);
    for (size_t i = 0; i < EMPTY; i++)
        cmp_header_lists_add(&lists, empty_headers[i], "");
    cmp_user_texts_list(&texts, &lists);
    if (!compile(job, &nvrtc, &texts.source, &lists)) {
        if (texts.is_strict && has_nvcc(job)) {
            result = run_nvcc(job);
            goto done;
        }
        cmp_put(&outcome->message, "nvrtc compilation of kernel.cu failed");
    }
    if (job->request->keep)
        keep(job);
done:
    cmp_user_texts_clear(&texts);
    cmp_header_lists_clear(&lists);
    return result;
}

const cmp_backend cmp_nvrtc = {"nvrtc", cmp_nvrtc_find, translate, run};
