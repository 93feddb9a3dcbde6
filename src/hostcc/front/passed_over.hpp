/* Errors in host code, which are passed over (passed_over.cpp). */
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringSet.h>

/* None was passed over yet; notes of what was precompiled of the source say where some
   were there. NULL: nothing is read any more. */
void begin_reading(const clang::CompilerInstance *, const char *notes);
/* Lines in which some were. */
llvm::StringSet<> lines_passed_over(const clang::SourceManager &);
/* Behind what was precompiled; whether all of the source would have told more. */
bool tells_less();

/* Has clang skip bodies of which nothing is wanted: those of host functions in system
   headers, a fifth of the time that reading CUB takes. No instances are made there of
   the library's own kernels, which its host functions would launch. */
struct SkipsHost : clang::ASTConsumer {
    const clang::SourceManager &files;
    SkipsHost(clang::CompilerInstance &c) : files(c.getSourceManager())
    {
    }
    bool shouldSkipFunctionBody(clang::Decl *) override;
};

/* Tells at the end what host code that was passed over may launch. */
struct Launches : SkipsHost {
    clang::DiagnosticsEngine &diagnostics;
    Launches(clang::CompilerInstance &c) : SkipsHost(c), diagnostics(c.getDiagnostics())
    {
    }
    void HandleTranslationUnit(clang::ASTContext &) override;
};
