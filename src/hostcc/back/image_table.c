/* The image's tables (src/abi/image.h) as constants. Built with tables.h. */
#include "hostcc/back/back.h"
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/tables.h"
#include "abi/cpu.h"

#include <stddef.h>

/* A C array of the structs that rows hold, or NULL if there are none. */
static cc_value array(cc_unit *u, cc_row *rows, unsigned n)
{
    cc_value *row = cc_alloc((n + 1) * sizeof *row);
    for (unsigned k = 0; k < n; k++)
        row[k] = cc_row_constant(&rows[k]);
    if (!n)
        return LLVMConstNull(u->ptr);
    return cc_constant(u, LLVMConstStructInContext(u->context, row, n, 0), "rows");
}

static cc_value params(cc_unit *u, const cc_kernel *k)
{
    cc_row *rows = cc_alloc((k->nparams + 1) * sizeof *rows);
    for (unsigned p = 0; p < k->nparams; p++) {
        rows[p] = cc_row_new(u, sizeof(hc_param));
        cc_row_put32(&rows[p], offsetof(hc_param, offset), k->params[p].offset);
        cc_row_put32(&rows[p], offsetof(hc_param, size), k->params[p].size);
        cc_row_put(&rows[p], offsetof(hc_param, type), cc_text(u, k->params[p].type));
    }
    return array(u, rows, k->nparams);
}

static cc_value states(cc_unit *u, const cc_layout *l)
{
    cc_row *rows = cc_alloc((l->nstates + 1) * sizeof *rows);
    for (unsigned s = 0; s < l->nstates; s++) {
        rows[s] = cc_row_new(u, sizeof(hc_state));
        cc_row_put32(&rows[s], offsetof(hc_state, kind), l->states[s].kind);
        cc_row_put32(&rows[s], offsetof(hc_state, op), l->states[s].op);
        cc_row_put(&rows[s], offsetof(hc_state, pass), l->pass[s]);
        cc_row_put(&rows[s], offsetof(hc_state, resume), l->resume);
        cc_row_put(&rows[s], offsetof(hc_state, masked), l->masked[s]);
        cc_row_put_site(&rows[s], offsetof(hc_state, site), &l->states[s].place);
    }
    return array(u, rows, l->nstates);
}

static cc_value writes(cc_unit *u, const cc_kernel *k)
{
    unsigned n = k->param_bytes / 8;
    if (!k->writes || !n)
        return LLVMConstNull(u->ptr);
    cc_value all =
        LLVMConstStringInContext(u->context, (const char *)k->writes, n, true);
    return cc_constant(u, all, "writes");
}

static cc_row kernel(cc_unit *u, const cc_kernel *k)
{
    cc_row w = cc_row_new(u, sizeof(hc_kernel));
    unsigned context = 0;
    cc_row_put(&w, offsetof(hc_kernel, name), cc_text(u, k->name));
    cc_row_put32(&w, offsetof(hc_kernel, flags),
                 (k->warps ? HC_WARPS : 0) | (k->flushes ? HC_FLUSHES : 0) |
                     (u->deferred ? HC_UNLOADED : 0));
    cc_row_put32(&w, offsetof(hc_kernel, width), k->width);
    cc_row_put32(&w, offsetof(hc_kernel, nparams), k->nparams);
    cc_row_put32(&w, offsetof(hc_kernel, param_bytes), k->param_bytes);
    cc_row_put(&w, offsetof(hc_kernel, params), params(u, k));
    cc_row_put32(&w, offsetof(hc_kernel, shared_bytes), k->shared_bytes);
    cc_row_put32(&w, offsetof(hc_kernel, local_bytes), k->local_bytes);
    cc_row_put32(&w, offsetof(hc_kernel, max_threads), k->max_threads);
    cc_row_put32(&w, offsetof(hc_kernel, granule_shift), k->granule_shift);
    cc_row_put32(&w, offsetof(hc_kernel, global_shift), k->global_shift);
    cc_row_put32(&w, offsetof(hc_kernel, streamed), k->streamed);
    cc_row_put(&w, offsetof(hc_kernel, writes), writes(u, k));
    cc_row_put32(&w, offsetof(hc_kernel, checks), k->checks);
    for (unsigned l = 0; l < 2 && !u->deferred; l++) {
        const cc_layout *layout = &k->layout[l];
        if (layout->context_bytes > context)
            context = layout->context_bytes;
        if (layout->run)
            cc_row_put(&w, offsetof(hc_kernel, run) + 8 * l, layout->run);
        if (layout->nstates > 1) {
            cc_row_put32(&w, offsetof(hc_kernel, nstates[0]) + 4 * l, layout->nstates);
            cc_row_put(&w, offsetof(hc_kernel, states) + 8 * l, states(u, layout));
        }
    }
    cc_row_put32(&w, offsetof(hc_kernel, context_bytes), context);
    return w;
}

