/* Loads and stores. The pointer's uniformity decides: one scalar access, one access to
   consecutive memory (forwards or backwards), or a gather or scatter. In full code
   nothing is masked. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/intrinsic_table.h"

#include <stddef.h>

#define AHEAD 127        /* bytes: the last that 16 lanes of 4 bytes read next */
#define WRITES_AHEAD 128 /* bytes */
#define LINE 64          /* bytes of a line of caches */
#define BLOCKS_AHEAD 4
#define VECTORS_AHEAD 16
#define PAGE 4096      /* bytes */
#define STEPS 10       /* from an address back to threadIdx.y */
#define MOST_COPIED 16 /* registers */

/* Types whose vectors have the memory layout of arrays. */
static bool is_plain(cc_vec *e, cc_type t)
{
    LLVMTypeKind k = cc_kind(t);
    if (k == LLVMIntegerTypeKind) {
        unsigned bits = LLVMGetIntTypeWidth(t);
        return bits == 8 || bits == 16 || bits == 32 || bits == 64;
    }
    return k == LLVMPointerTypeKind || (cc_is_float(t) && cc_sizeof(e->unit, t));
}

static cc_value reversed(cc_vec *e, cc_value v)
{
    cc_value order[HC_LANES];
    for (unsigned l = 0; l < e->width; l++)
        order[l] = cc_int(e->unit->i32, e->width - 1 - l);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(order, e->width), "");
}

/* Of the lanes that run; NULL: all. */
static cc_value reversed_mask(cc_vec *e)
{
    return e->mask ? reversed(e, e->mask) : NULL;
}

/* The lowest address of an access that runs backwards through memory. */
static cc_value last_lane_address(cc_vec *e, cc_value base, unsigned size)
{
    cc_value back = cc_int(e->unit->i64, -(uint64_t)size * (e->width - 1));
    return LLVMBuildGEP2(e->b, e->unit->i8, base, &back, 1, "");
}

/* Whether v is made of threadIdx.y or z. */
static bool depends_on_row(cc_value v, unsigned steps)
{
    unsigned dim, n = LLVMIsAPHINode(v)       ? LLVMCountIncoming(v)
                      : LLVMIsAInstruction(v) ? (unsigned)LLVMGetNumOperands(v)
                                              : 0;
    if (cc_register_of(v, &dim) == CC_TID)
        return dim > 0;
    unsigned step = LLVMIsAPHINode(v) ? 3 : 1;
    if ((LLVMIsACallInst(v) && !cc_intrinsic_order(v)) || LLVMIsALoadInst(v) ||
        steps < step)
        return false;
    for (unsigned k = 0; k < n; k++)
        if (depends_on_row(LLVMGetOperand(v, k), steps - step))
            return true;
    return false;
}

/* What the threads of a block that is one row access together. */
static cc_value bytes_of_block(cc_vec *e, unsigned size)
{
    cc_type i64 = e->unit->i64;
    cc_value threads = LLVMBuildZExt(e->entry, cc_block_dim(e, 0), i64, "");
    return LLVMBuildMul(e->entry, threads, cc_int(i64, size), "");
}

/* Whether what is read later is asked for early, into the second cache: AMD's
   processors. There requests for the first that run ahead take the places of loads (a
   scan on Zen 4 took half of the time, a stencil 0.9); on Intel's Sapphire Rapids they
   do not, and the way from the second cache is longer (small kernels took 1.25). */
static bool reads_far_ahead(const cc_vec *e)
{
    const cc_options *o = e->unit->options;
    if (o->prefetches)
        return o->prefetches == CC_PREFETCHES_ARE_FAR;
    return cc_prefixed(e->unit->cpu, "znver");
}

static bool is_read(cc_value p)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        if (LLVMIsALoadInst(LLVMGetUser(use)))
            return true;
    }
    return false;
}

static bool is_written(cc_value p)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && cc_pointer_of(user) == p)
            return true;
    }
    return false;
}

#define FIRST_CACHE 3 /* LLVM's localities */
#define SECOND_CACHE 2

/* The rows of a block are more streams of memory than a processor follows, and what a
   block reads between two barriers is too short for it: it is asked for what the same
   threads of a later block read. In loops it has time to see by itself, but where they
   stride over the grid: there each iteration of a turn is a stream, which it loses at
   the end of each page. So it is on AMD's processors with `x[i] *= a`. */
