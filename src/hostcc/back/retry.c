/* LLVM's code generator ends the process where it meets code that it has no instruction
   for. That is a defect of LLVM's, seen with AVX-512 alone (LLVM 19: "Cannot select:
   zero_extend_vector_inreg", where lanes exchange and choose complex numbers). So the
   whole compilation starts again without it: vectors are narrower, code is generated
   along other ways. A compilation without AVX-512 that fails is not tried again. */
#include "hostcc/back/back.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* LLVM tells its handler of errors nothing but the message. */
static const cc_unit *compiled;

static void failed(const char *message)
{
    (void)message;
    if (compiled->role == CC_CHILD)
        _exit(CC_LLVM_FAILED); /* its parent starts again */
    cc_retry(compiled);
}

void cc_retry(const cc_unit *u)
{
    char **command = u->options->command;
    size_t n = 0;
    while (command[n])
        n++;
    char **again = cc_alloc((n + 2) * sizeof *again);
    again[0] = command[0];
    again[1] = "--no-avx512";
    memcpy(again + 2, command + 1, n * sizeof *again);
    execv("/proc/self/exe", again);
    cc_refuse("cannot start again: %s", strerror(errno));
}

void cc_retry_if_llvm_fails(const cc_unit *u)
{
    if (u->vector_bits < 512)
        return;
    compiled = u;
    LLVMInstallFatalErrorHandler(failed);
}
