/* Line tables. clang says of each instruction where in the source it comes from. On the
   way through the stages instructions carry that along by themselves, and functions
   have no debug information of their own, with which instructions that move from one
   function to another would have to agree. Before the end, every function that is left
   gets some, and each instruction's place becomes one in it: the innermost one in the
   user's own text. Code of the device library and of clang's headers is attributed to
   the user's call of it.

   For debuggers, each vector's function also has variables: threadIdx (of the vector's
   first thread), blockIdx, blockDim, gridDim. The user's own have no place: a value may
   be in a vector, in every lane the same, or to be computed from the lane's number. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"
#include "hostcc/vector/vector.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

typedef LLVMMetadataRef node;

/* -- Places in the user's text -- */

static node file_of(node place)
{
    return LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
}

/* -- Variables for debuggers -- */

typedef struct {
    cc_unit *unit;
    LLVMDIBuilderRef builder;
    unsigned loop; /* kind of metadata */
    node type;     /* of all functions */
    node program;  /* the function that is written */
    node start;    /* its first place */
} writer;

/* Debuggers find a file that has its name from a #line beside the one that it is in. */
static node found_file(writer *w, node file)
{
    const char *source = w->unit->options->source[0], *slash = strrchr(source, '/');
    unsigned length;
    const char *name = LLVMDIFileGetFilename(file, &length);
    if (!cc_for_debuggers(w->unit) || !slash || *name == '/')
        return file;
    char *folder = cc_format("%.*s", (int)(slash - source), source);
    if (access(cc_format("%s/%.*s", folder, (int)length, name), R_OK))
        return file;
    return LLVMDIBuilderCreateFile(w->builder, name, length, folder, strlen(folder));
}

static node place_at(writer *w, node place)
{
    node file = found_file(w, file_of(place));
    node scope = LLVMDIBuilderCreateLexicalBlockFile(w->builder, w->program, file, 0);
    return LLVMDIBuilderCreateDebugLocation(
        w->unit->context, LLVMDILocationGetLine(place), LLVMDILocationGetColumn(place),
        scope, NULL);
}

static void begin_function(writer *w, cc_value f, node place)
{
    const char *linked = cc_name(f);
    char *name = (char *)linked;
    size_t length = strcspn(linked, "."), named = length; /* the kernel's */
    node file = found_file(w, file_of(place));
    unsigned line = LLVMDILocationGetLine(place);
    if (cc_prefixed(linked, "_Z") && linked[2] >= '1' && linked[2] <= '9')
        named = strtoul(linked + 2, &name, 10); /* a name in no namespace */
    w->program = LLVMDIBuilderCreateFunction(
        w->builder, file, name, named, linked, length, file, line, w->type, 1, 1, line,
        LLVMDIFlagZero, w->unit->options->level > 0);
    w->start = place_at(w, place);
    LLVMSetSubprogram(f, w->program);
}

static void declare(writer *w, cc_builder b, cc_value before, const char *name,
                    cc_value each[3])
{
    cc_unit *u = w->unit;
    LLVMDIBuilderRef d = w->builder;
    node file = file_of(w->start), member[3],
         number = LLVMDIBuilderCreateBasicType(d, "unsigned int", 12, 32, 7, 0);
    cc_value slot = LLVMBuildAlloca(b, LLVMArrayType2(u->i32, 3), name);
    for (unsigned k = 0; k < 3; k++) {
        LLVMBuildStore(b, each[k], cc_offset(u, b, slot, 4 * k));
        member[k] = LLVMDIBuilderCreateMemberType(d, file, &"xyz"[k], 1, file, 0, 32,
                                                  32, 32 * k, 0, number);
    }
    node type = LLVMDIBuilderCreateStructType(d, file, "dim3", 4, file, 0, 96, 32, 0,
                                              NULL, member, 3, 0, NULL, "", 0);
    node variable = LLVMDIBuilderCreateAutoVariable(d, w->program, name, strlen(name),
                                                    file, 0, type, 1, 0, 32);
    LLVMDIBuilderInsertDeclareRecordBefore(
        d, slot, variable, LLVMDIBuilderCreateExpression(d, NULL, 0), w->start, before);
}

