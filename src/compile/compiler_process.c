/* Compilers that are programs: hostcc for the host device, nvcc for what NVRTC cannot
   do. No shell is involved; source and image go through files of a temporary folder,
   which goes away whatever happens, unless the caller wants to keep it. A compiler that
   crashes is an error message; Ctrl-C ends it with all its children, then Python hears
   of it. */
#define _GNU_SOURCE
#include "compile_job.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How often Python's signal handlers are looked after while a compiler runs. */
#define ASK_MILLISECONDS 50

/* The files of a compilation; the image is what goes to stdout if they have one name.
 */
typedef struct {
    char folder[PATH_MAX];
    char source[PATH_MAX + 32], image[PATH_MAX + 32], dependencies[PATH_MAX + 32];
    char output[PATH_MAX + 32], errors[PATH_MAX + 32];
} work_files;

int cmp_folder_create(cmp_job *job, char path[PATH_MAX])
{
    const char *base = getenv("TMPDIR");
    base = base && *base ? base : "/tmp";
    snprintf(path, PATH_MAX, "%.*s/pycuda-XXXXXX", PATH_MAX - 20, base);
    if (mkdtemp(path))
        return 1;
    cmp_put(&job->outcome->message, "cannot make a temporary folder in %s: %s", base,
            strerror(errno));
    return 0;
}

static void remove_folder(const char *path)
{
    struct dirent *item;
    DIR *all = opendir(path);
    while (all && (item = readdir(all)))
        unlinkat(dirfd(all), item->d_name, 0);
    if (all)
        closedir(all);
    rmdir(path);
}

static int signal_raised(void)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    int raised = PyErr_CheckSignals();
    PyGILState_Release(gil);
    return raised;
}

/* Waits, without the GIL, for a child that leads a process group. -1: a Python signal
   handler raised, and the group was ended. A signal may come just before any call that
   waits, and then does not end it: so none waits for long. */
static int wait_for(pid_t child, int *status)
{
    struct pollfd end = {(int)syscall(SYS_pidfd_open, child, 0), POLLIN, 0};
    int raised = 0;
    pid_t ended;
    while ((ended = waitpid(child, status, raised ? 0 : WNOHANG)) != child) {
        if (ended < 0 && errno != EINTR) {
            *status = 0; /* SIGCHLD is ignored: whether it worked shows in its files */
            break;
        }
        if (!raised) {
            poll(&end, 1, ASK_MILLISECONDS);
            if ((raised = signal_raised()))
                kill(-child, SIGTERM);
        }
    }
    if (end.fd >= 0)
        close(end.fd);
    return raised;
}

/* Runs a command: 0 and its wait status; a number of errno: it cannot; -1: interrupted.
 */
static int run(const cmp_text *command, const work_files *files, int *status)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t child;
    char **argv = cmp_argv(command);
    if (!argv)
        return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, files->output, O_WRONLY | O_CREAT,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, 2, files->errors, O_WRONLY | O_CREAT,
                                     0600);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* Python ignores it, which would be inherited */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int problem = posix_spawn(&child, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(argv);
    return problem ? problem : wait_for(child, status);
}

/* Reads "kernel.o: a.h b\ c.h \": what stands after the first colon, made absolute. The
   source itself is there by its own path and by the name that its #line gives it. */
static void read_dependencies(cmp_job *job, const work_files *files)
{
    cmp_text text = {0};
    char here[PATH_MAX] = "", file[PATH_MAX];
    const char *at =
        cmp_read(&text, files->dependencies) ? strstr(text.bytes, ": ") : NULL;
    job->files_known = at && getcwd(here, sizeof here);
    for (at = at ? at + 1 : ""; *at; at += *at != 0) {
        size_t length = 0;
        for (; *at && !strchr(" \t\r\n", *at) && length < sizeof file - 1; at++) {
            if ((*at == '\\' && at[1] && strchr(" #\\", at[1])) ||
                (*at == '$' && at[1] == '$'))
                at++;
            file[length++] = *at;
        }
        file[length] = 0;
        if (length && strcmp(file, "\\") && strcmp(file, files->source) &&
            strcmp(file, "kernel.cu"))
            cmp_put(&job->files, "%s%s%s", *file == '/' ? "" : here,
                    *file == '/' ? "" : "/", file);
    }
    cmp_text_clear(&text);
}

static int is_cubin(const cmp_job *job)
{
    return !strcmp(job->request->target, "cubin");
}

/* Of the PTX that nvcc keeps beside its cubin. */
static void append_entries(cmp_job *job, const work_files *files)
{
    cmp_text ptx = {0};
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/kernel.ptx", files->folder);
    if (cmp_read(&ptx, path))
        cmp_entries_append(&job->outcome->image, ptx.bytes);
    cmp_text_clear(&ptx);
}

