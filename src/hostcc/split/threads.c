/* Threads that run one at a time, for debuggers (option -G). No kernel is cut: every
   function stays as the source has it, each thread has a stack of its own (hostcuda's
   thread_stacks.c), and where it would wait for others it calls a service that lets
   those run. So a variable is in one place from its start to its end, and a call is a
   frame on a stack.

   Each such call is a state of its own: the scheduler is the one for vectors. Beside
   barriers and warp functions, threads wait
     - at ends of the turns of loops with atomic or volatile accesses in them, after
   some turns: another thread may have to end the loop;
     - in front of volatile accesses, for the rest of the warp: code that was written
       before __syncwarp counts on that.

   The rest is what vector code does in its own ways: registers of a lane, and divisions
   by zero, which must not trap. */
#include "hostcc/split/split.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_layout states;
} lowering;

/* -- Waiting -- */

static cc_value add_state(lowering *l, hc_state_kind kind, unsigned op, cc_value at)
{
    cc_layout *s = &l->states;
    s->states = realloc(s->states, (s->nstates + 1) * sizeof *s->states);
    memset(&s->states[s->nstates], 0, sizeof *s->states);
    s->states[s->nstates].kind = kind;
    s->states[s->nstates].op = op;
    s->states[s->nstates].place = cc_place_of(l->unit, at);
    return cc_int(l->unit->i32, s->nstates++);
}

/* In front of where the builder is. */
static cc_value wait_in(lowering *l, cc_value state, cc_value value, cc_value mask,
                        cc_value argument)
{
    cc_unit *u = l->unit;
    cc_type t[] = {u->ptr, u->i32, u->i64, u->i32, u->i32};
    cc_value none = cc_int(u->i32, 0);
    cc_value args[] = {cc_thread_frame(u, l->b), state,
                       value ? value : cc_int(u->i64, 0), mask ? mask : none,
                       argument ? argument : none};
    cc_value carry = cc_carry_of_thread(u), kept = NULL; /* others use it meanwhile */
    if (carry)
        kept = LLVMBuildLoad2(l->b, LLVMGlobalGetValueType(carry), carry, "");
    cc_value r = LLVMBuildCall2(l->b, LLVMFunctionType(u->i64, t, 5, 0),
                                cc_thread_service(u, l->b, offsetof(hc_services, wait)),
                                args, 5, "");
    if (carry)
        LLVMBuildStore(l->b, kept, carry);
    return r;
}

static cc_value wait_in_barrier(lowering *l, cc_value i, hc_state_kind kind)
{
    cc_unit *u = l->unit;
    cc_value flag = NULL;
    if (kind != HC_BARRIER)
        flag = LLVMBuildZExt(l->b, LLVMGetOperand(i, 0), u->i64, "");
    cc_value r = wait_in(l, add_state(l, kind, 0, i), flag, NULL, NULL);
    return kind == HC_BARRIER ? r : LLVMBuildTrunc(l->b, r, u->i32, "");
}

static cc_value wait_in_warp(lowering *l, cc_value i, hc_warp_op op)
{
    cc_unit *u = l->unit;
    cc_value value = NULL, argument = NULL;
    if (cc_nargs(i) > 1)
        value = LLVMBuildZExtOrBitCast(l->b, LLVMGetOperand(i, 1), u->i64, "");
    if (op >= HC_SHUFFLE_INDEX && op <= HC_SHUFFLE_XOR)
        argument = cc_shuffle_argument(u, l->b, i);
    cc_value r =
        wait_in(l, add_state(l, HC_WARP, op, i), value, LLVMGetOperand(i, 0), argument);
    cc_type t = LLVMTypeOf(i);
    return cc_kind(t) == LLVMVoidTypeKind ? r : LLVMBuildTruncOrBitCast(l->b, r, t, "");
}

/* From a lane that is known to come. */
static cc_value wait_for_lane(lowering *l, cc_value i)
{
    cc_unit *u = l->unit;
    cc_value value = LLVMBuildZExtOrBitCast(l->b, LLVMGetOperand(i, 0), u->i64, "");
    cc_value lane =
        LLVMBuildAnd(l->b, LLVMGetOperand(i, 1), cc_int(u->i32, HC_LANES - 1), "");
    cc_value argument = LLVMBuildOr(l->b, lane, cc_int(u->i32, HC_LANES << 16), "");
    cc_value r = wait_in(l, add_state(l, HC_WARP, HC_SHUFFLE_INDEX, i), value,
                         LLVMConstAllOnes(u->i32), argument);
    return LLVMBuildTruncOrBitCast(l->b, r, LLVMTypeOf(i), "");
}

