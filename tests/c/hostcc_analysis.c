/* The analyses of hostcc on small functions in LLVM's textual IR: dominators, meeting
   points, loops (cfg.c); shapes of values and divergent blocks (uniformity.c);
   suspension points (suspension_points.c); names of functions (pseudo.def). One row
   each; results are compared as text.
 */
#include "hostcc/split/split.h"

#include <stdio.h>
#include <stdlib.h>

#define TID "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
#define TIDY "declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"

static cc_options options = {.level = 3};
static cc_unit unit = {.options = &options};
static int failures;

static cc_value parse(const char *text)
{
    char *error, *copy = cc_format("%s", text);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(copy, strlen(copy), "test");
    if (LLVMParseIRInContext(unit.context, buffer, &unit.module, &error)) {
        fprintf(stderr, "%s\n%s", error, text);
        exit(2);
    }
    LLVMSetTarget(unit.module, LLVMGetTargetMachineTriple(unit.machine));
    LLVMSetModuleDataLayout(unit.module, unit.layout);
    return LLVMGetNamedFunction(unit.module, "f");
}

static void compare(const char *what, unsigned row, const char *got, const char *want)
{
    if (!strcmp(got, want))
        return;
    failures++;
    fprintf(stderr, "%s %u:\n  got  %s\n  want %s\n", what, row, got, want);
}

static const char *block_name(const cc_cfg *g, unsigned node)
{
    return node < g->n ? LLVMGetBasicBlockName(g->node[node].ref) : "end";
}

/* -- Graphs -- */

/* Of each block: name, immediate dominator, post-dominator, meeting point, loop depth.
 */
static const struct {
    const char *text, *want;
} graphs[] = {
    {"define void @f(i1 %c) {\n"
     "a: br i1 %c, label %b, label %d\n"
     "b: br label %d\n"
     "d: ret void\n}\n",
     "a<a>d>d:0 b<a>d>d:0 d<a>end>end:0"},
    {"define void @f(i1 %c) {\n" /* a loop with a break in its middle */
     "a: br label %h\n"
     "h: br i1 %c, label %x, label %l\n"
     "l: br i1 %c, label %h, label %x\n"
     "x: ret void\n}\n",
     "a<a>h>h:0 h<a>x>x:1 l<h>x>x:1 x<h>end>end:0"},
    {"define void @f(i1 %c) {\n" /* b's threads meet at m, unless some go round h first
                                  */
     "a: br label %h\n"
     "h: br label %b\n"
     "b: br i1 %c, label %l, label %m\n"
     "l: br label %h\n"
     "m: br i1 %c, label %b, label %x\n"
     "x: ret void\n}\n",
     "a<a>h>h:0 h<a>b>b:1 b<h>m>x:2 l<b>h>h:1 m<b>x>x:2 x<m>end>end:0"},
    {"define void @f(i1 %c) {\n" /* a return: threads meet nowhere */
     "a: br i1 %c, label %r, label %b\n"
     "r: ret void\n"
     "b: ret void\n}\n",
     "a<a>end>end:0 r<a>end>end:0 b<a>end>end:0"},
    {"define void @f(i1 %c) {\n" /* an endless loop counts as reaching the end */
     "a: br i1 %c, label %l, label %b\n"
     "l: br label %l\n"
     "b: ret void\n}\n",
     "a<a>end>end:0 l<a>end>end:1 b<a>end>end:0"},
};

static void test_graphs(void)
{
    for (unsigned r = 0; r < sizeof graphs / sizeof *graphs; r++) {
        cc_cfg *g = cc_cfg_build(parse(graphs[r].text));
        char text[512] = "";
        for (unsigned i = 0; i < g->n; i++) {
            const cc_node *n = &g->node[i];
            unsigned depth = 0;
            for (int l = n->loop; l >= 0; l = g->loop[l].parent)
                depth++;
            char *row = cc_format("%s%s<%s>%s>%s:%u", i ? " " : "", block_name(g, i),
                                  block_name(g, n->idom), block_name(g, n->ipdom),
                                  block_name(g, n->reconvergence), depth);
            strncat(text, row, sizeof text - strlen(text) - 1);
        }
        compare("graph", r, text, graphs[r].want);
    }
}

/* -- Shapes -- */

/* Of each named value: u uniform, a number: affine with that stride, ~ behind it:
   inexact, v varying. Then the divergent blocks. Width is 16. */
