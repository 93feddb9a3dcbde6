/* Line tables. clang says of each instruction where in the source it comes from. On the
   way through the stages instructions carry that along by themselves, and functions
   have no debug information of their own, with which instructions that move from one
   function to another would have to agree. Before the end, every function that is left
   gets some, and each instruction's place becomes one in it: the innermost one in the
   user's own text. Code of the device library and of clang's headers is attributed to
   the user's call of it.

   Variables of vector code have no place: a value may be in a vector, in every lane the
   same, or to be computed from the lane's number. Where threads run one at a time
   (option -G), all is as clang describes it, with front/debug_variables.c. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"

#include <stdlib.h>
#include <unistd.h>

typedef LLVMMetadataRef node;

/* -- Places in the user's text -- */

static node file_of(node place)
{
    return LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
}

/* -- Functions -- */

typedef struct {
    cc_unit *unit;
    LLVMDIBuilderRef builder;
    unsigned loop; /* kind of metadata */
    node type;     /* of all functions */
    node program;  /* the function that is written */
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
    LLVMSetSubprogram(f, w->program);
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
