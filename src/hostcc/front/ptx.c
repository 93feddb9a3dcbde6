/* Inline PTX. Each asm statement of the module becomes a line of CUDA C++: a function
   that calls one instruction after the other, `ptx_add(u32, $0, $1, 4);`. clang
   compiles these lines with the device library's hostcc/ptx.h, where instructions are
   rows. A line that does not compile has an instruction that is not there: such a
   statement is left alone, and is refused, with its text, where a kernel needs it. So
   are intrinsics that stand for GPU instructions. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* What clang makes of %=, a number of the statement: labels are the statement's own. */
#define STATEMENT "${:uid}"

/* Its text without comments, with single blanks; a $ that is no operand's is doubled
   there. */
static char *assembly(cc_value i)
{
    size_t size, n = 0;
    const char *s = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &size);
    char *text = cc_alloc(size + 1);
    for (; *s; s++) {
        if (cc_prefixed(s, STATEMENT)) {
            s += strlen(STATEMENT) - 1;
            continue;
        }
        s += s[0] == '$' && s[1] == '$';
        const char *end = cc_prefixed(s, "//")   ? s + strcspn(s, "\n")
                          : cc_prefixed(s, "/*") ? strstr(s + 2, "*/")
                                                 : NULL;
        bool blank = end || isspace((unsigned char)*s);
        if (!blank || (n && text[n - 1] != ' '))
            text[n++] = blank ? ' ' : *s;
        s = !end ? s : *end == '*' ? end + 1 : end - 1;
    }
    return text;
}

/* -- A statement's text -- */

/* Words that mean nothing where memory is of one kind, fences are whole and approximate
   results may be exact; and those that a word begins with. */
static bool is_silent(const char *word)
{
    static const char *const rows[] = {
        ".approx.", ".ftz.",     ".rn.",      ".full.",   ".lo.",  ".sync.", ".to.",
        ".v8.",     ".global.",  ".shared",   ".local.",  ".ca.",  ".cg.",   ".cs.",
        ".lu.",     ".cv.",      ".wb.",      ".wt.",     ".nc.",  ".weak",  ".gpu.",
        ".cta.",    ".sys.",     ".gl.",      ".cluster", ".uni.", ".v2.",   ".v4.",
        ".sc.",     ".acq_rel.", ".aligned.", ".mmio.",   ".L1",   ".L2",    ".noftz."};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (cc_prefixed(cc_format(".%s.", word), rows[k]))
            return true;
    return false;
}

static bool is_one_of(const char *word, const char *list)
{
    return strstr(list, cc_format(" %s ", word));
}

/* Whether such a word does mean something in this instruction. */
static bool means_something(const char *name, const char *word)
{
    return !strcmp(name, "isspacep") ||
           (cc_prefixed(name, "set") && !strcmp(word, "lo")) ||
           (!strcmp(name, "barrier") && !strcmp(word, "cluster"));
}

/* A type of hostcc/ptx_narrow.h. */
#define NARROW "narrow::"
static bool is_narrow(const char *word)
{
    static const char *const rows[] = {"bf16",  "f16x2", "f32x2", "s16x2",
                                       "u16x2", "e4m3",  "e5m2",  "e2m1"};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (cc_prefixed(word, rows[k]))
            return true;
    return false;
}

/* u32, and not f4e */
static bool is_number_type(const char *word)
{
    size_t digits = strspn(word + 1, "0123456789");
    return strchr("busf", *word) && digits && !word[1 + digits];
}

/* vabsdiff4: an operation on the parts of a word, ptx_video(absdiff, 4, ... */
static const char *parts_of_word(const char *name)
{
    size_t n = strlen(name);
    bool parted = *name == 'v' && strchr("24", name[n - 1]);
    if (!parted && !is_one_of(name, " vadd vsub vabsdiff vmin vmax "))
        return NULL;
    return cc_format("%.*s,%c,", (int)(n - 1 - parted), name + 1,
                     parted ? name[n - 1] : '1');
}

/* name.word.type becomes ptx_name_word(type, and ptx_name_ordered where the order among
   memory accesses counts; that of a family, ptx_name(word, type, and that of matrices,
   ptx_mma(shape, row, col, types. True: the instruction takes part in carrying. */
