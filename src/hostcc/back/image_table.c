/* The image's tables (src/abi/image.h) as constants. Every field goes to the offset
   that the C struct has, in words of eight bytes: the layout stands nowhere else. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"
#include "abi/cpu.h"

#include <stddef.h>

typedef struct {
    cc_unit *unit;
    unsigned n;
    cc_value *word;
} words;

static words words_new(cc_unit *u, size_t bytes)
{
    words w = {u, (unsigned)(bytes / 8), NULL};
    w.word = cc_alloc((w.n + 1) * sizeof *w.word);
    for (unsigned k = 0; k < w.n; k++)
        w.word[k] = cc_int(u->i64, 0);
    return w;
}

static void put32(words *w, size_t offset, uint32_t v)
{
    uint64_t old = LLVMConstIntGetZExtValue(w->word[offset / 8]);
    w->word[offset / 8] = cc_int(w->unit->i64, old | (uint64_t)v << (offset % 8 * 8));
}

static void put(words *w, size_t offset, cc_value v)
{
    cc_type t = LLVMTypeOf(v);
    if (cc_kind(t) == LLVMPointerTypeKind && t != w->unit->ptr)
        v = LLVMConstAddrSpaceCast(v, w->unit->ptr);
    w->word[offset / 8] = v;
}

static cc_value words_constant(const words *w)
{
    return LLVMConstStructInContext(w->unit->context, w->word, w->n, 0);
}

static cc_value global(cc_unit *u, cc_value initializer, const char *name)
{
    cc_value g = LLVMAddGlobal(u->module, LLVMTypeOf(initializer), name);
    LLVMSetInitializer(g, initializer);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetAlignment(g, 8);
    return g;
}

static cc_value text(cc_unit *u, const char *s)
{
    return global(u, LLVMConstStringInContext2(u->context, s, strlen(s), 0), "text");
}

/* A C array of the structs that rows hold, or NULL if there are none. */
static cc_value array(cc_unit *u, words *rows, unsigned n)
{
    cc_value *row = cc_alloc((n + 1) * sizeof *row);
    for (unsigned k = 0; k < n; k++)
        row[k] = words_constant(&rows[k]);
    if (!n)
        return LLVMConstNull(u->ptr);
    return global(u, LLVMConstStructInContext(u->context, row, n, 0), "rows");
}

static cc_value params(cc_unit *u, const cc_kernel *k)
{
    words *rows = cc_alloc((k->nparams + 1) * sizeof *rows);
    for (unsigned p = 0; p < k->nparams; p++) {
        rows[p] = words_new(u, sizeof(hc_param));
        put32(&rows[p], offsetof(hc_param, offset), k->params[p].offset);
        put32(&rows[p], offsetof(hc_param, size), k->params[p].size);
        put(&rows[p], offsetof(hc_param, type), text(u, k->params[p].type));
    }
    return array(u, rows, k->nparams);
}

/* A text that stands in many rows, once. */
static cc_value file_text(cc_unit *u, const char *file)
{
    const char *name = cc_format("file.%s", file);
    cc_value known = LLVMGetNamedGlobal(u->module, name);
    if (known)
        return known;
    known = text(u, file);
    LLVMSetValueName2(known, name, strlen(name));
    return known;
}

static void put_site(words *w, size_t offset, const cc_place *place)
{
    if (!place->file)
        return;
    put(w, offset + offsetof(hc_site, file), file_text(w->unit, place->file));
    put32(w, offset + offsetof(hc_site, line), place->line);
    put32(w, offset + offsetof(hc_site, column), place->column);
}

static cc_value states(cc_unit *u, const cc_layout *l)
{
    words *rows = cc_alloc((l->nstates + 1) * sizeof *rows);
    for (unsigned s = 0; s < l->nstates; s++) {
        rows[s] = words_new(u, sizeof(hc_state));
        put32(&rows[s], offsetof(hc_state, kind), l->states[s].kind);
        put32(&rows[s], offsetof(hc_state, op), l->states[s].op);
        put(&rows[s], offsetof(hc_state, pass), l->pass[s]);
        put(&rows[s], offsetof(hc_state, resume), l->resume);
        put(&rows[s], offsetof(hc_state, masked), l->masked[s]);
        put_site(&rows[s], offsetof(hc_state, site), &l->states[s].place);
    }
    return array(u, rows, l->nstates);
}

