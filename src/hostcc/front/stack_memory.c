/* alloca: stack memory of a size that is known when a thread comes there, or in a
   branch. Lanes cannot share a stack that grows differently, so it is taken from the
   device heap: the blocks of a function are a chain, released where it returns. The
   two functions that do it are CUDA C++ on the device library. */
#include "hostcc/front/front.h"

static const char text[] =
    "extern \"C\" __device__ void *hc_stack_take(void **last, size_t size)\n"
    "{\n"
    "    void **block = (void **)malloc(size + 16);\n"
    "    if (!block)\n"
    "        __trap();\n"
    "    *block = *last, *last = block;\n"
    "    return block + 2;\n"
    "}\n"
    "extern \"C\" __device__ void hc_stack_release(void *block)\n"
    "{\n"
    "    for (void *before; block; block = before)\n"
    "        before = *(void **)block, free(block);\n"
    "}\n";

static bool grows(cc_value i, cc_block entry)
{
    return LLVMIsAAllocaInst(i) && (LLVMGetInstructionParent(i) != entry ||
                                    !LLVMIsAConstantInt(LLVMGetOperand(i, 0)));
}

/* The function and its name, compiled beside the source where the first alloca is. */
static cc_value named(cc_unit *u, const char *name)
{
    char *messages;
    cc_value f = LLVMGetNamedFunction(u->module, name);
    if (f)
        return f;
    LLVMModuleRef made = cc_compile_text(u, text, &messages);
    if (!made || LLVMLinkModules2(u->module, made))
        cc_refuse("internal: %s", messages);
    return LLVMGetNamedFunction(u->module, name);
}

static void call(cc_unit *u, cc_builder b, cc_value i, cc_value last)
{
    cc_value take = named(u, "hc_stack_take");
    uint64_t bytes =
        LLVMABISizeOfType(LLVMGetModuleDataLayout(u->module), LLVMGetAllocatedType(i));
    LLVMPositionBuilderBefore(b, i);
    cc_value size = LLVMBuildIntCast2(b, LLVMGetOperand(i, 0), u->i64, false, "");
    size = LLVMBuildMul(b, size, cc_int(u->i64, bytes), "");
    cc_value args[] = {last, size};
    LLVMReplaceAllUsesWith(
        i, LLVMBuildCall2(b, LLVMGlobalGetValueType(take), take, args, 2, ""));
    LLVMInstructionEraseFromParent(i);
}

/* Where clang gives the stack of an array back, it is not: memory lasts to the end. */
static void forget(cc_value i)
{
    if (cc_prefixed(cc_callee(i), "llvm.stacksave"))
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
}

void cc_move_stack_memory(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        cc_block entry = LLVMIsDeclaration(f) ? NULL : LLVMGetEntryBasicBlock(f);
        cc_value last = NULL;
        CC_EACH_INST_OF(i, f) {
            if (!grows(i, entry))
                continue;
            if (!last) {
                LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
                last = LLVMBuildAlloca(b, u->ptr, "");
                LLVMBuildStore(b, LLVMConstNull(u->ptr), last);
            }
            call(u, b, i, last);
        }
        CC_EACH_INST_OF(i, f) {
            cc_value release = last ? named(u, "hc_stack_release") : NULL;
            if (last && LLVMIsAReturnInst(i)) {
                LLVMPositionBuilderBefore(b, i);
                cc_value block = LLVMBuildLoad2(b, u->ptr, last, "");
                LLVMBuildCall2(b, LLVMGlobalGetValueType(release), release, &block, 1,
                               "");
            } else if (last && (cc_prefixed(cc_callee(i), "llvm.stacksave") ||
                                cc_prefixed(cc_callee(i), "llvm.stackrestore"))) {
                forget(i);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