static bool write_name(FILE *out, char *rest)
{
    const char *name = strsep(&rest, "."), *words = "", *order = "", *types = "";
    const char *each = "";
    bool carries = is_one_of(name, " addc subc madc "), matrix = !strcmp(name, "mma");
    bool atomic = is_one_of(name, " atom red ");
    bool family = atomic || is_one_of(name, " redux set setp shfl vote ");
    if (parts_of_word(name))
        types = parts_of_word(name), name = "video";
    for (char *word; (word = strsep(&rest, "."));) {
        word[strcspn(word, ":")] = 0; /* shared::cta */
        bool narrow = !matrix && is_narrow(word);
        if (atomic && (narrow || is_one_of(word, " v2 v4 f16 ")))
            each = "_each";
        bool is_type = !strcmp(word, "pred") || narrow || is_number_type(word);
        carries |= !strcmp(word, "cc");
        if (is_type || (matrix && !is_silent(word) &&
                        !is_one_of(word, " satfinite xor and popc ")))
            types = cc_format("%s%s%s,", types, narrow ? NARROW : "", word);
        else if (is_one_of(word, " volatile relaxed acquire release "))
            order = is_one_of(name, " ld st ") ? "_ordered" : "";
        else if (means_something(name, word) || !is_silent(word))
            words = cc_format(family ? "%s%s," : "%s_%s", words, word);
    }
    bool mixed = strchr(types, ',') != strrchr(types, ',');
    if (mixed && is_one_of(name, " add sub fma "))
        words = cc_format("%s_mixed", words);
    fprintf(out, family ? "ptx_%s%s(%s%s%s" : "ptx_%s%s%s%s(%s", name, each, words,
            order, types);
    return carries;
}

/* Names stay: $ may begin one in C++, too, and takes the place of %. */
static void write_operands(FILE *out, const char *s, size_t n)
{
    for (const char *end = s + n; s < end; s++)
        if (s[0] == '0' && s[1] == 'f' && !isalnum((unsigned char)s[-1]))
            fprintf(out, "__uint_as_float(0x%.8s)", s + 2), s += 9;
        else if (s[0] == '0' && s[1] == 'd' && !isalnum((unsigned char)s[-1]))
            fprintf(out, "__longlong_as_double(0x%.16s)", s + 2), s += 17;
        else if (*s == '[')
            fputs("ptx_at(", out);
        else if (!strchr("{}", *s))
            fputc(*s == '%' ? '$' : *s == '|' ? ',' : *s == ']' ? ')' : *s, out);
}

/* u32 t<3> becomes u32 t0,t1,t2. */
static void write_declaration(FILE *out, const char *s, size_t n)
{
    enum { MOST = 4096 };
    const char *angle = memchr(s, '<', n);
    if (!angle || atoi(angle + 1) > MOST) {
        write_operands(out, s, n);
        return;
    }
    size_t type = strcspn(s, " ");
    const char *name = s + type + strspn(s + type, " ");
    fprintf(out, "%.*s ", (int)type, s);
    for (int k = 0; k < atoi(angle + 1); k++) {
        fputs(k ? "," : "", out);
        write_operands(out, name, (size_t)(angle - name));
        fprintf(out, "%d", k);
    }
}

#define CARRY "__hostcc_carry"

/* Up to its semicolon; returns the text after it. */
static const char *write_instruction(FILE *out, const char *s)
{
    size_t word = strcspn(s, " ;");
    bool carries = false;
    if (*s == '@') {
        fputs("if (", out);
        write_operands(out, s + 1, word - 1);
        fputs(") ", out);
        s += word + strspn(s + word, " ");
        word = strcspn(s, " ;");
    }
    char *name = cc_format("%.*s", (int)word, s);
    const char *next = s + strcspn(s, ";"), *end = next;
    while (strstr(name, "cache_hint") && end > s + word && *end != ',')
        end--; /* the last operand is a policy of caches */
    bool declares = cc_prefixed(s, ".reg");
    if (declares) { /* .reg .type name, name; .reg.type name */
        s += strlen(".reg");
        s += strspn(s, " .");
    } else {
        s += word;
        carries = write_name(out, name);
    }
    (declares ? write_declaration : write_operands)(out, s, (size_t)(end - s));
    fputs(carries ? ", " CARRY ");" : declares ? ";" : ");", out);
    return next + (*next == ';');
}

/* The length of a label and its colon, or 0. */
static size_t label_size(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || (s[n] && strchr("_$%", s[n])))
        n++;
    size_t colon = n + strspn(s + n, " ");
    return n && s[colon] == ':' && s[colon + 1] != ':' ? colon + 1 : 0;
}

