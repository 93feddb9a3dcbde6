/* threadIdx, blockIdx, blockDim and gridDim, which the device library declares as
   variables, as nvcc has them. A load of a member is a call that reads a register. What
   else is done with one, as to copy it or to pass a reference, is done with a variable
   of the function that holds all three registers, which LLVM takes apart. */
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"

static const char *const rows[][2] = {{"threadIdx", "tid"},
                                      {"blockIdx", "ctaid"},
                                      {"blockDim", "ntid"},
                                      {"gridDim", "nctaid"}};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct {
    cc_unit *unit;
    cc_builder b;
    const char *registers; /* "tid" */
} reader;

static cc_value read_register(reader *r, unsigned k)
{
    const char *name = cc_format(CC_REGISTER "%s.%c", r->registers, "xyz"[k]);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    cc_value f = LLVMGetIntrinsicDeclaration(r->unit->module, id, NULL, 0);
    return LLVMBuildCall2(r->b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

static bool is_member(reader *r, cc_value load, uint64_t offset)
{
    return LLVMIsALoadInst(load) && LLVMTypeOf(load) == r->unit->i32 &&
           !LLVMGetVolatile(load) && offset % 4 == 0 && offset < 12;
}

/* Loads by way of a pointer that is so far from the variable's begin. */
static void read_members(reader *r, cc_value pointer, uint64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
        cc_value i = LLVMGetUser(use);
        uint64_t from = offset;
        next = LLVMGetNextUse(use);
        if (is_member(r, i, offset)) {
            LLVMPositionBuilderBefore(r->b, i); /* with its line */
            LLVMReplaceAllUsesWith(i, read_register(r, (unsigned)offset / 4));
        } else if (LLVMIsAAddrSpaceCastInst(i) ||
                   (LLVMIsAGetElementPtrInst(i) &&
                    cc_address_parts(r->unit, i, cc_add_constant, &from))) {
            read_members(r, i, from);
            if (LLVMGetFirstUse(i))
                continue;
        } else {
            continue;
        }
        LLVMInstructionEraseFromParent(i);
    }
}

static cc_value make_copy(reader *r, cc_value function)
{
    cc_unit *u = r->unit;
    cc_value first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(r->b, first);
    LLVMSetCurrentDebugLocation2(r->b, NULL);
    cc_value copy = LLVMBuildAlloca(r->b, LLVMArrayType2(u->i32, 3), "");
    for (unsigned k = 0; k < 3; k++)
        LLVMBuildStore(r->b, read_register(r, k), cc_offset(u, r->b, copy, 4 * k));
    return copy;
}

/* The function of the cast to a generic pointer by which clang uses a variable. */
static cc_value function_of(cc_value use)
{
    if (!LLVMIsAAddrSpaceCastInst(use))
        cc_refuse("a thread's or block's number is not known before a kernel runs");
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(use));
}

static void use_copies(reader *r, cc_value variable)
{
    while (LLVMGetFirstUse(variable)) {
        cc_value f = function_of(LLVMGetUser(LLVMGetFirstUse(variable)));
        cc_value copy = make_copy(r, f);
        for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
            cc_value cast = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (function_of(cast) != f)
                continue;
            LLVMReplaceAllUsesWith(cast, copy);
            LLVMInstructionEraseFromParent(cast);
        }
    }
}

static bool is_builtin(cc_value pointer)
{
    bool found = false;
    if (LLVMIsAConstantExpr(pointer)) /* a cast to a generic one */
        pointer = LLVMGetOperand(pointer, 0);
    for (unsigned k = 0; k < ROWS; k++)
        found |= !strcmp(cc_name(pointer), rows[k][0]);
    return found;
}

/* Of what clang keeps, although nobody uses it, all else. */
static void keep_others(cc_unit *u)
{
    static const char list[] = "llvm.compiler.used";
    cc_value kept = LLVMGetNamedGlobal(u->module, list);
    if (!kept)
        return;
    cc_value all = LLVMGetInitializer(kept);
    unsigned n = (unsigned)LLVMGetNumOperands(all), others = 0;
    cc_value *other = cc_alloc(n * sizeof *other);
    for (unsigned k = 0; k < n; k++)
        if (!is_builtin(LLVMGetOperand(all, k)))
            other[others++] = LLVMGetOperand(all, k);
    LLVMDeleteGlobal(kept);
    if (!others)
        return;
    all = LLVMConstArray2(LLVMTypeOf(other[0]), other, others);
    kept = LLVMAddGlobal(u->module, LLVMTypeOf(all), list);
    LLVMSetInitializer(kept, all);
    LLVMSetLinkage(kept, LLVMAppendingLinkage);
    LLVMSetSection(kept, "llvm.metadata");
}

/* Where a lambda in a kernel uses one, clang defines it: the host might call the
   lambda, too. */
void cc_declare_builtin_variables(cc_unit *u)
{
    keep_others(u);
    for (unsigned k = 0; k < ROWS; k++) {
        cc_value variable = LLVMGetNamedGlobal(u->module, rows[k][0]);
        if (variable)
            LLVMSetInitializer(variable, NULL);
    }
}

void cc_read_builtin_variables(cc_unit *u)
{
    reader r = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    for (unsigned k = 0; k < ROWS; k++) {
        cc_value variable = LLVMGetNamedGlobal(u->module, rows[k][0]);
        if (!variable)
            continue;
        r.registers = rows[k][1];
        cc_expand_constants(variable);
        read_members(&r, variable, 0);
        use_copies(&r, variable);
        LLVMDeleteGlobal(variable);
    }
    LLVMDisposeBuilder(r.b);
}