static void declare_indices(writer *w, cc_value f)
{
    cc_unit *u = w->unit;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), index[3],
             thread[3], block[3], grid[3], launch = LLVMGetParam(f, CC_LAUNCH);
    LLVMPositionBuilderBefore(b, first);
    for (unsigned d = 0; d < 3; d++) {
        size_t at = offsetof(hc_launch, block) + 4 * d;
        block[d] = LLVMBuildLoad2(b, u->i32, cc_offset(u, b, launch, at), "");
        at = offsetof(hc_launch, grid) + 4 * d;
        grid[d] = LLVMBuildLoad2(b, u->i32, cc_offset(u, b, launch, at), "");
        index[d] = LLVMGetParam(f, CC_BX + d);
        thread[d] = LLVMGetParam(f, CC_X0 + d);
    }
    if (strstr(cc_name(f), ".linear.")) {
        cc_value lanes = cc_int(u->i32, HC_LANES);
        cc_value number = LLVMBuildMul(b, LLVMGetParam(f, CC_VECTOR), lanes, "");
        cc_value row = LLVMBuildUDiv(b, number, block[0], "");
        thread[0] = LLVMBuildURem(b, number, block[0], "");
        thread[1] = LLVMBuildURem(b, row, block[1], "");
        thread[2] = LLVMBuildUDiv(b, row, block[1], "");
    }
    declare(w, b, first, "threadIdx", thread);
    declare(w, b, first, "blockIdx", index);
    declare(w, b, first, "blockDim", block);
    declare(w, b, first, "gridDim", grid);
}

static node first_place(writer *w, cc_value f)
{
    CC_EACH_INST_OF(i, f) {
        node place = LLVMInstructionGetDebugLoc(i);
        if (place)
            return cc_users_location(w->unit, place);
    }
    return NULL;
}

static void write_function(writer *w, cc_value f)
{
    node first = first_place(w, f);
    if (!first)
        return;
    begin_function(w, f, first);
    node nowhere =
        LLVMDIBuilderCreateDebugLocation(w->unit->context, 0, 0, w->program, NULL);
    CC_EACH_INST_OF(i, f) {
        node place = LLVMInstructionGetDebugLoc(i);
        if (place)
            LLVMInstructionSetDebugLoc(i,
                                       place_at(w, cc_users_location(w->unit, place)));
        else if (LLVMIsACallInst(i) || cc_is_access(i))
            /* or it seems part of the line before it, which misleads of faults */
            LLVMInstructionSetDebugLoc(i, nowhere);
        LLVMSetMetadata(i, w->loop, NULL); /* names places, too */
    }
    if (cc_for_debuggers(w->unit) &&
        LLVMGlobalGetValueType(f) == cc_vector_type(w->unit))
        declare_indices(w, f);
}

void cc_write_debug_info(cc_unit *u)
{
    writer w = {.unit = u,
                .builder = LLVMCreateDIBuilder(u->module),
                .loop = LLVMGetMDKindIDInContext(u->context, "llvm.loop", 9)};
    const char *producer = cc_producer(), *source = u->options->source[0];
    node file = LLVMDIBuilderCreateFile(w.builder, source, strlen(source), "", 0);
    LLVMDIBuilderCreateCompileUnit(w.builder, LLVMDWARFSourceLanguageC_plus_plus_14,
                                   file, producer, strlen(producer),
                                   u->options->level > 0, "", 0, 0, "", 0,
                                   u->options->debug, 0, 0, 0, "", 0, "", 0);
    w.type = LLVMDIBuilderCreateSubroutineType(w.builder, file, NULL, 0, 0);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            write_function(&w, f);
    LLVMDIBuilderFinalize(w.builder);
}
