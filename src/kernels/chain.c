/* Chains: several element-wise operations on flat arrays as one kernel, or as what a
   reduction reads; values that pass between them stay in registers and are rounded
   after each, as by single kernels. A chain is known by its form: operations, types,
   and what takes whose result; addresses, numbers and sizes are not in it. Each form
   gets a number when it is first met, and its kernels are found by that number, as
   users' kernels are.
 */
#include "kernel_text.h"
#include <string.h>

typedef struct chain_form chain_form;
struct chain_form {
    uint32_t hash, program; /* the number */
    size_t size;
    chain_form *next; /* owned */
    uint8_t bytes[];
};

struct kn_chain_forms {
    uint32_t count, buckets; /* a power of two */
    chain_form **bucket;     /* owned, with the chains of forms */
};

/* -- Numbers of forms ------------------------------------------------------------ */

size_t kn_chain_form(const kn_chain *chain, uint8_t *bytes)
{
    size_t steps = chain->steps * sizeof *chain->step;
    bytes[0] = (uint8_t)chain->steps;
    bytes[1] = (uint8_t)chain->operands;
    memcpy(bytes + 2, chain->step, steps);
    memcpy(bytes + 2 + steps, chain->type, chain->operands);
    return 2 + steps + chain->operands;
}

static uint32_t hash(const uint8_t *bytes, size_t size)
{
    uint64_t value = size, word;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        value = (value ^ word) * 0x9e3779b97f4a7c15u;
        value ^= value >> 29;
    }
    for (; size; size--)
        value = (value ^ *bytes++) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(value >> 32);
}

static void insert(kn_chain_forms *forms, chain_form *form)
{
    chain_form **bucket = &forms->bucket[form->hash & (forms->buckets - 1)];
    form->next = *bucket;
    *bucket = form;
}

/* A table that cannot grow just gets longer chains. */
static void grow(kn_chain_forms *forms)
{
    chain_form **old = forms->bucket, **bucket;
    uint32_t buckets = forms->buckets;
    if (!(bucket = PyMem_Calloc(2 * buckets, sizeof *bucket)))
        return;
    forms->bucket = bucket;
    forms->buckets = 2 * buckets;
    for (uint32_t i = 0; i < buckets; i++)
        for (chain_form *next, *at = old[i]; at; at = next) {
            next = at->next;
            insert(forms, at);
        }
    PyMem_Free(old);
}

static kn_chain_forms *forms_of(bd_state *state)
{
    enum { FEW = 64 };
    kn_chain_forms *forms = state->chains;
    if (forms)
        return forms;
    if ((forms = PyMem_Calloc(1, sizeof *forms)) &&
        (forms->bucket = PyMem_Calloc(FEW, sizeof *forms->bucket))) {
        forms->buckets = FEW;
        return state->chains = forms;
    }
    PyMem_Free(forms);
    return (kn_chain_forms *)PyErr_NoMemory();
}

uint32_t kn_chain_number(bd_state *state, const uint8_t *bytes, size_t size)
{
    uint32_t value = hash(bytes, size);
    kn_chain_forms *forms = forms_of(state);
    if (!forms)
        return 0;
    chain_form *form = forms->bucket[value & (forms->buckets - 1)];
    while (form && (form->hash != value || form->size != size ||
                    memcmp(form->bytes, bytes, size)))
        form = form->next;
    if (form)
        return form->program;
    if (!(form = PyMem_Malloc(sizeof *form + size))) {
        PyErr_NoMemory();
        return 0;
    }
    form->hash = value;
    form->program = kn_program_new(state);
    form->size = size;
    memcpy(form->bytes, bytes, size);
    if (++forms->count > 2 * forms->buckets)
        grow(forms);
    insert(forms, form);
    return form->program;
}

uint32_t kn_chain_count(bd_state *state)
{
    return state->chains ? state->chains->count : 0;
}

void kn_clear(bd_state *state)
{
    kn_chain_forms *forms = state->chains;
    state->chains = NULL;
    for (uint32_t i = 0; forms && i < forms->buckets; i++)
        for (chain_form *next, *at = forms->bucket[i]; at; at = next) {
            next = at->next;
            PyMem_Free(at);
        }
    if (forms)
        PyMem_Free(forms->bucket);
    PyMem_Free(forms);
}

/* -- Source ---------------------------------------------------------------------- */

static int is_scalar(const kn_chain *chain, int k)
{
    return chain->type[k] & KN_CHAIN_SCALAR;
}

static const char *operand_type(const kn_chain *chain, int k)
{
    return kn_type_name(chain->type[k] & ~KN_CHAIN_SCALAR);
}

static const char *result_type(const kn_chain *chain)
{
    return kn_type_name(kn_chain_type(chain));
}

