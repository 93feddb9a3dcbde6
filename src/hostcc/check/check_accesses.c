/* Memory checks: in front of each load, store, atomic operation and copy, a call of one
   of the functions hc.check... says what its address must lie in. Runs on scalar code
   when the optimizer is done with it, so that what is checked is what is accessed, and
   while variables still have names and sizes. An access through a pointer that has been
   checked in the same block, for as many bytes, is not checked again. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/map.h"

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel; /* NULL: a function that is not inlined */
    cc_builder b;
    cc_map *checked; /* pointer -> bytes, in this block */
    unsigned sites;  /* of checks by address */
} checker;

/* Of a copy of any length. `where`: see hc_check_way. */
static void copy_by(checker *c, const cc_access *a, cc_value where,
                    const hc_access *facts, const char *name)
{
    cc_unit *u = c->unit;
    cc_value args[] = {where, LLVMBuildZExt(c->b, a->length, u->i64, ""),
                       cc_thread_number(u, c->b), cc_access_row(u, a, facts, name)};
    cc_call_function(u, c->b, CC_FN_CHECK_COPY, u->none, args);
}

static void by_bounds(checker *c, const cc_access *a, cc_root root)
{
    cc_unit *u = c->unit;
    const char *name = "";
    for (unsigned k = 0; k < c->kernel->nparams; k++)
        if (c->kernel->params[k].offset / 8 <= root.word)
            name = cc_name(LLVMGetParam(c->kernel->function, k));
    hc_access facts = {
        .way = HC_BY_BOUNDS, .space = HC_SPACE_GLOBAL, .bounds = root.word};
    if (a->length) {
        copy_by(c, a, LLVMBuildPtrToInt(c->b, a->pointer, u->i64, ""), &facts, name);
        return;
    }
    cc_value args[] = {
        a->pointer, cc_int(u->i32, root.word),
        cc_demand(u, a, !cc_keeps_alignment(u, a->pointer, a->alignment)),
        cc_access_row(u, a, &facts, name)};
    cc_call_function(u, c->b, CC_FN_CHECK_BOUNDS, u->none, args);
}

/* Each remembers what it has found last, among a few others. */
static void by_address(checker *c, const cc_access *a, cc_function_id f,
                       hc_check_way way)
{
    cc_unit *u = c->unit;
    unsigned known = way > HC_BY_FREE ? HC_KNOWN + (unsigned)(way - HC_BY_TEXTURE)
                                      : c->sites++ % HC_KNOWN;
    hc_access facts = {.way = way, .bounds = known};
    if (a->length) {
        copy_by(c, a, LLVMBuildPtrToInt(c->b, a->pointer, u->i64, ""), &facts, "");
        return;
    }
    cc_value args[] = {a->pointer, cc_int(u->i32, known), cc_demand(u, a, true),
                       cc_access_row(u, a, &facts, "")};
    cc_call_function(u, c->b, f, u->none, args);
}

/* Of what is no pointer into a local variable: where it is and how large. */
static cc_variable variable_of(checker *c, cc_value origin)
{
    cc_unit *u = c->unit;
    cc_variable v = {origin, CC_FN_CHECK_SIZE, HC_SPACE_CONSTANT, 0, 16};
    for (unsigned k = 0; LLVMIsAArgument(origin) && k < c->kernel->nparams; k++)
        if (LLVMGetParam(c->kernel->function, k) == origin)
            v.size = c->kernel->params[k].size;
    if (LLVMIsAAllocaInst(origin)) {
        v.space = HC_SPACE_LOCAL;
        v.size = cc_sizeof(u, LLVMGetAllocatedType(origin));
        v.alignment = LLVMGetAlignment(origin);
    } else if (LLVMIsAGlobalVariable(origin)) {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(origin));
        bool dynamic = space == 3 && LLVMIsDeclaration(origin);
        v.space = space == 3   ? HC_SPACE_SHARED
                  : space == 4 ? HC_SPACE_CONSTANT
                               : HC_SPACE_GLOBAL;
        v.size = dynamic ? HC_DYNAMIC : cc_sizeof(u, LLVMGlobalGetValueType(origin));
        v.alignment = dynamic ? 16 : LLVMGetAlignment(origin);
    }
    return v;
}

/* Of shared memory, of the module, of the parameters themselves. */
static void by_size(checker *c, const cc_access *a, cc_value origin)
{
    cc_type i64 = c->unit->i64;
    cc_value to = LLVMBuildPtrToInt(c->b, a->pointer, i64, "");
    cc_value from = LLVMBuildPtrToInt(c->b, origin, i64, "");
    cc_variable v = variable_of(c, origin);
    hc_access facts = {.way = HC_BY_SIZE, .space = v.space, .size = v.size};
    if (a->length)
        copy_by(c, a, LLVMBuildSub(c->b, to, from, ""), &facts, cc_name(origin));
    else if (!cc_is_at_constant(c->unit, a, origin, v.size))
        cc_check_distance(c->unit, c->b, a, v, LLVMBuildSub(c->b, to, from, ""));
}

/* How an address is held against what has it, if nothing is known of it. */
static hc_check_way way_of(cc_value i)
{
    switch (cc_function_of(i)) {
    case CC_FN_FREE:
        return HC_BY_FREE;
    case CC_FN_OBJECT_USED:
        return LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) ? HC_BY_SURFACE
                                                              : HC_BY_TEXTURE;
    case CC_FN_PLACE_USED:
        return HC_BY_PLACE;
    default:
        return HC_BY_ADDRESS;
    }
}

