/* Compilers that are programs: hostcc for the host device, nvcc for what NVRTC cannot
   do. No shell is involved. hostcc reads and writes files in memory, which end with the
   processes that hold them, however these end; nvcc, and whoever wants to keep the
   files, has a temporary folder. A compiler that crashes is an error message; Ctrl-C
   ends it with all its children, then Python hears of it. */
#define _GNU_SOURCE
#include "compile_job.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How often Python's signal handlers are looked after while a compiler runs, and how
   long it has to clean up when one of them raised. */
enum { ASK_MILLISECONDS = 50, GRACE_MILLISECONDS = 1000 };

/* The files of a compilation. */
enum { SOURCE, IMAGE, DEPENDENCIES, OUTPUT, ERRORS, FILES };

/* Where the compiler finds those in memory. */
#define FIRST_FD 3
#define ABOVE_FDS 16

typedef struct {
    char folder[PATH_MAX];           /* or "": in memory */
    char name[FILES][PATH_MAX + 32]; /* as the compiler calls them */
    char path[FILES][PATH_MAX + 32]; /* as we do */
    int fd[FILES];                   /* owned; -1: by name only */
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

/* A file in memory, whose number is none that the compiler is given one at. */
static int memory_file(void)
{
    int fd = memfd_create("pycuda", MFD_CLOEXEC);
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_FDS);
    if (fd >= 0)
        close(fd);
    return high;
}

/* All files; 0 and a message: there cannot be. */
static int files_create(cmp_job *job, work_files *files)
{
    static const char *const names[] = {
        [SOURCE] = "kernel.cu", [DEPENDENCIES] = "dependencies", [ERRORS] = "stderr"};
    const char *target = job->request->target;
    int in_memory = job->backend == &cmp_hostcc && !job->request->keep;
    for (int i = 0; i < FILES; i++)
        files->fd[i] = -1;
    if (!in_memory && !cmp_folder_create(job, files->folder))
        return 0;
    for (int i = 0; i < FILES; i++) {
        if (!in_memory) {
            const char *name = i == IMAGE ? target : names[i];
            snprintf(files->path[i], sizeof files->path[i], "%s/%s%s", files->folder,
                     i == IMAGE ? "kernel." : "", name ? name : "stdout");
            snprintf(files->name[i], sizeof files->name[i], "%s", files->path[i]);
            continue;
        }
        if ((files->fd[i] = memory_file()) < 0) {
            cmp_put(&job->outcome->message, "cannot make a file in memory: %s",
                    strerror(errno));
            return 0;
        }
        snprintf(files->name[i], sizeof files->name[i], "/proc/self/fd/%d",
                 FIRST_FD + i);
        snprintf(files->path[i], sizeof files->path[i], "/proc/self/fd/%d",
                 files->fd[i]);
    }
    return 1;
}

static void files_close(work_files *files)
{
    for (int i = 0; i < FILES; i++)
        if (files->fd[i] >= 0)
            close(files->fd[i]);
}

static int signal_raised(void)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    int raised = PyErr_CheckSignals();
    PyGILState_Release(gil);
    return raised;
}

/* Waits, without the GIL, for a child that leads a process group. -1: a Python signal
   handler raised, and the group was ended: asked to at first, also one that is stopped,
   then killed. A signal may come just before any call that waits, and then does not end
   it: so none waits for long. */
static int wait_for(pid_t child, int *status)
{
    struct pollfd end = {(int)syscall(SYS_pidfd_open, child, 0), POLLIN, 0};
    int raised = 0, left = GRACE_MILLISECONDS;
    pid_t ended;
    while ((ended = waitpid(child, status, left > 0 ? WNOHANG : 0)) != child) {
        if (ended < 0 && errno != EINTR) {
            *status = 0; /* SIGCHLD is ignored: whether it worked shows in its files */
            break;
        }
        poll(&end, 1, ASK_MILLISECONDS);
        if (!raised && (raised = signal_raised())) {
            kill(-child, SIGTERM);
            kill(-child, SIGCONT);
        } else if (raised && (left -= ASK_MILLISECONDS) <= 0)
            kill(-child, SIGKILL);
    }
    if (raised)
        kill(-child, SIGKILL); /* children that it left behind */
    if (end.fd >= 0)
        close(end.fd);
    return raised;
}

