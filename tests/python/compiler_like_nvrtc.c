/* Passes for NVRTC and makes images for the host device, by the hostcc that HOSTCC
   names, which keeps its precompiled device library in HOSTCC_LIBRARY, in the shape
   that templates have on a GPU. It reads the options -D and -I, and knows no headers in
   memory. With driver_like_gpu.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char folder[32], *image, *log;
    size_t image_size, log_size;
} program;

static void path_of(const program *p, const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", p->folder, name);
}

static char *content(const program *p, const char *name, size_t *size)
{
    char path[64], *bytes = NULL;
    path_of(p, name, path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return calloc(*size = 1, 1);
    FILE *all = open_memstream(&bytes, size);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, all);
    fclose(file);
    fclose(all);
    return bytes;
}

int nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 8;
    return 0;
}

int nvrtcCreateProgram(program **p, const char *source, const char *name, int count,
                       const char *const *texts, const char *const *names)
{
    char path[64];
    *p = calloc(1, sizeof **p);
    strcpy((*p)->folder, "/tmp/like_nvrtc_XXXXXX");
    if (!mkdtemp((*p)->folder))
        return 1;
    path_of(*p, "kernel.cu", path);
    FILE *file = fopen(path, "w");
    fputs(source, file);
    return fclose(file);
}

int nvrtcDestroyProgram(program **p)
{
    const char *const names[] = {"kernel.cu", "image", "log"};
    for (int i = 0; i < 3; i++) {
        char path[64];
        path_of(*p, names[i], path);
        unlink(path);
    }
    rmdir((*p)->folder);
    free((*p)->image);
    free((*p)->log);
    free(*p);
    *p = NULL;
    return 0;
}

int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
    char *command;
    size_t size;
    FILE *text = open_memstream(&command, &size);
    fprintf(text, "'%s' '--pch-dir=%s' -O0 -DPYCUDA_GPU_SHAPE", getenv("HOSTCC"),
            getenv("HOSTCC_LIBRARY"));
    for (int i = 0; i < count; i++)
        if ((!strncmp(options[i], "-D", 2) || !strncmp(options[i], "-I", 2)) &&
            !strstr(options[i], "/nvrtc")) /* what hostcc has of itself */
            fprintf(text, " '%s'", options[i]);
    fprintf(text, " %s/kernel.cu -o %s/image >%s/log 2>&1", p->folder, p->folder,
            p->folder);
    fclose(text);
    int failed = system(command);
    free(command);
    p->log = content(p, "log", &p->log_size);
    p->image = content(p, "image", &p->image_size);
    return failed ? 6 : 0;
}

int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    *size = p->log_size + 1;
    return 0;
}

int nvrtcGetProgramLog(program *p, char *log)
{
    memcpy(log, p->log, p->log_size);
    log[p->log_size] = 0;
    return 0;
}

int nvrtcGetCUBINSize(program *p, size_t *size)
{
    *size = p->image_size;
    return 0;
}

int nvrtcGetCUBIN(program *p, char *image)
{
    memcpy(image, p->image, p->image_size);
    return 0;
}

int nvrtcGetPTXSize(program *p, size_t *size)
{
    return nvrtcGetCUBINSize(p, size);
}

int nvrtcGetPTX(program *p, char *image)
{
    return nvrtcGetCUBIN(p, image);
}