/* A step as statements: v<k> is its result, x<k> an operand of the chain. */
static void put_step(cmp_text *text, const kn_chain *chain, int k)
{
    const kn_chain_step *step = &chain->step[k];
    const kn_operation *operation = &kn_operations[step->operation];
    const kn_signature *signature = operation->signature;
    const char *type = kn_type_name(step->types[0]);
    kn_put(text, "        %s v%d;\n        { %s &%s = v%d;", type, k, type,
           signature->variable[0].name, k);
    for (int i = 0; i < signature->inputs; i++) {
        int is_operand = step->from[i] & KN_CHAIN_OPERAND;
        const char *input = kn_type_name(step->types[1 + i]);
        kn_put(text, " %s %s = pycuda::convert<%s>(%s%d);", input,
               signature->variable[1 + i].name, input, is_operand ? "x" : "v",
               step->from[i] & ~KN_CHAIN_OPERAND);
    }
    kn_put(text, " %s; %s = pycuda::as_stored(%s); }\n", operation->code,
           signature->variable[0].name, signature->variable[0].name);
}

void kn_put_chain(cmp_text *text, const kn_chain *chain, const char *name)
{
    kn_put(text, "struct %s {\n", name);
    for (int k = 0; k < chain->operands; k++)
        kn_put(text, "    alignas(8) %s%s%s p%d;\n",
               is_scalar(chain, k) ? "" : "const ", operand_type(chain, k),
               is_scalar(chain, k) ? "" : " *", k);
    kn_put(text, "    PYCUDA_DEVICE %s operator[](size_t i) const\n    {\n",
           result_type(chain));
    for (int k = 0; k < chain->operands; k++)
        kn_put(text, "        %s x%d = p%d%s;\n", operand_type(chain, k), k, k,
               is_scalar(chain, k) ? "" : "[i]");
    for (int k = 0; k < chain->steps; k++)
        put_step(text, chain, k);
    kn_put(text, "        return %s%d;\n    }\n};\n", chain->steps ? "v" : "x",
           chain->steps ? chain->steps - 1 : 0);
}

static void put_source(cmp_text *text, const kn_chain *chain, const char *name)
{
    kn_put(text,
           "#include <pycuda/elementwise.cuh>\n\nstruct operation {\n"
           "    static PYCUDA_DEVICE void of(%s &r",
           result_type(chain));
    for (int k = 0; k < chain->operands; k++)
        kn_put(text, ", %s x%d", operand_type(chain, k), k);
    kn_put(text, ")\n    {\n");
    for (int k = 0; k < chain->steps; k++)
        put_step(text, chain, k);
    kn_put(text,
           "        r = v%d;\n    }\n};\n\n"
           "extern \"C\" __global__ void %s(size_t n, pycuda::out<%s> r",
           chain->steps - 1, name, result_type(chain));
    for (int k = 0; k < chain->operands; k++)
        kn_put(text, ", pycuda::%s<%s> x%d", is_scalar(chain, k) ? "constant" : "in",
               operand_type(chain, k), k);
    kn_put(text, ")\n{\n    pycuda::flat<operation>(n, r");
    for (int k = 0; k < chain->operands; k++)
        kn_put(text, ", x%d", k);
    kn_put(text, ");\n}\n");
}

PyObject *kn_chain_options(void)
{
    return Py_BuildValue("(s)", "-fmad=false");
}

static kn_loaded *make_kernel(bd_context *context, const kn_key *key,
                              const kn_chain *chain)
{
    PyObject *options = kn_chain_options();
    kn_loaded *loaded = NULL;
    cmp_text text = {0};
    char name[40];
    const char *names[] = {name};
    snprintf(name, sizeof name, "pycuda_fused_%d", chain->steps);
    put_source(&text, chain, name);
    if (options)
        loaded = kn_load(context, key, &text, options, 0, 1, names);
    else
        cmp_text_clear(&text);
    Py_XDECREF(options);
    return loaded;
}

/* -- Launches -------------------------------------------------------------------- */

static kn_loaded *find(bd_context *context, const kn_chain *chain)
{
    uint8_t form[KN_CHAIN_FORM];
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program =
        kn_chain_number(bd_context_state(context), form, kn_chain_form(chain, form));
    if (!key.program)
        return NULL;
    kn_loaded *loaded = kn_find(context, &key);
    return loaded ? loaded : make_kernel(context, &key, chain);
}

int kn_chain_run(bd_context *context, kn_chain *chain)
{
    void *params[2 + KN_CHAIN_OPERANDS];
    size_t result = kn_type_size(kn_chain_type(chain)), widest = result;
    kn_loaded *loaded = find(context, chain);
    if (!loaded)
        return -1;
    params[1] = &chain->result;
    for (int k = 0; k < chain->operands; k++) {
        size_t size = is_scalar(chain, k) ? 1 : kn_type_size(chain->type[k]);
        widest = size > widest ? size : widest;
        params[2 + k] = &chain->value[k];
    }
    return kn_launch_flat(context, loaded, chain->n, widest, result, chain->stream,
                          params);
}
