/* Arrays of structures: lanes that are 2 to 4 elements apart in memory. While all lanes
   run, the memory between them is loaded or stored in whole registers, and shuffles
   sort the elements; accesses to several members of one structure share them. Gaps may
   be read, since no page fits into one, but are never written.

   Lanes are handled in chunks of a register. A chunk of `lanes` lanes, `step`
   elements apart, covers `step` registers. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/intrinsic_table.h"

typedef struct {
    cc_vec *e;
    cc_type element;
    unsigned size, step, lanes, align, n;
    bool backwards;       /* lane 0 is the last in memory */
    cc_address_sum first; /* of the access that was asked about */
    int64_t lowest, highest;
    struct {
        cc_value access;
        int64_t offset; /* from the first */
    } member[CC_INTERLEAVED];
} group;

/* -- Which accesses belong together -- */

static cc_type type_of(cc_vec *e, cc_value access)
{
    return cc_flat(
        e, LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access));
}

/* Takes an access into the group if it is a member of the same structures. */
static bool join(group *g, cc_value i)
{
    cc_address_sum sum = cc_address_sum_of(g->e->unit, cc_pointer_of(i));
    int64_t at;
    if (!cc_address_distance(&g->first, &sum, &at) || at % g->size ||
        type_of(g->e, i) != g->element || cc_is_ordered(i))
        return false;
    for (unsigned k = 0; k < g->n; k++)
        if (g->member[k].offset == at)
            return false;
    int64_t low = at < g->lowest ? at : g->lowest;
    int64_t high = at > g->highest ? at : g->highest;
    if (high - low >= (int64_t)g->size * g->step)
        return false;
    g->lowest = low;
    g->highest = high;
    if (LLVMGetAlignment(i) < g->align)
        g->align = LLVMGetAlignment(i);
    g->member[g->n].access = i;
    g->member[g->n++].offset = at;
    return true;
}

/* False: lanes are not a few elements apart. */
static bool begin(group *g, cc_vec *e, cc_value i)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, cc_pointer_of(i));
    cc_type t = type_of(e, i);
    unsigned size = cc_sizeof(e->unit, t);
    int64_t distance = s.stride < 0 ? -s.stride : s.stride;
    if (e->mask || s.kind != CC_AFFINE || distance % size || distance / size < 2 ||
        distance / size > CC_INTERLEAVED)
        return false;
    unsigned lanes = e->unit->vector_bits / 8 / size;
    *g = (group){.e = e,
                 .element = t,
                 .size = size,
                 .step = (unsigned)(distance / size),
                 .lanes = lanes < e->width ? lanes : e->width,
                 .align = size,
                 .backwards = s.stride < 0,
                 .first = cc_address_sum_of(e->unit, cc_pointer_of(i))};
    return join(g, i);
}

bool cc_may_write(cc_value i)
{
    return LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAFenceInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsACallInst(i) && !cc_intrinsic_is_pure(cc_callee(i)) &&
            !cc_functions[cc_function_of(i)].again && !cc_is_check(i) &&
            cc_function_of(i) != CC_FN_COUNTER);
}

/* -- Registers -- */

/* The element of the chunk that lane l of a member is, in memory order. */
static unsigned place(const group *g, unsigned l, unsigned k)
{
    unsigned lane = g->backwards ? g->lanes - 1 - l : l;
    return lane * g->step + (unsigned)((g->member[k].offset - g->lowest) / g->size);
}

/* Where a chunk begins: the lowest member of its lane that comes first in memory. */
static cc_value chunk_address(const group *g, unsigned chunk)
{
    cc_vec *e = g->e;
    int64_t lane = chunk * g->lanes, by = g->lowest;
    if (g->backwards)
        by -= (lane + g->lanes - 1) * g->size * g->step;
    else
        by += lane * g->size * g->step;
    cc_value at = cc_int(e->unit->i64, (uint64_t)by);
    return LLVMBuildGEP2(e->b, e->unit->i8,
                         cc_scalar(e, cc_pointer_of(g->member[0].access)), &at, 1, "");
}

static cc_value element_address(const group *g, cc_value chunk, unsigned element)
{
    cc_value at = cc_int(g->e->unit->i64, (uint64_t)element * g->size);
    return LLVMBuildGEP2(g->e->b, g->e->unit->i8, chunk, &at, 1, "");
}

static cc_value cut(const group *g, cc_value v, unsigned chunk)
{
    unsigned from[HC_LANES];
    if (g->lanes == g->e->width)
        return v;
    for (unsigned l = 0; l < g->lanes; l++)
        from[l] = chunk * g->lanes + l;
    return cc_permute(g->e, v, LLVMGetPoison(LLVMTypeOf(v)), from, g->lanes);
}

/* -- Loads -- */

