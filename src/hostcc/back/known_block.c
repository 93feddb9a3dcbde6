/* Blocks of as many threads as a shared array has elements: most kernels with barriers
   are launched so. Where a block of that size goes from some state to its end by one
   way, one function does all of it, vector by vector, with numbers of threads that are
   constants. Then the shared arrays need no memory (shared_registers.c): what a vector
   has written the next reads out of registers, and no load waits for a store. Nor do
   values that live across barriers, so the vectors' contexts are moved to the stack,
   where LLVM makes registers of them.

   That is the full code of the states once more for each vector, so it is made only
   where that is little code. Of arrays that are more than registers hold, cells go to
   the stack and come back whole, so no load waits for several stores. */
#include "hostcc/back/loop_builder.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/split/split.h"
#include "hostcc/vector/vector.h"

#define MOST_VECTORS 16
#define MOST_SHARED 4096   /* bytes */
#define MOST_CONTEXT 16384 /* bytes of a block that move to the stack */
#define MOST_BLOCKS 6      /* of a region */
#define MOST_CODE 6000     /* instructions, those of a region for each vector */
#define MOST_REGION 300 /* ... of a region's full code: in more, memory is not much */
#define LEAST_REGIONS 3 /* with fewer there is nothing to save */

/* Elements of the one-dimensional shared array that an address is in; 0: in none. */
static uint64_t elements(cc_value address)
{
    if (!LLVMIsAGetElementPtrInst(address) || !cc_is_shared(address))
        return 0;
    cc_type t = LLVMGetGEPSourceElementType(address);
    if (cc_kind(t) != LLVMArrayTypeKind ||
        cc_kind(LLVMGetElementType(t)) == LLVMArrayTypeKind)
        return 0;
    return LLVMGetArrayLength2(t);
}

/* Whether an address may be kept, in a value or in memory, for code that does not say
   what memory it accesses. */
static bool is_kept(cc_value address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        cc_value i = LLVMGetUser(use);
        bool goes_on = LLVMIsAGetElementPtrInst(i) || LLVMIsAAddrSpaceCastInst(i);
        if (goes_on ? is_kept(i) : !cc_is_access(i) || cc_pointer_of(i) != address)
            return true;
    }
    return false;
}

static bool keeps_shared_addresses(const cc_layout *l)
{
    for (unsigned s = 0; s < l->nstates; s++)
        CC_EACH_INST_OF(i, l->region[s]) {
            if (cc_function_of(i) == CC_FN_SHARED_AT && is_kept(i))
                return true;
        }
    return false;
}

/* Where all vectors of a block that have gone through the state go; HC_MIXED: not
   known, or not code to be repeated. */
static uint32_t leads_to(cc_unit *u, const cc_layout *l, const cc_value *full,
                         unsigned s, unsigned *code, unsigned *threads)
{
    cc_value region = l->region[s];
    if (!full[s] || cc_instructions(full[s]) > MOST_REGION ||
        LLVMCountBasicBlocks(region) > MOST_BLOCKS || cc_reads_rows(region) ||
        (s && l->states[s].kind != HC_BARRIER))
        return HC_MIXED;
    cc_cfg *g = cc_cfg_build(region);
    if (g->nloops)
        return HC_MIXED;
    CC_EACH_INST_OF(i, region) {
        uint64_t n = elements(i);
        if (cc_is_access(i) && cc_is_shared(cc_pointer_of(i)) &&
            !cc_is_at_line(u, cc_pointer_of(i)))
            return HC_MIXED;
        (*code)++;
        if (n > *threads)
            *threads = (unsigned)n;
    }
    return cc_only_result(region);
}

bool cc_find_known_block(cc_unit *u, const cc_kernel *k, const cc_value *full,
                         cc_block_code *found)
{
    const cc_layout *l = &k->layout[0];
    unsigned lanes = k->width;
    if (u->options->level == 0 || u->options->checks || l->nstates < 3 ||
        k->shared_bytes > MOST_SHARED || keeps_shared_addresses(l))
        return false;
    for (unsigned first = 0; first < l->nstates; first++) {
        unsigned code = 0, threads = 0, regions = 0;
        uint32_t s = first, next = first;
        do {
            s = next;
            next = leads_to(u, l, full, s, &code, &threads);
            regions++;
        } while (next != HC_MIXED && next > s);
        if (next != HC_EXITED || l->states[first].fused || regions < LEAST_REGIONS)
            continue;
        *found = (cc_block_code){first, threads, NULL};
        return threads > lanes && threads % lanes == 0 &&
               threads / lanes <= MOST_VECTORS && threads <= k->max_threads &&
               code * (threads / lanes) <= MOST_CODE;
    }
    return false;
}

static const char note[] =
    "hostcc.context"; /* on functions: bytes of the vectors' contexts */

static void run_vector(emitter *m, cc_value full, unsigned start)
{
    cc_type i32 = m->unit->i32;
    cc_value zero = cc_int(i32, 0), args[CC_NPARAMS] = {m->launch,
                                                        m->frame,
                                                        m->index[0],
                                                        m->index[1],
                                                        m->index[2],
                                                        cc_int(i32, start),
                                                        zero,
                                                        zero,
                                                        cc_int(i32, start / m->width),
                                                        cc_int(i32, ~0u)};
    LLVMBuildCall2(m->b, cc_vector_type(m->unit), full, args, CC_NPARAMS, "");
}

