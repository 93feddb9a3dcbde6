/* Many hands. Optimization and the generation of code take most of the time of a large
   source, and look at one function at a time. So functions are dealt into parts, and
   processes made by fork compile a part each, no more at a time than there are
   processors. The division depends on the module alone, and the linker takes the parts
   in their order, so images are the same for any number of processes.

   Symbols that several parts use become hidden ones. Children write to the same stderr
   and to files in memory; a failure or signal that ends one of them ends all. */
#include "hostcc/back/back.h"
#include "hostcc/vector/vector.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define WORTH \
    2000 /* instructions that are worth two processes; four: four times that */

/* first[p]: of part p, NULL behind the last. Returns their number. */
static unsigned deal(cc_unit *u, cc_value first[CC_PARTS + 1])
{
    size_t total = 0, before = 0;
    unsigned n = 1, p = 0;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        total += cc_instructions(f);
    while (n < CC_PARTS && total >= WORTH * n * n)
        n *= 2;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (p < n && before >= total * p / n)
            first[p++] = f;
        before += cc_instructions(f);
    }
    return p ? p : 1; /* there may be variables alone */
}

/* -- Symbols that parts share -- */

/* Its name is no longer one that a user, or a library, may have given. */
static void share(cc_value g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);
    if (LLVMIsDeclaration(g) || linkage == LLVMExternalLinkage ||
        linkage == LLVMAppendingLinkage)
        return;
    char *name = cc_format("%s.shared", cc_name(g));
    LLVMSetValueName2(g, name, strlen(name));
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetVisibility(g, LLVMHiddenVisibility);
    LLVMSetComdat(g, NULL);
}

/* Variables are the first part's; the others know the values of constants. */
static void leave_variable(cc_value g)
{
    if (LLVMGetLinkage(g) == LLVMAppendingLinkage)
        LLVMDeleteGlobal(g);
    else if (LLVMIsGlobalConstant(g))
        LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
    else
        LLVMSetInitializer(g, NULL);
}

static void move_body(cc_value from, cc_value to)
{
    for (cc_block b; (b = LLVMGetFirstBasicBlock(from));) {
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(to, b);
    }
}

/* The bodies of all functions, in a module of as many in the same order, from which
   each part takes its own. To delete in each part those of all others means to write to
   each page that it shares with the parent, and took an eighth of the time. */
static LLVMModuleRef set_bodies_apart(cc_unit *u)
{
    LLVMModuleRef bodies = LLVMModuleCreateWithNameInContext("", u->context);
    LLVMSetModuleDataLayout(bodies, u->layout);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        move_body(f, LLVMAddFunction(bodies, "", LLVMGlobalGetValueType(f)));
    return bodies;
}

/* The part's functions are those from `first` up to `end`. */
static void keep_part(cc_unit *u, LLVMModuleRef bodies, cc_value first, cc_value end)
{
    cc_value body = LLVMGetFirstFunction(bodies);
    bool here = false;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        here = f == first || (here && f != end);
        if (here)
            move_body(body, f);
        else if (!LLVMIsDeclaration(body))
            LLVMGlobalClearMetadata(f);
        body = LLVMGetNextFunction(body);
    }
    for (cc_value g = LLVMGetFirstGlobal(u->module), next; u->part && g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!LLVMIsDeclaration(g))
            leave_variable(g);
    }
    cc_passes(u, "globaldce"); /* the linker resolves hidden symbols even if unused */
}

/* -- Processes -- */

static unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

static void await_part(const cc_unit *u, const pid_t *children, unsigned n)
{
    int status = cc_await(children, n);
    if (status == CC_LLVM_FAILED)
        cc_retry(u); /* the others end by themselves: their numbers may be reused */
    if (status < 0)
        raise(-status);
    if (status)
        exit(status);
}

void cc_divide(cc_unit *u)
{
    cc_value first[CC_PARTS + 1] = {NULL};
    pid_t child[CC_PARTS];
    unsigned most = processors(), n = 1;
    /* LLVM's verifier takes exception to uses in another module; debug information is
       in one piece. */
    if (!getenv("HOSTCC_DUMP") && !getenv("HOSTCC_VERIFY") && !cc_by_thread(u))
        n = deal(u, first);
    for (unsigned p = 0; p < n; p++)
        u->object[p] = cc_format("/proc/self/fd/%d", memfd_create("object", 0));
    if (n == 1) {
        cc_retry_if_llvm_fails(u);
        return;
    }
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        share(f);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        share(g);
    cc_gathers_are_fast(u); /* measured by the parent: all parts shall agree */
    LLVMModuleRef bodies = set_bodies_apart(u);
    for (u->part = 0; u->part < n; u->part++) {
        if (u->part >= most)
            await_part(u, child, u->part);
        child[u->part] = fork();
        if (child[u->part] < 0)
            cc_refuse("cannot start a process: %s", strerror(errno));
        if (!child[u->part]) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            u->role = CC_CHILD;
            cc_retry_if_llvm_fails(u);
            keep_part(u, bodies, first[u->part], first[u->part + 1]);
            return;
        }
    }
    for (unsigned p = 0; p < n && p < most; p++)
        await_part(u, child, n);
    u->role = CC_PARENT;
}
