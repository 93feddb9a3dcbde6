/* Kernel parameters: their offsets in the argument buffer (CUDA's rule: in order,
   each at its own alignment), and their types as the source spells them, without
   typedefs where they are numbers or addresses; read from debug information before
   that is dropped. Operand positions of debug nodes are LLVM's (DebugInfoMetadata.h),
   18 to 20. */
#include "hostcc/front/front.h"

enum {
    DW_TAG_ENUMERATION = 0x04,
    DW_TAG_POINTER = 0x0f,
    DW_TAG_REFERENCE = 0x10,
    DW_TAG_TYPEDEF = 0x16,
    DW_TAG_BASE = 0x24,
    DW_TAG_CONST = 0x26,
    DW_TAG_VOLATILE = 0x35,
    DW_TAG_RESTRICT = 0x37
};
enum { NODE_NAME = 2, NODE_BASE = 3, SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3 };

static cc_value node_operand(cc_value node, unsigned k)
{
    unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (k >= n)
        return NULL;
    cc_value *all = cc_alloc(n * sizeof *all);
    LLVMGetMDNodeOperands(node, all);
    return all[k];
}

static unsigned tag_of(cc_value node)
{
    return node ? LLVMGetDINodeTag(LLVMValueAsMetadata(node)) : 0;
}

/* Behind all typedefs and enumerations. */
static cc_value meant(cc_value node)
{
    while (tag_of(node) == DW_TAG_TYPEDEF || tag_of(node) == DW_TAG_ENUMERATION)
        node = node_operand(node, NODE_BASE);
    return node;
}

static const char *type_text(cc_value node)
{
    if (!node)
        return "void";
    if (tag_of(meant(node)) == DW_TAG_BASE || tag_of(meant(node)) == DW_TAG_POINTER)
        node = meant(node);
    unsigned length, tag = tag_of(node);
    cc_value name = node_operand(node, NODE_NAME);
    const char *text = name ? LLVMGetMDString(name, &length) : NULL;
    const char *base;
    switch (tag) {
    case DW_TAG_POINTER:
    case DW_TAG_REFERENCE:
        base = type_text(node_operand(node, NODE_BASE));
        return cc_format("%s%s%c", base,
                         strchr("*&", base[strlen(base) - 1]) ? "" : " ",
                         tag == DW_TAG_POINTER ? '*' : '&');
    case DW_TAG_CONST:
        base = type_text(node_operand(node, NODE_BASE));
        return base[strlen(base) - 1] == '*' ? base : cc_format("const %s", base);
    case DW_TAG_VOLATILE:
    case DW_TAG_RESTRICT:
        return type_text(node_operand(node, NODE_BASE));
    default:
        return text && *text ? text : "struct";
    }
}

static void layout_params(cc_unit *u, cc_kernel *k)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5), end = 0,
             aligned = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMMetadataRef program = LLVMGetSubprogram(k->function);
    cc_value types = NULL;
    if (program) {
        cc_value node = LLVMMetadataAsValue(u->context, program);
        types = node_operand(node_operand(node, SUBPROGRAM_TYPE), SUBROUTINE_TYPES);
    }
    k->nparams = LLVMCountParams(k->function);
    k->params = cc_alloc((k->nparams + 1) * sizeof *k->params);
    for (unsigned p = 0; p < k->nparams; p++) {
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(k->function, p + 1, byval);
        cc_type t =
            a ? LLVMGetTypeAttributeValue(a) : LLVMTypeOf(LLVMGetParam(k->function, p));
        unsigned align = LLVMABIAlignmentOfType(u->layout, t);
        a = a ? LLVMGetEnumAttributeAtIndex(k->function, p + 1, aligned) : NULL;
        if (a && LLVMGetEnumAttributeValue(a) > align)
            align = (unsigned)LLVMGetEnumAttributeValue(a);
        unsigned offset = (end + align - 1) / align * align;
        k->params[p] = (hc_param){offset, cc_sizeof(u, t),
                                  types ? type_text(node_operand(types, p + 1)) : ""};
        end = offset + k->params[p].size;
    }
    k->param_bytes = end;
}

/* Of debug information only lines are kept from here on. */
static void keep_lines(cc_unit *u)
{
    unsigned kind = LLVMGetMDKindIDInContext(u->context, "dbg", 3);
    cc_passes(u, "strip-nonlinetable-debuginfo");
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        LLVMGlobalEraseMetadata(f, kind);
}

static bool is_by_value(const cc_kernel *k, cc_value v)
{
    for (unsigned p = 0; LLVMIsAArgument(v) && p < k->nparams; p++)
        if (LLVMGetParam(k->function, p) == v)
            return k->by_value[p];
    return false;
}

/* Nobody writes to structures that were passed by value: a thread that does has a copy.
   So their members are read in front of loops over vectors, as other parameters are. */
void cc_fix_parameters(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        CC_EACH_INST_OF(i, u->kernels[k].function) {
            cc_value p = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
            while (p && LLVMIsAGetElementPtrInst(p))
                p = LLVMGetOperand(p, 0);
            if (p && is_by_value(&u->kernels[k], p) && !cc_is_ordered(i))
                cc_note(u, i, CC_INVARIANT, 0, NULL, NULL);
        }
}

void cc_find_parameters(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        layout_params(u, &u->kernels[k]);
    if (!cc_by_thread(u))
        keep_lines(u);
}