static const struct {
    const char *text, *want;
} uniformity[] = {
    {TID "define void @f(ptr %p, i32 %n) {\n"
         "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         " %i = add i32 %t, %n\n %x = sext i32 %i to i64\n"
         " %a = getelementptr float, ptr %p, i64 %x\n %v = load float, ptr %a\n"
         " %b = getelementptr float, ptr %p, i64 4\n %w = load float, ptr %b\n"
         " %z = zext i32 %t to i64\n ret void\n}\n",
     "t=1 i=1 x=1~ a=4~ v=v b=u w=u z=1 |"},
    {TID
     "define void @f(i32 %n) {\n" /* warp idioms: decided by the upper bits */
     "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
     " %lane = and i32 %t, 31\n %warp = lshr i32 %t, 5\n %first = icmp ult i32 %t, 32\n"
     " %odd = icmp ult i32 %t, 33\n %row = and i32 %t, -16\n %low = and i32 %t, 3\n"
     " %two = shl i32 %t, 1\n %back = sub i32 %n, %t\n %sq = mul i32 %t, %t\n ret "
     "void\n}\n",
     "t=1 lane=1 warp=u first=u odd=v row=u low=v two=2 back=-1 sq=v |"},
    {TID TIDY
     "define void @f(i32 %n) {\n"
     "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
     " %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
     " %c = icmp slt i32 %t, %n\n br i1 %c, label %a, label %b\n"
     "a: br label %m\n"
     "b: br label %m\n"
     "m: %p = phi i32 [ 1, %a ], [ 2, %b ]\n %q = phi i32 [ %n, %a ], [ %n, %b ]\n"
     " ret void\n}\n",
     "t=1 y=u c=v p=v q=u | a b"},
    {TID
     "define void @f(i32 %n) {\n" /* a uniform loop; a loop that threads leave apart */
     "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n br label %h\n"
     "h: %k = phi i32 [ 0, %e ], [ %k1, %h ]\n %k1 = add i32 %k, 1\n"
     " %c = icmp slt i32 %k1, %n\n br i1 %c, label %h, label %g\n"
     "g: %k2 = phi i32 [ %k, %h ]\n br label %d\n"
     "d: %j = phi i32 [ 0, %g ], [ %j1, %d ]\n %j1 = add i32 %j, 1\n"
     " %s = icmp slt i32 %j1, %t\n br i1 %s, label %d, label %x\n"
     "x: %j2 = phi i32 [ %j, %d ]\n %i = phi i32 [ %k2, %d ]\n ret void\n}\n",
     "t=1 k=u k1=u c=u k2=u j=u j1=u s=v j2=v i=u | d"},
    {TID "define void @f(i32 %n) {\n" /* the flag says which way each thread left */
         "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n br label %h\n"
         "h: %k = phi i32 [ 0, %e ], [ %k1, %l ]\n %c = icmp slt i32 %k, %n\n"
         " br i1 %c, label %b, label %x\n"
         "b: %d = icmp eq i32 %k, %t\n br i1 %d, label %x, label %l\n"
         "l: %k1 = add i32 %k, 1\n br label %h\n"
         "x: %flag = phi i32 [ 0, %h ], [ 1, %b ]\n ret void\n}\n",
     "t=1 k=u c=u d=v k1=u flag=v | h b l"},
};

static void test_uniformity(void)
{
    for (unsigned r = 0; r < sizeof uniformity / sizeof *uniformity; r++) {
        cc_cfg *g = cc_cfg_build(parse(uniformity[r].text));
        cc_uniformity_info *s =
            cc_uniformity_infer(g, (cc_uniformity_rules){16, false});
        char text[512] = "";
        for (unsigned k = 0; k < s->count; k++) {
            cc_uniformity a = s->of[k];
            if (!*cc_name(s->value[k]))
                continue;
            char *row = cc_format(
                "%s=%s ", cc_name(s->value[k]),
                a.kind == CC_VARYING ? "v"
                : !a.stride          ? "u"
                            : cc_format("%d%s", (int)a.stride, a.inexact ? "~" : ""));
            strcat(text, row);
        }
        strcat(text, "|");
        for (unsigned i = 0; i < g->n; i++)
            if (g->node[i].divergent)
                strcat(text, cc_format(" %s", block_name(g, i)));
        compare("shape", r, text, uniformity[r].want);
    }
}

/* -- Suspension points -- */

#define WARP "declare i32 @__hostcc_ballot(i32, i32) convergent\n"
#define BARRIER "declare void @__hostcc_barrier() convergent\n"

