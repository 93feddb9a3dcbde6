/* What a debugger is told of variables, where threads run one at a time (option -G).
   clang describes the user's functions, types and variables; of that
     - an instruction inlined from the device library counts as the line of the user's
       call, and the library's own variables are left out;
     - variables of a GPU's address spaces are at plain addresses here;
     - a __shared__ variable is where the block's shared memory is: each function that
       uses it keeps its address in a slot;
     - threadIdx, blockIdx, blockDim and gridDim become variables of each function, so
       that conditions and commands can name them.
   Operand positions of debug nodes are LLVM's (DebugInfoMetadata.h), 18 to 20. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

#include <stdlib.h>

typedef LLVMMetadataRef node;

enum { UNIT_GLOBALS = 6, EXPRESSION = 1, VARIABLE_NAME = 1, VARIABLE_TYPE = 3 };

typedef struct {
    cc_unit *unit;
    cc_builder b;
    LLVMDIBuilderRef debug;
    node number;    /* unsigned int */
    cc_map *shared; /* DIGlobalVariableExpression of a shared variable */
} writer;

/* -- The device library -- */

/* Before it is inlined. Places stay. */
static void forget_variables(cc_value f)
{
    CC_EACH_INST_OF(i, f)
        if (cc_prefixed(cc_callee(i), "llvm.dbg."))
            LLVMInstructionEraseFromParent(i);
}

void cc_forget_library_variables(cc_unit *u)
{
    LLVMSetIsNewDbgInfoFormat(u->module, 0); /* as calls, which LLVM-C can see */
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !cc_is_users_function(u, f))
            forget_variables(f);
    LLVMSetIsNewDbgInfoFormat(u->module, 1);
}

/* Where it was inlined. */
static void move_to_users_lines(cc_unit *u, cc_value f)
{
    CC_EACH_INST_OF(i, f) {
        node place = LLVMInstructionGetDebugLoc(i);
        if (place)
            LLVMInstructionSetDebugLoc(i, cc_users_location(u, place));
    }
}

/* -- Variables of the module -- */

static cc_value value_of(writer *w, node n)
{
    return LLVMMetadataAsValue(w->unit->context, n);
}

static cc_value operand_of(writer *w, node n, unsigned k)
{
    cc_value v = value_of(w, n);
    cc_value *all = cc_alloc(((unsigned)LLVMGetMDNodeNumOperands(v) + 1) * sizeof *all);
    LLVMGetMDNodeOperands(v, all);
    return all[k];
}

/* The variable's DIGlobalVariableExpression, or NULL. */
static node described(cc_value global)
{
    size_t n;
    node found = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned k = 0; k < n; k++)
        if (LLVMGetMetadataKind(LLVMValueMetadataEntriesGetMetadata(all, k)) ==
            LLVMDIGlobalVariableExpressionMetadataKind)
            found = LLVMValueMetadataEntriesGetMetadata(all, k);
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

static bool is_shared(cc_value global)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3;
}

static void place_globals(writer *w)
{
    node plain = LLVMDIBuilderCreateExpression(w->debug, NULL, 0);
    for (cc_value g = LLVMGetFirstGlobal(w->unit->module); g;
         g = LLVMGetNextGlobal(g)) {
        node d = described(g);
        if (d && is_shared(g))
            cc_map_put(w->shared, d, 1);
        else if (d)
            LLVMReplaceMDNodeOperandWith(value_of(w, d), EXPRESSION, plain);
    }
}

/* The list of a compilation unit; those of shared variables become locals. */
static void drop_shared(writer *w, cc_value unit)
{
    cc_value list = operand_of(w, LLVMValueAsMetadata(unit), UNIT_GLOBALS);
    unsigned n = list ? (unsigned)LLVMGetMDNodeNumOperands(list) : 0, kept = 0;
    cc_value *all = cc_alloc((n + 1) * sizeof *all);
    node *left = cc_alloc((n + 1) * sizeof *left);
    if (!n)
        return;
    LLVMGetMDNodeOperands(list, all);
    for (unsigned k = 0; k < n; k++)
        if (cc_map_get(w->shared, LLVMValueAsMetadata(all[k])) < 0)
            left[kept++] = LLVMValueAsMetadata(all[k]);
    LLVMReplaceMDNodeOperandWith(unit, UNIT_GLOBALS,
                                 LLVMMDNodeInContext2(w->unit->context, left, kept));
}

static void list_globals(writer *w)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(w->unit->module, "llvm.dbg.cu");
    cc_value *units = cc_alloc((n + 1) * sizeof *units);
    LLVMGetNamedMetadataOperands(w->unit->module, "llvm.dbg.cu", units);
    for (unsigned k = 0; k < n; k++)
        drop_shared(w, units[k]);
}

/* -- Variables of a function -- */

/* `slot` holds the variable, or its address. */
static void declare(writer *w, cc_value f, cc_value slot, const char *name,
                    size_t length, node type, bool is_address)
{
    enum { DEREFERENCE = 0x06 };
    uint64_t through[] = {DEREFERENCE};
    node program = LLVMGetSubprogram(f), file = LLVMDIScopeGetFile(program);
    unsigned line = LLVMDISubprogramGetLine(program);
    node variable = LLVMDIBuilderCreateAutoVariable(w->debug, program, name, length,
                                                    file, line, type, 0, 0, 0);
    node place =
        LLVMDIBuilderCreateDebugLocation(w->unit->context, line, 0, program, NULL);
    LLVMDIBuilderInsertDeclareRecordBefore(
        w->debug, slot, variable,
        LLVMDIBuilderCreateExpression(w->debug, through, is_address), place,
        LLVMGetNextInstruction(slot));
}

