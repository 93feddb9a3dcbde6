/* The interior of a row: the threads for which every comparison of a region with what
   counts along the row goes its usual way, as in the middle of a tile with a halo: `tx
   > i && tx < 255 - i && x >= 0 && x < width`, and no neighbour's place is clamped.
   Where it starts and ends is computed once a row. Vectors inside run code in which
   these comparisons are decided; the others ask one by one, as all did: a dozen
   questions were more than half of the instructions of such a pass. */
#include "hostcc/back/back.h"
#include "hostcc/split/split.h"

#define LEAST 3           /* comparisons, for code of the interior */
#define LEAST_OF_ROW 2    /* ... of which so many are no business of row_sides.c */
#define MOST 16           /* ... that an interior is made of */
#define MOST_THREADS 1024 /* of a row */
#define HALF 64           /* threads: of a row, so many are rather the seldom ones */

/* -- The comparisons of a region -- */

/* How `counts` and `bound` are compared. */
typedef struct {
    cc_value test, counts, bound;
    int64_t growth;           /* of counts: 1 or -1; 0: all is the same in a row */
    bool is_signed, or_equal; /* of <= and >= */
    bool below;               /* inside, counts is below the bound; else above */
    bool equal;               /* inside, it is another number than the bound */
    bool usual;               /* what the comparison is inside */
} question;

static bool is_thread_number(cc_value v)
{
    if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v))
        v = LLVMGetOperand(v, 0);
    return strcmp(cc_register(v), "tid.x") == 0;
}

/* Most conditions say where work is: below a bound, or above one. The first threads of
   a row often do something else. */
static bool is_usual(const question *q)
{
    if (!is_thread_number(q->counts) || !LLVMIsAConstantInt(q->bound))
        return true;
    return (LLVMConstIntGetZExtValue(q->bound) > HALF) == q->below;
}

static bool ask(cc_value i, question *q)
{
    int64_t a, b;
    if (!LLVMIsAICmpInst(i))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    cc_value counts = LLVMGetOperand(i, 0), bound = LLVMGetOperand(i, 1);
    if (cc_kind(LLVMTypeOf(counts)) != LLVMIntegerTypeKind ||
        (LLVMGetIntTypeWidth(LLVMTypeOf(counts)) != 32 &&
         LLVMGetIntTypeWidth(LLVMTypeOf(counts)) != 64) ||
        !cc_growth_in_row(counts, &a) || !cc_growth_in_row(bound, &b) || a * b != 0 ||
        a + b < -1 || a + b > 1)
        return false;
    bool above =
        p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
    *q = (question){.test = i, .growth = a + b, .is_signed = p >= LLVMIntSGT};
    q->below = above == (b != 0);
    q->counts = b ? bound : counts;
    q->bound = b ? counts : bound;
    q->equal = p == LLVMIntEQ || p == LLVMIntNE;
    q->or_equal =
        p == LLVMIntUGE || p == LLVMIntSGE || p == LLVMIntULE || p == LLVMIntSLE;
    q->usual = q->equal ? p == LLVMIntNE : is_usual(q);
    if (!q->usual && !q->equal) { /* a < b is not a >= b */
        q->below = !q->below;
        q->or_equal = !q->or_equal;
    }
    return true;
}

/* -- Where they go their usual way -- */

/* i64: threads from start on, below end. Of numbers modulo 2^w those threads are meant
   whose numbers are what they would be without end: the first thread's number is taken
   as a signed one and counts from there. */
typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_value start, end;
} interval;

static cc_value greater(cc_builder b, cc_value x, cc_value y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSGT, x, y, ""), x, y, "");
}

static cc_value less(cc_builder b, cc_value x, cc_value y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT, x, y, ""), x, y, "");
}

static void meet_if(interval *in, cc_value condition)
{
    in->end = LLVMBuildSelect(in->b, condition, in->end, cc_int(in->unit->i64, 0), "");
}

/* x - y, which does not wrap around, nor does the number after it: those of 64 bits
   stay at the ends, and above at what is far behind a row. */
static cc_value difference(interval *in, cc_value x, cc_value y, bool wide)
{
    if (!wide)
        return LLVMBuildNSWSub(in->b, x, y, "");
    cc_type t = in->unit->i64, types[] = {t, t};
    cc_value args[] = {x, y}, f;
    unsigned id = LLVMLookupIntrinsicID("llvm.ssub.sat", strlen("llvm.ssub.sat"));
    f = LLVMGetIntrinsicDeclaration(in->unit->module, id, types, 1);
    return less(in->b,
                LLVMBuildCall2(in->b, LLVMFunctionType(t, types, 2, 0), f, args, 2, ""),
                cc_int(t, 1ull << 40));
}

static void meet_start(interval *in, cc_value start)
{
    in->start = greater(in->b, in->start, start);
}

static void meet_end(interval *in, cc_value end)
{
    in->end = less(in->b, in->end, end);
}

