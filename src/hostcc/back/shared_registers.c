/* Shared memory in registers. In code for blocks of a known size (known_block.c) the
   places of all accesses to shared memory are constants once LLVM has optimized it. No
   other block sees that memory, and nobody reads it when the block has ended. So each
   vector's worth of it, a cell, becomes a value: what a store wrote is what a load
   finds, and a load that lies across two cells shuffles them. A scan of 256 in steps
   waited for a store in each of its 120 loads.

   All accesses are of whole vectors or single elements of one size, inside the arrays;
   otherwise the code stays as it is, and right. */
#include "hostcc/back/back.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/cfg.h"

#include <stddef.h>

#define MOST_CELLS 64
#define MOST_ACCESSES 4096

typedef struct {
    bool writes;
    cc_value instruction, mask; /* NULL: of all lanes */
    int64_t element;            /* the first, from the start of shared memory */
    unsigned n;                 /* elements: one, or as many as lanes */
} access;

typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_value base; /* an address of shared memory */
    cc_type cell;  /* a vector */
    unsigned lanes, size, ncells;
    unsigned n;
    access *access;
    cc_map *number; /* of an access, by its instruction */
} arrays;

/* -- Accesses -- */

static bool add_constant(void *data, cc_value index, uint64_t scale)
{
    *(int64_t *)data += (int64_t)scale;
    return !index;
}

/* Whether a lane surely does not run. */
static bool is_masked(const access *x, unsigned lane)
{
    cc_value bit = x->mask && LLVMIsAConstant(x->mask)
                       ? LLVMGetAggregateElement(x->mask, lane)
                       : NULL;
    return bit && LLVMIsAConstantInt(bit) && !LLVMConstIntGetZExtValue(bit);
}

static bool is_inside(const arrays *a, const access *x)
{
    int64_t all = (int64_t)a->ncells * a->lanes;
    for (unsigned l = 0; l < x->n; l++)
        if (!is_masked(x, l) && (x->element + l < 0 || x->element + l >= all))
            return false;
    return true;
}

static bool add_access(arrays *a, access x, cc_type t, int64_t at)
{
    bool vector = cc_kind(t) == LLVMVectorTypeKind;
    cc_type element = vector ? LLVMGetElementType(t) : t;
    unsigned size = cc_sizeof(a->unit, element);
    x.n = vector ? LLVMGetVectorSize(t) : 1;
    if (!a->size)
        a->size = size;
    if (vector && !a->cell) {
        a->cell = t;
        a->lanes = x.n;
    }
    if (size != a->size || at % size || a->n == MOST_ACCESSES ||
        cc_kind(element) == LLVMPointerTypeKind || !cc_sizeof(a->unit, element))
        return false;
    x.element = at / size;
    a->access[a->n] = x;
    cc_map_put(a->number, x.instruction, a->n++);
    return true;
}

static bool find_uses(arrays *a, cc_value pointer, int64_t at);

static bool find_use(arrays *a, cc_value user, cc_value pointer, int64_t at)
{
    access x = {.instruction = user};
    const char *name = LLVMIsACallInst(user) ? cc_callee(user) : "";
    if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
        return cc_address_parts(a->unit, user, add_constant, &at) &&
               find_uses(a, user, at);
    } else if (LLVMIsALoadInst(user) && !cc_is_ordered(user)) {
        return add_access(a, x, LLVMTypeOf(user), at);
    } else if (LLVMIsAStoreInst(user) && !cc_is_ordered(user) &&
               LLVMGetOperand(user, 0) != pointer) {
        x.writes = true;
        return add_access(a, x, LLVMTypeOf(LLVMGetOperand(user, 0)), at);
    } else if (cc_prefixed(name, "llvm.masked.load.")) {
        x.mask = LLVMGetOperand(user, 2);
        return add_access(a, x, LLVMTypeOf(user), at);
    } else if (cc_prefixed(name, "llvm.masked.store.")) {
        x.writes = true;
        x.mask = LLVMGetOperand(user, 3);
        return add_access(a, x, LLVMTypeOf(LLVMGetOperand(user, 0)), at);
    }
    return false;
}

static bool find_uses(arrays *a, cc_value pointer, int64_t at)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (!find_use(a, LLVMGetUser(use), pointer, at))
            return false;
    return true;
}

