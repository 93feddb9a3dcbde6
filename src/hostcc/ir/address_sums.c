/* How far two addresses are apart. Each is taken for a sum: a pointer, numbers times
   their scales, a constant. Where pointers and numbers are the same, the constants
   tell. Only sums that do not wrap are followed below 64 bits. */
#include "hostcc/ir/addresses.h"

#define DEEPEST 8 /* instructions */

/* What is added, widened by `extended` to 64 bits; 0: it has as many. */
typedef struct {
    cc_unit *unit;
    cc_address_sum *sum;
    LLVMOpcode extended;
    unsigned depth;
} reader;

static bool read_number(reader r, cc_value v, uint64_t scale);

/* A term of its own. */
static bool add_term(reader r, cc_value v, uint64_t scale)
{
    cc_address_sum *s = r.sum;
    for (unsigned k = 0; k < s->n; k++) {
        if (s->term[k].number == v && s->term[k].extended == r.extended) {
            s->term[k].scale += scale;
            return true;
        }
    }
    if (s->n == CC_TERMS)
        return false;
    s->term[s->n].number = v;
    s->term[s->n].extended = r.extended;
    s->term[s->n++].scale = scale;
    return true;
}

static bool never_wraps(cc_value v, LLVMOpcode extended)
{
    return extended == LLVMSExt   ? LLVMGetNSW(v)
           : extended == LLVMZExt ? LLVMGetNUW(v)
                                  : true;
}

static bool read_operation(reader r, cc_value v, uint64_t scale)
{
    cc_value a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    uint64_t by = LLVMIsAConstantInt(b) ? LLVMConstIntGetZExtValue(b) : 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMOr:
        if (!LLVMGetIsDisjoint(v))
            return add_term(r, v, scale);
        return read_number(r, a, scale) && read_number(r, b, scale);
    case LLVMAdd:
        if (!never_wraps(v, r.extended))
            return add_term(r, v, scale);
        return read_number(r, a, scale) && read_number(r, b, scale);
    case LLVMMul:
        if (!by || !never_wraps(v, r.extended) || r.extended)
            return add_term(r, v, scale);
        return read_number(r, a, scale * by);
    case LLVMShl:
        if (!by || !never_wraps(v, r.extended))
            return add_term(r, v, scale);
        return read_number(r, a, scale << by);
    default:
        return add_term(r, v, scale);
    }
}

static bool read_number(reader r, cc_value v, uint64_t scale)
{
    if (LLVMIsAConstantInt(v)) {
        uint64_t c = r.extended == LLVMZExt ? LLVMConstIntGetZExtValue(v)
                                            : (uint64_t)LLVMConstIntGetSExtValue(v);
        r.sum->offset += (int64_t)(c * scale);
        return true;
    }
    if (r.depth++ == DEEPEST)
        return add_term(r, v, scale);
    if (LLVMIsABinaryOperator(v))
        return read_operation(r, v, scale);
    if (!r.extended && (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))) {
        r.extended = LLVMGetInstructionOpcode(v);
        return read_number(r, LLVMGetOperand(v, 0), scale);
    }
    return add_term(r, v, scale);
}

static bool read_part(void *data, cc_value index, uint64_t scale)
{
    reader r = {.unit = ((reader *)data)->unit, .sum = ((reader *)data)->sum};
    if (!index)
        r.sum->offset += (int64_t)scale;
    else if (!cc_is_int(LLVMTypeOf(index), 64))
        return false;
    return !index || read_number(r, index, scale);
}

cc_address_sum cc_address_sum_of(cc_unit *u, cc_value pointer)
{
    cc_address_sum s = {.root = pointer};
    while (LLVMIsAGetElementPtrInst(s.root)) {
        cc_address_sum with = s;
        reader r = {.unit = u, .sum = &with};
        if (!cc_address_parts(u, s.root, read_part, &r))
            break;
        with.root = LLVMGetOperand(s.root, 0);
        s = with;
    }
    return s;
}

static bool has_term(const cc_address_sum *s, const cc_address_term *t)
{
    for (unsigned k = 0; k < s->n; k++)
        if (s->term[k].number == t->number && s->term[k].extended == t->extended &&
            s->term[k].scale == t->scale)
            return true;
    return false;
}

bool cc_address_distance(const cc_address_sum *from, const cc_address_sum *to,
                         int64_t *bytes)
{
    bool alike = from->root == to->root && from->n == to->n;
    for (unsigned k = 0; k < from->n && alike; k++)
        alike = has_term(to, &from->term[k]);
    *bytes = to->offset - from->offset;
    return alike;
}