static void compile_in(cmp_job *job, const work_files *files, int *interrupted)
{
    cmp_outcome *outcome = job->outcome;
    cmp_text *command = &outcome->command, *message = &outcome->message;
    const char *name = job->backend->name;
    int status;
    cmp_put(command, "%s", job->compiler);
    cmp_put_words(command, "", &job->arguments);
    if (job->backend == &cmp_hostcc && *job->cache)
        cmp_put(command, "--pch-dir=%s", job->cache);
    cmp_put(command, "%s", files->source);
    if (strcmp(files->output, files->image)) {
        if (job->backend == &cmp_nvcc)
            cmp_put(command, "-MD");
        cmp_put(command, "-MF");
        cmp_put(command, "%s", files->dependencies);
        cmp_put(command, "-o");
        cmp_put(command, "%s", files->image);
    }
    if (job->backend == &cmp_nvcc && (job->request->keep || is_cubin(job))) {
        cmp_put(command, "--keep");
        cmp_put(command, "--keep-dir=%s", files->folder);
    }

    int problem =
        cmp_write(&job->source, files->source) ? run(command, files, &status) : errno;
    *interrupted = problem < 0;
    if (problem > 0)
        cmp_put(message, "cannot run %s in %s: %s", job->compiler, files->folder,
                strerror(problem));
    if (problem)
        return;
    if (strcmp(files->output, files->image))
        cmp_read(&outcome->output, files->output);
    cmp_read(&outcome->errors, files->errors);
    if (WIFSIGNALED(status))
        cmp_put(message, "%s ended by signal %d (%s) while compiling kernel.cu", name,
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        cmp_put(message, "%s compilation of kernel.cu failed", name);
    else if (!cmp_read(&outcome->image, files->image))
        cmp_put(message, "%s wrote no image of kernel.cu", name);
    else
        read_dependencies(job, files);
    if (outcome->image.size && job->backend == &cmp_nvcc && is_cubin(job))
        append_entries(job, files);
}

/* In place of what was compiled, which stands in `extern "C"`: debuggers count lines.
 */
static void keep_source_as_given(const cmp_job *job, const work_files *files)
{
    const char *source = job->request->source;
    cmp_text text = {.bytes = (char *)source, .size = strlen(source)};
    cmp_write(&text, files->source);
}

static int compile(cmp_job *job)
{
    const char *target = job->request->target;
    int is_text = !strcmp(target, "preprocess"); /* which goes to stdout */
    work_files files;
    int interrupted;
    if (!cmp_folder_create(job, files.folder))
        return 0;
#define PUT(file, ...) snprintf(files.file, sizeof files.file, __VA_ARGS__)
    PUT(source, "%s/kernel.cu", files.folder);
    PUT(image, "%s/kernel.%s", files.folder, target);
    PUT(output, "%s/%s", files.folder, is_text ? "kernel.preprocess" : "stdout");
    PUT(errors, "%s/stderr", files.folder);
    PUT(dependencies, "%s/dependencies", files.folder);
#undef PUT
    compile_in(job, &files, &interrupted);
    if (job->request->keep) {
        if (job->backend == &cmp_hostcc && job->outcome->image.size)
            keep_source_as_given(job, &files);
        strcpy(job->outcome->folder, files.folder);
    } else
        remove_folder(files.folder);
    return interrupted ? -1 : 0;
}

static int find_hostcc(cmp_job *job)
{
    const char *given = getenv("PYCUDA_HOSTCC");
    if (given && *given)
        snprintf(job->compiler, PATH_MAX, "%s", given);
    else
        snprintf(job->compiler, PATH_MAX, "%.4000s/hostcc", cmp_package_folder());
    if (!access(job->compiler, X_OK))
        return 1;
    cmp_put(
        &job->outcome->message,
        "hostcc, the compiler of the host device, is not at %s: this package was built "
        "without it (it needs clang and LLVM: Debian's libclang-19-dev, llvm-19-dev)",
        job->compiler);
    return 0;
}

/* The program that the caller names, else nvcc: as a path, on PATH, or in a toolkit. */
static int find_nvcc(cmp_job *job)
{
    const char *name = job->request->compiler ? job->request->compiler : "nvcc",
               *folder;
    char *found = job->compiler;
    snprintf(found, PATH_MAX, "%s", name);
    if (strchr(name, '/') && !access(name, X_OK))
        return 1;
    for (const char *at = strchr(name, '/') ? "" : getenv("PATH"); at && *at;) {
        int length = (int)strcspn(at, ":");
        if (snprintf(found, PATH_MAX, "%.*s/%s", length, at, name) < PATH_MAX &&
            !access(found, X_OK))
            return 1;
        at += length + (at[length] != 0);
    }
    for (int n = 0; !strcmp(name, "nvcc") && (folder = cmp_toolkit_folder(n)); n++)
        if (snprintf(found, PATH_MAX, "%s/bin/nvcc", folder) < PATH_MAX &&
            !access(found, X_OK))
            return 1;
    cmp_put(&job->outcome->message,
            "no program %s (looked for on PATH and in the toolkits of CUDA_ROOT, "
            "CUDA_HOME, "
            "CUDA_PATH and /usr/local/cuda)",
            name);
    return 0;
}

/* Both programs read nvcc's options, so the caller's go through as they are. What
   hostcc makes by itself is what nvcc makes of --cubin. */
static int translate(cmp_job *job)
{
    const cmp_request *request = job->request;
    int is_nvcc = job->backend == &cmp_nvcc;
    char device[16];
    if (is_nvcc || strcmp(request->target, "cubin"))
        cmp_put(&job->arguments, "--%s", request->target);
    cmp_put_words(&job->arguments, "", &request->options);
    if (request->arch)
        cmp_put(&job->arguments, "-arch=%s", request->arch);
    else if (is_nvcc && cmp_device_arch(device))
        cmp_put(&job->arguments, "-arch=%s", device);
    if (request->code)
        cmp_put(&job->arguments, "-code=%s", request->code);
    cmp_put_includes(job);
    return 1;
}

const cmp_backend cmp_hostcc = {"hostcc", find_hostcc, translate, compile};
const cmp_backend cmp_nvcc = {"nvcc", find_nvcc, translate, compile};