bool cc_is_frame_field(cc_unit *u, cc_value i, size_t field)
{
    int64_t at = 0;
    cc_value p = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
    return p && LLVMTypeOf(i) == u->ptr && LLVMIsAGetElementPtrInst(p) &&
           LLVMGetOperand(p, 0) ==
               LLVMGetParam(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)), 1) &&
           cc_address_parts(u, p, add_constant, &at) && at == (int64_t)field;
}

static bool find_accesses(arrays *a, cc_value f, unsigned bytes)
{
    CC_EACH_INST_OF(i, f) {
        if (!LLVMIsABranchInst(i) && LLVMIsATerminatorInst(i) && !LLVMIsAReturnInst(i))
            return false;
        if (cc_is_frame_field(a->unit, i, offsetof(hc_frame, shared))) {
            a->base = i;
            if (!find_uses(a, i, 0))
                return false;
        }
    }
    if (!a->cell || bytes % (a->lanes * a->size) ||
        bytes / (a->lanes * a->size) > MOST_CELLS)
        return false;
    a->ncells = bytes / (a->lanes * a->size);
    for (unsigned k = 0; k < a->n; k++) {
        const access *x = &a->access[k];
        if ((x->n != 1 && x->n != a->lanes) || !is_inside(a, x))
            return false;
    }
    return true;
}

/* -- Values -- */

static cc_value memory(arrays *a, int64_t cell)
{
    cc_unit *u = a->unit;
    cc_value at = cc_int(u->i64, (uint64_t)cell * a->lanes * a->size),
             p = LLVMBuildGEP2(a->b, u->i8, a->base, &at, 1, ""),
             v = LLVMBuildLoad2(a->b, a->cell, p, "");
    LLVMSetAlignment(v, a->size);
    return v;
}

/* What is in a cell; what nobody wrote is still in memory. Behind the ends are lanes
   that do not run. */
static cc_value in_cell(arrays *a, cc_value *cells, int64_t cell)
{
    if (cell < 0 || cell >= a->ncells)
        return LLVMConstNull(a->cell);
    if (!cells[cell])
        cells[cell] = memory(a, cell);
    return cells[cell];
}

static int64_t cell_of(const arrays *a, int64_t element)
{
    int64_t n = a->lanes;
    return element >= 0 ? element / n : -((n - 1 - element) / n);
}

/* Lanes first, first + 1, ... of two vectors in a row. */
static cc_value across(arrays *a, cc_value low, cc_value high, unsigned first)
{
    cc_value *lane = cc_alloc(a->lanes * sizeof *lane);
    for (unsigned l = 0; l < a->lanes; l++)
        lane[l] = cc_int(a->unit->i32, first + l);
    return LLVMBuildShuffleVector(a->b, low, high, LLVMConstVector(lane, a->lanes), "");
}

/* All lanes from an element on. */
static cc_value read_lanes(arrays *a, cc_value *cells, int64_t element)
{
    int64_t cell = cell_of(a, element);
    unsigned from = (unsigned)(element - cell * a->lanes);
    cc_value v = in_cell(a, cells, cell);
    return from ? across(a, v, in_cell(a, cells, cell + 1), from) : v;
}

static cc_value read(arrays *a, cc_value *cells, const access *x)
{
    int64_t cell = cell_of(a, x->element);
    cc_value v;
    if (x->n == 1) {
        v = in_cell(a, cells, cell);
        cc_value at = cc_int(a->unit->i32, x->element - cell * a->lanes);
        return LLVMBuildExtractElement(a->b, v, at, "");
    }
    v = read_lanes(a, cells, x->element);
    if (!x->mask)
        return v;
    cc_value other = LLVMGetOperand(x->instruction, 3);
    v = LLVMBuildBitCast(a->b, v, LLVMTypeOf(other), "");
    return LLVMBuildSelect(a->b, x->mask, v, other, "");
}

