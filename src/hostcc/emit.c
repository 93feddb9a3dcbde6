/* The end of the pipeline: optimizes the vector code, generates and links an object. */
#include "hostcc.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define INSTCOMBINE "instcombine<no-verify-fixpoint>"

/* What the C library computes was pure up to here by its name; now it has its own. */
static void name_libm(cc_unit *u)
{
    for (val f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = cc_name(f) + strlen(CC_LIBM);
        if (cc_prefixed(cc_name(f), CC_LIBM))
            LLVMSetValueName2(f, name, strlen(name));
    }
}

void cc_optimize(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        if (!LLVMGetFirstUse(u->kernels[k].function))
            LLVMDeleteFunction(u->kernels[k].function);
    cc_passes(u, "always-inline,globaldce");
    name_libm(u);
    if (u->options->level == 0) {
        cc_passes(u, "function(sroa,early-cse,simplifycfg)");
        return;
    }
    cc_place_joined(u);
    cc_passes(u,
              "function(sroa,early-cse<memssa>,simplifycfg," INSTCOMBINE ",simplifycfg,"
              "loop-mssa(loop-instsimplify,loop-rotate,licm),simplifycfg,"
              "loop(indvars,loop-deletion,loop-unroll-full),sroa,"
              "early-cse<memssa>,gvn," INSTCOMBINE ",bdce,dse,"
              "loop-mssa(licm),simplifycfg,loop-unroll<partial;no-runtime;O3>,adce),"
              "globaldce");
}

/* Runs a program, which may write to stderr. Its exit status; 127: it is not there. */
static int spawn(char *const argv[])
{
    pid_t pid;
    int status;
    if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
        return 127;
    while (waitpid(pid, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

void cc_link(cc_unit *u)
{
    const char *output = u->options->output;
    char *object = cc_format("%s.%d.o", output, (int)getpid()), *error;
    char *image = cc_format("%s.%d.so", output, (int)getpid());
    if (LLVMTargetMachineEmitToFile(u->machine, u->module, object, LLVMObjectFile,
                                    &error))
        cc_refuse("%s", error);
    char *argv[] = {"ld",
                    "-shared",
                    "--hash-style=gnu",
                    "--build-id=none",
                    "-z",
                    "noseparate-code",
                    "--discard-all",
                    "-o",
                    image,
                    object,
                    "--as-needed",
                    "-l:libm.so.6",
                    "-l:libgcc_s.so.1", /* integers of 128 bits */
                    NULL};
    int status = spawn(argv);
    unlink(object);
    if (status == 127)
        cc_refuse("the linker 'ld' was not found: install the package binutils");
    if (status || rename(image, output)) {
        unlink(image);
        cc_refuse(status ? "linking failed" : "cannot write '%s'", output);
    }
}
