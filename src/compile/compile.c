/* A compilation from request to outcome: choose a back end, say the request in its
   words, look for the image in the cache, else run the back end and store what it made.

   Which back end: what the host device loads comes from hostcc; a program that the
   caller names, fat binaries, preprocessing, and options that NVRTC does not have are
   for nvcc; all else is for NVRTC, in this process. */
#include "compile_job.h"
#include <ctype.h>
#include "driver/driver.h"
#include "python/log.h"

/* How a back end suits a request. */
enum { MISSING, LACKING, FITTING };

static int prepare(cmp_job *job, const cmp_backend *backend)
{
    job->backend = backend;
    job->arguments.size = job->outcome->message.size = 0;
    return !backend->find(job) ? MISSING : backend->translate(job) ? FITTING : LACKING;
}

/* Settles back end, compiler and arguments; 0 and a message: nothing can do it. */
static int choose(cmp_job *job)
{
    const char *name = job->request->compiler ? job->request->compiler : "nvcc";
    const char *target = job->request->target;
    int is_ptx = !strcmp(target, "ptx");
    int for_gpu = is_ptx || !strcmp(target, "fatbin");
    int for_nvrtc = is_ptx || !strcmp(target, "cubin");
    char reason[1024];

    /* Where no driver loads, code for a GPU can still be made. */
    drv_load(cmp_host_library(), reason, sizeof reason);

    const cmp_backend *first = &cmp_nvcc, *second = NULL;
    if (!strcmp(name, "nvrtc"))
        first = &cmp_nvrtc;
    else if (!strcmp(name, "hostcc") || (!for_gpu && drv_get_info()->is_host))
        first = &cmp_hostcc;
    else if (!strcmp(name, "nvcc") && for_nvrtc)
        first = &cmp_nvrtc, second = &cmp_nvcc;

    if ((first == &cmp_hostcc && for_gpu) || (first == &cmp_nvrtc && !for_nvrtc)) {
        cmp_put(&job->outcome->message, "%s cannot make target \"%s\"", first->name,
                target);
        return 0;
    }
    int fit = prepare(job, first);
    if (fit == FITTING || (second && prepare(job, second) != MISSING))
        return 1;
    /* The first has the better message, also about an option that it lacks. */
    return second ? prepare(job, first) != MISSING : fit != MISSING;
}

/* The source in `extern "C"`, unless that is not wanted. A byte order mark counts at
   the very beginning alone; a line that goes on behind the end would take ours. */
static void put_source(cmp_text *text, const cmp_request *request)
{
    const char *source = request->source;
    source += strncmp(source, "\xef\xbb\xbf", 3) ? 0 : 3;
    size_t end = strlen(source);
    while (end && strchr(" \t\r", source[end - 1]))
        end--;
    cmp_put(text, "%s#line 1 \"kernel.cu\"\n%s%s\n%s",
            request->no_extern_c ? "" : "#line 1 \"pycuda.compiler\"\nextern \"C\" {\n",
            source, end && source[end - 1] == '\\' ? "\n" : "",
            request->no_extern_c ? "" : "}\n");
    text->size -= text->size > 0; /* without the NUL */
}

/* -- What users hear of it ----------------------------------------------------------
 */

/* The name of the first kernel, for people. */
static void name_kernel(const cmp_request *request, char name[64])
{
    const char *source = request->object ? "" : request->source;
    const char *at = strstr(source, "__global__"), *end = at ? strchr(at, '(') : NULL;
    while (end &&
           !strncmp(end - strlen("__launch_bounds__"), "__launch_bounds__", 17)) {
        end = strchr(end, ')');
        end = end ? strchr(end, '(') : NULL;
    }
    snprintf(name, 64, "%s", request->object ? request->kernel : "kernel.cu");
    if (!end)
        return;
    while (end > at && end[-1] == ' ')
        end--;
    const char *start = end;
    while (start > at && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    if (end > start)
        snprintf(name, 64, "%.*s", (int)(end - start), start);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) +
           1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* Runs the back end, with a line on a terminal if it takes long. */
static int run(cmp_job *job, const char *kernel)
{
    PyObject *module = PyImport_ImportModule("pycuda._progress"), *done = NULL;
    PyObject *end =
        module ? PyObject_CallMethod(module, "begin", "ss", job->backend->name, kernel)
               : NULL;
    PyErr_Clear(); /* no line then */
    PyThreadState *state = PyEval_SaveThread();
    int result = job->backend->run(job);
    PyEval_RestoreThread(state);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (end && end != Py_None)
        done = PyObject_CallNoArgs(end);
    PyErr_Restore(type, value, traceback);
    Py_XDECREF(done);
    Py_XDECREF(end);
    Py_XDECREF(module);
    return result;
}

/* Option -G of hostcc. */
static int is_for_debuggers(const cmp_job *job)
{
    int found = 0;
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        found |= !strcmp(word, "-G") || !strcmp(word, "--device-debug");
    return found && job->backend == &cmp_hostcc;
}

int cmp_compile(const cmp_request *request, cmp_outcome *outcome)
{
    cmp_job job = {.request = request, .outcome = outcome};
    char cache[PATH_MAX] = "";
    cmp_key key;
    struct timespec started;
    int result = 0, debugged;
    *outcome = (cmp_outcome){{0}};
    /* A byte order mark would not be at the start. */
    if (request->object)
        cmp_put_bytes(&job.source, request->object, request->object_bytes);
    else
        put_source(&job.source, request);
    if (!choose(&job))
        goto done;
    cmp_cache_folder(request->cache_dir, cache);
    if (*cache && (result = cmp_key_make(&job, key)) <= 0)
        *cache = 0;
    debugged = result > 0 && !request->keep && is_for_debuggers(&job);
    if (result > 0)
        result = request->keep ? 0 : cmp_cache_find(cache, key, &outcome->image);
    if (!result && *cache)
        result = cmp_cache_prepare(cache);
    if (debugged && *cache && result >= 0)
        cmp_cache_keep_source(cache, key, request->source, job.debug);
    if (result > 0) {
        char kernel[64];
        name_kernel(request, kernel);
        py_log("debug", "%s was in the cache: %s", kernel, key);
    }
    if (result)
        goto done;
    clock_gettime(CLOCK_REALTIME, &started);
    job.cache = cache;
    if (!job.source.failed && !job.arguments.failed) {
        struct timespec begun;
        char kernel[64], seconds[32];
        name_kernel(request, kernel);
        clock_gettime(CLOCK_MONOTONIC, &begun);
        result = run(&job, kernel);
        snprintf(seconds, sizeof seconds, "%.3f", seconds_since(&begun));
        py_log("info", "%s %s %s in %s s", job.backend->name,
               outcome->image.size ? "compiled" : "did not compile", kernel, seconds);
    }
    if (!result && *cache && outcome->image.size && job.files_known)
        result = cmp_cache_store(cache, key, &job, &started);
done:
    if (!result &&
        (job.source.failed || job.arguments.failed || job.files.failed ||
         job.absent.failed || outcome->image.failed || outcome->message.failed)) {
        PyErr_NoMemory();
        result = -1;
    }
    cmp_text_clear(&job.source);
    cmp_text_clear(&job.arguments);
    cmp_text_clear(&job.files);
    cmp_text_clear(&job.absent);
    return result < 0 ? -1 : 0;
}

void cmp_outcome_clear(cmp_outcome *outcome)
{
    cmp_text_clear(&outcome->image);
    cmp_text_clear(&outcome->message);
    cmp_text_clear(&outcome->command);
    cmp_text_clear(&outcome->output);
    cmp_text_clear(&outcome->errors);
}