static void write(arrays *a, cc_value *cells, const access *x)
{
    int64_t cell = cell_of(a, x->element);
    unsigned at = (unsigned)(x->element - cell * a->lanes), rest = a->lanes - at;
    cc_value v = LLVMGetOperand(x->instruction, 0);
    if (x->n == 1) {
        v = LLVMBuildBitCast(a->b, v, LLVMGetElementType(a->cell), "");
        cells[cell] = LLVMBuildInsertElement(a->b, in_cell(a, cells, cell), v,
                                             cc_int(a->unit->i32, at), "");
        return;
    }
    v = LLVMBuildBitCast(a->b, v, a->cell, "");
    if (x->mask)
        v = LLVMBuildSelect(a->b, x->mask, v, read_lanes(a, cells, x->element), "");
    if (!at) {
        cells[cell] = v;
        return;
    }
    cc_value turned = across(a, v, v, rest), low = in_cell(a, cells, cell),
             high = in_cell(a, cells, cell + 1);
    cc_value *is_low = cc_alloc(a->lanes * sizeof *is_low);
    for (unsigned l = 0; l < a->lanes; l++)
        is_low[l] = cc_int(a->unit->i1, l >= at);
    cc_value mask = LLVMConstVector(is_low, a->lanes);
    if (cell >= 0)
        cells[cell] = LLVMBuildSelect(a->b, mask, turned, low, "");
    if (cell + 1 < a->ncells)
        cells[cell + 1] = LLVMBuildSelect(a->b, mask, high, turned, "");
}

/* The cells at the start of a block, of those at the ends of the ones before. */
static void join(arrays *a, const cc_cfg *g, unsigned node, cc_value **ends)
{
    const cc_node *n = &g->node[node];
    for (unsigned c = 0; c < a->ncells && n->npred; c++) {
        cc_value first = ends[n->pred[0]][c], phi = NULL;
        bool same = true;
        for (unsigned k = 1; k < n->npred; k++)
            same &= ends[n->pred[k]][c] == first;
        if (!same) {
            LLVMPositionBuilderBefore(a->b, LLVMGetFirstInstruction(n->ref));
            phi = LLVMBuildPhi(a->b, a->cell, "");
        }
        for (unsigned k = 0; k < n->npred && phi; k++) {
            const cc_node *from = &g->node[n->pred[k]];
            LLVMPositionBuilderBefore(a->b, from->terminator);
            cc_value v = in_cell(a, ends[n->pred[k]], c);
            LLVMAddIncoming(phi, &v, (cc_block[]){from->ref}, 1);
        }
        ends[node][c] = phi ? phi : first;
    }
}

static void replace(arrays *a, const cc_cfg *g)
{
    cc_value **ends = cc_alloc(g->n * sizeof *ends);
    for (unsigned k = 0; k < g->n; k++) {
        ends[k] = cc_alloc(a->ncells * sizeof **ends);
        join(a, g, k, ends);
        CC_EACH_INST(i, g->node[k].ref) {
            int number = cc_map_get(a->number, i);
            if (number < 0)
                continue;
            const access *x = &a->access[number];
            LLVMPositionBuilderBefore(a->b, i);
            if (x->writes) {
                write(a, ends[k], x);
            } else {
                cc_value v = read(a, ends[k], x);
                v = LLVMBuildBitCast(a->b, v, LLVMTypeOf(i), "");
                LLVMReplaceAllUsesWith(i, v);
            }
            LLVMInstructionEraseFromParent(i);
        }
    }
}

/* On functions: the bytes of shared memory that nobody else sees or reads later. */
static const char note[] = "hostcc.own-shared";

void cc_owns_shared(cc_unit *u, cc_value f, unsigned bytes)
{
    cc_text_attribute(u, f, note, cc_format("%u", bytes));
}

void cc_shared_in_registers(cc_unit *u)
{
    unsigned registers = u->vector_bits < 512 ? 16 : 32;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        unsigned bytes = cc_number_of_attribute(f, note);
        if (!bytes || LLVMIsDeclaration(f))
            continue;
        arrays a = {.unit = u,
                    .b = LLVMCreateBuilderInContext(u->context),
                    .access = cc_alloc(MOST_ACCESSES * sizeof(access)),
                    .number = cc_map_new()};
        if (!find_accesses(&a, f, bytes))
            continue;
        cc_cfg *g = cc_cfg_build(f);
        if (g->nloops)
            continue;
        replace(&a, g);
        if (bytes > registers * u->vector_bits / 8 / 2) {
            cc_order_by_use(u, g);
            /* Else LLVM does not align the stack for what it keeps there. */
            cc_text_attribute(u, f, "frame-pointer", "all");
        }
    }
}