static cc_value register_value(writer *w, const char *name)
{
    cc_unit *u = w->unit;
    cc_type t = LLVMFunctionType(u->i32, NULL, 0, 0);
    cc_value f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, t);
    return LLVMBuildCall2(w->b, t, f, NULL, 0, "");
}

static void declare_index(writer *w, cc_value f, const char *name, const char *reg)
{
    cc_unit *u = w->unit;
    cc_value slot = LLVMBuildAlloca(w->b, LLVMArrayType2(u->i32, 3), name);
    node file = LLVMDIScopeGetFile(LLVMGetSubprogram(f)), member[3];
    for (unsigned k = 0; k < 3; k++) {
        cc_value v = register_value(w, cc_format(CC_REGISTER "%s.%c", reg, "xyz"[k]));
        LLVMBuildStore(w->b, v, cc_offset(u, w->b, slot, 4 * k));
        member[k] = LLVMDIBuilderCreateMemberType(w->debug, file, &"xyz"[k], 1, file, 0,
                                                  32, 32, 32 * k, 0, w -> number);
    }
    node type = LLVMDIBuilderCreateStructType(w->debug, file, "dim3", 4, file, 0, 96,
                                              32, 0, NULL, member, 3, 0, NULL, "", 0);
    declare(w, f, slot, name, strlen(name), type, false);
}

/* Of an element of an extern array, which clang does not describe; NULL: there is none.
 */
static node type_of_element(writer *w, cc_type t)
{
    enum { BOOLEAN = 2, FLOAT = 4, SIGNED = 5, SIGNED_CHAR = 6 };
    cc_unit *u = w->unit;
    const struct {
        cc_type type;
        const char *name;
        unsigned bits, encoding;
    } known[] = {{u->f32, "float", 32, FLOAT},  {u->f64, "double", 64, FLOAT},
                 {u->i32, "int", 32, SIGNED},   {u->i64, "long long", 64, SIGNED},
                 {u->i16, "short", 16, SIGNED}, {u->i8, "char", 8, SIGNED_CHAR}};
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].type == t)
            return LLVMDIBuilderCreateBasicType(w->debug, known[k].name,
                                                strlen(known[k].name), known[k].bits,
                                                known[k].encoding, 0);
    return NULL;
}

static node type_of_extern(writer *w, cc_value global)
{
    cc_type t = LLVMGlobalGetValueType(global);
    node element = cc_kind(t) == LLVMArrayTypeKind
                       ? type_of_element(w, LLVMGetElementType(t))
                       : NULL;
    node range = LLVMDIBuilderGetOrCreateSubrange(w->debug, 0, -1);
    return element ? LLVMDIBuilderCreateArrayType(w->debug, 0, 0, element, &range, 1)
                   : NULL;
}

static bool uses(cc_value f, cc_value global)
{
    bool found = false;
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            found |= LLVMGetOperand(i, k) == global;
    return found;
}

static void declare_shared(writer *w, cc_value f, cc_value global)
{
    node d = described(global), type = NULL;
    size_t length;
    unsigned n;
    const char *name = LLVMGetValueName2(global, &length);
    if (d) {
        node variable = LLVMDIGlobalVariableExpressionGetVariable(d);
        name = LLVMGetMDString(operand_of(w, variable, VARIABLE_NAME), &n);
        length = n;
        type = LLVMValueAsMetadata(operand_of(w, variable, VARIABLE_TYPE));
    } else if (LLVMIsDeclaration(global)) {
        type = type_of_extern(w, global);
    }
    if (!type)
        return;
    cc_value slot = LLVMBuildAlloca(w->b, w->unit->ptr, "");
    LLVMBuildStore(w->b, LLVMBuildAddrSpaceCast(w->b, global, w->unit->ptr, ""), slot);
    declare(w, f, slot, name, length, type, true);
}

static void declare_variables(writer *w, cc_value f)
{
    static const char *const indices[][2] = {{"threadIdx", "tid"},
                                             {"blockIdx", "ctaid"},
                                             {"blockDim", "ntid"},
                                             {"gridDim", "nctaid"}};
    LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMSetCurrentDebugLocation2(w->b, NULL);
    for (cc_value g = LLVMGetFirstGlobal(w->unit->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared(g) && uses(f, g))
            declare_shared(w, f, g);
    for (unsigned k = 0; k < sizeof indices / sizeof *indices; k++)
        declare_index(w, f, indices[k][0], indices[k][1]);
}

void cc_debug_variables(cc_unit *u)
{
    writer w = {.unit = u,
                .b = LLVMCreateBuilderInContext(u->context),
                .debug = LLVMCreateDIBuilderDisallowUnresolved(u->module),
                .shared = cc_map_new()};
    w.number = LLVMDIBuilderCreateBasicType(w.debug, "unsigned int", 12, 32, 7, 0);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared(g))
            cc_expand_constants(g);
    place_globals(&w);
    list_globals(&w);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !cc_is_users_function(u, f))
            continue;
        move_to_users_lines(u, f);
        declare_variables(&w, f);
    }
}