/* Vector functions read it for themselves. */
static void assume_dimension(emitter *m, unsigned dim)
{
    cc_unit *u = m->unit;
    cc_value is =
        LLVMBuildICmp(m->b, LLVMIntEQ, cc_block_dimension(u, m->b, m->launch, dim),
                      m->block_dim[dim], "");
    cc_type t = LLVMFunctionType(u->none, (cc_type[]){u->i1}, 1, 0);
    cc_value assume = LLVMGetNamedFunction(u->module, "llvm.assume");
    if (!assume)
        assume = LLVMAddFunction(u->module, "llvm.assume", t);
    LLVMBuildCall2(m->b, t, assume, &is, 1, "");
}

static emitter begin(cc_unit *u, const cc_kernel *k, unsigned threads)
{
    cc_type params[] = {u->ptr, u->ptr};
    emitter m = {.unit = u, .width = k->width};
    m.function = LLVMAddFunction(u->module, cc_format("%s.known", k->name),
                                 LLVMFunctionType(u->i32, params, 2, 0));
    LLVMSetLinkage(m.function, LLVMInternalLinkage);
    cc_target_attributes(u, m.function);
    cc_readable_param(u, m.function, 1, sizeof(hc_launch));
    cc_readable_param(u, m.function, 2, sizeof(hc_frame));
    cc_attribute(u, m.function, "noinline");
    cc_owns_shared(u, m.function, k->shared_bytes);
    cc_text_attribute(
        u, m.function, note,
        cc_format("%u", k->layout[0].context_bytes * (threads / k->width)));
    m.launch = LLVMGetParam(m.function, 0);
    m.frame = LLVMGetParam(m.function, 1);
    m.b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(m.b, new_block(&m, "entry"));
    for (unsigned d = 0; d < 3; d++) {
        m.block_dim[d] = cc_int(u->i32, d ? 1 : threads);
        m.index[d] = load32(&m, m.frame, offsetof(hc_frame, index) + 4 * d);
        assume_dimension(&m, d);
    }
    return m;
}

void cc_known_block(cc_unit *u, const cc_kernel *k, const cc_value *full,
                    cc_block_code *code)
{
    const cc_layout *l = &k->layout[0];
    emitter m = begin(u, k, code->threads);
    uint32_t s = code->first;
    do {
        unsigned fused = l->states[s].next, vectors = code->threads / m.width;
        m.region = l->region[s];
        cc_read_block_values(&m, cc_int(u->i32, 0));
        for (unsigned v = 0; v < vectors; v++) {
            unsigned start = (l->states[s].down ? vectors - 1 - v : v) * m.width;
            run_vector(&m, full[s], start);
            if (fused)
                run_vector(&m, full[fused], start);
        }
        s = cc_only_result(l->region[fused ? fused : s]);
    } while (s != HC_EXITED);
    LLVMBuildRet(m.b, cc_int(u->i32, HC_EXITED));
    code->function = m.function;
    u->known_blocks = true;
}

void cc_try_block_code(emitter *m, const cc_block_code *code)
{
    cc_type i32 = m->unit->i32;
    cc_block yes = new_block(m, "code"), no = new_block(m, "passes");
    cc_value rows = LLVMBuildMul(m->b, m->block_dim[1], m->block_dim[2], ""), one, same,
             whole = LLVMBuildLoad2(m->b, i32,
                                    frame_field(m, offsetof(hc_frame, whole)), "");
    one = LLVMBuildICmp(m->b, LLVMIntEQ, rows, cc_int(i32, 1), "");
    same =
        LLVMBuildICmp(m->b, LLVMIntEQ, m->block_dim[0], cc_int(i32, code->threads), "");
    whole = LLVMBuildICmp(m->b, LLVMIntNE, whole, cc_int(i32, 0), "");
    same = LLVMBuildAnd(m->b, same, LLVMBuildAnd(m->b, one, whole, ""), "");
    LLVMBuildCondBr(m->b, same, yes, no);
    LLVMPositionBuilderAtEnd(m->b, yes);
    cc_value args[] = {m->launch, m->frame};
    LLVMBuildRet(m->b, LLVMBuildCall2(m->b, LLVMGlobalGetValueType(code->function),
                                      code->function, args, 2, ""));
    LLVMPositionBuilderAtEnd(m->b, no);
}

static void place_context(cc_unit *u, cc_value f, unsigned bytes)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    cc_value memory = LLVMBuildAlloca(b, LLVMArrayType2(u->i8, bytes), "contexts");
    LLVMSetAlignment(memory, 64);
    CC_EACH_INST_OF(i, f) {
        if (!cc_is_frame_field(u, i, offsetof(hc_frame, context)))
            continue;
        LLVMReplaceAllUsesWith(i, memory);
        LLVMInstructionEraseFromParent(i);
    }
    cc_value at = cc_offset(u, b, LLVMGetParam(f, 1), offsetof(hc_frame, context));
    LLVMBuildMemCpy(b, memory, 64, cc_fixed_load(u, b, u->ptr, at, 0), 4,
                    cc_int(u->i64, bytes));
}

void cc_place_known_contexts(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        unsigned bytes = cc_number_of_attribute(f, note);
        if (bytes && bytes <= MOST_CONTEXT)
            place_context(u, f, bytes);
    }
}
