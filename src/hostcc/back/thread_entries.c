/* The layouts of kernels whose threads run one at a time (split/threads.c): hc_pass and
   hc_resume hand the thread's record to hostcuda, which starts threads by the kernel's
   hc_entry and lets them go on. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"

#include <stddef.h>

static cc_value new_function(cc_unit *u, cc_builder b, const char *name, cc_type t)
{
    cc_value f = LLVMAddFunction(u->module, name, t);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    cc_target_attributes(u, f);
    cc_param_attribute(u, f, (unsigned)LLVMAttributeFunctionIndex, "uwtable", 2);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(u->context, f, ""));
    return f;
}

/* Passes on its arguments, of which there are n, with the record. */
static cc_value make_door(cc_unit *u, cc_builder b, const char *name, size_t service,
                          cc_type *types, unsigned n)
{
    cc_value args[8],
        f = new_function(u, b, name, LLVMFunctionType(u->i32, types, n, 0));
    for (unsigned k = 0; k < n; k++)
        args[k] = LLVMGetParam(f, k);
    cc_value table = LLVMBuildLoad2(
        b, u->ptr, cc_offset(u, b, args[0], offsetof(hc_launch, services)), "");
    table = LLVMBuildLoad2(b, u->ptr, cc_offset(u, b, table, service), "");
    args[n] = cc_thread_record(u);
    types[n] = u->ptr;
    cc_type t = LLVMFunctionType(u->i32, types, n + 1, 0);
    LLVMBuildRet(b, LLVMBuildCall2(b, t, table, args, n + 1, ""));
    return f;
}

/* A debugger shows no frames below the entry's: it is told that there is no address to
   return to. Said of the kernel, this would make the frames of all threads one to it.
 */
static void end_of_backtrace(cc_unit *u, cc_builder b)
{
#ifdef __x86_64__
    static const char text[] = ".cfi_undefined 16";
#else
    static const char text[] = ".cfi_undefined 30";
#endif
    cc_type t = LLVMFunctionType(u->none, NULL, 0, 0);
    cc_value directive = LLVMGetInlineAsm(t, text, sizeof text - 1, "", 0, 1, 0,
                                          LLVMInlineAsmDialectATT, 0);
    LLVMBuildCall2(b, t, directive, NULL, 0, "");
}

/* The kernel gets a name that is none of the C library's: its own stands in the debug
   information. */
static cc_value make_entry(cc_unit *u, cc_builder b, cc_kernel *k)
{
    cc_type t = LLVMFunctionType(u->none, &u->ptr, 1, 0);
    cc_value f = new_function(u, b, cc_format("%s.entry", k->name), t), *args;
    char *name = cc_format("%s.kernel", k->name);
    end_of_backtrace(u, b);
    args = cc_alloc((k->nparams + 1) * sizeof *args);
    for (unsigned p = 0; p < k->nparams; p++) {
        args[p] = cc_offset(u, b, LLVMGetParam(f, 0), k->params[p].offset);
        if (!k->by_value[p])
            args[p] = LLVMBuildLoad2(b, LLVMTypeOf(LLVMGetParam(k->function, p)),
                                     args[p], "");
    }
    LLVMBuildCall2(b, LLVMGlobalGetValueType(k->function), k->function, args,
                   k->nparams, "");
    LLVMBuildRetVoid(b);
    LLVMSetValueName2(k->function, name, strlen(name));
    LLVMSetLinkage(k->function, LLVMInternalLinkage);
    return f;
}

void cc_thread_entries(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_type of_pass[4] = {u->ptr, u->ptr, u->ptr},
            of_resume[6] = {u->ptr, u->ptr, u->i32, u->i32, u->ptr};
    cc_value pass = make_door(u, b, "hc.pass", offsetof(hc_services, pass_threads),
                              of_pass, 3),
             resume = make_door(u, b, "hc.resume",
                                offsetof(hc_services, resume_threads), of_resume, 5);
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_value entry = make_entry(u, b, &u->kernels[k]);
        for (unsigned linear = 0; linear < 2; linear++) {
            cc_layout *l = &u->kernels[k].layout[linear];
            l->resume = resume;
            l->pass = cc_alloc(l->nstates * sizeof *l->pass);
            l->masked = cc_alloc(l->nstates * sizeof *l->masked);
            for (unsigned s = 0; s < l->nstates; s++) {
                l->pass[s] = pass;
                l->masked[s] = s == 0 ? entry : LLVMConstNull(u->ptr);
            }
        }
    }
}
