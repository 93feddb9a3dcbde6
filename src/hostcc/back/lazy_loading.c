/* Lazy loading. Of a large source no kernel's code is generated: that takes nearly all
   of the time, and a program may use few of its kernels. In place of code the image has
   the source as bitcode (front/lazy_objects.c), from which hostcuda's client has a
   kernel compiled alone when it is loaded. Such a kernel's image has no variables, nor
   constants of which it does more than to read them: it finds the addresses of the
   first one's in slots that hostcuda fills. So it is with the linear layout of kernels
   that need warps, which waits for a launch of a block without whole ones in its rows.

   How long the generation of code takes is best known once there are vectors, and
   until then all that is refused is refused at once; but of the largest sources even
   what comes before takes too long. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/pseudo.h"

/* Instructions of clang's; of kernels after inlining; of vector code, of which a second
   generates about 30,000. */
enum { SOURCE = 60000, SCALAR = 25000, VECTOR = 35000 };

/* Whether an address of a function may lead from one kernel to another, as those in a
   table of virtual functions do: functions have other addresses, and their threads
   another place (cc_thread_record), in each image. */
static bool takes_addresses(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (cc_is_address_taken(f))
            return true;
    return false;
}

static void defer_from(cc_unit *u, size_t most)
{
    size_t instructions = 0;
    for (cc_value f = LLVMGetFirstFunction(u->module); f && u->bitcode;
         f = LLVMGetNextFunction(f))
        instructions += cc_instructions(f);
    u->deferred = u->bitcode && instructions >= most;
}

void cc_defer_source(cc_unit *u)
{
    if (u->bitcode && !takes_addresses(u))
        defer_from(u, SOURCE);
}

void cc_defer_scalar(cc_unit *u)
{
    if (u->bitcode && takes_addresses(u)) /* still, where much is inlined */
        u->bitcode = NULL;
    defer_from(u, SCALAR);
}

void cc_defer_vectors(cc_unit *u)
{
    defer_from(u, u->options->lazy_loading == CC_LAZY_ALL ? 0 : VECTOR);
    u->known_blocks = u->known_blocks && !u->deferred;
}

bool cc_carries_object(const cc_unit *u)
{
    bool waits = u->deferred;
    for (unsigned k = 0; k < u->nkernels && u->bitcode; k++)
        waits = waits || (u->kernels[k].warps && !u->kernels[k].layout[1].nstates);
    return waits;
}

/* -- Variables of another image -- */

static const char *slot_name(cc_value variable)
{
    return cc_format("import of %s", cc_name(variable));
}

cc_value cc_import_of(cc_unit *u, cc_value variable)
{
    return LLVMGetNamedGlobal(u->module, slot_name(variable));
}

static bool reads(cc_value i, cc_value pointer)
{
    const char *callee = LLVMIsACallInst(i) ? cc_callee(i) : "";
    return LLVMIsALoadInst(i) || cc_prefixed(callee, "llvm.masked.load") ||
           cc_prefixed(callee, "llvm.masked.gather") ||
           (cc_prefixed(callee, "llvm.memcpy") && LLVMGetOperand(i, 0) != pointer);
}

/* Whether more becomes of a constant's address than reads from there. */
static bool escapes(cc_value pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        bool leads_on = LLVMIsAConstantExpr(user) || LLVMIsAGetElementPtrInst(user) ||
                        LLVMIsAAddrSpaceCastInst(user);
        if (leads_on ? escapes(user)
                     : !LLVMIsAInstruction(user) || !reads(user, pointer))
            return true;
    }
    return false;
}

static bool names_import(cc_unit *u, cc_value constant)
{
    bool found = false;
    if (LLVMIsAGlobalVariable(constant))
        return cc_import_of(u, constant) != NULL;
    for (int k = 0; k < LLVMGetNumOperands(constant) && !found; k++)
        found = names_import(u, LLVMGetOperand(constant, (unsigned)k));
    return found;
}

/* Of a constant that is only read the kernel has a copy, whose values LLVM knows. */
static bool is_imported(cc_unit *u, cc_value g)
{
    cc_value initializer = LLVMGetInitializer(g);
    return LLVMGetLinkage(g) == LLVMExternalLinkage && initializer &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 3 &&
           (!LLVMIsGlobalConstant(g) || escapes(g) || names_import(u, initializer));
}

/* Every function that uses it loads its address first. */
static void load_address(cc_unit *u, cc_builder b, cc_value f, cc_value g,
                         cc_value slot)
{
    cc_value address = NULL;
    const uint64_t size = cc_sizeof(u, LLVMGlobalGetValueType(g)),
                   align = LLVMGetAlignment(g);
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            if (LLVMGetOperand(i, k) != g)
                continue;
            if (!address) {
                LLVMPositionBuilderBefore(
                    b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
                address = cc_fixed_load(u, b, LLVMTypeOf(g), slot, 0);
                cc_note(u, address, "dereferenceable", 1, u->i64, &size);
                cc_note(u, address, "align", 1, u->i64, &align);
            }
            LLVMSetOperand(i, k, address);
        }
}

static void make_slots(cc_unit *u)
{
    for (bool more = true; more;) {
        more = false;
        for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
            if (!is_imported(u, g) || cc_import_of(u, g))
                continue;
            cc_value slot = LLVMAddGlobal(u->module, u->ptr, slot_name(g));
            LLVMSetInitializer(slot, LLVMConstNull(u->ptr));
            LLVMSetLinkage(slot, LLVMInternalLinkage);
            more = true;
        }
    }
}

/* By more than constants that nobody uses. */
static bool is_used(cc_value v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (!LLVMIsAConstant(user) || LLVMIsAGlobalVariable(user) || is_used(user))
            return true;
    }
    return false;
}

void cc_import_variables(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    if (!u->options->kernel)
        return;
    make_slots(u);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        cc_value slot = cc_import_of(u, g);
        if (!slot)
            continue;
        cc_expand_constants(g);
        for (cc_value f = LLVMGetFirstFunction(u->module); f;
             f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f))
                load_address(u, b, f, g, slot);
        LLVMSetInitializer(g, NULL);
    }
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (cc_import_of(u, g) && is_used(g))
            cc_refuse("internal: '%s' of another image is still used", cc_name(g));
}
