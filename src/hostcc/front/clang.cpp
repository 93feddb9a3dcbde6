/* clang's CUDA front end, and a function of LLVM, for C: they have no C interface.
   Everything else of hostcc is C and sees LLVM through ir.h. In this process because a
   clang of its own takes longer to start than to compile a kernel. */
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Sema/Sema.h>
#include <llvm-c/Core.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

/* Debian's clang asks for Polly, which is in none of its archives. */
llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}

/* Declarations of a precompiled header that clang reads again at the end of each
   compilation, half of its work, for errors that only calls reveal: the device library
   has none.
   The list is private; a template may be instantiated with a private member. */
template <auto list> struct ToBeChecked {
    friend auto &to_be_checked(Sema &s)
    {
        return s.*list;
    }
};
template struct ToBeChecked<&Sema::DeclsToCheckForDeferredDiags>;
auto &to_be_checked(Sema &);

struct Forget : ASTConsumer {
    CompilerInstance &compiler;
    Forget(CompilerInstance &c) : compiler(c)
    {
    }
    void HandleTranslationUnit(ASTContext &) override
    {
        to_be_checked(compiler.getSema()).clear();
    }
};

struct LibraryAction : GeneratePCHAction {
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &c,
                                                   StringRef file) override
    {
        std::vector<std::unique_ptr<ASTConsumer>> both;
        both.push_back(std::make_unique<Forget>(c));
        both.push_back(GeneratePCHAction::CreateASTConsumer(c, file));
        if (!both.back()) /* the file cannot be made */
            return nullptr;
        return std::make_unique<MultiplexConsumer>(std::move(both));
    }
};

/* __shared__ variables are not constructed: clang refuses those that should be, nvcc
   warns. The linker (meson.build) puts this in the place of clang's own. */
#define CHECK(name) name##_ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE
extern "C" void CHECK(__real_)(SemaCUDA *, VarDecl *);
extern "C" void CHECK(__wrap_)(SemaCUDA *sema, VarDecl *variable)
{
    auto *made = dyn_cast_or_null<CXXConstructExpr>(variable->getInit());
    if (made && variable->hasAttr<CUDASharedAttr>() &&
        (!made->getNumArgs() || made->getArg(0)->isDefaultArgument()))
        variable->setInit(nullptr);
    CHECK(__real_)(sema, variable);
}

/* The machine's folders of headers are there for the C and C++ libraries. The headers
   of a CUDA toolkit that was installed into them are for nvcc: they declare again what
   the device library has. They are not seen, unless the user names the folder. */
class WithoutToolkit : public llvm::vfs::ProxyFileSystem
{
    std::vector<std::string> folders;
    std::vector<StringRef> machine; /* all folders that the user has not named */
    llvm::StringSet<> &absent;      /* files looked for elsewhere and not found */

    template <class T> llvm::ErrorOr<T> noted(const Twine &name, llvm::ErrorOr<T> found)
    {
        std::string file = name.str();
        if (!found && llvm::none_of(machine, [&](StringRef folder) {
                return StringRef(file).starts_with(folder);
            }))
            absent.insert(file);
        return found;
    }

    bool hides(const Twine &name) const
    {
        static const char *const toolkit[] = {"Openacc",
                                              "Openmp",
                                              "builtin_types.h",
                                              "cccl",
                                              "channel_descriptor.h",
                                              "common_functions.h",
                                              "cooperative_groups",
                                              "crt",
                                              "cuComplex.h",
                                              "cub",
                                              "cublas",
                                              "cuda",
                                              "cudnn",
                                              "cufft",
                                              "cupti",
                                              "curand",
                                              "cusolver",
                                              "cusparse",
                                              "device_atomic_functions.h",
                                              "device_double_functions.h",
                                              "device_functions.h",
                                              "device_launch_parameters.h",
                                              "device_types.h",
                                              "driver_functions.h",
                                              "driver_types.h",
                                              "fatbinary_section.h",
                                              "generated_cuda",
                                              "generated_nvtx",
                                              "host_config.h",
                                              "host_defines.h",
                                              "library_types.h",
                                              "math_constants.h",
                                              "math_functions.h",
                                              "mma.h",
                                              "nccl",
                                              "nv",
                                              "sm_",
                                              "surface_",
                                              "texture_",
                                              "thrust",
                                              "vector_functions.h",
                                              "vector_types.h"};
        SmallString<256> path;
        StringRef file = name.toStringRef(path);
        for (const std::string &folder : folders) {
            StringRef rest = file;
            if (!rest.consume_front(folder) || !rest.consume_front("/"))
                continue;
            for (StringRef start : toolkit)
                if (rest.starts_with(start))
                    return true;
        }
        return false;
    }

