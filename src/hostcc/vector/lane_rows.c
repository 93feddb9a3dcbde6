/* Elements that each lane has in a row: x[i * n + k] and the next ones, the members of
   p[index[i]]. As gathers each of them takes a load a lane, and lanes a page apart
   share few places in the caches, so that a line is gone before its next element is
   asked for. While all lanes run, 16 bytes of each lane are loaded at once, and
   transposed: sums of rows of 4 KB took 0.24 of the time. Four bytes or two halves, the
   colours of a pixel, are parts of one word a lane in any code, and three bytes of two.
 */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"

#define MOST 16 /* members */
#define WORD 4  /* bytes */

typedef struct {
    cc_vec *e;
    cc_type element;
    unsigned size, n, align;
    cc_address_sum first; /* of the access that was asked about */
    struct {
        cc_value access;
        int64_t at; /* bytes from the first */
    } member[4 * MOST];
} row;

/* -- Members -- */

static void join(row *r, cc_value load)
{
    cc_address_sum sum = cc_address_sum_of(r->e->unit, cc_pointer_of(load));
    int64_t at;
    if (cc_flat(r->e, LLVMTypeOf(load)) != r->element || cc_is_ordered(load) ||
        r->n == sizeof r->member / sizeof *r->member ||
        !cc_address_distance(&r->first, &sum, &at) || at % r->size)
        return;
    r->member[r->n].access = load;
    r->member[r->n++].at = at;
}

static bool has(const row *r, int64_t at)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->member[k].at == at)
            return true;
    return false;
}

/* All that is loaded of this row before anything may be written. */
static void find_members(row *r, cc_value i)
{
    for (cc_value j = i; j && !cc_may_write(j); j = LLVMGetNextInstruction(j))
        if (LLVMIsALoadInst(j))
            join(r, j);
}

/* The first of `count` members in a row that the one asked about is in, counted from
   the row's lowest; false: there are not so many. */
static bool find_chunk(const row *r, unsigned count, int64_t *from)
{
    int64_t size = r->size, low = 0, bytes = size * count;
    while (has(r, low - size))
        low -= size;
    *from = low + -low / bytes * bytes;
    for (unsigned k = 0; k < count; k++)
        if (!has(r, *from + k * size))
            return false;
    return true;
}

/* -- Transposing -- */

/* Parts of `count` elements of a and b, the first or second half of each in turns. */
static cc_value interleave(const row *r, cc_value a, cc_value b, unsigned count,
                           bool second)
{
    unsigned from[HC_LANES], lanes = r->e->width;
    for (unsigned l = 0; l < lanes; l++) {
        unsigned part = l / count * count, at = l % count;
        from[l] = part + at / 2 + (second ? count / 2 : 0) + (at % 2 ? lanes : 0);
    }
    return cc_permute(r->e, a, b, from, lanes);
}

/* From v[k]: element j of lane q * count + k at q * count + j, to v[k]: element k of
   every lane. */
static void transpose(const row *r, cc_value *v, unsigned count)
{
    cc_value before[CC_ROW_BYTES];
    for (unsigned done = 1; done < count; done *= 2) {
        for (unsigned k = 0; k < count; k++)
            before[k] = v[k];
        for (unsigned k = 0; k < count; k++)
            v[k] =
                interleave(r, before[k / 2], before[k / 2 + count / 2], count, k % 2);
    }
}

/* -- Loads -- */

static void load_chunk(const row *r, cc_value i, unsigned count, int64_t from,
                       cc_value *v)
{
    cc_vec *e = r->e;
    cc_value address[HC_LANES], part[HC_LANES],
        by = cc_int(e->unit->i64, (uint64_t)from);
    unsigned parts = e->width / count;
    cc_lane_addresses(e, cc_pointer_of(i), address);
    for (unsigned k = 0; k < count; k++) {
        for (unsigned q = 0; q < parts; q++) {
            cc_value at = address[q * count + k];
            if (from)
                at = LLVMBuildGEP2(e->b, e->unit->i8, at, &by, 1, "");
            part[q] = LLVMBuildLoad2(e->b, LLVMVectorType(r->element, count), at, "");
            LLVMSetAlignment(part[q], r->size < r->align ? r->size : r->align);
        }
        v[k] = cc_concatenate(e, part, parts);
    }
    transpose(r, v, count);
}