static void write_statement(FILE *out, const char *text)
{
    fputs(*text ? "{ " : "{ ptx_fence(); ", out);
    for (size_t label; *text;)
        if (strchr("{}; ", *text)) {
            fputc(*text++, out);
        } else if ((label = label_size(text)) > 0) {
            write_operands(out, text, label);
            fputc(';', out); /* a label may be the last thing of a block */
            text += label;
        } else {
            text = write_instruction(out, text);
        }
    fputs("}\n", out);
}

/* -- The function in its place -- */

/* $0, $1, ...: results, then arguments, some of which are results' previous values. */
typedef struct {
    unsigned results, n;
    cc_type *type;
    int *before;   /* a result's number; or -1 */
    cc_value *arg; /* of the function */
} operands;

static operands operands_of(cc_value i)
{
    size_t length;
    operands o = {0};
    cc_type t = LLVMTypeOf(i);
    bool many = cc_kind(t) == LLVMStructTypeKind;
    o.results = many ? LLVMCountStructElementTypes(t) : cc_kind(t) != LLVMVoidTypeKind;
    o.n = o.results + cc_nargs(i);
    o.type = cc_alloc(o.n * sizeof *o.type);
    o.before = cc_alloc(o.n * sizeof *o.before);
    o.arg = cc_alloc(o.n * sizeof *o.arg);
    char *rest = cc_format(
        "%s", LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(i), &length));
    for (unsigned k = 0; k < o.n; k++) {
        const char *one = strsep(&rest, ",");
        o.before[k] = one && isdigit((unsigned char)*one) ? atoi(one) : -1;
        o.type[k] = k >= o.results ? LLVMTypeOf(LLVMGetOperand(i, k - o.results))
                    : many         ? LLVMStructGetTypeAtIndex(t, k)
                                   : t;
    }
    return o;
}

/* Its parameters and body, in a line. */
static char *line_of(cc_value i)
{
    operands o = operands_of(i);
    char *line;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    for (unsigned k = 0; k < o.n; k++) {
        char *name = LLVMPrintTypeToString(o.type[k]); /* i32, float, ptr */
        fprintf(out, "%cllvm_%s %s$%u", k ? ',' : '(', name, k < o.results ? "&" : "",
                k);
    }
    fputs(o.n ? ")" : "()", out);
    write_statement(out, assembly(i));
    fclose(out);
    return line;
}

static void replace(cc_unit *u, cc_builder b, cc_value i, cc_value function)
{
    operands o = operands_of(i);
    cc_value result = LLVMGetPoison(LLVMTypeOf(i));
    cc_block entry =
        LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    for (unsigned k = 0; k < o.results; k++)
        o.arg[k] = LLVMBuildAlloca(b, o.type[k], "");
    LLVMPositionBuilderBefore(b, i);
    for (unsigned k = o.results; k < o.n; k++) {
        o.arg[k] = LLVMGetOperand(i, k - o.results);
        if (o.before[k] >= 0)
            LLVMBuildStore(b, o.arg[k], o.arg[o.before[k]]);
        if (o.type[k] == u->ptr)
            o.arg[k] = LLVMBuildPtrToInt(b, o.arg[k], u->i64, "");
    }
    LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, o.arg, o.n, "");
    for (unsigned k = 0; k < o.results; k++) {
        cc_value v = LLVMBuildLoad2(b, o.type[k], o.arg[k], "");
        result =
            LLVMTypeOf(i) == o.type[0] ? v : LLVMBuildInsertValue(b, result, v, k, "");
    }
    if (o.results)
        LLVMReplaceAllUsesWith(i, result);
    LLVMInstructionEraseFromParent(i);
}

/* -- All of them -- */

#define FUNCTION "hc_ptx_%u"
#define TEXT "inline PTX"

typedef struct {
    unsigned n;
    char **line; /* NULL: it does not compile */
} lines;

static unsigned add_line(lines *all, char *line)
{
    for (unsigned k = 0; k < all->n; k++)
        if (!strcmp(all->line[k], line))
            return k;
    all->line = realloc(all->line, (all->n + 1) * sizeof *all->line);
    all->line[all->n] = line;
    return all->n++;
}

static bool any_has(const lines *all, const char *word)
{
    for (unsigned k = 0; k < all->n; k++)
        if (all->line[k] && strstr(all->line[k], word))
            return true;
    return false;
}