static void check(checker *c, const cc_access *a)
{
    hc_check_way way = way_of(a->at);
    cc_root root = cc_root_of(c->unit, c->kernel, a->pointer);
    LLVMPositionBuilderBefore(c->b, a->at);
    LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(a->at));
    if (way != HC_BY_ADDRESS)
        by_address(c, a, way == HC_BY_FREE ? CC_FN_CHECK_FREE : CC_FN_CHECK_ADDRESS,
                   way);
    else if (root.kind == CC_ROOT_PARAMETER)
        by_bounds(c, a, root);
    else if (root.kind == CC_ROOT_VARIABLE || root.kind == CC_ROOT_LOCAL)
        by_size(c, a, root.origin);
    else
        by_address(c, a, CC_FN_CHECK_ADDRESS, way);
}

/* -- Vector types: one access of the source, whose parts are taken apart by now -- */

/* The pointer without constants, and those added up. */
static cc_value base_of(checker *c, cc_value p, int64_t *offset)
{
    uint64_t sum = 0, part = 0;
    while (LLVMIsAGetElementPtrInst(p) &&
           cc_address_parts(c->unit, p, cc_add_constant, &part)) {
        sum += part;
        part = 0;
        p = LLVMGetOperand(p, 0);
    }
    *offset = (int64_t)sum;
    return p;
}

/* Takes in what follows, as far as the alignment says that it is one. */
static void widen(checker *c, cc_access *a)
{
    int64_t first, offset;
    cc_value base = base_of(c, a->pointer, &first);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(a->at);
    cc_access b;
    for (cc_value i = LLVMGetNextInstruction(a->at); i && a->bytes < a->alignment;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMIsACallInst(i) && !*cc_register(i))
            return;
        if (!cc_find_access(c->unit, i, &b))
            continue;
        if (b.kind != a->kind || LLVMInstructionGetDebugLoc(i) != place ||
            base_of(c, b.pointer, &offset) != base || offset != first + a->bytes)
            return;
        cc_map_put(c->checked, b.pointer, b.bytes);
        a->bytes += b.bytes;
    }
}

/* Of a local variable (check_locals.c): whether it need not be made. */
static bool is_settled(cc_value i)
{
    if (cc_function_of(i) != CC_FN_CHECK_LOCAL)
        return false;
    cc_value at = LLVMGetOperand(i, 0);
    uint64_t demand = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    cc_access a = {.bytes = CC_DEMAND_BYTES(demand),
                   .alignment = 1u << CC_DEMAND_SHIFT(demand)};
    return cc_is_always_right(&a, at, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)));
}

/* Texture functions say what they use, which is all that is checked of them. */
static bool is_of_object(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    return f == CC_FN_OBJECT_USED || f == CC_FN_PLACE_USED;
}

/* Of printf: where the strings begin that it is given, which may be NULL. */
static void check_strings(checker *c, cc_value i)
{
    cc_unit *u = c->unit;
    cc_value buffer = LLVMGetOperand(i, 1);
    unsigned offset[16];
    unsigned n = cc_string_arguments(LLVMGetOperand(i, 0), offset, 16);
    for (unsigned k = 0; k < n; k++) {
        LLVMPositionBuilderBefore(c->b, i);
        LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(i));
        cc_value s =
            LLVMBuildLoad2(c->b, u->ptr, cc_offset(u, c->b, buffer, offset[k]), "");
        cc_value none = LLVMBuildIsNull(c->b, s, "");
        cc_access a = {.at = i,
                       .pointer = LLVMBuildSelect(c->b, none, buffer, s, ""),
                       .kind = HC_READ,
                       .bytes = 1,
                       .alignment = 1};
        by_address(c, &a, CC_FN_CHECK_ADDRESS, HC_BY_ADDRESS);
    }
}

static void check_once(checker *c, cc_access *a)
{
    if (a->kind == HC_FREE) /* what was checked may be gone */
        c->checked = cc_map_new();
    else if (cc_map_get(c->checked, a->pointer) >= (int)a->bytes && !a->length)
        return;
    if (!a->length)
        cc_map_put(c->checked, a->pointer, a->bytes);
    if (!a->length && !is_of_object(a->at) && !a->source && /* read as far as written */
        (a->kind == HC_READ || a->kind == HC_WRITE))
        widen(c, a);
    check(c, a);
}

static void check_function(checker *c, cc_value function)
{
    CC_EACH_BLOCK(block, function) {
        c->checked = cc_map_new();
        CC_EACH_INST(i, block) {
            cc_access a;
            if (is_settled(i)) {
                LLVMInstructionEraseFromParent(i);
                continue;
            }
            bool of_object = is_of_object(i);
            if (cc_is_checked(c->unit, i) || cc_is_of_textures(c->unit, i))
                continue;
            for (bool more = cc_find_access(c->unit, i, &a); more;
                 more = cc_next_access(&a))
                check_once(c, &a);
            if (cc_function_of(i) == CC_FN_PRINT)
                check_strings(c, i);
            if (of_object)
                LLVMInstructionEraseFromParent(i);
        }
    }
}

void cc_check_accesses(cc_unit *u)
{
    checker c = {.unit = u};
    cc_mark_textures(u);
    if (!(u->options->checks & HC_CHECK_MEMORY)) {
        cc_drop_texture_calls(u);
        return;
    }
    c.b = LLVMCreateBuilderInContext(u->context);
    for (unsigned k = 0; k < u->nkernels; k++) {
        c.kernel = &u->kernels[k];
        check_function(&c, c.kernel->function);
    }
    c.kernel = NULL;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!cc_is_kernel(u, f) && !LLVMIsDeclaration(f))
            check_function(&c, f);
}
