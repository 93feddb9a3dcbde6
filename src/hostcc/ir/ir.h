/* The one door to llvm-c. Everything that hostcc knows of LLVM comes through here: the
   headers, short names for the most frequent types and calls, and version shims
   (LLVM 19-20). Context-less calls are poisoned: every value belongs to the unit's
   context. */
#ifndef HOSTCC_IR_H
#define HOSTCC_IR_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Lines without names; not in LLVM-C's list. */
#define LLVMDWARFEmissionDirectivesOnly ((LLVMDWARFEmissionKind)3)

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#pragma GCC poison LLVMGetGlobalContext LLVMInt1Type LLVMInt8Type LLVMInt32Type
#pragma GCC poison LLVMInt64Type LLVMVoidType LLVMModuleCreateWithName LLVMCreateBuilder
#pragma GCC poison LLVMAppendBasicBlock LLVMInsertBasicBlock LLVMMDNode LLVMMDString

typedef LLVMValueRef cc_value;
typedef LLVMTypeRef cc_type;
typedef LLVMBasicBlockRef cc_block;
typedef LLVMBuilderRef cc_builder;

/* The next one is read first, so i may be erased. A `break` out of CC_EACH_INST_OF
   leaves its block only. */
#define CC_EACH_BLOCK(b, f) \
    for (cc_block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
#define CC_EACH_INST(i, b)                                  \
    for (cc_value i = LLVMGetFirstInstruction(b), i##_next; \
         i && (i##_next = LLVMGetNextInstruction(i), 1); i = i##_next)
#define CC_EACH_INST_OF(i, f)   \
    CC_EACH_BLOCK(i##_block, f) \
        CC_EACH_INST(i, i##_block)

/* A pass; without the option it stops where it needs another round. */
#define CC_INSTCOMBINE "instcombine<no-verify-fixpoint>"
#define CC_REGISTER "llvm.nvvm.read.ptx.sreg." /* then tid.x and so on */
#define CC_LIBM "__hostcc_libm_"

static inline const char *cc_name(cc_value v)
{
    size_t length;
    return LLVMGetValueName2(v, &length);
}

static inline bool cc_prefixed(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The name of the function that i calls directly; "": it does not. */
static inline const char *cc_callee(cc_value i)
{
    cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) ? cc_name(f) : "";
}

/* Whether it is a call of inline assembly. */
static inline bool cc_is_assembly(cc_value i)
{
    return LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

/* The special register that i reads, "tid.x"; or "". */
static inline const char *cc_register(cc_value i)
{
    const char *name = cc_callee(i);
    return cc_prefixed(name, CC_REGISTER) ? name + strlen(CC_REGISTER) : "";
}

static inline unsigned cc_nargs(cc_value call)
{
    return LLVMGetNumArgOperands(call);
}

static inline LLVMTypeKind cc_kind(cc_type t)
{
    return LLVMGetTypeKind(t);
}

/* Of a load or store. */
static inline cc_value cc_pointer_of(cc_value access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static inline bool cc_is_access(cc_value i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

/* A load or store that is volatile or atomic: other threads may see or change it. */
static inline bool cc_is_ordered(cc_value access)
{
    return LLVMGetVolatile(access) ||
           LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static inline bool cc_is_float(cc_type t)
{
    LLVMTypeKind k = cc_kind(t);
    return k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind || k == LLVMHalfTypeKind ||
           k == LLVMBFloatTypeKind;
}

static inline bool cc_is_int(cc_type t, unsigned bits)
{
    return cc_kind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

#endif
