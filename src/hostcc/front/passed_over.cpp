/* Errors and warnings in the bodies of host functions are passed over: of host code,
   which is not compiled, only the launches are wanted, and it may call what is nowhere
   here. Not so what is no C++, and may hide where a body ends, unless an unknown name
   in front of it explains it. Those in system headers are not even read. */
#undef __SANITIZE_ADDRESS__ /* as in clang.cpp */
#include "hostcc/front/passed_over.hpp"
#include "hostcc/front/clang_job.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Sema/Sema.h>

using namespace clang;

static const CompilerInstance *reading;

/* Lines with such errors in what was precompiled of the source; and whether, for them,
   something is to be told that only the whole source explains. */
static llvm::StringSet<> earlier;
static bool for_earlier;

/* Such errors, the first of them. */
struct PassedOver {
    SourceLocation at;
    std::string text;
};
static std::vector<PassedOver> passed_over;
enum { MOST_PASSED_OVER = 1000, MOST_TOLD = 3 };

/* The host function whose body is read, or null. */
static const FunctionDecl *host_function()
{
    const DeclContext *in =
        reading && reading->hasSema() ? reading->getSema().CurContext : nullptr;
    for (; in; in = in->getParent()) {
        auto *f = dyn_cast<FunctionDecl>(in);
        auto *method = dyn_cast<CXXMethodDecl>(in);
        if (!f)
            continue;
        const Attr *device = f->getAttr<CUDADeviceAttr>();
        if (method && method->getParent()->isLambda() &&
            (!device || device->isImplicit())) /* it is what it stands in */
            continue;
        return device || f->hasAttr<CUDAGlobalAttr>() ? nullptr : f;
    }
    return nullptr;
}

static bool is_at_end_of_file(const Diagnostic &one)
{
    if (!one.hasSourceManager() || !one.getLocation().isValid())
        return false;
    auto at = one.getSourceManager().getDecomposedExpansionLoc(one.getLocation());
    return at.second >= one.getSourceManager().getFileIDSize(at.first);
}

static bool is_passed_over(const Diagnostic &one, DiagnosticsEngine::Level level)
{
    static const FunctionDecl *excused;
    const FunctionDecl *f = host_function();
    if (one.getID() == diag::warn_cuda_maxclusterrank_sm_90) /* of GPUs alone */
        return true;
    if (!f ||
        (level != DiagnosticsEngine::Error && level != DiagnosticsEngine::Warning))
        return false;
    unsigned category = DiagnosticIDs::getCategoryNumberForDiag(one.getID());
    bool is_syntax = DiagnosticIDs::getCategoryNameFromID(category) == "Parse Issue";
    if (is_syntax && level == DiagnosticsEngine::Error)
        return f == excused && !is_at_end_of_file(one);
    if (level == DiagnosticsEngine::Error)
        excused = f;
    return true;
}

bool SkipsHost::shouldSkipFunctionBody(Decl *d)
{
    const FunctionDecl *f = d->getAsFunction();
    return f && !f->hasAttr<CUDADeviceAttr>() && !f->hasAttr<CUDAGlobalAttr>() &&
           files.isInSystemHeader(f->getLocation());
}

#define PROCESS(name) \
    name##_ZNK5clang13DiagnosticIDs11ProcessDiagERNS_17DiagnosticsEngineE
extern "C" bool PROCESS(__real_)(const DiagnosticIDs *, DiagnosticsEngine &);
extern "C" bool PROCESS(__wrap_)(const DiagnosticIDs *ids, DiagnosticsEngine &engine)
{
    static bool passes_over; /* the notes behind it are, too */
    Diagnostic one(&engine);
    auto level = engine.getDiagnosticLevel(one.getID(), one.getLocation());
    if (level != DiagnosticsEngine::Note)
        passes_over = is_passed_over(one, level);
    if (passes_over && level == DiagnosticsEngine::Error &&
        passed_over.size() < MOST_PASSED_OVER) {
        SmallString<128> text;
        one.FormatDiagnostic(text);
        passed_over.push_back({one.getLocation(), text.str().str()});
    }
    return !passes_over && PROCESS(__real_)(ids, engine);
}

void begin_reading(const CompilerInstance *compiler, const char *notes)
{
    reading = compiler;
    passed_over.clear();
    for_earlier = false;
    earlier.clear();
    for (; *notes; notes += strlen(notes) + 1)
        if (*notes == CC_PASSED_OVER)
            earlier.insert(notes + 1);
}

bool tells_less()
{
    return for_earlier;
}

static StringRef line_of(const SourceManager &files, const PassedOver &error)
{
    FullSourceLoc at(files.getExpansionLoc(error.at), files);
    StringRef text = at.isValid() ? at.getBufferData() : "";
    size_t place = at.isValid() ? at.getFileOffset() : 0;
    return text.slice(text.rfind('\n', place) + 1, text.find('\n', place));
}

llvm::StringSet<> lines_passed_over(const SourceManager &files)
{
    llvm::StringSet<> lines;
    for (const PassedOver &error : passed_over)
        lines.insert(line_of(files, error));
    return lines;
}

/* Tells of templates of kernels that lack instances because the host code that launches
   them was passed over: those with none, and those named where an error was. */
static void tell(DiagnosticsEngine &diagnostics, const FunctionTemplateDecl *kernel)
{
    const SourceManager &files = diagnostics.getSourceManager();
    StringRef name = kernel->getName();
    auto names_it = [&](auto &error) { return line_of(files, error).contains(name); };
    auto report = [&](SourceLocation at, auto level, StringRef text) {
        diagnostics.Report(at, diagnostics.getCustomDiagID(level, "%0")) << text;
    };
    unsigned told = 0;
    bool lacks_one = llvm::any_of(passed_over, names_it);
    bool lacks_all = kernel->specializations().empty();
    for (const auto &line : earlier)
        for_earlier = for_earlier || lacks_all || line.getKey().contains(name);
    if ((!lacks_one && !lacks_all) || passed_over.empty())
        return;
    report(kernel->getLocation(), DiagnosticsEngine::Warning,
           ("the template of kernels '" + name + "' " +
            (lacks_all ? "has no instance" : "may lack instances") +
            ": host code that may launch it was passed over")
               .str());
    for (const PassedOver &error : passed_over)
        if (told < MOST_TOLD && (!lacks_one || names_it(error)) && ++told)
            report(error.at, DiagnosticsEngine::Note, error.text);
}

static void look_through(DiagnosticsEngine &diagnostics, const DeclContext *in)
{
    for (const Decl *d : in->noload_decls()) {
        auto *kernel = dyn_cast<FunctionTemplateDecl>(d);
        if (isa<NamespaceDecl, LinkageSpecDecl>(d))
            look_through(diagnostics, cast<DeclContext>(d));
        else if (kernel && kernel->isFirstDecl() &&
                 diagnostics.getSourceManager().isWrittenInMainFile(
                     kernel->getLocation()) &&
                 kernel->getTemplatedDecl()->hasAttr<CUDAGlobalAttr>())
            tell(diagnostics, kernel);
    }
}

void Launches::HandleTranslationUnit(ASTContext &all)
{
    if (!(passed_over.empty() && earlier.empty()) && !diagnostics.hasErrorOccurred())
        look_through(diagnostics, all.getTranslationUnitDecl());
}
