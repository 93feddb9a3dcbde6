/* Coverage (--coverage): puts hc.count into functions of the user's text, before
   anything is optimized, and describes as JSON which counter tells of which line. The
   image carries that text; pycuda/_coverage.py reads it.

   Blocks of which one runs exactly as often as the other share a counter. Whether they
   do: every edge of the control flow graph gets a number as if it were a flow, at
   random but so that as much enters each block as leaves it. Blocks through which the
   same flows for random numbers are passed equally often by any run. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef LLVMMetadataRef node;

/* -- JSON -- */

typedef struct {
    char *bytes;
    size_t n, room;
} writer;

static void put(writer *w, const char *text, size_t n)
{
    if (w->n + n >= w->room) {
        w->room = 2 * (w->n + n) + 4096;
        w->bytes = realloc(w->bytes, w->room);
        if (!w->bytes)
            cc_refuse("out of memory");
    }
    memcpy(w->bytes + w->n, text, n);
    w->n += n;
    w->bytes[w->n] = 0;
}

static void puts_to(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

/* NULL: null. */
static void put_string(writer *w, const char *text)
{
    if (!text) {
        puts_to(w, "null");
        return;
    }
    puts_to(w, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[8];
        if (c >= ' ' && c != '"' && c != '\\')
            put(w, text, 1);
        else
            put(w, escaped, (size_t)snprintf(escaped, 8, "\\u%04x", c));
    }
    puts_to(w, "\"");
}

static void put_numbers(writer *w, unsigned n, const unsigned *number)
{
    for (unsigned k = 0; k < n; k++)
        puts_to(w, cc_format("%s%u", k ? "," : "[", number[k]));
    puts_to(w, "]");
}

/* -- Files -- */

typedef struct {
    const char *name, *path; /* path NULL: the text is in no file that stays */
    char *text;              /* NULL: not known */
    const char **line;       /* in the text: where each begins, from line 1 */
    unsigned nlines;
    bool counted;
} source_file;

typedef struct {
    node place;
    bool writes;
    cc_spacing spacing;
} access;

struct cc_coverage {
    cc_unit *unit;
    writer files, functions, lines;
    source_file *file;
    unsigned nfiles, nfunctions, nlines;
    cc_map *numbers; /* DIFile -> file */
    unsigned counters;
    cc_builder b;
    access *accesses;
    unsigned naccesses;
    cc_map *reads, *writes; /* DILocation -> access */
};

typedef struct cc_coverage counting;

static char *read_file(const char *path)
{
    struct stat s;
    FILE *f = !stat(path, &s) && S_ISREG(s.st_mode) ? fopen(path, "rb") : NULL;
    if (!f)
        return NULL;
    char *text = cc_alloc((size_t)s.st_size + 1);
    text[fread(text, 1, (size_t)s.st_size, f)] = 0;
    fclose(f);
    return text;
}

/* What src/compile compiles begins with a #line, perhaps behind the start of
   `extern "C"`, whose end is no line of the user's; nor is the line end behind the
   source. */
static char *text_behind_line(const char *source, const char *name)
{
    char *all = read_file(source);
    const char *mark = cc_format("#line 1 \"%s\"\n", name);
    char *at = all ? strstr(all, mark) : NULL, *end = "}\n";
    if (!at || (at != all && at[-1] != '\n'))
        return NULL;
    size_t n = strlen(at);
    if (at != all && n > 2 && !strcmp(at + n - 2, end))
        at[n -= 2] = 0;
    if (at[n - 1] == '\n')
        at[n - 1] = 0;
    return at + strlen(mark);
}

static void find_lines(source_file *f)
{
    unsigned n = 2;
    for (const char *c = f->text; c && *c; c++)
        n += *c == '\n';
    f->line = cc_alloc(n * sizeof *f->line);
    for (const char *c = f->text; c; c = strchr(c, '\n'), c = c ? c + 1 : NULL)
        f->line[f->nlines++] = c;
}

/* Headers of this package are no more the user's than its device library is. */
static bool is_packages(const char *path)
{
    const char *library = cc_device_library(), *slash = strrchr(library, '/');
    return slash && !strncmp(path, library, (size_t)(slash + 1 - library));
}

static unsigned file_of(counting *c, node file)
{
    unsigned nfolder, nname;
    int known = cc_map_get(c->numbers, file);
    if (known >= 0)
        return (unsigned)known;
    const char *folder = LLVMDIFileGetDirectory(file, &nfolder),
               *name = LLVMDIFileGetFilename(file, &nname);
    source_file f = {.name = cc_format("%.*s", (int)nname, name)};
    const char *path =
        *f.name == '/' ? f.name : cc_format("%.*s/%s", (int)nfolder, folder, f.name);
    f.text = text_behind_line(c->unit->options->source[0], f.name);
    if (!f.text) {
        f.text = read_file(path);
        f.path = f.text ? realpath(path, NULL) : NULL;
    }
    unsigned number = 0;
    while (number < c->nfiles && strcmp(c->file[number].name, f.name))
        number++;
    cc_map_put(c->numbers, file, number);
    if (number < c->nfiles)
        return number;
    f.counted = cc_is_users_file(file) && !is_packages(path);
    find_lines(&f);
    c->file = realloc(c->file, (c->nfiles + 1) * sizeof *c->file);
    if (!c->file)
        cc_refuse("out of memory");
    c->file[c->nfiles++] = f;
    puts_to(&c->files, number ? ",{\"name\":" : "{\"name\":");
    put_string(&c->files, f.name);
    puts_to(&c->files, ",\"path\":");
    put_string(&c->files, f.path);
    puts_to(&c->files, ",\"text\":");
    put_string(&c->files, f.counted && !f.path ? f.text : NULL);
    puts_to(&c->files, "}");
    return number;
}

/* -- Which blocks run equally often -- */

typedef struct {
    unsigned from, to;
    uint64_t flow;
} edge;

typedef struct {
    unsigned n; /* blocks; number n is the world outside */
    cc_block *block;
    bool *reached;
    edge *edge;
    unsigned nedges;
    unsigned *first, *list; /* of node k: edges list[first[k]] .. list[first[k + 1]] */
} graph;

static uint64_t random_number(uint64_t k)
{
    uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void mark_reached(graph *g, const cc_map *numbers)
{
    unsigned *stack = cc_alloc((g->n + 1) * sizeof *stack), n = 1;
    g->reached[0] = true;
    while (n) {
        cc_value end = LLVMGetBasicBlockTerminator(g->block[stack[--n]]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            unsigned to = (unsigned)cc_map_get(numbers, LLVMGetSuccessor(end, k));
            if (!g->reached[to])
                stack[n++] = to;
            g->reached[to] = true;
        }
    }
}

static void add_edge(graph *g, unsigned from, unsigned to)
{
    g->edge[g->nedges++] = (edge){from, to, random_number(g->nedges)};
}

static graph graph_of(cc_value f)
{
    graph g = {0};
    cc_map *numbers = cc_map_new();
    unsigned edges = 1;
    CC_EACH_BLOCK(b, f)
        edges += 1 + LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)), g.n++;
    g.block = cc_alloc(g.n * sizeof *g.block);
    g.reached = cc_alloc(g.n + 1);
    g.edge = cc_alloc(edges * sizeof *g.edge);
    g.n = 0;
    CC_EACH_BLOCK(b, f) {
        cc_map_put(numbers, b, g.n);
        g.block[g.n++] = b;
    }
    mark_reached(&g, numbers);
    add_edge(&g, g.n, 0);
    for (unsigned i = 0; i < g.n; i++) {
        cc_value end = LLVMGetBasicBlockTerminator(g.block[i]);
        unsigned ways = g.reached[i] ? LLVMGetNumSuccessors(end) : 0;
        for (unsigned k = 0; k < ways; k++)
            add_edge(&g, i, (unsigned)cc_map_get(numbers, LLVMGetSuccessor(end, k)));
        if (g.reached[i] && !ways)
            add_edge(&g, i, g.n);
    }
    return g;
}