/* Headers that take long to read, and what is read for the sake of which words. */
static void write_includes(FILE *out, const lines *all)
{
    fputs("#include \"hostcc/ptx.h\"\n", out);
    if (any_has(all, NARROW))
        fputs("#include \"hostcc/ptx_narrow.h\"\n", out);
    if (any_has(all, "mbarrier") || any_has(all, "_bulk_"))
        fputs("#include \"hostcc/ptx_barrier.h\"\n", out);
}

/* Forgets lines that clang finds wrong. */
static LLVMModuleRef compile(cc_unit *u, lines *all)
{
    char *text, *messages;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write_includes(out, all);
    fputs("#line 0 \"" TEXT "\"\n", out);
    for (unsigned k = 0; k < all->n; k++)
        if (all->line[k])
            fprintf(out, "extern \"C\" __device__ void " FUNCTION "%s", k,
                    all->line[k]);
        else
            fputs("\n", out);
    fclose(out);
    LLVMModuleRef made = cc_compile_text(u, text, &messages);
    bool found = made;
    for (const char *s = messages; !made && (s = strstr(s, TEXT ":")); s++) {
        unsigned k = (unsigned)atoi(s + strlen(TEXT ":"));
        found |= k < all->n && all->line[k];
        if (k < all->n)
            all->line[k] = NULL;
    }
    if (!found)
        cc_refuse("internal: %s", messages);
    return made ? made : compile(u, all);
}

/* atomicInc and atomicDec, which clang 19 knows only as NVVM intrinsics. */
static void count_around(cc_builder b, cc_value i)
{
    bool up = cc_prefixed(cc_callee(i), "llvm.nvvm.atomic.load.inc.32.p0");
    if (!up && !cc_prefixed(cc_callee(i), "llvm.nvvm.atomic.load.dec.32.p0"))
        return;
    LLVMPositionBuilderBefore(b, i);
    cc_value old = LLVMBuildAtomicRMW(
        b, up ? LLVMAtomicRMWBinOpUIncWrap : LLVMAtomicRMWBinOpUDecWrap,
        LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMAtomicOrderingMonotonic, 0);
    LLVMReplaceAllUsesWith(i, old);
    LLVMInstructionEraseFromParent(i);
}

void cc_translate_ptx(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_map *numbers = cc_map_new();
    lines all = {0};
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f) {
            if (cc_is_assembly(i))
                cc_map_put(numbers, i, add_line(&all, line_of(i)));
        }
    if (all.n && LLVMLinkModules2(u->module, compile(u, &all)))
        cc_refuse("internal: inline PTX cannot be linked");
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f) {
            int k = cc_is_assembly(i) ? cc_map_get(numbers, i) : -1;
            if (k >= 0 && all.line[k])
                replace(
                    u, b, i,
                    LLVMGetNamedFunction(u->module, cc_format(FUNCTION, (unsigned)k)));
            else
                count_around(b, i);
        }
    LLVMDisposeBuilder(b);
}

/* -- The carry -- */

/* What nobody knows, where a function begins and behind calls; where it is, if
   functions are not inlined. */
#define CARRY_BEFORE "hc.carry.before"
#define CARRY_OF_THREAD "hc.carry"

static cc_value carry_before(cc_unit *u, cc_builder b, cc_type type)
{
    cc_value f = LLVMGetNamedFunction(u->module, CARRY_BEFORE);
    cc_type signature = LLVMFunctionType(type, NULL, 0, false);
    if (!f)
        f = LLVMAddFunction(u->module, CARRY_BEFORE, signature);
    return LLVMBuildCall2(b, signature, f, NULL, 0, "");
}

static cc_value function_around(cc_value i)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

/* Where a function has it: a variable of its own, or of the thread's, if functions are
   not inlined. */
static cc_value carry_of(cc_unit *u, cc_builder b, cc_value f, cc_type type)
{
    cc_value own;
    if (cc_by_thread(u)) {
        own = LLVMGetNamedGlobal(u->module, CARRY_OF_THREAD);
        if (own)
            return own;
        own = LLVMAddGlobal(u->module, type, CARRY_OF_THREAD);
        LLVMSetInitializer(own, cc_int(type, 0));
        LLVMSetLinkage(own, LLVMInternalLinkage);
        LLVMSetThreadLocal(own, true);
        return own;
    }
    cc_value first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    LLVMPositionBuilderBefore(b, first);
    LLVMSetCurrentDebugLocation2(b, NULL);
    own = LLVMBuildAlloca(b, type, "");
    LLVMBuildStore(b, cc_is_kernel(u, f) ? cc_int(type, 0) : carry_before(u, b, type),
                   own);
    return own;
}