static void load_chunk(const group *g, unsigned chunk, cc_value part[CC_INTERLEAVED])
{
    cc_vec *e = g->e;
    cc_type t = LLVMVectorType(g->element, g->lanes);
    unsigned start[CC_INTERLEAVED], from[HC_LANES];
    unsigned total =
        (g->lanes - 1) * g->step + 1 + (unsigned)((g->highest - g->lowest) / g->size);
    cc_value at = chunk_address(g, chunk), all[CC_INTERLEAVED];
    for (unsigned r = 0; r < g->step; r++) { /* the last ends with the last element */
        start[r] = r * g->lanes + g->lanes > total ? total - g->lanes : r * g->lanes;
        all[r] = LLVMBuildLoad2(e->b, t, element_address(g, at, start[r]), "");
        LLVMSetAlignment(all[r], g->align);
    }
    for (unsigned k = 0; k < g->n; k++) {
        part[k] = all[0];
        for (unsigned r = 1; r < g->step; r++) {
            for (unsigned l = 0; l < g->lanes; l++) {
                unsigned at = place(g, l, k);
                from[l] = at >= start[r] + g->lanes       ? CC_NOWHERE
                          : at >= start[r - 1] + g->lanes ? g->lanes + at - start[r]
                          : r > 1                         ? l
                                                          : at;
            }
            part[k] = cc_permute(g->e, part[k], all[r], from, g->lanes);
        }
    }
}

bool cc_load_interleaved(cc_vec *e, cc_value i)
{
    group g;
    if (!begin(&g, e, i))
        return false;
    unsigned chunks = e->width / g.lanes;
    cc_value part[CC_INTERLEAVED], whole[CC_INTERLEAVED][HC_LANES];
    for (cc_value j = LLVMGetNextInstruction(i); j && g.n < g.step && !cc_may_write(j);
         j = LLVMGetNextInstruction(j))
        if (LLVMIsALoadInst(j))
            join(&g, j);
    for (unsigned c = 0; c < chunks; c++) {
        load_chunk(&g, c, part);
        for (unsigned k = 0; k < g.n; k++)
            whole[k][c] = part[k];
    }
    for (unsigned k = 0; k < g.n; k++)
        cc_define(e, g.member[k].access, NULL, cc_concatenate(e, whole[k], chunks));
    return true;
}

/* -- Stores -- */

/* Element at of register r comes from lane l of member k, by its number + base. */
static void put(const group *g, unsigned r, unsigned k, unsigned base, unsigned *from)
{
    for (unsigned l = 0; l < g->lanes; l++)
        if (place(g, l, k) / g->lanes == r)
            from[place(g, l, k) % g->lanes] = base + l;
}

static void store_chunk(const group *g, unsigned chunk)
{
    cc_vec *e = g->e;
    cc_value part[CC_INTERLEAVED], at = chunk_address(g, chunk), written[HC_LANES * 2];
    for (unsigned k = 0; k < g->n; k++)
        part[k] = cut(g, cc_lanes(e, LLVMGetOperand(g->member[k].access, 0)), chunk);
    for (unsigned r = 0; r < g->step; r++) {
        unsigned from[HC_LANES * 2];
        cc_value v = part[0];
        memset(from, -1, sizeof from);
        put(g, r, 0, 0, from);
        for (unsigned k = g->n > 1; k < g->n; k++) {
            put(g, r, k, k ? g->lanes : 0, from);
            v = cc_permute(g->e, v, part[k], from, g->lanes);
            for (unsigned l = 0; l < g->lanes; l++)
                from[l] = from[l] == CC_NOWHERE ? CC_NOWHERE : l;
        }
        for (unsigned l = 0; l < g->lanes; l++)
            written[l] = cc_int(e->unit->i1, from[l] != CC_NOWHERE);
        cc_store_lanes(e, v, element_address(g, at, r * g->lanes), g->align,
                       g->n < g->step ? LLVMConstVector(written, g->lanes) : NULL);
    }
}

/* Stores to several members are delayed until the last of them, if no access between
   them could see it. */
bool cc_store_interleaved(cc_vec *e, cc_value i)
{
    group g;
    cc_value last = e->first_store ? e->first_store : i;
    if (!begin(&g, e, last))
        return false;
    for (cc_value j = LLVMGetNextInstruction(last); j && g.n < g.step;
         j = LLVMGetNextInstruction(j)) {
        if (LLVMIsAStoreInst(j) && join(&g, j))
            last = j;
        else if (LLVMIsALoadInst(j) || cc_may_write(j))
            break;
    }
    if (g.n < g.step && e->unit->vector_bits < 512)
        return false; /* only there masks cost nothing */
    e->first_store = i == last ? NULL : g.member[0].access;
    for (unsigned c = 0; i == last && c < e->width / g.lanes; c++)
        store_chunk(&g, c);
    return true;
}
