/* The linker. It takes objects that hostcc made of sources with -rdc=true, and keeps
   them in a folder until they are linked. Completing runs hostcc, the program beside
   this library ($PYCUDA_HOSTCC: another one), over them: LLVM stays in that process. */
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entry.h"
#include "hostcuda/run/check_reports.h"
#include "hostcuda/run/context_state.h"
#include "modules.h"

#define OBJECTS_MAX 1000
#define PATH 200 /* bytes; of the folder, less */
#define PROGRAM 4096

extern char **environ;

typedef struct {
    hd_object object;
    char folder[PATH - 40]; /* owned, with its files */
    unsigned objects;
    char *image; /* owned; NULL until it is complete */
    unsigned count;
    CUjit_option *options; /* borrowed from the user, as the driver API has it */
    void **values;
} hd_link;

/* -- Files ------------------------------------------------------------------------- */

static void path_of(const hd_link *link, const char *name, unsigned number, char *path)
{
    snprintf(path, PATH, "%s/%s%u", link->folder, name, number);
}

static void remove_files_unlocked(const hd_link *link)
{
    char path[PATH];

    for (unsigned i = 0; i < link->objects; i++) {
        path_of(link, "object", i, path);
        unlink(path);
    }
    path_of(link, "errors", 0, path);
    unlink(path);
    path_of(link, "image", 0, path);
    unlink(path);
    rmdir(link->folder);
}

static CUresult write_file_unlocked(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(data, 1, size, file) == size;

    if (file && fclose(file) != 0)
        good = false;
    return good ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

/* -- hostcc ------------------------------------------------------------------------ */

static void compiler_path(char *path)
{
    const char *given = getenv("PYCUDA_HOSTCC");
    Dl_info library;

    if (given && *given != 0) {
        snprintf(path, PROGRAM, "%s", given);
    } else if (dladdr((void *)cuLinkComplete, &library) != 0) {
        const char *slash = strrchr(library.dli_fname, '/');
        snprintf(path, PROGRAM, "%.*s/hostcc",
                 slash ? (int)(slash - library.dli_fname) : 1,
                 slash ? library.dli_fname : ".");
    }
}

/* Links the objects of a folder into its image, which `checks` asks for checks in. It
   worked if the image is there. */
static CUresult run_unlocked(const hd_link *link, char *checks, char *detail)
{
    char compiler[PROGRAM] = "", image[PATH], errors[PATH];
    char(*objects)[PATH] = calloc(link->objects, sizeof *objects);
    char **argv = calloc(link->objects + 5, sizeof *argv), **next;
    posix_spawn_file_actions_t actions;
    CUresult status = CUDA_ERROR_OUT_OF_MEMORY;
    pid_t child = 0;
    int problem = 0;

    posix_spawn_file_actions_init(&actions);
    if (!objects || !argv)
        goto done;
    compiler_path(compiler);
    path_of(link, "image", 0, image);
    path_of(link, "errors", 0, errors);
    next = argv;
    *next++ = compiler;
    *next++ = "-o";
    *next++ = image;
    if (*checks)
        *next++ = checks;
    for (unsigned i = 0; i < link->objects; i++) {
        path_of(link, "object", i, objects[i]);
        *next++ = objects[i];
    }
    status = CUDA_ERROR_OPERATING_SYSTEM;
    if (posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600) != 0)
        goto done;
    problem = posix_spawn(&child, compiler, &actions, NULL, argv, environ);
    if (problem != 0) {
        snprintf(detail, HD_DETAIL, "the compiler %.300s cannot be run: %s", compiler,
                 strerror(problem));
        goto done;
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    status = access(image, R_OK) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
done:
    posix_spawn_file_actions_destroy(&actions);
    free(argv);
    free(objects);
    return status;
}

/* -- Entry points ------------------------------------------------------------------ */

static void link_destroy(hd_object *object)
{
    hd_link link = *(hd_link *)object;

    hd_child_destroy(object);
    hd_unlock();
    remove_files_unlocked(&link);
    free(link.image);
    hd_lock();
}

CUresult cuLinkCreate_v2(unsigned int count, CUjit_option *options, void **values,
                         CUlinkState *answer)
{
    const char *base = getenv("TMPDIR");
    hd_link *link = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(answer && (count == 0 || (options && values)));
    HD_TRY(hd_child_create(context, HD_LINK, sizeof *link, link_destroy, &link));
    int length = snprintf(link->folder, sizeof link->folder, "%s/hostcuda-XXXXXX",
                          base && *base != 0 ? base : "/tmp");
    if (length >= (int)sizeof link->folder || !mkdtemp(link->folder)) {
        hd_child_destroy(&link->object);
        return hd_fail(CUDA_ERROR_OPERATING_SYSTEM,
                       "cannot make a temporary folder in %s", base);
    }
    link->count = count;
    link->options = options;
    link->values = values;
    *answer = link->object.handle;
    return CUDA_SUCCESS;
}

static CUresult add(CUlinkState handle, const void *data, size_t size, const char *name)
{
    char path[PATH];
    HD_ENTER_FIND(hd_link, link, HD_LINK, handle);
    HD_NEED(data && !link->image);
    HD_REFUSE_IF(link->objects == OBJECTS_MAX, "more than %d objects", OBJECTS_MAX);
    if (size < 4 || memcmp(data, HD_OBJECT_MAGIC, 4) != 0)
        return hd_fail(CUDA_ERROR_INVALID_IMAGE,
                       "%s is no object for the host device: compile its source with "
                       "hostcc -rdc=true",
                       name ? name : "the input");
    path_of(link, "object", link->objects++, path);
    hd_unlock();
    CUresult status = write_file_unlocked(path, data, size);
    hd_lock();
    return status == CUDA_SUCCESS ? status : hd_fail(status, "cannot write %s", path);
}

/* Writes why a call failed to the log that the user asked for. text NULL: the detail.
 */
static CUresult logged(CUlinkState handle, CUresult status, const char *text)
{
    if (status == CUDA_SUCCESS || hd.state != HD_READY || !hd_self)
        return status;
    hd_lock();
    hd_link *link = hd_handle_object(HD_LINK, handle);
    if (link)
        hd_module_log(link->count, link->options, link->values,
                      text ? text : hd_self->detail);
    hd_unlock();
    return status;
}

CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data,
                          size_t size, const char *name, unsigned int count,
                          CUjit_option *options, void **values)
{
    return logged(handle, add(handle, data, size, name), NULL);
}

CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char *path,
                          unsigned int count, CUjit_option *options, void **values)
{
    char *data = NULL;
    size_t size = 0;
    HD_NEED(path);
    CUresult status = hd_file_read_unlocked(path, &data, &size);
    if (status == CUDA_SUCCESS)
        status = add(handle, data, size, path);
    free(data);
    return logged(handle, status, NULL);
}

static CUresult complete(CUlinkState handle, void **image, size_t *size, char **errors)
{
    char detail[HD_DETAIL] = "the objects cannot be linked", path[PATH], *data = NULL;
    char checks[64];
    size_t length = 0;
    HD_ENTER_FIND(hd_link, link, HD_LINK, handle);
    HD_NEED(image && !link->image);
    HD_REFUSE_IF(link->objects == 0, "nothing was added");
    const hd_link copy = *link;
    hd_check_option(checks, sizeof checks);
    hd_unlock();
    CUresult status = run_unlocked(&copy, checks, detail);
    path_of(&copy, "image", 0, path);
    if (status == CUDA_SUCCESS)
        status = hd_file_read_unlocked(path, &data, &length);
    path_of(&copy, "errors", 0, path);
    size_t ignored;
    hd_file_read_unlocked(path, errors, &ignored);
    hd_lock();
    if (status != CUDA_SUCCESS)
        return hd_fail(status, "%s", *errors ? *errors : detail);
    status = hd_handle_find(HD_LINK, handle, &link); /* the lock was dropped */
    if (status != CUDA_SUCCESS || link->image) {
        free(data);
        return status != CUDA_SUCCESS ? status : CUDA_ERROR_INVALID_VALUE;
    }
    *image = link->image = data;
    if (size)
        *size = length;
    return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *size)
{
    char *errors = NULL;
    CUresult status = complete(handle, image, size, &errors);

    logged(handle, status, errors);
    free(errors);
    return status;
}

CUresult cuLinkDestroy(CUlinkState handle)
{
    HD_ENTER();
    return hd_child_end(HD_LINK, handle);
}