static cc_value distance_ahead(cc_vec *e, cc_value load, unsigned size, unsigned *to)
{
    cc_unit *u = e->unit;
    cc_value p = cc_pointer_of(load);
    unsigned at = cc_cfg_node(e->cfg, LLVMGetInstructionParent(load));
    bool far = reads_far_ahead(e), loops = e->cfg->node[at].loop >= 0;
    *to = far ? SECOND_CACHE : FIRST_CACHE;
    if (depends_on_row(p, STEPS))
        return cc_int(u->i64, AHEAD);
    if (cc_is_own(p))
        return NULL;
    if (!e->suspends || loops)
        *to = FIRST_CACHE;
    if (!e->suspends)
        return far && !loops && is_written(p) ? cc_int(u->i64, PAGE) : NULL;
    if (loops)
        return cc_step_over_grid(e, load)
                   ? cc_int(u->i64, (uint64_t)VECTORS_AHEAD * e->width * size)
                   : NULL;
    if (e->linear)
        return NULL;
    return LLVMBuildMul(e->entry, bytes_of_block(e, size),
                        cc_int(u->i64, far ? BLOCKS_AHEAD : 1), "");
}

static void prefetch(cc_vec *e, cc_value p, cc_value ahead, bool write, unsigned to)
{
    cc_unit *u = e->unit;
    cc_value at = LLVMBuildGEP2(e->b, u->i8, cc_scalar(e, p), &ahead, 1, ""),
             args[] = {at, cc_int(u->i32, write), cc_int(u->i32, to),
                       cc_int(u->i32, 1)};
    cc_intrinsic(e, "llvm.prefetch", &u->ptr, 1, args, 4);
}

static void prefetch_reads(cc_vec *e, cc_value load, unsigned size)
{
    cc_value p = cc_pointer_of(load), ahead;
    unsigned to;
    if (e->mask || e->unit->options->level == 0 || cc_is_shared(p) ||
        !(ahead = distance_ahead(e, load, size, &to)))
        return;
    for (unsigned k = 0; k < e->width * size; k += LINE)
        prefetch(e, p, LLVMBuildAdd(e->b, ahead, cc_int(e->unit->i64, k), ""), false,
                 to);
}

/* A core owns a line before it writes, and asks for that when the store is next in
   order: then loads of what comes later have taken the places of requests under way.
   Nobody else writes there soon: the next vectors do. Where they are the last that a
   block with barriers has to do, what it writes next in shared memory would have to
   wait, too: it asks for what the next block writes. In loops a thread's next store is
   elsewhere. */
static void prefetch_writes(cc_vec *e, cc_value p, unsigned size)
{
    cc_type i64 = e->unit->i64;
    unsigned bytes = e->width * size;
    cc_value ahead = cc_int(i64, WRITES_AHEAD);
    if (e->suspends && !e->linear && !depends_on_row(p, STEPS))
        ahead = bytes_of_block(e, size);
    for (unsigned k = 0; k < bytes; k += LINE)
        prefetch(e, p, LLVMBuildAdd(e->b, ahead, cc_int(i64, k), ""), true,
                 FIRST_CACHE);
}

/* Whether the lines that consecutive threads write are new to the core. */
static bool fills_lines(cc_vec *e, cc_value p, unsigned bytes)
{
    return !e->mask && e->unit->options->level > 0 && 2 * bytes >= LINE &&
           !cc_is_shared(p) && !cc_is_own(p) && !is_read(p);
}

/* Of lanes that are neighbours, to memory that p's origin tells of. */
static void store_lanes(cc_vec *e, cc_value v, cc_value p, cc_value to, unsigned align,
                        cc_value mask)
{
    if (cc_is_own(p))
        cc_store_own_lanes(e, v, to, align, mask);
    else if (cc_is_shared(p))
        cc_store_shared_lanes(e, v, to, align, mask);
    else
        cc_store_lanes(e, v, to, align, mask);
}

static void store_row(cc_vec *e, cc_value store, unsigned size)
{
    cc_value p = cc_pointer_of(store);
    unsigned at = cc_cfg_node(e->cfg, LLVMGetInstructionParent(store));
    bool fills = fills_lines(e, p, e->width * size);
    cc_block done = fills ? cc_stream_begin(e, store, size) : NULL;
    store_lanes(e, cc_lanes(e, LLVMGetOperand(store, 0)), p, cc_scalar(e, p),
                LLVMGetAlignment(store), e->mask);
    if (fills && e->cfg->node[at].loop < 0)
        prefetch_writes(e, p, size);
    if (done)
        cc_stream_end(e, done);
}

