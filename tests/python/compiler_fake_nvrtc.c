/* Passes for NVRTC: the image is the list of options, the log says whether headers came
   along. A source with FAIL in it does not compile; from PTX on, it is the PTX. A
   header in memory with PTX in it is the PTX, too, behind its name. It is of version
   12, and of the minor version that FAKE_NVRTC_MINOR says. */
#include <stdlib.h>
#include <string.h>

typedef struct {
    char text[8192], log[64], ptx[2048];
    int failed;
} program;

int nvrtcCreateProgram(program **p, const char *source, const char *name, int count,
                       const char *const *texts, const char *const *names)
{
    *p = calloc(1, sizeof **p);
    const char *ptx = strstr(source, "PTX");
    (*p)->failed = strstr(source, "FAIL") != NULL;
    strncat((*p)->ptx, ptx ? ptx : "", 255);
    for (int i = 0; i < count && strlen((*p)->ptx) < 1024; i++)
        if ((ptx = strstr(texts[i], "PTX"))) {
            strncat((*p)->ptx, names[i], 255);
            strncat((*p)->ptx, ": ", 3);
            strncat((*p)->ptx, ptx, 255);
        }
    return !*p;
}

int nvrtcVersion(int *major, int *minor)
{
    const char *set = getenv("FAKE_NVRTC_MINOR");
    *major = 12;
    *minor = set ? atoi(set) : 8;
    return 0;
}

int nvrtcDestroyProgram(program **p)
{
    free(*p);
    *p = NULL;
    return 0;
}

int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
    for (int i = 0; i < count; i++) {
        strncat(p->text, options[i], 400);
        strcat(p->text, "\n");
    }
    if (p->failed)
        strcpy(p->log, "kernel.cu(1): error: FAIL");
    return p->failed ? 6 : 0;
}

int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    *size = strlen(p->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(program *p, char *log)
{
    strcpy(log, p->log);
    return 0;
}

int nvrtcGetCUBINSize(program *p, size_t *size)
{
    *size = strlen(p->text);
    return 0;
}

int nvrtcGetCUBIN(program *p, char *image)
{
    memcpy(image, p->text, strlen(p->text));
    return 0;
}

int nvrtcGetPTXSize(program *p, size_t *size)
{
    *size = strlen(*p->ptx ? p->ptx : p->text) + 1;
    return 0;
}

int nvrtcGetPTX(program *p, char *image)
{
    strcpy(image, *p->ptx ? p->ptx : p->text);
    return 0;
}