static void list_edges(graph *g)
{
    g->first = cc_alloc((g->n + 3) * sizeof *g->first);
    g->list = cc_alloc((2 * g->nedges + 1) * sizeof *g->list);
    for (unsigned e = 0; e < g->nedges; e++) {
        g->first[g->edge[e].from + 2]++;
        g->first[g->edge[e].to + 2]++;
    }
    for (unsigned i = 2; i < g->n + 3; i++)
        g->first[i] += g->first[i - 1];
    for (unsigned e = 0; e < g->nedges; e++) {
        g->list[g->first[g->edge[e].from + 1]++] = e;
        g->list[g->first[g->edge[e].to + 1]++] = e;
    }
}

/* The flow of the one edge of each node that leads to the tree's root follows from
   those of the others. */
static void balance(graph *g)
{
    unsigned *order = cc_alloc((g->n + 1) * sizeof *order), n = 1;
    unsigned *parent = cc_alloc((g->n + 1) * sizeof *parent);
    bool *seen = cc_alloc(g->n + 1);
    order[0] = g->n;
    seen[g->n] = true;
    for (unsigned k = 0; k < n; k++)
        for (unsigned j = g->first[order[k]]; j < g->first[order[k] + 1]; j++) {
            const edge *e = &g->edge[g->list[j]];
            unsigned other = e->from == order[k] ? e->to : e->from;
            if (seen[other])
                continue;
            seen[other] = true;
            parent[other] = g->list[j];
            order[n++] = other;
        }
    while (n-- > 1) {
        unsigned at = order[n];
        edge *up = &g->edge[parent[at]];
        uint64_t more = 0; /* that enters than leaves, without this edge */
        for (unsigned j = g->first[at]; j < g->first[at + 1]; j++) {
            const edge *e = &g->edge[g->list[j]];
            if (e != up && e->from != e->to)
                more += e->to == at ? e->flow : -e->flow;
        }
        up->flow = up->to == at ? -more : more;
    }
}