void cc_load(cc_vec *e, cc_value i)
{
    cc_value p = LLVMGetOperand(i, 0), v;
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    cc_type t = cc_flat(e, LLVMTypeOf(i));
    unsigned align = LLVMGetAlignment(i), size = cc_sizeof(e->unit, t);
    bool ordered = cc_is_ordered(i);
    bool consecutive = s.kind == CC_AFFINE;

    cc_count_access(e, i, p, size);
    if (cc_is_known(e, i)) /* with another member of the same structure */
        return;
    if (cc_uniform(s) && !ordered) {
        v = LLVMBuildLoad2(e->b, t, cc_scalar(e, p), "");
        LLVMSetAlignment(v, align);
        if (cc_is_noted(e->unit, i, CC_INVARIANT))
            cc_note(e->unit, v, CC_INVARIANT, 0, NULL, NULL);
        cc_define(e, i, v, NULL);
        return;
    }
    if (!is_plain(e, t) ||
        (ordered && (e->mask || !consecutive || s.stride != (int64_t)size ||
                     !LLVMGetVolatile(i)))) {
        cc_lane_by_lane(e, i);
        return;
    }
    if (consecutive && s.stride == (int64_t)size) {
        v = cc_load_lanes(e, t, cc_scalar(e, p), align, e->mask);
        if (ordered)
            LLVMSetVolatile(v, 1);
        prefetch_reads(e, i, size);
    } else if (consecutive && s.stride == -(int64_t)size) {
        cc_value mask = reversed_mask(e);
        v = cc_load_lanes(e, t, last_lane_address(e, cc_scalar(e, p), size), align,
                          mask);
        v = reversed(e, v);
    } else if (consecutive && cc_load_interleaved(e, i)) {
        return;
    } else {
        if (cc_load_rows(e, i))
            return;
        v = cc_gather(e, t, p, 0, align);
    }
    cc_define(e, i, NULL, v);
}

/* All lanes store to one place: the highest lane that runs comes last. */
static cc_value winner(cc_vec *e, cc_value v)
{
    if (cc_same(e, v))
        return cc_scalar(e, v);
    cc_value lane = cc_int(e->unit->i32, e->width - 1);
    if (e->mask) {
        cc_value args[] = {cc_bits32(e, e->mask), cc_int(e->unit->i1, 1)};
        cc_value zeros = cc_intrinsic(e, "llvm.ctlz", &e->unit->i32, 1, args, 2);
        lane = LLVMBuildSub(e->b, cc_int(e->unit->i32, 31), zeros, "");
    }
    return LLVMBuildExtractElement(e->b, cc_lanes(e, v), lane, "");
}

void cc_store(cc_vec *e, cc_value i)
{
    cc_value v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    cc_type t = cc_flat(e, LLVMTypeOf(v));
    unsigned align = LLVMGetAlignment(i), size = cc_sizeof(e->unit, t);

    cc_count_access(e, i, p, size);
    if (cc_is_ordered(i) || !is_plain(e, t)) {
        cc_lane_by_lane(e, i);
    } else if (cc_uniform(s)) {
        LLVMSetAlignment(LLVMBuildStore(e->b, winner(e, v), cc_scalar(e, p)), align);
    } else if (s.kind == CC_AFFINE && s.stride == (int64_t)size) {
        store_row(e, i, size);
    } else if (s.kind == CC_AFFINE && s.stride == -(int64_t)size) {
        cc_value mask = reversed_mask(e);
        store_lanes(e, reversed(e, cc_lanes(e, v)), p,
                    last_lane_address(e, cc_scalar(e, p), size), align, mask);
    } else if (cc_store_interleaved(e, i)) {
        return;
    } else if (e->mask && (size < 4 || e->unit->vector_bits < 512)) {
        cc_lane_by_lane(e, i); /* no instruction does it; LLVM branches a lane */
    } else {
        cc_scatter(e, cc_lanes(e, v), p, align);
    }
}

static bool is_row(cc_vec *e, cc_value p, uint64_t bytes)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    return s.kind == CC_AFFINE && s.stride == (int64_t)bytes;
}

/* A copy of a structure, as bytes, by lanes whose structures lie one behind the other:
   one copy of all. */
bool cc_copy_row(cc_vec *e, cc_value i)
{
    const char *name = cc_callee(i);
    if (e->mask ||
        (!cc_prefixed(name, "llvm.memcpy.") && !cc_prefixed(name, "llvm.memmove.")))
        return false;
    cc_value to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1),
             length = LLVMGetOperand(i, 2), part[MOST_COPIED];
    uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0,
             size = e->unit->vector_bits / 8, n = bytes * e->width / size;
    bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3));
    if (is_volatile || bytes > size || n > MOST_COPIED || bytes * e->width % size ||
        !is_row(e, to, bytes) || !is_row(e, from, bytes))
        return false;
    cc_type i8 = e->unit->i8, t = LLVMVectorType(i8, (unsigned)size);
    to = cc_scalar(e, to);
    from = cc_scalar(e, from);
    for (uint64_t k = 0; k < n; k++) {
        cc_value at = cc_int(e->unit->i64, k * size);
        cc_value p = LLVMBuildInBoundsGEP2(e->b, i8, from, &at, 1, "");
        part[k] = LLVMBuildLoad2(e->b, t, p, "");
        LLVMSetAlignment(part[k], 1);
    }
    for (uint64_t k = 0; k < n; k++) {
        cc_value at = cc_int(e->unit->i64, k * size);
        cc_value p = LLVMBuildInBoundsGEP2(e->b, i8, to, &at, 1, "");
        LLVMSetAlignment(LLVMBuildStore(e->b, part[k], p), 1);
    }
    return true;
}
