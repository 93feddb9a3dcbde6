/* What a region reads back and does not change is in the vector's context when it comes
   to its next point. That point saves it nevertheless, since on the way from the entry
   on which nobody has waited it has never been saved (state_machine.c): the copy for
   one region need not. Of a region that passes eight points and leaves most values as
   they are, these stores were half of the code. */
#include "hostcc/split/split.h"

/* The offset in the context at which v has been read back, or NULL. What the block's
   first vector has saved for all (of_block) is not where this one saves. */
static cc_value offset_of(cc_value v)
{
    if (LLVMIsATruncInst(v))
        v = LLVMGetOperand(v, 0);
    cc_value from = LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL;
    return from && cc_function_of(from) == CC_FN_SLOT &&
                   LLVMIsNull(LLVMGetOperand(from, 3))
               ? LLVMGetOperand(from, 0)
               : NULL;
}

/* The only store to it, if all else are loads. */
static cc_value only_store(cc_value stack_slot)
{
    cc_value store = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(stack_slot); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == stack_slot;
        if ((stores && store) || (!stores && !LLVMIsALoadInst(user)))
            return NULL;
        store = stores ? user : store;
    }
    return store;
}

/* Erases stores of v, as it is, to the context's offset. */
static void erase_saves(cc_value v, cc_value offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v), next; use; use = next) {
        cc_value user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsAZExtInst(user))
            erase_saves(user, offset);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v &&
                 cc_function_of(LLVMGetOperand(user, 1)) == CC_FN_SLOT &&
                 LLVMGetOperand(LLVMGetOperand(user, 1), 0) == offset)
            LLVMInstructionEraseFromParent(user);
    }
}

void cc_leave_unchanged_values(cc_value region)
{
    cc_block entry = LLVMGetEntryBasicBlock(region),
             start = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(entry), 0);
    CC_EACH_INST(slot, entry) {
        cc_value store = LLVMIsAAllocaInst(slot) ? only_store(slot) : NULL,
                 offset = store && LLVMGetInstructionParent(store) == start
                              ? offset_of(LLVMGetOperand(store, 0))
                              : NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(slot); use && offset;
             use = LLVMGetNextUse(use))
            if (LLVMIsALoadInst(LLVMGetUser(use)))
                erase_saves(LLVMGetUser(use), offset);
    }
}