/* What the child's files are. */
static void prepare_actions(posix_spawn_file_actions_t *actions,
                            const work_files *files)
{
    int in_memory = !*files->folder;
    posix_spawn_file_actions_init(actions);
    posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    for (int k = 0; k < 2; k++)
        if (in_memory)
            posix_spawn_file_actions_adddup2(actions, files->fd[OUTPUT + k], 1 + k);
        else
            posix_spawn_file_actions_addopen(actions, 1 + k, files->path[OUTPUT + k],
                                             O_WRONLY | O_CREAT, 0600);
    for (int i = 0; in_memory && i < OUTPUT; i++)
        posix_spawn_file_actions_adddup2(actions, files->fd[i], FIRST_FD + i);
}

/* Runs a command: 0 and its wait status; a number of errno: it cannot; -1: interrupted.
 */
static int run(const cmp_text *command, const work_files *files, int *status)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    pid_t child;
    char **argv = cmp_argv(command);
    if (!argv)
        return ENOMEM;
    prepare_actions(&actions, files);
    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals); /* what ends it is not blocked */
    sigaddset(&signals, SIGPIPE); /* Python ignores it, which would be inherited */
    sigaddset(&signals, SIGTERM);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETPGROUP);
    int problem = posix_spawn(&child, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(argv);
    return problem ? problem : wait_for(child, status);
}

/* Reads "kernel.o: a.h b\ c.h \": what stands after the first colon, made absolute. The
   source itself is there by its own path and by the name that its #line gives it.
   Behind "absent:" stands what hostcc has looked for in vain. */
