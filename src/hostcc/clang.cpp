/* clang's CUDA front end as a C function. It is C++ because the front end has no C
   interface; everything else of hostcc is C and sees LLVM through ir.h. In this process
   because a clang of its own takes longer to start than to compile a kernel. */
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>

#include <string.h>

using namespace clang;

/* Debian's clang asks for Polly, which is in none of its archives. */
llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}

/* Functions of a precompiled header that clang would read again at the end of each
   compilation, to look for errors that only calls bring out. The device library has
   none, and reading all of it is half of clang's work. The list is private to clang;
   naming a member is allowed where a template is instantiated. */
template <auto list> struct ToBeChecked {
    friend auto &to_be_checked(Sema &s)
    {
        return s.*list;
    }
};
template struct ToBeChecked<&Sema::DeclsToCheckForDeferredDiags>;
auto &to_be_checked(Sema &);

class Forget : public SemaConsumer
{
    Sema *sema = nullptr;
    void InitializeSema(Sema &s) override
    {
        sema = &s;
    }
    void HandleTranslationUnit(ASTContext &) override
    {
        to_be_checked(*sema).clear();
    }
};

class LibraryAction : public GeneratePCHAction
{
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &c,
                                                   StringRef file) override
    {
        std::vector<std::unique_ptr<ASTConsumer>> both;
        both.push_back(std::make_unique<Forget>());
        both.push_back(GeneratePCHAction::CreateASTConsumer(c, file));
        return std::make_unique<MultiplexConsumer>(std::move(both));
    }
};

static std::unique_ptr<FrontendAction> action_for(frontend::ActionKind kind,
                                                  llvm::LLVMContext *context)
{
    switch (kind) {
    case frontend::GeneratePCH:
        return std::make_unique<LibraryAction>();
    case frontend::PrintPreprocessedInput:
        return std::make_unique<PrintPreprocessedAction>();
    default:
        return std::make_unique<EmitLLVMOnlyAction>(context);
    }
}

/* What clang's driver, which knows where headers are, would start a process for. */
static bool run(llvm::ArrayRef<const char *> words, llvm::LLVMContext *context,
                llvm::raw_ostream &messages, LLVMModuleRef *module)
{
    llvm::IntrusiveRefCntPtr<DiagnosticOptions> options(
        CreateAndPopulateDiagOpts(words).release());
    DiagnosticsEngine diagnostics(new DiagnosticIDs, options,
                                  new TextDiagnosticPrinter(messages, options.get()));
    driver::Driver driver(words[0], llvm::sys::getDefaultTargetTriple(), diagnostics);
    if (!driver.getVFS().exists(driver.ResourceDir + "/include/stddef.h")) {
        messages << "hostcc: error: clang's own headers are not in "
                 << driver.ResourceDir << ": install the package clang-"
                 << LLVM_VERSION_MAJOR << "\n";
        return false;
    }
    std::unique_ptr<driver::Compilation> jobs(driver.BuildCompilation(words));
    if (!jobs || jobs->containsError() || jobs->getJobs().empty())
        return false;
    CompilerInstance compiler;
    if (!CompilerInvocation::CreateFromArgs(compiler.getInvocation(),
                                            jobs->getJobs().begin()->getArguments(),
                                            diagnostics, words[0]))
        return false;
    compiler.setVerboseOutputStream(messages);
    compiler.createDiagnostics(
        new TextDiagnosticPrinter(messages, &compiler.getDiagnosticOpts()));
    auto action = action_for(compiler.getFrontendOpts().ProgramAction, context);
    if (!compiler.ExecuteAction(*action))
        return false;
    if (action->hasIRSupport())
        *module =
            llvm::wrap(static_cast<CodeGenAction &>(*action).takeModule().release());
    return true;
}

extern "C" bool cc_clang(unsigned n, const char *const *words, LLVMContextRef context,
                         char **messages, LLVMModuleRef *module)
{
    std::string text;
    llvm::raw_string_ostream stream(text);
    bool good = run({words, n}, llvm::unwrap(context), stream, module);
    *messages = strdup(text.c_str());
    return good;
}
