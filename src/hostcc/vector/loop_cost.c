/* How many lanes of a divergent loop take less time one after the other, as scalar code
   (scalar_loops.c), than as a vector. A turn of a vector costs the same for one lane as
   for all, and gathers and scatters, without which vectors always win, cost it several
   times what a lane's load or store does: where a guard has left 2 lanes of 16, as in
   breadth-first search, scalar code was 2 to 20 times as fast.

   With all lanes, vectors win by far in loops that compute or that search, where each
   lane's own end of the loop, and each branch in it, is a jump that the processor did
   not expect: a binary search took 6 to 25 times as long in scalar code, Newton's
   method 12 times. Loops that hardly do more than to gather, like the product of a
   sparse matrix and a vector, take the same time while memory is cached, and a third of
   it in scalar code if it is not: several lanes' loads are under way at a time, a
   vector's turns are not. So
     - where the estimate is most of the lanes, the loop is scalar always;
     - where it is few of them, that is not worth its code: a vector always;
     - between, it is compiled both ways, and lanes are counted at each turn; each has a
       beginning and an end of its own in scalar code, so they must be fewer.

   A way of a branch, of one node, is scalar where the estimate is most of the lanes:
   where all lanes go that way, full code runs, and masked code for all but a few of
   them is seldom better. A tile's anti-diagonals took 0.6 of the time.

   Costs are cycles, fitted to what bench/loops.py measured of divergent loops, with 16
   lanes of which 0.6 still run on average: on a Zen 5, where gathers are slow
   (gather_time.c), and on a Xeon, where they are fast. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/intrinsic_table.h"

#define INNER_TURNS 4
#define MOST (2 / 3.0) /* of the vector's lanes */
#define SOME (1 / 4.0)
#define CAREFUL (2 / 3.0) /* of the estimate */

typedef struct {
    double vector, lane;
} cost;

/* Per 16 lanes and per lane. */
static const cost nothing = {0, 0}, once = {1, 1}, arithmetic = {1, 0.7},
                  address = {1, 0}, division = {16, 10}, intrinsic = {8, 8},
                  library = {240, 25}, atomic = {280, 20}, in_row = {3, 1},
                  branch = {3, 6}, turn = {4, 3};

/* Of lanes anywhere; each_lane: no instruction does it. */
typedef struct {
    cost gather, narrow_gather, scatter, each_lane;
} costs_anywhere;

static const costs_anywhere beside_slow_gathers = {{34, 1}, {42, 1}, {54, 1}, {65, 1}},
                            beside_fast_ones = {{16, 1}, {16, 1}, {68, 1}, {90, 1}};

static cost of_access(const cc_vec *e, cc_value p, unsigned size, bool is_store)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    unsigned bits = e->unit->vector_bits;
    const costs_anywhere *anywhere =
        cc_gathers_are_fast(e->unit) ? &beside_fast_ones : &beside_slow_gathers;
    if (cc_uniform(s))
        return once;
    if (s.kind == CC_AFFINE && (s.stride == (int)size || s.stride == -(int)size))
        return in_row;
    if (bits < (is_store ? 512 : 256) || (is_store && size < 4))
        return anywhere->each_lane;
    return is_store   ? anywhere->scatter
           : size < 4 ? anywhere->narrow_gather
                      : anywhere->gather;
}

static cost of_instruction(const cc_vec *e, cc_value i)
{
    cc_unit *u = e->unit;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMBr:
        return nothing;
    case LLVMLoad:
        return of_access(e, LLVMGetOperand(i, 0), cc_sizeof(u, LLVMTypeOf(i)), false);
    case LLVMStore:
        return of_access(e, LLVMGetOperand(i, 1),
                         cc_sizeof(u, LLVMTypeOf(LLVMGetOperand(i, 0))), true);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return atomic;
    case LLVMGetElementPtr:
        return address;
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return LLVMIsConstant(LLVMGetOperand(i, 1)) ? arithmetic : division;
    case LLVMCall:
        return *cc_register(i)                   ? nothing
               : cc_intrinsic_order(i)           ? arithmetic
               : cc_function_of(i) == CC_FN_NONE ? intrinsic
               : cc_function_of(i) == CC_FN_LIBM ? library
                                                 : address;
    default:
        return arithmetic;
    }
}

/* Of 512 bits, that hold a vector of the value. */
static double registers(const cc_vec *e, cc_value i)
{
    bool is_void = cc_kind(LLVMTypeOf(i)) == LLVMVoidTypeKind;
    unsigned size = is_void ? 4 : cc_sizeof(e->unit, LLVMTypeOf(i));
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || cc_same(e, i) || size < 4
               ? 1
               : size / 4.0;
}

static void add(cost *sum, cost c, double times)
{
    sum->vector += c.vector * times;
    sum->lane += c.lane * times;
}

/* Of a node's instructions. */
static cost of_node(const cc_vec *e, unsigned node)
{
    cost sum = nothing;
    CC_EACH_INST(i, e->cfg->node[node].ref) {
        cost c = of_instruction(e, i);
        c.vector *= registers(e, i);
        add(&sum, c, 1);
    }
    return sum;
}

static double lanes_share(cost sum)
{
    return sum.vector / sum.lane / 16;
}

unsigned cc_lanes_cheaper_alone(const cc_vec *e, int loop)
{
    const cc_cfg *g = e->cfg;
    cost sum = nothing;
    for (unsigned n = g->loop[loop].header; n < g->n; n++) {
        const cc_node *node = &g->node[n];
        double times = 1;
        if (!cc_loop_contains(g, loop, n))
            continue;
        for (int l = node->loop; l != loop; l = g->loop[l].parent)
            times *= INNER_TURNS;
        add(&sum, of_node(e, n), times);
        if (g->loop[node->loop].header == n)
            add(&sum, turn, times);
        else if (node->varying_branch)
            add(&sum, branch, times);
    }
    double share = lanes_share(sum);
    return share < SOME   ? 0
           : share < MOST ? (unsigned)(share * CAREFUL * e->width)
                          : e->width;
}

bool cc_is_cheaper_alone(const cc_vec *e, unsigned node)
{
    cost sum = of_node(e, node);
    add(&sum, turn, 1);
    return lanes_share(sum) >= MOST;
}
