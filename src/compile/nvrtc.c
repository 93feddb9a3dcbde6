/* NVRTC, the compiler of GPU code that is a library: much faster than nvcc, because no
   process and no host compiler is involved. It has no headers of the C library: ours of
   include/nvrtc stand in for them; a toolkit's own are used where there is one. */
#include "compile_job.h"
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

/* Lists what the source includes, the toolkit's headers left out. */
static void scan(cmp_job *job)
{
    cmp_text folders = {0}, text = {0};
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        if (!strncmp(word, "-I", 2)) {
            cmp_put(&folders, "%s", word + 2);
        } else if (!strncmp(word, FIRST, strlen(FIRST))) {
            cmp_put(&text, "#include \"%s\"\n", word + strlen(FIRST));
            text.size--;
        }
    cmp_put_bytes(&text, job->source.bytes, job->source.size);
    job->files_known = !text.failed && !folders.failed &&
                       cmp_scan_includes(&job->files, &text, &folders);
    cmp_text_clear(&folders);
    cmp_text_clear(&text);
}

/* Attributes behind bodies are moved in the source. In a header of the user's they
   cannot be, nor can a byte order mark be left out, of which NVRTC knows nothing:
   *header is its path and what comes back says why it is not for NVRTC. NULL: all are.
 */
static const char *prepare_texts(cmp_job *job, const char **header)
{
    const char *why = NULL;
    cmp_text content = {0}, macros = {0};
    *header = NULL;
    while (!why && (*header = cmp_next(&job->files, *header))) {
        content.size = 0;
        if (!cmp_read(&content, *header))
            continue;
        if (content.size > 2 && !memcmp(content.bytes, "\xef\xbb\xbf", 3))
            why = "it begins with a byte order mark, which NVRTC takes for an error: "
                  "save it as UTF-8 without one";
        else if (cmp_attributes_move(&content, &macros))
            why = "an attribute stands behind the body of a class, `struct { ... } "
                  "__align__(16) name;`: NVRTC does not give it to the class, as nvcc "
                  "does; write it behind the word struct";
    }
    if (!why)
        cmp_attributes_move(&job->source, &macros);
    cmp_text_clear(&content);
    cmp_text_clear(&macros);
    return why;
}

/* nvcc in place of NVRTC, or a message. */
static int run_nvcc(cmp_job *job, const char *header, const char *why)
{
    cmp_text message = {0};
    cmp_put(&message, "%s: %s, or install nvcc", header, why);
    job->arguments.size = job->files.size = 0;
    if (cmp_nvcc.find(job)) {
        cmp_text_clear(&message);
        job->backend = &cmp_nvcc;
        cmp_nvcc.translate(job);
        return cmp_nvcc.run(job);
    }
    cmp_text_clear(&job->outcome->message);
    job->outcome->message = message;
    return 0;
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

static int run(cmp_job *job)
{
    cmp_outcome *outcome = job->outcome;
    cmp_text ptx = {0};
    library nvrtc = {0};
    program *p = NULL;
    const char *nothing[EMPTY];
    const char *header;
    scan(job);
    const char *why = prepare_texts(job, &header);
    if (why)
        return run_nvcc(job, header, why);
    char **argv = NULL;
    int count = 0, status;
    const char *problem = load(&nvrtc, job->compiler);
    if (!problem) {
        leave_its_cache(&nvrtc, &job->arguments);
        argv = cmp_argv(&job->arguments);
    }
    cmp_put(&outcome->command, "%s", job->compiler);
    cmp_put_words(&outcome->command, "", &job->arguments);
    if (!argv) {
        cmp_put(&outcome->message, "cannot use NVRTC: %s",
                problem ? problem : "no memory");
        goto done;
    }
    while (argv[count])
        count++;
    for (int i = 0; i < EMPTY; i++)
        nothing[i] = "";
    status = nvrtc.nvrtcCreateProgram(&p, job->source.bytes, NOWHERE, EMPTY, nothing,
                                      empty_headers);
    if (!status) {
        status = nvrtc.nvrtcCompileProgram(p, count, (const char *const *)argv);
        fetch(&outcome->errors, p, nvrtc.nvrtcGetProgramLogSize,
              nvrtc.nvrtcGetProgramLog);
    }
    if (!status && !strcmp(job->request->target, "ptx"))
        fetch(&outcome->image, p, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX);
    else if (!status) {
        fetch(&outcome->image, p, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN);
        fetch(&ptx, p, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX);
    }
    if (ptx.size && outcome->image.size)
        cmp_entries_append(&outcome->image, ptx.bytes);
    if (!outcome->image.size)
        cmp_put(&outcome->message, "nvrtc compilation of kernel.cu failed");
    if (job->request->keep)
        keep(job);
done:
    if (p)
        nvrtc.nvrtcDestroyProgram(&p);
    free(argv);
    cmp_text_clear(&ptx);
    return 0;
}

const cmp_backend cmp_nvrtc = {"nvrtc", cmp_nvrtc_find, translate, run};