  public:
    /* Of the command that clang's driver has made: it names folders of its own
       differently. Those of clang itself are no toolkit's. */
    WithoutToolkit(const llvm::opt::ArgStringList &command, StringRef clang,
                   llvm::StringSet<> &absent)
        : ProxyFileSystem(llvm::vfs::getRealFileSystem()), absent(absent)
    {
        std::vector<StringRef> named;
        for (size_t k = 0; k + 1 < command.size(); k++) {
            StringRef option = command[k], folder = command[k + 1];
            if (option.starts_with("-internal-"))
                machine.push_back(folder);
            if (option.starts_with("-internal-") && !folder.starts_with(clang))
                folders.push_back(folder.str());
            if (option == "-I" || option == "-isystem")
                named.push_back(folder);
        }
        llvm::erase_if(folders, [&](StringRef folder) {
            return any_of(named, [=](StringRef n) {
                return llvm::sys::fs::equivalent(n, folder);
            });
        });
    }
    llvm::ErrorOr<llvm::vfs::Status> status(const Twine &name) override
    {
        if (hides(name))
            return std::make_error_code(std::errc::no_such_file_or_directory);
        return noted(name, ProxyFileSystem::status(name));
    }
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
        const Twine &name) override
    {
        if (hides(name))
            return std::make_error_code(std::errc::no_such_file_or_directory);
        return noted(name, ProxyFileSystem::openFileForRead(name));
    }
};

/* A second rule behind clang's own: files that would be included if they were there. */
static void write_absent(const std::string &path, const llvm::StringSet<> &absent)
{
    std::error_code error;
    llvm::raw_fd_ostream rule(path, error, llvm::sys::fs::OF_Append);
    rule << "absent:";
    for (const auto &file : absent) {
        rule << ' ';
        for (char c : file.getKey())
            rule << (strchr(" #", c) ? "\\" : c == '$' ? "$" : "") << c;
    }
    rule << '\n';
}

/* Runs in this process the job for which clang's driver, which knows where headers are,
   would start one. */
extern "C" bool cc_clang(unsigned n, const char *const *argv, LLVMContextRef context,
                         char **messages, LLVMModuleRef *module)
{
    std::string text;
    llvm::raw_string_ostream stream(text);
    DiagnosticOptions *options = CreateAndPopulateDiagOpts({argv, n}).release();
    DiagnosticsEngine diagnostics(new DiagnosticIDs, options,
                                  new TextDiagnosticPrinter(stream, options));
    driver::Driver driver(argv[0], llvm::sys::getDefaultTargetTriple(), diagnostics);
    std::unique_ptr<driver::Compilation> jobs(driver.BuildCompilation({argv, n}));
    llvm::StringSet<> absent;
    CompilerInstance compiler;
    bool good = jobs && !jobs->containsError() && !jobs->getJobs().empty() &&
                CompilerInvocation::CreateFromArgs(
                    compiler.getInvocation(), jobs->getJobs().begin()->getArguments(),
                    diagnostics, argv[0]);
    if (good) {
        compiler.createDiagnostics(
            new TextDiagnosticPrinter(stream, &compiler.getDiagnosticOpts()));
        compiler.setVerboseOutputStream(llvm::nulls()); /* how many errors there were */
        compiler.createFileManager(llvm::makeIntrusiveRefCnt<WithoutToolkit>(
            jobs->getJobs().begin()->getArguments(),
            compiler.getHeaderSearchOpts().ResourceDir, absent));
        auto kind = compiler.getFrontendOpts().ProgramAction;
        EmitLLVMOnlyAction emit(llvm::unwrap(context));
        LibraryAction library;
        PrintPreprocessedAction preprocess;
        good = compiler.ExecuteAction(kind == frontend::GeneratePCH ? library
                                      : kind == frontend::PrintPreprocessedInput
                                          ? static_cast<FrontendAction &>(preprocess)
                                          : emit);
        *module = llvm::wrap(emit.takeModule().release());
        const std::string &rules = compiler.getDependencyOutputOpts().OutputFile;
        if (good && !rules.empty())
            write_absent(rules, absent);
    }
    *messages = LLVMCreateMessage(text.c_str());
    return good;
}

extern "C" void cc_expand_constants(LLVMValueRef of)
{
    llvm::convertUsersOfConstantsToInstructions(llvm::unwrap<llvm::Constant>(of));
}