/* The lanes that are here when none can go on elsewhere. */
static cc_value wait_for_warp(lowering *l, cc_value i)
{
    return LLVMBuildTrunc(l->b,
                          wait_in(l, add_state(l, HC_LOCKSTEP, 0, i), NULL, NULL, NULL),
                          l->unit->i32, "");
}

/* -- The block's memory, and the machine's clocks -- */

static cc_value call_service(lowering *l, size_t offset, cc_type result)
{
    return LLVMBuildCall2(l->b, LLVMFunctionType(result, NULL, 0, 0),
                          cc_thread_service(l->unit, l->b, offset), NULL, 0, "");
}

static cc_value field_of(lowering *l, cc_value base, size_t offset)
{
    cc_unit *u = l->unit;
    return LLVMBuildLoad2(l->b, u->ptr, cc_offset(u, l->b, base, offset), "");
}

static cc_value cycles(lowering *l)
{
    static const char name[] = "llvm.readcyclecounter";
    cc_type t = LLVMFunctionType(l->unit->i64, NULL, 0, 0);
    cc_value f = LLVMGetNamedFunction(l->unit->module, name);
    if (!f)
        f = LLVMAddFunction(l->unit->module, name, t);
    return LLVMBuildCall2(l->b, t, f, NULL, 0, "");
}

static cc_value lane(lowering *l)
{
    cc_unit *u = l->unit;
    cc_value n = cc_thread_field(u, l->b, offsetof(hc_thread, number), u->i32);
    return LLVMBuildAnd(l->b, n, cc_int(u->i32, 31), "");
}

/* What stands for the call; NULL: it stays. */
static cc_value lower_call(lowering *l, cc_value i)
{
    cc_unit *u = l->unit;
    cc_function_id id = cc_function_of(i);
    hc_state_kind kind = cc_functions[id].state;
    if (kind == HC_WARP)
        return wait_in_warp(l, i, cc_functions[id].op);
    if (kind != HC_ENTRY)
        return wait_in_barrier(l, i, kind);
    switch (id) {
    case CC_FN_ACTIVEMASK:
        return wait_for_warp(l, i);
    case CC_FN_FROM_LANE:
        return wait_for_lane(l, i);
    case CC_FN_PAUSE:
        return wait_in(l, add_state(l, HC_YIELD, 0, i), NULL, NULL, NULL);
    case CC_FN_LANE:
        return lane(l);
    case CC_FN_SHARED:
        return field_of(l, cc_thread_frame(u, l->b), offsetof(hc_frame, shared));
    case CC_FN_SHARED_BYTES:
        return cc_thread_field(u, l->b, offsetof(hc_thread, shared_bytes), u->i32);
    case CC_FN_GRID_ARRIVED:
        return field_of(l, cc_thread_launch(u, l->b), offsetof(hc_launch, arrived));
    case CC_FN_NAMED_BARRIERS:
        return cc_offset(u, l->b, cc_thread_frame(u, l->b), offsetof(hc_frame, named));
    case CC_FN_CLOCK:
        return cycles(l);
    case CC_FN_NANOSECONDS:
        return call_service(l, offsetof(hc_services, nanoseconds), u->i64);
    default:
        return NULL;
    }
}