static bool is_hidden(const cc_unit *u, cc_value g)
{
    return u->hidden && cc_map_get(u->hidden, g) >= 0;
}

/* Variables of this image that clients ask for by name, or kernels that are compiled
   later; in the image of such a kernel those of the other. */
static bool is_listed(cc_unit *u, cc_value g)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    if (u->options->kernel)
        return cc_import_of(u, g) != NULL;
    return is_hidden(u, g)
               ? cc_carries_object(u)
               : LLVMGetLinkage(g) == LLVMExternalLinkage && (space == 1 || space == 4);
}

static uint64_t kind(cc_unit *u, cc_value g)
{
    bool is_constant = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 4;
    return u->options->kernel || is_hidden(u, g) ? HC_HIDDEN
                                                 : cc_global_kind(u, g, is_constant);
}

static unsigned globals(cc_unit *u, cc_value *rows)
{
    unsigned n = 0;
    cc_row *row;
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        n++;
    row = cc_alloc((n + 1) * sizeof *row);
    n = 0;
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_listed(u, g))
            continue;
        row[n] = cc_row_new(u, sizeof(hc_global));
        cc_row_put(&row[n], offsetof(hc_global, name), cc_text(u, cc_name(g)));
        cc_row_put(&row[n], offsetof(hc_global, address),
                   u->options->kernel ? cc_import_of(u, g) : g);
        cc_row_put(&row[n], offsetof(hc_global, size),
                   cc_int(u->i64, cc_sizeof(u, LLVMGlobalGetValueType(g))));
        cc_row_put(&row[n], offsetof(hc_global, kind), cc_int(u->i64, kind(u, g)));
        n++;
    }
    *rows = array(u, row, n);
    return n;
}

/* What the code that an image has not is compiled from. */
static void put_object(cc_unit *u, cc_row *image)
{
    size_t size = LLVMGetBufferSize(u->bitcode);
    cc_value all = LLVMConstStringInContext2(u->context, LLVMGetBufferStart(u->bitcode),
                                             size, true);
    cc_row_put(image, offsetof(hc_image, object), cc_constant(u, all, "object"));
    cc_row_put(image, offsetof(hc_image, object_bytes), cc_int(u->i64, size));
    cc_row_put(image, offsetof(hc_image, options),
               cc_text(u, cc_options_text(u->options)));
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
    cc_row image = cc_row_new(u, sizeof(hc_image));
    cc_row *rows = cc_alloc((u->nkernels + 1) * sizeof *rows);
    cc_value variables;
    unsigned nglobals = globals(u, &variables);
    for (unsigned k = 0; k < u->nkernels; k++)
        rows[k] = kernel(u, &u->kernels[k]);
    cc_row_put(&image, offsetof(hc_image, producer), cc_text(u, cc_producer()));
    cc_row_put32(&image, offsetof(hc_image, nkernels), u->nkernels);
    cc_row_put32(&image, offsetof(hc_image, nglobals), nglobals);
    cc_row_put(&image, offsetof(hc_image, kernels), array(u, rows, u->nkernels));
    cc_row_put(&image, offsetof(hc_image, globals), variables);
    if (cc_carries_object(u))
        put_object(u, &image);
    cc_row_put32(&image, offsetof(hc_image, imports), u->options->kernel != NULL);
    if (u->coverage) {
        cc_row_put(&image, offsetof(hc_image, coverage),
                   cc_text(u, cc_coverage_text(u)));
        cc_row_put32(&image, offsetof(hc_image, ncounters), u->counters);
    }
    cc_value g = cc_constant(u, cc_row_constant(&image), HC_IMAGE_SYMBOL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
}