/* That the row's numbers are from 0 on, or do not pass the end of their type. */
static void meet_type(interval *in, const question *q, cc_value first, bool wide)
{
    int64_t most = (wide ? INT64_MAX : INT32_MAX) - MOST_THREADS;
    cc_value zero = cc_int(in->unit->i64, 0), one = cc_int(in->unit->i64, 1);
    if (q->is_signed || q->equal) {
        cc_value end = cc_int(in->unit->i64, (uint64_t)(q->growth * most));
        LLVMIntPredicate before = q->growth > 0 ? LLVMIntSLE : LLVMIntSGE;
        meet_if(in, LLVMBuildICmp(in->b, before, first, end, ""));
    } else if (q->growth > 0) {
        meet_start(in, difference(in, zero, first, wide));
    } else {
        meet_end(in, LLVMBuildAdd(in->b, first, one, ""));
    }
}

static void meet_question(interval *in, const cc_kernel *k, const cc_thread_row *r,
                          const question *q)
{
    cc_builder b = in->b;
    cc_unit *u = in->unit;
    cc_value bound = cc_of_row(u, k, r, q->bound),
             first = cc_of_row(u, k, r, q->counts), zero = cc_int(u->i64, 0);
    if (!q->growth) {
        cc_value is = LLVMBuildICmp(b, LLVMGetICmpPredicate(q->test), first, bound, "");
        meet_if(in, LLVMBuildXor(b, is, cc_int(u->i1, !q->usual), ""));
        return;
    }
    bool is_signed = q->is_signed || q->equal, up = q->growth > 0,
         wide = LLVMGetIntTypeWidth(LLVMTypeOf(first)) == 64;
    first = LLVMBuildSExtOrBitCast(b, first, u->i64, "");
    bound = is_signed ? LLVMBuildSExtOrBitCast(b, bound, u->i64, "")
                      : LLVMBuildZExtOrBitCast(b, bound, u->i64, "");
    /* The thread whose number is the bound, and the next. */
    cc_value at = up ? difference(in, bound, first, wide)
                     : difference(in, first, bound, wide),
             behind = LLVMBuildAdd(b, at, cc_int(u->i64, 1), "");
    if (q->equal) { /* the longer side of it */
        cc_value half = LLVMBuildLShr(b, r->block_dim[0], cc_int(u->i32, 1), "");
        half = LLVMBuildZExt(b, half, u->i64, "");
        cc_value early = LLVMBuildICmp(b, LLVMIntSLT, at, half, "");
        meet_start(in, LLVMBuildSelect(b, early, behind, zero, ""));
        meet_end(in, LLVMBuildSelect(b, early, in->end, at, ""));
    } else if (q->below == up) {
        meet_end(in, q->or_equal ? behind : at);
    } else {
        meet_start(in, q->or_equal ? at : behind);
    }
    if (!is_signed || q->equal || q->below != up)
        meet_type(in, q, first, wide);
    if (!is_signed && wide && !q->below) /* a bound that is no negative number */
        meet_if(in, LLVMBuildICmp(b, LLVMIntSGE, bound, zero, ""));
}

void cc_interior_of_row(cc_unit *u, const cc_row_interior *of, const cc_thread_row *r,
                        cc_value region, unsigned width, cc_value range[2])
{
    cc_value zero = cc_int(u->i64, 0);
    interval in = {u, r->b, zero, LLVMBuildZExt(r->b, r->block_dim[0], u->i64, "")};
    question q;
    CC_EACH_INST_OF(i, region) {
        if (ask(i, &q))
            meet_question(&in, of->kernel, r, &q);
    }
    cc_value first = LLVMBuildAdd(in.b, in.start, cc_int(u->i64, width - 1), "");
    range[0] = LLVMBuildTrunc(in.b, in.start, u->i32, "");
    first = LLVMBuildNSWSub(in.b, greater(in.b, in.end, zero), first, "");
    range[1] = LLVMBuildTrunc(in.b, greater(in.b, first, zero), u->i32, "");
}

/* -- Code of the interior -- */

static bool decide(cc_value i, const void *data, bool *result)
{
    question q;
    (void)data;
    if (!ask(i, &q))
        return false;
    *result = q.usual;
    return true;
}

bool cc_has_interior(const cc_unit *u, const cc_layout *l, unsigned state)
{
    unsigned n = 0, of_row = 0;
    question q;
    if (!cc_may_decide(u, l, state) || cc_reads_rows(l->region[state]))
        return false;
    CC_EACH_INST_OF(i, l->region[state]) {
        if (ask(i, &q) && q.growth) {
            n++;
            of_row += !is_thread_number(q.counts) || !LLVMIsAConstantInt(q.bound);
        }
    }
    return n >= LEAST && n <= MOST && of_row >= LEAST_OF_ROW;
}

cc_row_interior *cc_find_row_interiors(cc_unit *u, cc_kernel *k, const cc_value *full)
{
    const cc_layout *l = &k->layout[0];
    cc_row_interior *all = cc_alloc((l->nstates + 1) * sizeof *all);
    for (unsigned s = 0; s < l->nstates; s++) {
        if (!full[s] || !cc_has_interior(u, l, s) || !cc_goes_together(l, s, full))
            continue;
        all[s].kernel = k;
        all[s].full = cc_decided_code(u, k, s, "interior", decide, NULL);
    }
    return all;
}