static void replace(cc_value i, cc_value by)
{
    if (cc_kind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(i, by);
    LLVMInstructionEraseFromParent(i);
}

/* -- Divisions -- */

/* By one where it would trap, as vector code does it (vector/instructions.c). */
static void divide(lowering *l, cc_value i)
{
    cc_value n = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    cc_type t = LLVMTypeOf(n);
    cc_value zero = LLVMConstNull(t), one = cc_int(t, 1), ones = LLVMConstAllOnes(t);
    cc_value minus = LLVMBuildICmp(l->b, LLVMIntEQ, d, ones, ""),
             bad = LLVMBuildICmp(l->b, LLVMIntEQ, d, zero, "");
    if (op == LLVMUDiv || op == LLVMURem)
        minus = cc_int(l->unit->i1, 0);
    bad = LLVMBuildOr(l->b, bad, minus, "");
    cc_value r =
        LLVMBuildBinOp(l->b, op, n, LLVMBuildSelect(l->b, bad, one, d, ""), "");
    cc_value by_minus = op == LLVMSRem ? zero : LLVMBuildNeg(l->b, n, "");
    replace(i, LLVMBuildSelect(l->b, minus, by_minus, r, ""));
}

/* -- Loops and volatile accesses -- */

static bool is_of_others(cc_value i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           LLVMIsAFenceInst(i) || (cc_is_access(i) && cc_is_ordered(i));
}

static cc_value called(cc_value i)
{
    cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) ? f : NULL;
}

/* Whether what other threads do may decide how i ends; `functions`: in which that is.
 */
static bool depends(const cc_map *functions, cc_value i)
{
    cc_value f = called(i);
    return is_of_others(i) || cc_function_of(i) == CC_FN_PAUSE ||
           (LLVMIsACallInst(i) && !f) || (f && cc_map_get(functions, f) >= 0);
}

static cc_map *find_dependent(cc_unit *u)
{
    cc_map *found = cc_map_new();
    for (bool more = true; more;) {
        more = false;
        for (cc_value f = LLVMGetFirstFunction(u->module); f;
             f = LLVMGetNextFunction(f)) {
            bool is = false;
            if (cc_map_get(found, f) >= 0)
                continue;
            CC_EACH_INST_OF(i, f)
                is |= depends(found, i);
            if (is)
                cc_map_put(found, f, 1);
            more |= is;
        }
    }
    return found;
}

/* Every circle goes back to a block that stands at or before its end at least once. The
   blocks from there on are the loop, as the front end writes it. */
static bool goes_back(const cc_map *functions, cc_value terminator)
{
    cc_block end = LLVMGetInstructionParent(terminator);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(terminator); k++) {
        bool is = false;
        for (cc_block b = LLVMGetSuccessor(terminator, k); b;
             b = LLVMGetNextBasicBlock(b)) {
            CC_EACH_INST(i, b)
                is |= depends(functions, i);
            if (b == end && is)
                return true;
            if (b == end)
                break;
        }
    }
    return false;
}

static void end_turn(lowering *l, cc_value terminator)
{
    cc_unit *u = l->unit;
    cc_type t[] = {u->ptr, u->i32};
    cc_value args[] = {cc_thread_frame(u, l->b), add_state(l, HC_YIELD, 0, terminator)};
    LLVMBuildCall2(l->b, LLVMFunctionType(u->none, t, 2, 0),
                   cc_thread_service(u, l->b, offsetof(hc_services, turn)), args, 2,
                   "");
}

static bool is_volatile_access(cc_value i)
{
    return cc_is_access(i) && LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
           !LLVMIsAAllocaInst(cc_pointer_of(i));
}

/* -- All of it -- */

static void lower_function(lowering *l, const cc_map *functions, cc_value f)
{
    CC_EACH_INST_OF(i, f) {
        LLVMPositionBuilderBefore(l->b, i);
        if (LLVMIsATerminatorInst(i) && goes_back(functions, i)) {
            end_turn(l, i);
        } else if (is_volatile_access(i)) {
            wait_for_warp(l, i);
        } else if (LLVMIsACallInst(i)) {
            cc_value r = lower_call(l, i);
            if (r)
                replace(i, r);
        }
        LLVMOpcode op = LLVMIsABinaryOperator(i) ? LLVMGetInstructionOpcode(i) : 0;
        if ((op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem) &&
            !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
            divide(l, i);
    }
}

void cc_lower_threads(cc_unit *u)
{
    lowering l = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    cc_map *functions = find_dependent(u);
    add_state(&l, HC_ENTRY, 0, NULL);
    add_state(&l, HC_YIELD, 0, NULL); /* never run in the thread that launches */
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            lower_function(&l, functions, f);
    for (unsigned k = 0; k < u->nkernels; k++) {
        u->kernels[k].layout[0] = u->kernels[k].layout[1] = l.states;
        u->kernels[k].width = HC_LANES;
        u->kernels[k].warps = true; /* a thread's number says where it is */
    }
}