/* Whether it is of a function that is not inlined, behind which nobody knows the carry.
 */
static bool calls_function(cc_value i)
{
    cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && !cc_is_assembly(i) && (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f));
}

static void forget_carry_at_calls(cc_unit *u, cc_builder b, cc_value f, cc_value own)
{
    CC_EACH_INST_OF(i, f)
        if (calls_function(i)) {
            LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
            LLVMBuildStore(b, carry_before(u, b, LLVMGetAllocatedType(own)), own);
        }
}

/* It outlasts asm statements: a register of the thread, and so, now that functions are
   inlined, a variable of the kernel. A function that is not has one of its own. */
void cc_place_carry(cc_unit *u)
{
    cc_value carry = LLVMGetNamedGlobal(u->module, CARRY);
    if (!carry)
        return;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_expand_constants(carry); /* casts to a generic pointer, by which it is used */
    while (LLVMGetFirstUse(carry)) {
        cc_value f = function_around(LLVMGetUser(LLVMGetFirstUse(carry)));
        cc_value own = carry_of(u, b, f, LLVMGlobalGetValueType(carry));
        for (LLVMUseRef use = LLVMGetFirstUse(carry), next; use; use = next) {
            cc_value cast = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (function_around(cast) != f)
                continue;
            LLVMReplaceAllUsesWith(cast, own);
            LLVMInstructionEraseFromParent(cast);
        }
        if (!cc_by_thread(u))
            forget_carry_at_calls(u, b, f, own);
    }
    LLVMDeleteGlobal(carry);
    LLVMDisposeBuilder(b);
}

cc_value cc_carry_of_thread(cc_unit *u)
{
    return LLVMGetNamedGlobal(u->module, CARRY_OF_THREAD);
}

void cc_refuse_carry_into_functions(cc_unit *u)
{
    cc_value before = LLVMGetNamedFunction(u->module, CARRY_BEFORE);
    while (before && LLVMGetFirstUse(before)) {
        cc_value call = LLVMGetUser(LLVMGetFirstUse(before));
        cc_value f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        if (LLVMGetFirstUse(call))
            cc_refuse("'%s' goes on with a carry (addc, subc, madc) that another "
                      "function began: that can be done in functions that are inlined",
                      cc_name(f));
        LLVMInstructionEraseFromParent(call);
    }
}

/* A thread ends where it stands: now that functions are inlined, by a return. */
void cc_return_at_exits(cc_unit *u)
{
    cc_value ends = LLVMGetNamedFunction(u->module, "__hostcc_exit"), last;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    while (ends && LLVMGetFirstUse(ends)) {
        cc_value call = LLVMGetUser(LLVMGetFirstUse(ends));
        cc_block block = LLVMGetInstructionParent(call);
        cc_value f = LLVMGetBasicBlockParent(block);
        if (!cc_is_kernel(u, f))
            cc_refuse(
                "'%s' ends its thread (exit of PTX): that can be done in kernels, "
                "and in functions that are inlined into them",
                cc_name(f));
        while ((last = LLVMGetLastInstruction(block)) != call) /* no way goes on */
            LLVMInstructionEraseFromParent(last);
        LLVMInstructionEraseFromParent(call);
        LLVMPositionBuilderAtEnd(b, block);
        LLVMBuildRetVoid(b);
    }
}

/* What does the same here as an instruction that is not there; or an empty text. */
static const char *in_place_of(const char *text)
{
    static const struct {
        const char *word, *other;
    } rows[] = {{"wgmma.", "mma.sync"},
                {"tcgen05.", "mma.sync"},
                {"cp.async.bulk.tensor.", "cp.async.bulk, row by row"},
                {".multicast::", "a copy for each block"}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strstr(text, rows[k].word))
            return cc_format(" (in its place there is %s)", rows[k].other);
    return "";
}

void cc_refuse_ptx(cc_value i, const char *function)
{
    if (cc_is_assembly(i))
        cc_refuse("'%s' contains inline PTX assembly that the host device does not "
                  "know%s: %s",
                  function, in_place_of(assembly(i)), assembly(i));
    if (cc_prefixed(cc_callee(i), "llvm.nvvm."))
        cc_refuse(
            "'%s' uses the GPU instruction '%s', which the host device does not have",
            function, cc_callee(i));
}
