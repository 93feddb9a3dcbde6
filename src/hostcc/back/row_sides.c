/* The sides of a comparison of threadIdx.x with a constant, as in `if (t < 64)`: which
   way threads go follows of where they are in their row. So a pass over a row takes the
   vectors below, around and above the constant in loops of their own, and in code in
   which the comparison is decided: scans and reductions in shared memory ask no vector
   whether it has a part in a step, and skip those that have none. Two mispredicted
   branches a step were a third of a scan's time. */
#include "hostcc/back/back.h"
#include "hostcc/split/split.h"

#define THREADS 1024 /* of a row, at most */
#define MOST 100     /* instructions of a region: others have more to do than to ask */

/* Of a comparison: what it is for threads below start, and from end on. */
typedef struct {
    uint64_t start, end;
    bool below, above;
} sides;

static bool find_sides(cc_value i, sides *s)
{
    cc_value v = LLVMIsAICmpInst(i) ? LLVMGetOperand(i, 0) : NULL;
    if (v && (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)))
        v = LLVMGetOperand(v, 0);
    if (!v || strcmp(cc_register(v), "tid.x") != 0 ||
        !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return false;
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    if (n >= THREADS)
        return false;
    switch (LLVMGetICmpPredicate(i)) {
    case LLVMIntULT:
    case LLVMIntSLT:
        *s = (sides){n, n, true, false};
        return true;
    case LLVMIntULE:
    case LLVMIntSLE:
        *s = (sides){n + 1, n + 1, true, false};
        return true;
    case LLVMIntUGE:
    case LLVMIntSGE:
        *s = (sides){n, n, false, true};
        return true;
    case LLVMIntUGT:
    case LLVMIntSGT:
        *s = (sides){n + 1, n + 1, false, true};
        return true;
    case LLVMIntEQ:
        *s = (sides){n, n + 1, false, false};
        return true;
    case LLVMIntNE:
        *s = (sides){n, n + 1, true, true};
        return true;
    }
    return false;
}

/* Of the first comparison of a region that is short enough. */
static bool find_first(cc_value region, sides *s)
{
    unsigned n = 0;
    bool found = false;
    CC_EACH_INST_OF(i, region) {
        found = found || find_sides(i, s);
        n++;
    }
    return found && n <= MOST && !cc_reads_rows(region);
}

typedef struct {
    const cc_row_sides *at;
    bool above;
} side;

static bool decide(cc_value i, const void *data, bool *result)
{
    const side *of = data;
    sides s;
    if (!find_sides(i, &s) ||
        (of->above ? s.end > of->at->end : s.start < of->at->start))
        return false;
    *result = of->above ? s.above : s.below;
    return true;
}

static cc_row_sides make(cc_unit *u, cc_kernel *k, unsigned state, const sides *s)
{
    unsigned width = k->width;
    cc_row_sides made = {(unsigned)s->start / width * width,
                         ((unsigned)s->end + width - 1) / width * width, NULL, NULL};
    side below = {&made, false}, above = {&made, true};
    if (made.start)
        made.below = cc_decided_code(u, k, state, "below", decide, &below);
    made.above = cc_decided_code(u, k, state, "above", decide, &above);
    return made;
}

cc_row_sides *cc_find_row_sides(cc_unit *u, cc_kernel *k, const cc_value *full)
{
    const cc_layout *l = &k->layout[0];
    cc_row_sides *all = cc_alloc((l->nstates + 1) * sizeof *all);
    for (unsigned s = 0; s < l->nstates; s++) {
        unsigned next = l->states[s].next;
        sides at;
        if (!cc_may_decide(u, l, s) || !full[s] || cc_has_interior(u, l, s) ||
            cc_only_result(l->region[next ? next : s]) == HC_MIXED ||
            (!find_first(l->region[s], &at) &&
             (!next || !find_first(l->region[next], &at))))
            continue;
        all[s] = make(u, k, s, &at);
        if (next)
            all[next] = make(u, k, next, &at);
    }
    return all;
}