/* What enters the block. */
static uint64_t flow_of(const graph *g, unsigned block)
{
    uint64_t all = 0;
    for (unsigned j = g->first[block]; j < g->first[block + 1]; j++) {
        const edge *e = &g->edge[g->list[j]];
        bool again = j > g->first[block] && g->list[j] == g->list[j - 1];
        if (e->to == block && !again) /* an edge to itself is listed twice */
            all += e->flow;
    }
    return all;
}

/* -- Lines -- */

/* Whether a thread that comes to i does something that the user wrote there. The end
   of a block is written as a brace, parameters are stored where they are declared, and
   `&&` or `?` that begins a line is where the way forks before that line, and where it
   comes together behind it.
 */
static bool is_written(cc_value i)
{
    bool forks = LLVMIsABranchInst(i) && LLVMIsConditional(i);
    return !forks && !LLVMIsAPHINode(i) && !LLVMIsAAllocaInst(i) &&
           !cc_prefixed(cc_callee(i), "llvm.lifetime.") &&
           !cc_prefixed(cc_callee(i), "llvm.dbg.") &&
           !(LLVMIsAStoreInst(i) && LLVMIsAArgument(LLVMGetOperand(i, 0)));
}

static bool is_brace(const source_file *f, unsigned line, unsigned column)
{
    if (line > f->nlines || column == 0)
        return false;
    const char *at = f->line[line - 1], *end = strchr(at, '\n');
    return column <= (end ? (size_t)(end - at) : strlen(at)) && at[column - 1] == '}';
}

/* Of this block, each line once. */
static void put_lines(counting *c, cc_block block, unsigned counter)
{
    unsigned last[2] = {UINT_MAX, 0};
    CC_EACH_INST(i, block) {
        node place = LLVMInstructionGetDebugLoc(i);
        unsigned line = place ? LLVMDILocationGetLine(place) : 0;
        if (!line || !is_written(i))
            continue;
        unsigned file = file_of(c, LLVMDIScopeGetFile(LLVMDILocationGetScope(place)));
        if (!c->file[file].counted || (file == last[0] && line == last[1]) ||
            is_brace(&c->file[file], line, LLVMDILocationGetColumn(place)))
            continue;
        last[0] = file;
        last[1] = line;
        puts_to(&c->lines, c->nlines++ ? ",\n" : "");
        put_numbers(&c->lines, 4, (unsigned[]){c->nfunctions, file, line, counter});
    }
}

