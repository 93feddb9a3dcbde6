/* Source text, and the sources of kernels that users write: their words between lines
   that make a kernel of them with the templates in pycuda/include/pycuda. `#line` lets
   compilers speak of "operation:1" and the like. */
#include "kernel_text.h"
#include <ctype.h>
#include <stdarg.h>

void kn_put(cmp_text *text, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof line)
        text->failed = 1; /* users' words go through put_words */
    else
        cmp_put_bytes(text, line, length);
}

void kn_lower(const char *id, char name[40])
{
    snprintf(name, 40, "pycuda_%s", id);
    for (char *at = name; *at; at++)
        *at = (char)tolower(*at);
}

static void put_words(cmp_text *text, const char *label, const char *words)
{
    if (!*words)
        return;
    kn_put(text, "\n#line 1 \"%s\"\n", label);
    cmp_put_bytes(text, words, strlen(words));
    kn_put(text, "\n");
}

static void put_includes(cmp_text *text, const char *template, const kn_user *user)
{
    kn_put(text, "#include <pycuda-complex.hpp>\n#include <pycuda/%s.cuh>\n", template);
    if (user->views)
        kn_put(text, "#include <pycuda/view.cuh>\n");
    put_words(text, "preamble", user->preamble);
}

/* Opens two scopes: in the inner one, views go by the names of their pointers. */
static void put_head(cmp_text *text, const kn_user *user, const char *parameters,
                     int are_apart)
{
    kn_put(text, "\nextern \"C\" __global__ void ");
    cmp_put_bytes(text, user->name, strlen(user->name));
    kn_put(text, "(%s", parameters);
    const char *words = user->arguments, *star;
    for (; are_apart && (star = strchr(words, '*')); words = star + 1) {
        cmp_put_bytes(text, words, star + 1 - words);
        kn_put(text, " __restrict__ ");
    }
    put_words(text, "arguments", words);
    for (int i = 0; i < user->views; i++)
        kn_put(text, ", const PYCUDA_IN_PLACE pycuda::layout pycuda_layout%d", i);
    kn_put(text, ")\n{\n");
    for (int i = 0; i < user->views; i++)
        kn_put(text, "auto *pycuda_first%d = %s;\n", i, user->view[i]);
    kn_put(text, "{\n");
    for (int i = 0; i < user->views; i++)
        kn_put(text, "auto %s = pycuda::view_of(pycuda_first%d, pycuda_layout%d);\n",
               user->view[i], i, i);
}

void kn_put_elementwise(cmp_text *text, const kn_user *user, kn_loop loop,
                        const char *operation, const char *loop_prep,
                        const char *after_loop)
{
    static const struct {
        const char *parameters, *variables, *begin, *end;
    } forms[] = {
        [KN_LOOP_ALL] = {"size_t n,", "size_t i", "LOOP", "LOOP_END"},
        [KN_LOOP_RANGE] = {"long start, long stop, long step,", "long i", "RANGE_LOOP",
                           "LOOP_END"},
        [KN_LOOP_UNIT_RANGE] = {"long start, long stop, long,",
                                "const long step = 1; long i", "RANGE_LOOP",
                                "LOOP_END"},
        [KN_LOOP_APART] = {"size_t n,", "", "APART_LOOP", "APART_LOOP_END"},
    };
    put_includes(text, "elementwise", user);
    put_head(text, user, forms[loop].parameters, loop == KN_LOOP_APART);
    kn_put(text,
           "    unsigned tid = threadIdx.x, total_threads = gridDim.x * blockDim.x;\n"
           "    unsigned cta_start = blockDim.x * blockIdx.x;\n"
           "    (void)tid, (void)total_threads, (void)cta_start;\n"
           "    %s;\n",
           forms[loop].variables);
    put_words(text, "loop_prep", loop_prep);
    kn_put(text, ";PYCUDA_%s\n", forms[loop].begin);
    put_words(text, "operation", operation);
    kn_put(text, ";PYCUDA_%s\n", forms[loop].end);
    put_words(text, "after_loop", after_loop);
    kn_put(text, ";}}\n");
}

static void put_lambda(cmp_text *text, const char *parameters, const char *label,
                       const char *expression)
{
    kn_put(text, "[&](%s) -> out_type {return (", parameters);
    put_words(text, label, expression);
    kn_put(text, ");}");
}

void kn_put_reduction(cmp_text *text, const kn_user *user,
                      const kn_reduction_words *words)
{
    put_includes(text, "reduction", user);
    kn_put(text, "typedef %s out_type;\ntypedef %s pycuda_result;\n", words->type,
           words->result_type);
    put_head(text, user,
             "pycuda::result_places<pycuda_result> pycuda_to, "
             "char *pycuda_scratch, size_t n,",
             0);
    if (!words->reduce) {
        kn_put(text, "pycuda::find_first(pycuda_to, pycuda_scratch, n, ");
        put_lambda(text, "size_t i", "map_expr", words->map);
        kn_put(text, ");\n}}\n");
        return;
    }
    kn_put(text,
           "pycuda::reduce<pycuda_result, %s, out_type>(pycuda_to, pycuda_scratch, n, "
           "(out_type)(",
           words->commutes ? "true" : "false");
    put_words(text, "neutral", words->neutral);
    kn_put(text, "), ");
    if (words->narrow) {
        char parameters[64];
        snprintf(parameters, sizeof parameters, "size_t i, auto %s", words->narrow);
        kn_put(text, "pycuda::map_narrow(");
        put_lambda(text, parameters, "map_expr", words->map);
        kn_put(text, ", %s)", words->narrow);
    } else
        put_lambda(text, "size_t i", "map_expr", words->map);
    kn_put(text, ", ");
    put_lambda(text, "out_type a, out_type b", "reduce_expr", words->reduce);
    if (words->finish) {
        kn_put(text, ", ");
        put_lambda(text, "out_type a", "finish_expr", words->finish);
    }
    kn_put(text, ");\n}}\n");
}

static void put_stage(cmp_text *text, const kn_user *user, const char *stage,
                      const char *call)
{
    kn_put(text, "\nextern \"C\" __global__ void ");
    cmp_put_bytes(text, user->name, strlen(user->name));
    kn_put(text,
           "_%s(const scan_type *input, scan_type *output, scan_type *sums, "
           "size_t n, size_t each)\n{\n    pycuda::%s;\n}\n",
           stage, call);
}

void kn_put_scan(cmp_text *text, const kn_user *user, const char *type,
                 const char *neutral, const char *scan, int exclusive,
                 int in_one_launch)
{
    put_includes(text, "scan", user);
    kn_put(text,
           "typedef %s scan_type;\n"
           "struct pycuda_join {\n"
           "    static PYCUDA_DEVICE scan_type of(scan_type a, scan_type b) {return (",
           type);
    put_words(text, "scan_expr", scan);
    kn_put(text, ");}\n");
    if (exclusive) {
        kn_put(text,
               "    static PYCUDA_DEVICE scan_type neutral() {return (scan_type)(");
        put_words(text, "neutral", neutral);
        kn_put(text, ");}\n");
    }
    kn_put(text, "};\n");
    put_stage(text, user, "scan",
              exclusive ? "scan<pycuda_join, true>(input, output, sums, n, each)"
                        : "scan<pycuda_join, false>(input, output, sums, n, each)");
    if (in_one_launch)
        return;
    put_stage(text, user, "sums", "scan_sums<pycuda_join>(input, output, n, each)");
    put_stage(text, user, "carry",
              "scan<pycuda_join, false>(input, output, sums, n, each)");
}