static void read_dependencies(cmp_job *job, const work_files *files)
{
    cmp_text text = {0};
    char here[PATH_MAX] = "", file[PATH_MAX];
    cmp_text *list = &job->files;
    const char *at =
        cmp_read(&text, files->path[DEPENDENCIES]) ? strstr(text.bytes, ": ") : NULL;
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
        if (!strcmp(file, "absent:"))
            list = &job->absent;
        else if (length && strcmp(file, "\\") && strcmp(file, files->name[SOURCE]) &&
                 strcmp(file, "kernel.cu"))
            cmp_put(list, "%s%s%s", *file == '/' ? "" : here, *file == '/' ? "" : "/",
                    file);
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

/* A preprocessed source goes to stdout, all else to the image. */
static int goes_to_stdout(const cmp_job *job)
{
    return !strcmp(job->request->target, "preprocess");
}

static void put_command(cmp_job *job, const work_files *files)
{
    cmp_text *command = &job->outcome->command;
    int is_nvcc = job->backend == &cmp_nvcc;
    cmp_put(command, "%s", job->compiler);
    cmp_put_words(command, "", &job->arguments);
    if (!is_nvcc && *job->cache)
        cmp_put(command, "--pch-dir=%s", job->cache);
    if (*job->debug)
        cmp_put(command, "--debug-dir=%s", job->debug);
    cmp_put(command, "%s", files->name[SOURCE]);
    if (!goes_to_stdout(job)) {
        if (is_nvcc)
            cmp_put(command, "-MD");
        cmp_put(command, "-MF");
        cmp_put(command, "%s", files->name[DEPENDENCIES]);
        cmp_put(command, "-o");
        cmp_put(command, "%s", files->name[IMAGE]);
    }
    if (is_nvcc && (job->request->keep || is_cubin(job))) {
        cmp_put(command, "--keep");
        cmp_put(command, "--keep-dir=%s", files->folder);
    }
}

/* -1: interrupted. */
static int compile_in(cmp_job *job, const work_files *files)
{
    cmp_outcome *outcome = job->outcome;
    cmp_text *message = &outcome->message;
    const char *name = job->backend->name;
    int status, written = cmp_write(&job->source, files->path[SOURCE]);
    put_command(job, files);
    if (!written)
        cmp_put(message, "cannot write the source to %s: %s", files->path[SOURCE],
                strerror(errno));
    int problem = written ? run(&outcome->command, files, &status) : 0;
    if (problem > 0)
        cmp_put(message, "cannot run %s: %s", job->compiler, strerror(problem));
    if (problem || !written)
        return problem < 0 ? -1 : 0;
    if (!goes_to_stdout(job))
        cmp_read(&outcome->output, files->path[OUTPUT]);
    cmp_read(&outcome->errors, files->path[ERRORS]);
    if (WIFSIGNALED(status))
        cmp_put(message, "%s ended by signal %d (%s) while compiling kernel.cu", name,
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        cmp_put(message, "%s compilation of kernel.cu failed", name);
    else if (cmp_read(&outcome->image,
                      files->path[goes_to_stdout(job) ? OUTPUT : IMAGE]) &&
             outcome->image.size) {
        if (job->request->object)
            job->files_known = 1;
        else
            read_dependencies(job, files);
    } else {
        cmp_text_clear(&outcome->image);
        cmp_put(message, "%s wrote no image of kernel.cu", name);
    }
    if (outcome->image.size && job->backend == &cmp_nvcc && is_cubin(job))
        append_entries(job, files);
    return 0;
}

/* In place of what was compiled, which stands in `extern "C"`: debuggers count lines.
 */
static void keep_source_as_given(const cmp_job *job, const work_files *files)
{
    const char *source = job->request->source;
    cmp_text text = {.bytes = (char *)source, .size = strlen(source)};
    cmp_write(&text, files->path[SOURCE]);
}

static int compile(cmp_job *job)
{
    work_files files = {0};
    int result = files_create(job, &files) ? compile_in(job, &files) : 0;
    if (job->request->keep && *files.folder) {
        if (job->backend == &cmp_hostcc && job->outcome->image.size)
            keep_source_as_given(job, &files);
        strcpy(job->outcome->folder, files.folder);
    } else if (*files.folder)
        remove_folder(files.folder);
    files_close(&files);
    return result;
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
        "without it; `apt install llvm-19-dev libclang-19-dev liblld-19-dev "
        "libc++-19-dev` "
        "and another "
        "`pip install` bring it",
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

/* As for the driver of a GPU: whether modules are loaded whole. */
static int is_eager(void)
{
    const char *loading = getenv("CUDA_MODULE_LOADING");
    return loading && !strcmp(loading, "EAGER");
}

/* Both programs read nvcc's options, so the caller's go through as they are. What
   hostcc makes by itself is what nvcc makes of --cubin. */
static int translate(cmp_job *job)
{
    const cmp_request *request = job->request;
    int is_nvcc = job->backend == &cmp_nvcc;
    char device[16];
    if (request->object) {
        cmp_put(&job->arguments, "--kernel=%s", request->kernel);
        cmp_put(&job->arguments, "--layout=%s", request->layout);
        cmp_put_words(&job->arguments, "", &request->options);
        return 1;
    }
    if (!is_nvcc && is_cubin(job) && !is_eager())
        cmp_put(&job->arguments, "--lazy-loading=large");
    if (is_nvcc || !is_cubin(job))
        cmp_put(&job->arguments, "--%s", request->target);
    if (!is_nvcc) /* which reads these itself */
        cmp_put_flags(&job->arguments, "NVCC_PREPEND_FLAGS");
    cmp_put_words(&job->arguments, "", &request->options);
    if (!is_nvcc && request->checks && *request->checks)
        cmp_put(&job->arguments, "--check=%s", request->checks);
    if (request->arch)
        cmp_put(&job->arguments, "-arch=%s", request->arch);
    else if (is_nvcc && cmp_device_arch(device))
        cmp_put(&job->arguments, "-arch=%s", device);
    if (request->code)
        cmp_put(&job->arguments, "-code=%s", request->code);
    cmp_put_includes(job);
    if (!is_nvcc)
        cmp_put_flags(&job->arguments, "NVCC_APPEND_FLAGS");
    return 1;
}

const cmp_backend cmp_hostcc = {"hostcc", find_hostcc, translate, compile};
const cmp_backend cmp_nvcc = {"nvcc", find_nvcc, translate, compile};