static void put_count(counting *c, cc_block block, unsigned counter)
{
    cc_value i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(c->b, i);
    LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(i));
    cc_value number = cc_int(c->unit->i32, counter);
    cc_call_function(c->unit, c->b, CC_FN_COUNTER, c->unit->none, &number);
}

/* -- Functions -- */

static void count_function(counting *c, cc_value f)
{
    node scope = LLVMGetSubprogram(f);
    unsigned start = c->counters;
    if (!scope)
        return;
    unsigned file = file_of(c, LLVMDIScopeGetFile(scope));
    if (!c->file[file].counted)
        return;
    graph g = graph_of(f);
    list_edges(&g);
    balance(&g);
    uint64_t *flow = cc_alloc((g.n + 1) * sizeof *flow);
    for (unsigned i = 0; i < g.n; i++) {
        unsigned k = start;
        if (!g.reached[i])
            continue;
        uint64_t own = flow_of(&g, i);
        while (k < c->counters && flow[k - start] != own)
            k++;
        if (k == c->counters) {
            flow[c->counters++ - start] = own;
            put_count(c, g.block[i], k);
        }
        put_lines(c, g.block[i], k);
    }
    puts_to(&c->functions, c->nfunctions++ ? ",\n" : "");
    puts_to(&c->functions, "{\"name\":");
    put_string(&c->functions, cc_name(f));
    puts_to(&c->functions, cc_format(",\"file\":%u,\"line\":%u,\"counter\":%u}", file,
                                     LLVMDISubprogramGetLine(scope), start));
}

void cc_count_lines(cc_unit *u)
{
    if (!u->options->coverage)
        return;
    counting *c = cc_alloc(sizeof *c);
    *c = (counting){.unit = u,
                    .numbers = cc_map_new(),
                    .reads = cc_map_new(),
                    .writes = cc_map_new(),
                    .b = LLVMCreateBuilderInContext(u->context)};
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            count_function(c, f);
    u->coverage = c;
    u->counters = c->counters;
}

/* -- Accesses -- */

void cc_note_access(cc_unit *u, cc_value i, bool writes, cc_spacing spacing)
{
    counting *c = u->coverage;
    node place = LLVMInstructionGetDebugLoc(i);
    if (!c || !place || !LLVMDILocationGetLine(place))
        return;
    cc_map *known = writes ? c->writes : c->reads;
    int number = cc_map_get(known, place);
    if (number >= 0) {
        if (c->accesses[number].spacing < spacing)
            c->accesses[number].spacing = spacing;
        return;
    }
    cc_map_put(known, place, c->naccesses);
    c->accesses = realloc(c->accesses, (c->naccesses + 1) * sizeof *c->accesses);
    if (!c->accesses)
        cc_refuse("out of memory");
    c->accesses[c->naccesses++] = (access){place, writes, spacing};
}

static void put_accesses(counting *c, writer *w)
{
    unsigned n = 0;
    for (unsigned k = 0; k < c->naccesses; k++) {
        node place = cc_users_location(c->unit, c->accesses[k].place);
        unsigned file = file_of(c, LLVMDIScopeGetFile(LLVMDILocationGetScope(place)));
        if (!c->file[file].counted)
            continue;
        puts_to(w, n++ ? ",\n" : "");
        put_numbers(w, 4,
                    (unsigned[]){file, LLVMDILocationGetLine(place),
                                 c->accesses[k].writes, c->accesses[k].spacing});
    }
}

/* -- The text -- */

static void put_list(writer *w, const char *name, const writer *list)
{
    puts_to(w, cc_format("%s\"%s\":[", w->n ? ",\n" : "{", name));
    put(w, list->bytes ? list->bytes : "", list->n);
    puts_to(w, "]");
}

const char *cc_coverage_text(cc_unit *u)
{
    counting *c = u->coverage;
    writer all = {0}, accesses = {0};
    put_accesses(c, &accesses); /* there may be more files then */
    put_list(&all, "files", &c->files);
    put_list(&all, "functions", &c->functions);
    put_list(&all, "lines", &c->lines);
    put_list(&all, "accesses", &accesses);
    puts_to(&all, "}");
    return all.bytes;
}