/* The members of one chunk that are not known yet: all, as a rule. */
static void define(const row *r, unsigned count, int64_t from, const cc_value *v)
{
    for (unsigned k = 0; k < r->n; k++) {
        int64_t at = r->member[k].at - from;
        if (at >= 0 && at < (int64_t)count * r->size &&
            !cc_is_known(r->e, r->member[k].access))
            cc_define(r->e, r->member[k].access, NULL, v[at / r->size]);
    }
}

/* A word of each lane, from that many bytes behind the access. */
static cc_value load_words(const row *r, cc_value i, int64_t from)
{
    cc_vec *e = r->e;
    cc_value p = cc_pointer_of(i), by = cc_int(e->unit->i64, (uint64_t)from);
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    unsigned align = r->size < r->align ? r->size : r->align;
    if (s.kind != CC_AFFINE || s.stride != WORD)
        return cc_gather(e, e->unit->i32, p, from, align);
    return cc_load_lanes(e, e->unit->i32,
                         LLVMBuildGEP2(e->b, e->unit->i8, cc_scalar(e, p), &by, 1, ""),
                         align, e->mask);
}

/* Three bytes, which no word holds: two words do, whose other bytes may lie behind the
   object that the address is in, so LLVM must not know its size. */
static bool find_three(const row *r, int64_t *from)
{
    bool is_foreign = LLVMIsAArgument(r->first.root) || LLVMIsALoadInst(r->first.root);
    return r->size == 1 && r->n >= 3 && is_foreign &&
           (!r->e->mask || r->e->unit->vector_bits > 128) && find_chunk(r, 3, from);
}

static bool load_parts(const row *r, cc_value i)
{
    cc_vec *e = r->e;
    unsigned count = WORD / r->size;
    cc_type number = LLVMIntTypeInContext(e->unit->context, 8 * r->size);
    cc_value v[WORD], words;
    int64_t from;
    if (count >= 2 && count <= r->n && find_chunk(r, count, &from))
        words = load_words(r, i, from);
    else if (find_three(r, &from)) {
        words = cc_gather_three(e, cc_pointer_of(i), from);
        count = 3;
    } else
        return false;
    for (unsigned k = 0; k < count; k++) {
        cc_value by = cc_splat(e, cc_int(e->unit->i32, 8 * k * (uint64_t)r->size));
        v[k] = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, words, by, ""),
                              cc_wide(e, number), "");
        v[k] = LLVMBuildBitCast(e->b, v[k], cc_wide(e, r->element), "");
    }
    define(r, count, from, v);
    return true;
}

bool cc_load_rows(cc_vec *e, cc_value i)
{
    cc_type t = cc_flat(e, LLVMTypeOf(i));
    row r = {.e = e,
             .element = t,
             .size = cc_sizeof(e->unit, t),
             .align = LLVMGetAlignment(i),
             .first = cc_address_sum_of(e->unit, cc_pointer_of(i))};
    cc_value v[CC_ROW_BYTES];
    int64_t from;
    const cc_options *o = e->unit->options;
    if (o->level == 0 || (e->mask && r.size >= WORD) ||
        cc_kind(t) == LLVMPointerTypeKind ||
        o->checks) /* each access behind its own check */
        return false;
    find_members(&r, i);
    for (unsigned bytes = CC_ROW_BYTES;
         !e->mask && bytes >= CC_ROW_BYTES / 2 && bytes > r.size; bytes /= 2) {
        unsigned count = bytes / r.size;
        if (count > e->width || count > r.n || !find_chunk(&r, count, &from))
            continue;
        load_chunk(&r, i, count, from, v);
        define(&r, count, from, v);
        return true;
    }
    return load_parts(&r, i);
}
