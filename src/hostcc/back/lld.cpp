/* lld's linker of ELF files, for C: it has no C interface. In this process because
   another program takes longer to start than to link a kernel, and because where
   kernels run there may be no linker. */
#include <lld/Common/Driver.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>

#include <fcntl.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

/* lld starts the code generator of every processor that LLVM knows, for the sake of
   optimization at link time, of which images have none. All but this machine's are
   empty here; else they would make hostcc twice its size. */
#define OURS_X86 , SKIP
#define SECOND(first, second, ...) second
#define CHOOSE(...) SECOND(__VA_ARGS__)
#define SKIP(target, part)
#define EMPTY(target, part)                        \
    extern "C" void LLVMInitialize##target##part() \
    {                                              \
    }
#define LLVM_TARGET(target)                            \
    CHOOSE(OURS_##target, EMPTY, )(target, TargetInfo) \
        CHOOSE(OURS_##target, EMPTY, )(target, Target) \
            CHOOSE(OURS_##target, EMPTY, )(target, TargetMC)
#include <llvm/Config/Targets.def>
#define LLVM_ASM_PRINTER(target) CHOOSE(OURS_##target, EMPTY, )(target, AsmPrinter)
#include <llvm/Config/AsmPrinters.def>
#define LLVM_ASM_PARSER(target) CHOOSE(OURS_##target, EMPTY, )(target, AsmParser)
#include <llvm/Config/AsmParsers.def>

/* Does what the command of ld says; errors go to stderr. lld gives a file another's
   place, which a file in memory has not, or writes to stdout: `file` is stdout
   meanwhile. */
extern "C" bool cc_lld(unsigned n, const char *const *words, int file)
{
    int before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    bool good = dup2(file, STDOUT_FILENO) >= 0 &&
                lld::elf::link({words, n}, llvm::outs(), llvm::errs(), false, false);
    llvm::outs().flush();
    good = good && !llvm::outs().has_error();
    llvm::outs().clear_error();
    if (before < 0) /* there was none */
        close(STDOUT_FILENO);
    else {
        dup2(before, STDOUT_FILENO);
        close(before);
    }
    return good;
}
