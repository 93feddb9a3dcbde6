/* Inline PTX: special registers, fences and the two bit field instructions, which are
   what programs write assembly for. Statements stand in a table, as clang words them
   ($0 is the result); any other is refused, with its text, where a kernel needs it. So
   are intrinsics that stand for GPU instructions. */
#include "hostcc.h"

#include <ctype.h>

/* -- Special registers: mov.u32 $0, %name -- */

static val call(cc_unit *u, builder b, const char *name, type result)
{
    return cc_helper(u, b, name, result, 0, NULL);
}

/* The lanes below this one, `plus` 1: with it; as bits. */
static val lanes_below(cc_unit *u, builder b, unsigned plus)
{
    val one = cc_int(u->i32, 1ull << plus);
    val bit = LLVMBuildShl(b, one, call(u, b, "__hostcc_lane", u->i32), "");
    return LLVMBuildSub(b, bit, cc_int(u->i32, 1), "");
}

static val special_register(cc_unit *u, builder b, const char *name)
{
    static const struct {
        const char *name, *callee;
        bool wide;
    } rows[] = {
        {"laneid", "__hostcc_lane", false},
        {"clock", "__hostcc_clock", true},
        {"clock64", "__hostcc_clock", true},
        {"globaltimer", "__hostcc_nanoseconds", true},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(name, rows[k].name))
            return call(u, b, rows[k].callee, rows[k].wide ? u->i64 : u->i32);
    const char *dot = strchr(name, '.');
    if (dot && strchr("xyz", dot[1]) && !dot[2] &&
        (cc_prefixed(name, "tid.") || cc_prefixed(name, "ntid.") ||
         cc_prefixed(name, "ctaid.") || cc_prefixed(name, "nctaid.")))
        return call(u, b, cc_format(CC_REGISTER "%s", name), u->i32);
    if (!strcmp(name, "lanemask_lt"))
        return lanes_below(u, b, 0);
    if (!strcmp(name, "lanemask_le"))
        return lanes_below(u, b, 1);
    if (!strcmp(name, "lanemask_ge"))
        return LLVMBuildNot(b, lanes_below(u, b, 0), "");
    if (!strcmp(name, "lanemask_gt"))
        return LLVMBuildNot(b, lanes_below(u, b, 1), "");
    if (!strcmp(name, "lanemask_eq"))
        return LLVMBuildXor(b, lanes_below(u, b, 0), lanes_below(u, b, 1), "");
    return NULL;
}

/* -- Statements -- */

/* An operand from 0 to 255 as 64 bits, where no shift by it goes too far: what is above
   32 counts as 32. */
static val bits(cc_unit *u, builder b, val operand)
{
    val v = LLVMBuildAnd(b, operand, cc_int(u->i32, 255), ""),
        most = cc_int(u->i32, 32);
    val far = LLVMBuildICmp(b, LLVMIntUGT, v, most, "");
    return LLVMBuildZExt(b, LLVMBuildSelect(b, far, most, v, ""), u->i64, "");
}

/* As many ones as operand k says. */
static val ones(cc_unit *u, builder b, val i, unsigned k)
{
    val one = cc_int(u->i64, 1), n = bits(u, b, LLVMGetOperand(i, k));
    return LLVMBuildSub(b, LLVMBuildShl(b, one, n, ""), one, "");
}

static val extract_field(cc_unit *u, builder b, val i)
{
    val from = LLVMBuildZExt(b, LLVMGetOperand(i, 0), u->i64, "");
    val low = LLVMBuildLShr(b, from, bits(u, b, LLVMGetOperand(i, 1)), "");
    return LLVMBuildAnd(b, low, ones(u, b, i, 2), "");
}

static val insert_field(cc_unit *u, builder b, val i)
{
    val at = bits(u, b, LLVMGetOperand(i, 2));
    val mask = LLVMBuildShl(b, ones(u, b, i, 3), at, "");
    val what = LLVMBuildZExt(b, LLVMGetOperand(i, 0), u->i64, "");
    val into = LLVMBuildZExt(b, LLVMGetOperand(i, 1), u->i64, "");
    what = LLVMBuildAnd(b, LLVMBuildShl(b, what, at, ""), mask, "");
    return LLVMBuildOr(b, what, LLVMBuildAnd(b, into, LLVMBuildNot(b, mask, ""), ""),
                       "");
}

static val fence(cc_unit *u, builder b, val i)
{
    (void)u, (void)i;
    return LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}

static const struct {
    const char *text;
    val (*emit)(cc_unit *, builder, val);
} statements[] = {
    {"", fence},
    {"membar.gl", fence},
    {"membar.cta", fence},
    {"membar.sys", fence},
    {"bfe.u32 $0, $1, $2, $3", extract_field},
    {"bfi.b32 $0, $1, $2, $3, $4", insert_field},
};

/* The text with single blanks, one after each comma, and no semicolon at the end. */
static const char *statement(val i)
{
    size_t n, out = 0;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &n);
    char *s = cc_alloc(2 * n + 1);
    for (size_t k = 0; k < n; k++)
        if (!isspace((unsigned char)text[k])) {
            bool apart =
                out && (s[out - 1] == ',' || isspace((unsigned char)text[k - 1]));
            if (apart && text[k] != ',' && text[k] != ';')
                s[out++] = ' ';
            s[out++] = text[k];
        }
    while (out && s[out - 1] == ';')
        out--;
    s[out] = 0;
    return s;
}

static val translate(cc_unit *u, builder b, val i)
{
    const char *text = statement(i), *name = strstr(text, " $0, %");
    if (cc_prefixed(text, "mov.") && name)
        return special_register(u, b, name + strlen(" $0, %"));
    for (unsigned k = 0; k < sizeof statements / sizeof *statements; k++)
        if (!strcmp(text, statements[k].text))
            return statements[k].emit(u, b, i);
    return NULL;
}

/* atomicInc and atomicDec, which clang 19 knows only as NVVM intrinsics. */
static val count_around(builder b, val i)
{
    bool up = cc_prefixed(cc_callee(i), "llvm.nvvm.atomic.load.inc.32.p0");
    if (!up && !cc_prefixed(cc_callee(i), "llvm.nvvm.atomic.load.dec.32.p0"))
        return NULL;
    return LLVMBuildAtomicRMW(
        b, up ? LLVMAtomicRMWBinOpUIncWrap : LLVMAtomicRMWBinOpUDecWrap,
        LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMAtomicOrderingMonotonic, 0);
}

void cc_translate_ptx(cc_unit *u)
{
    builder b = LLVMCreateBuilderInContext(u->context);
    for (val f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f) {
            if (!LLVMIsACallInst(i))
                continue;
            LLVMPositionBuilderBefore(b, i);
            val r = LLVMIsAInlineAsm(LLVMGetCalledValue(i)) ? translate(u, b, i)
                                                            : count_around(b, i);
            type t = LLVMTypeOf(i);
            if (!r)
                continue;
            if (cc_kind(t) == LLVMIntegerTypeKind)
                LLVMReplaceAllUsesWith(i, LLVMBuildIntCast2(b, r, t, false, ""));
            LLVMInstructionEraseFromParent(i);
        }
    LLVMDisposeBuilder(b);
}

void cc_refuse_ptx(val i, const char *function)
{
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        cc_refuse(
            "'%s' contains inline PTX assembly that the host device does not know: %s",
            function, statement(i));
    if (cc_prefixed(cc_callee(i), "llvm.nvvm."))
        cc_refuse(
            "'%s' uses the GPU instruction '%s', which the host device does not have",
            function, cc_callee(i));
}
