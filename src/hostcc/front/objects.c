/* Separate compilation. An object is clang's bitcode as it comes, before anything is
   done to it: linking puts objects together again, and all that follows, inlining above
   all, sees one program. */
#include "hostcc/front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_object(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "rb");
    bool yes = f && fread(magic, 4, 1, f) == 1 && !memcmp(magic, "BC\xc0\xde", 4);
    if (f)
        fclose(f);
    return yes;
}

static LLVMModuleRef read_object(cc_unit *u, const char *path)
{
    LLVMMemoryBufferRef bitcode;
    LLVMModuleRef module;
    char *error;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bitcode, &error))
        cc_refuse("%s: %s", path, error);
    if (LLVMParseBitcodeInContext2(u->context, bitcode, &module))
        cc_refuse("%s: not an object of this version of hostcc", path);
    return module;
}

/* LLVM's own way is to end the process here, without a word of the file. */
static void say(LLVMDiagnosticInfoRef info, void *data)
{
    (void)data;
    fprintf(stderr, "error: %s\n", LLVMGetDiagInfoDescription(info));
}

bool cc_link_objects(cc_unit *u)
{
    const cc_options *o = u->options;
    if (!is_object(o->source[0]) && !o->source[1])
        return false;
    LLVMContextSetDiagnosticHandler(u->context, say, NULL);
    for (char **source = o->source; *source; source++) {
        if (!is_object(*source))
            cc_refuse("%s: not an object; make one of a source with -rdc=true",
                      *source);
        LLVMModuleRef module = read_object(u, *source);
        if (!u->module)
            u->module = module;
        else if (LLVMLinkModules2(u->module, module))
            cc_refuse("%s: linking failed", *source);
    }
    LLVMContextSetDiagnosticHandler(u->context, NULL, NULL);
    if (o->kernel)
        cc_leave_kernel(u, o->kernel);
    return true;
}

void cc_write_object(cc_unit *u)
{
    const char *output = u->options->output;
    bool in_memory = cc_prefixed(output, "/proc/self/fd/");
    const char *mine = in_memory ? output : cc_format("%s.%d.o", output, (int)getpid());
    if (!LLVMWriteBitcodeToFile(u->module, mine) &&
        (in_memory || !rename(mine, output))) {
        cc_precompile_leading(u);
        exit(0);
    }
    if (!in_memory)
        unlink(mine);
    cc_refuse("cannot write '%s'", output);
}
