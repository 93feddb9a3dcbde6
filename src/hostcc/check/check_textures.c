/* Texture functions of the device library read behind objects that hostcuda made: they
   say which (__hostcc_object_used), that is checked, and what they access through it
   needs no check of its own. Optimization may have lost the place of such an access, so
   it is known by where its address comes from, too. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

static unsigned texture_note(cc_unit *u)
{
    return LLVMGetMDKindIDInContext(u->context, "hc.texture", 10);
}

bool cc_is_of_textures(cc_unit *u, cc_value i)
{
    return LLVMGetMetadata(i, texture_note(u));
}

/* The records that a function uses, and the numbers that they are made of; NULL: none.
 */
static cc_map *records_of(cc_value function)
{
    cc_map *records = NULL;
    CC_EACH_INST_OF(i, function) {
        if (cc_function_of(i) != CC_FN_OBJECT_USED)
            continue;
        cc_value record = LLVMGetOperand(i, 0);
        records = records ? records : cc_map_new();
        cc_map_put(records, record, 1);
        if (LLVMIsAIntToPtrInst(record))
            cc_map_put(records, LLVMGetOperand(record, 0), 1);
    }
    return records;
}

/* Whether an address was made from a record, or from what stands there. */
static bool comes_from(cc_map *records, cc_value v, cc_map *seen)
{
    if (cc_map_get(records, v) >= 0)
        return true;
    if (!LLVMIsAInstruction(v) || LLVMIsACallInst(v) || cc_map_get(seen, v) >= 0)
        return false;
    cc_map_put(seen, v, 1);
    unsigned n = LLVMIsAGetElementPtrInst(v) ? 1 : (unsigned)LLVMGetNumOperands(v);
    for (unsigned k = 0; k < n; k++)
        if (comes_from(records, LLVMGetOperand(v, k), seen))
            return true;
    return false;
}

static bool is_of(cc_unit *u, cc_map *records, cc_value i)
{
    cc_access a;
    bool may = cc_is_in_texture_files(u, i) || !cc_place_of(u, i).line;
    bool found = may && cc_function_of(i) == CC_FN_NONE && cc_find_access(u, i, &a);
    bool is = false;
    for (; found && !is; found = cc_next_access(&a))
        is = comes_from(records, a.pointer, cc_map_new());
    return is;
}

void cc_mark_textures(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        bool fetches = cc_is_of_vectors(f); /* behind an object that its caller uses */
        cc_map *records = LLVMIsDeclaration(f) ? NULL : records_of(f);
        if (!records && !fetches)
            continue;
        CC_EACH_INST_OF(i, f)
            if (fetches || is_of(u, records, i))
                LLVMSetMetadata(
                    i, texture_note(u),
                    LLVMMetadataAsValue(u->context,
                                        LLVMMDNodeInContext2(u->context, NULL, 0)));
    }
}

static void drop(cc_unit *u, cc_function_id id)
{
    cc_value f = LLVMGetNamedFunction(u->module, cc_functions[id].name);
    while (f && LLVMGetFirstUse(f))
        LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(f)));
}

void cc_drop_texture_calls(cc_unit *u)
{
    drop(u, CC_FN_OBJECT_USED);
    drop(u, CC_FN_PLACE_USED);
}