static words kernel(cc_unit *u, const cc_kernel *k)
{
    words w = words_new(u, sizeof(hc_kernel));
    unsigned context = 0;
    put(&w, offsetof(hc_kernel, name), text(u, k->name));
    put32(&w, offsetof(hc_kernel, flags),
          (k->warps ? HC_WARPS : 0) | (k->flushes ? HC_FLUSHES : 0));
    put32(&w, offsetof(hc_kernel, width), k->width);
    put32(&w, offsetof(hc_kernel, nparams), k->nparams);
    put32(&w, offsetof(hc_kernel, param_bytes), k->param_bytes);
    put(&w, offsetof(hc_kernel, params), params(u, k));
    put32(&w, offsetof(hc_kernel, shared_bytes), k->shared_bytes);
    put32(&w, offsetof(hc_kernel, local_bytes), k->local_bytes);
    put32(&w, offsetof(hc_kernel, max_threads), k->max_threads);
    for (unsigned l = 0; l < 2; l++) {
        const cc_layout *layout = &k->layout[l];
        if (layout->context_bytes > context)
            context = layout->context_bytes;
        if (layout->run)
            put(&w, offsetof(hc_kernel, run) + 8 * l, layout->run);
        if (layout->nstates > 1) {
            put32(&w, offsetof(hc_kernel, nstates[0]) + 4 * l, layout->nstates);
            put(&w, offsetof(hc_kernel, states) + 8 * l, states(u, layout));
        }
    }
    put32(&w, offsetof(hc_kernel, context_bytes), context);
    return w;
}

static unsigned globals(cc_unit *u, cc_value *rows)
{
    unsigned n = 0;
    words *row;
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        n++;
    row = cc_alloc((n + 1) * sizeof *row);
    n = 0;
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
        if (LLVMGetLinkage(g) != LLVMExternalLinkage || (space != 1 && space != 4))
            continue;
        row[n] = words_new(u, sizeof(hc_global));
        put(&row[n], offsetof(hc_global, name), text(u, cc_name(g)));
        put(&row[n], offsetof(hc_global, address), g);
        put(&row[n], offsetof(hc_global, size),
            cc_int(u->i64, cc_sizeof(u, LLVMGlobalGetValueType(g))));
        put(&row[n], offsetof(hc_global, kind),
            cc_int(u->i64, cc_global_kind(u, g, space == 4)));
        n++;
    }
    *rows = array(u, row, n);
    return n;
}

/* Nothing of the image but its table is seen from outside. */
static void hide_globals(cc_unit *u)
{
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMInternalLinkage &&
            LLVMGetLinkage(g) != LLVMPrivateLinkage)
            LLVMSetVisibility(g, LLVMHiddenVisibility);
}

void cc_image_table(cc_unit *u)
{
    hide_globals(u);
    words image = words_new(u, sizeof(hc_image));
    words *rows = cc_alloc((u->nkernels + 1) * sizeof *rows);
    cc_value variables;
    unsigned nglobals = globals(u, &variables);
    for (unsigned k = 0; k < u->nkernels; k++)
        rows[k] = kernel(u, &u->kernels[k]);
    put(&image, offsetof(hc_image, producer), text(u, cc_producer()));
    put32(&image, offsetof(hc_image, nkernels), u->nkernels);
    put32(&image, offsetof(hc_image, nglobals), nglobals);
    put(&image, offsetof(hc_image, kernels), array(u, rows, u->nkernels));
    put(&image, offsetof(hc_image, globals), variables);
    cc_value g = global(u, words_constant(&image), HC_IMAGE_SYMBOL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
}