/* The kinds of the points found, by number. */
static const struct {
    const char *text, *want;
} points[] = {
    {BARRIER "define void @f() {\n call void @__hostcc_barrier()\n"
             " call void @__hostcc_barrier()\n ret void\n}\n",
     "barrier barrier"},
    {WARP "define i32 @f() {\n %b = call i32 @__hostcc_ballot(i32 -1, i32 1)\n ret i32 "
          "%b\n}\n",
     ""},
    {TID WARP "define i32 @f(i32 %n) {\n"
              "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
              " %c = icmp slt i32 %t, %n\n br i1 %c, label %a, label %x\n"
              "a: %b = call i32 @__hostcc_ballot(i32 -1, i32 1)\n br label %x\n"
              "x: %r = phi i32 [ %b, %a ], [ 0, %e ]\n ret i32 %r\n}\n",
     "warp"},
    {"define void @f(ptr %lock) {\n"
     "e: br label %h\n"
     "h: %old = atomicrmw xchg ptr %lock, i32 1 seq_cst\n %c = icmp eq i32 %old, 0\n"
     " br i1 %c, label %x, label %h\n"
     "x: ret void\n}\n",
     "yield"},
    {TID
     "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
     "define void @f(ptr %p, i32 %n) {\n"
     "e: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
     " %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n br label %h\n"
     "h: %i = phi i32 [ %t, %e ], [ %j, %h ]\n"
     " %a = getelementptr float, ptr %p, i32 %i\n store float 0.0, ptr %a\n"
     " %j = add i32 %i, %d\n %c = icmp slt i32 %j, %n\n br i1 %c, label %h, label %x\n"
     "x: ret void\n}\n",
     "lockstep"},
};

static void test_points(void)
{
    static const char *const kinds[] = {"entry", "barrier", "count", "and",
                                        "or",    "warp",    "yield", "lockstep"};
    for (unsigned r = 0; r < sizeof points / sizeof *points; r++) {
        cc_value f = parse(points[r].text);
        cc_suspension_points p =
            cc_suspension_points_find(&unit, f, (cc_uniformity_rules){16, false});
        char text[256] = "", *error = NULL;
        for (unsigned k = 1; k < p.n; k++)
            strcat(text, cc_format("%s%s", k > 1 ? " " : "", kinds[p.point[k].kind]));
        compare("points", r, text, points[r].want);
        if (LLVMVerifyModule(unit.module, LLVMReturnStatusAction, &error))
            compare("points: module", r, error, "");
    }
}

/* The longest name of the table that a function's starts with, in families alone. */
static void test_functions(void)
{
    static const struct {
        const char *name;
        cc_function_id want;
    } names[] = {{"__hostcc_barrier", CC_FN_BARRIER},
                 {"__hostcc_barrier_count", CC_FN_BARRIER_COUNT},
                 {"__hostcc_barrier_xor", CC_FN_NONE},
                 {"__hostcc_shuffle_index_64", CC_FN_SHUFFLE_INDEX},
                 {"__hostcc_shuffle_xor_f32", CC_FN_SHUFFLE_XOR},
                 {"__hostcc_shuffle_", CC_FN_NONE},
                 {"__hostcc_libm_remquof", CC_FN_LIBM},
                 {"__hostcc_lane", CC_FN_LANE},
                 {"__hostcc_lanes", CC_FN_NONE},
                 {"hc.put", CC_FN_PUT},
                 {"hc.put.flag", CC_FN_PUT_FLAG},
                 {"hc.slot", CC_FN_SLOT},
                 {"vprintf", CC_FN_PRINT},
                 {"llvm.trap", CC_FN_TRAP},
                 {"llvm.fma.f32", CC_FN_NONE},
                 {"a", CC_FN_NONE},
                 {"zz", CC_FN_NONE},
                 {"", CC_FN_NONE}};
    for (unsigned r = 0; r < sizeof names / sizeof *names; r++)
        if (cc_function_named(names[r].name) != names[r].want)
            compare("functions", r, names[r].name, "another");
    for (unsigned id = 1; id < CC_FN_COUNT; id++)
        if (cc_function_named(cc_functions[id].name) != id)
            compare("functions: row", id, cc_functions[id].name, "another");
}

int main(void)
{
    cc_unit_begin(&unit);
    test_graphs();
    test_uniformity();
    test_points();
    test_functions();
    return failures != 0;
}
