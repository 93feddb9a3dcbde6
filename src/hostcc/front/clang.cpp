/* clang's CUDA front end, and a function of LLVM, for C: they have no C interface.
   Everything else of hostcc is C and sees LLVM through ir.h. In this process because a
   clang of its own takes longer to start than to compile a kernel. */
/* LLVM's library is not built for AddressSanitizer: memory that an allocator in its
   headers poisons here would stay so there. */
#undef __SANITIZE_ADDRESS__
#include "hostcc/front/leading_source.hpp"
#include "hostcc/front/passed_over.hpp"
#include "hostcc/front/source_files.hpp"

#include <clang/AST/GlobalDecl.h>
#include <clang/CodeGen/CGFunctionInfo.h>
#include <clang/CodeGen/CodeGenABITypes.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCUDA.h>
#include <llvm-c/Core.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
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

struct Forget : SkipsHost {
    CompilerInstance &compiler;
    Forget(CompilerInstance &c) : SkipsHost(c), compiler(c)
    {
    }
    void HandleTranslationUnit(ASTContext &) override
    {
        to_be_checked(compiler.getSema()).clear();
    }
};

template <class First>
static std::unique_ptr<ASTConsumer> behind(CompilerInstance &c,
                                           std::unique_ptr<ASTConsumer> made)
{
    std::vector<std::unique_ptr<ASTConsumer>> both;
    both.push_back(std::make_unique<First>(c));
    both.push_back(std::move(made));
    if (!both.back()) /* the file cannot be made */
        return nullptr;
    return std::make_unique<MultiplexConsumer>(std::move(both));
}

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

/* `__shared__ alignas(16) float x[9]` in a function: clang wants the specifiers of C++
   before those of GNU. alignas behind the latter becomes one of them. */
template <auto function> struct ToBeCalled {
    friend void parse_alignas(Parser &p, ParsedAttributes &made)
    {
        (p.*function)(made, nullptr);
    }
};
template struct ToBeCalled<&Parser::ParseAlignmentSpecifier>;
void parse_alignas(Parser &, ParsedAttributes &);

#define ATTRIBUTES(name) \
    name##_ZN5clang6Parser18ParseGNUAttributesERNS_16ParsedAttributesEPNS0_18LateP\
arsedAttrListEPNS_10DeclaratorE
extern "C" void ATTRIBUTES(__real_)(Parser *, ParsedAttributes &, void *, Declarator *);
extern "C" void ATTRIBUTES(__wrap_)(Parser *parser, ParsedAttributes &made, void *late,
                                    Declarator *of)
{
    ATTRIBUTES(__real_)(parser, made, late, of);
    while (parser->getCurToken().is(tok::kw_alignas)) {
        ParsedAttributes found(made.getPool().getFactory());
        Preprocessor &preprocessor = parser->getPreprocessor();
        parse_alignas(*parser, found);
        for (ParsedAttr &one : found) {
            Expr *bytes =
                one.hasParsedType()
                    ? parser->getActions()
                          .ActOnUnaryExprOrTypeTraitExpr(
                              one.getLoc(), UETT_AlignOf, /* of a type */ true,
                              one.getTypeArg().getAsOpaquePtr(), one.getRange())
                          .get()
                    : one.getArgAsExpr(0);
            ArgsUnion argument(bytes);
            made.addNew(preprocessor.getIdentifierInfo("aligned"), one.getRange(),
                        nullptr, SourceLocation(), &argument, 1,
                        ParsedAttr::Form::GNU(), one.getEllipsisLoc());
        }
    }
}

/* A function that is declared again may say otherwise where it runs, or nothing, as
   methods do that are defined behind their class: for clang that is another function.
   For nvcc it is one for both. Not so free functions that have a body already, or are
   of the device library. */
static bool is_of_device(const FunctionDecl *f)
{
    return f->hasAttr<CUDADeviceAttr>();
}

static bool is_of_host(const FunctionDecl *f)
{
    return f->hasAttr<CUDAHostAttr>() || !is_of_device(f);
}

static bool is_declared_again(Sema &sema, FunctionDecl *made, FunctionDecl *before)
{
    if (made->hasAttr<CUDAGlobalAttr>() || before->hasAttr<CUDAGlobalAttr>() ||
        (is_of_device(made) == is_of_device(before) &&
         is_of_host(made) == is_of_host(before)))
        return false;
    bool is_method = isa<CXXMethodDecl>(made) && isa<CXXMethodDecl>(before);
    if (!is_method && (!is_of_device(before) || before->isDefined() ||
                       before->isImplicit() || /* operator new */
                       sema.getSourceManager().isInSystemHeader(before->getLocation())))
        return false;
    return !sema.IsOverload(made, before, /* as a base's */ false,
                            /* where they run matters */ false);
}

static void run_on_both(FunctionDecl *f)
{
    if (!is_of_device(f))
        f->addAttr(CUDADeviceAttr::CreateImplicit(f->getASTContext()));
    if (!f->hasAttr<CUDAHostAttr>())
        f->addAttr(CUDAHostAttr::CreateImplicit(f->getASTContext()));
}

#define DECIDE(name) \
    name##_ZN5clang8SemaCUDA23maybeAddHostDeviceAttrsEPNS_12FunctionDeclERKNS_12Lookup\
ResultE
extern "C" void DECIDE(__real_)(SemaCUDA *, FunctionDecl *, const LookupResult &);
extern "C" void DECIDE(__wrap_)(SemaCUDA *sema, FunctionDecl *made,
                                const LookupResult &previous)
{
    for (NamedDecl *one : previous) {
        FunctionDecl *before =
            isa<UsingShadowDecl>(one) ? nullptr : one->getAsFunction();
        if (!before || !is_declared_again(sema->SemaRef, made, before))
            continue;
        run_on_both(made);
        run_on_both(before);
    }
    DECIDE(__real_)(sema, made, previous);
}

/* Functions of the host's that are called by some for host and device. nvcc takes such
   calls, which it warns of, to be where no thread of the device comes: one that does
   traps. clang refuses them, even under `if (false)`. */
static llvm::SmallPtrSet<FunctionDecl *, 8> trapping;

/* Of the device library's, whose declarations a later precompiled header cannot mark.
 */
static llvm::StringSet<> trapping_names;

static bool is_trapping(const FunctionDecl *f)
{
    f = f->getCanonicalDecl();
    return trapping.count(const_cast<FunctionDecl *>(f)) || is_marked(f, TRAPS) ||
           (!trapping_names.empty() && f->isExternC() &&
            trapping_names.contains(f->getName()));
}

static bool calls_host(SemaCUDA *sema, SourceLocation at, const FunctionDecl *in,
                       FunctionDecl *called)
{
    DiagnosticsEngine &diagnostics = sema->getDiagnostics();
    if (!in || sema->SemaRef.isUnevaluatedContext() ||
        sema->IdentifyTarget(in) != CUDAFunctionTarget::HostDevice ||
        sema->IdentifyTarget(called) != CUDAFunctionTarget::Host)
        return false;
    trapping.insert(called->getCanonicalDecl());
    if (sema->SemaRef.getSourceManager().isWrittenInMainFile(at) &&
        sema->LocsWithCUDACallDiags.insert({in, at}).second)
        sema->DiagIfDeviceCode(
            at, diagnostics.getCustomDiagID(
                    DiagnosticsEngine::Warning,
                    "__host__ function %0 called by a __host__ __device__ function: a "
                    "thread of a kernel that comes here traps"))
            << called;
    return true;
}

static void write_trap(llvm::Function &f)
{
    auto *trap = llvm::Intrinsic::getDeclaration(f.getParent(), llvm::Intrinsic::trap);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(f.getContext(), "", &f));
    b.CreateCall(trap);
    b.CreateUnreachable();
    f.setAttributes({});
    f.addFnAttr(llvm::Attribute::AlwaysInline);
    f.setSubprogram(nullptr); /* so that its line is the call's */
}

/* Somewhere clang says less, as it does not know what a precompiled function brings. */
static bool says_less;

/* What is called there is no code of the device's either. */
#define IGNORED(name) \
    name##_ZN5clang4Sema29shouldIgnoreInHostDeviceCheckEPNS_12FunctionDeclE
extern "C" bool IGNORED(__real_)(Sema *, FunctionDecl *);
extern "C" bool IGNORED(__wrap_)(Sema *sema, FunctionDecl *called)
{
    says_less = says_less || is_marked(called->getCanonicalDecl(), SAYS_MORE);
    return is_trapping(called) || IGNORED(__real_)(sema, called);
}

/* Methods would be compiled all the same. */
#define GENERATE(name) \
    name##_ZN5clang7CodeGen15CodeGenFunction12GenerateCodeENS_10GlobalDeclEPN4llvm8Fu\
nctionERKNS0_14CGFunctionInfoE
extern "C" void GENERATE(__real_)(void *, GlobalDecl, llvm::Function *, void *info);
extern "C" void GENERATE(__wrap_)(void *generator, GlobalDecl of, llvm::Function *f,
                                  void *info)
{
    auto *d = dyn_cast<FunctionDecl>(of.getDecl());
    if (d && is_trapping(d))
        write_trap(*f);
    else
        GENERATE(__real_)(generator, of, f, info);
}

/* Kernels that launch kernels: clang speaks of references. */
#define CALL(name) \
    name##_ZN5clang8SemaCUDA9CheckCallENS_14SourceLocationEPNS_12FunctionDeclE
extern "C" bool CALL(__real_)(SemaCUDA *, SourceLocation, FunctionDecl *);
extern "C" bool CALL(__wrap_)(SemaCUDA *sema, SourceLocation at, FunctionDecl *called)
{
    const FunctionDecl *in = sema->SemaRef.getCurFunctionDecl(true);
    if (calls_host(sema, at, in, called))
        return true;
    bool on_device = in && !in->hasAttr<CUDAHostAttr>() &&
                     (in->hasAttr<CUDAGlobalAttr>() || in->hasAttr<CUDADeviceAttr>());
    if (!on_device || !called->hasAttr<CUDAGlobalAttr>())
        return CALL(__real_)(sema, at, called);
    DiagnosticsEngine &diagnostics = sema->getDiagnostics();
    diagnostics.Report(at, diagnostics.getCustomDiagID(
                               DiagnosticsEngine::Error,
                               "the host device does not launch kernels from kernels"));
    return false;
}

/* asm("..." : "=r"(a) "=r"(b)): a comma may be missing between operands. Behind a
   constraint the operand is read ahead, and given back with a comma. */
#define CONSTRAINT(name) name##_ZN5clang6Parser21ParseAsmStringLiteralEb
extern "C" ExprResult CONSTRAINT(__real_)(Parser *, bool of_label);
extern "C" ExprResult CONSTRAINT(__wrap_)(Parser *parser, bool of_label)
{
    ExprResult text = CONSTRAINT(__real_)(parser, of_label);
    Preprocessor &preprocessor = parser->getPreprocessor();
    unsigned n = 0, depth = parser->getCurToken().is(tok::l_paren);
    if (of_label || !depth)
        return text;
    for (; depth; n++) {
        const Token &next = preprocessor.LookAhead(n);
        if (next.is(tok::eof))
            return text;
        depth += next.is(tok::l_paren);
        depth -= next.is(tok::r_paren);
    }
    if (!tok::isStringLiteral(preprocessor.LookAhead(n).getKind()))
        return text;
    auto operand = std::make_unique<Token[]>(n + 1);
    for (unsigned k = 0; k < n; k++)
        preprocessor.Lex(operand[k]);
    operand[n] = operand[n - 1];
    operand[n].setKind(tok::comma);
    preprocessor.EnterTokenStream(std::move(operand), n + 1, true, true);
    return text;
}

/* "mov.u32 %0, %clock;": a register's name may have one % before it. It becomes a $,
   which means the same to ptx.c and nothing to clang. */
#define ANALYZE(name) \
    name##_ZNK5clang10GCCAsmStmt16AnalyzeAsmStringERN4llvm15SmallVectorImplINS0_14A\
smStringPieceEEERKNS_10ASTContextERj
extern "C" unsigned ANALYZE(__real_)(const GCCAsmStmt *, void *pieces,
                                     const ASTContext &, unsigned &at);
extern "C" unsigned ANALYZE(__wrap_)(const GCCAsmStmt *assembly, void *pieces,
                                     const ASTContext &context, unsigned &at)
{
    StringRef text = assembly->getAsmString()->getString();
    for (size_t k = 0; !assembly->isSimple() && k + 1 < text.size(); k++) {
        bool name = isAsciiIdentifierStart(text[k + 1]);
        if (text[k] == '%' && name) /* of as many bytes, so that places stay */
            const_cast<char &>(text.data()[k]) = '$';
        k += text[k] == '%';
    }
    return ANALYZE(__real_)(assembly, pieces, context, at);
}

/* Objects of classes that are not copied as bytes, as those with a destructor: C++ has
   the function work on the caller's temporary, which the caller destroys. clang's
   conventions for NVPTX would have it work on a copy of its bytes. */
static bool is_passed_by_address(QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    return record && !record->canPassInRegisters();
}

#define INDIRECT(name) \
    name##_ZNK5clang7CodeGen7ABIInfo23getNaturalAlignIndirectENS_8QualTypeEbbPN4llvm4Ty\
peE
extern "C" CodeGen::ABIArgInfo INDIRECT(__real_)(const void *, QualType, bool by_value,
                                                 bool realign, llvm::Type *padding);
extern "C" CodeGen::ABIArgInfo INDIRECT(__wrap_)(const void *convention, QualType type,
                                                 bool by_value, bool realign,
                                                 llvm::Type *padding)
{
    by_value = by_value && !is_passed_by_address(type);
    return INDIRECT(__real_)(convention, type, by_value, realign, padding);
}

/* Those of kernels are copied as bytes all the same, from the launch's arguments:
   nobody makes temporaries of them. */
struct Emit : EmitLLVMOnlyAction {
    const cc_leading *leading;
    Emit(LLVMContextRef context, const cc_leading *leading)
        : EmitLLVMOnlyAction(llvm::unwrap(context)), leading(leading)
    {
    }

    void ExecuteAction() override
    {
        if (leading)
            skip_leading(getCompilerInstance(), *leading);
        EmitLLVMOnlyAction::ExecuteAction();
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &c,
                                                   StringRef file) override
    {
        return behind<Launches>(c, EmitLLVMOnlyAction::CreateASTConsumer(c, file));
    }

    void mark_parameters(llvm::Function &f, const FunctionDecl *kernel)
    {
        CodeGen::CodeGenModule &types = getCodeGenerator()->CGM();
        for (const ParmVarDecl *p : kernel->parameters()) {
            if (!is_passed_by_address(p->getType()))
                continue;
            llvm::AttrBuilder bytes(f.getContext());
            bytes.addByValAttr(CodeGen::convertTypeForMemory(types, p->getType()));
            bytes.addAlignmentAttr(
                p->getASTContext().getTypeAlignInChars(p->getType()).getAsAlign());
            f.getArg(p->getFunctionScopeIndex())->addAttrs(bytes);
        }
    }

    void EndSourceFileAction() override
    {
        CodeGenerator *made = getCodeGenerator();
        if (llvm::Module *module = made ? made->GetModule() : nullptr)
            for (llvm::Function &f : *module) {
                const Decl *d = made->GetDeclForMangledName(f.getName());
                if (d && d->hasAttr<CUDAGlobalAttr>())
                    mark_parameters(f, cast<FunctionDecl>(d));
                auto *called = dyn_cast_or_null<FunctionDecl>(d);
                if (called && f.isDeclaration() && is_trapping(called)) {
                    write_trap(f);
                    f.setLinkage(llvm::GlobalValue::InternalLinkage);
                }
            }
        EmitLLVMOnlyAction::EndSourceFileAction();
    }
};

struct LibraryAction : GeneratePCHAction {
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &c,
                                                   StringRef file) override
    {
        return behind<Forget>(c, GeneratePCHAction::CreateASTConsumer(c, file));
    }
};

/* What a source begins with. Marks of functions go with it. */
struct Marks : SkipsHost {
    CompilerInstance &compiler;
    Marks(CompilerInstance &c) : SkipsHost(c), compiler(c)
    {
    }
    void HandleTranslationUnit(ASTContext &) override
    {
        for (FunctionDecl *f : trapping)
            if (f->isFromASTFile() && f->isExternC())
                trapping_names.insert(f->getName());
            else
                mark(f, TRAPS);
        for (auto &said : compiler.getSema().DeviceDeferredDiags)
            mark(said.first, SAYS_MORE);
    }
};

struct LeadingAction : GeneratePCHAction {
    bool fits = true; /* nothing else is lost */
    llvm::StringSet<> asked, passed;

    bool BeginSourceFileAction(CompilerInstance &c) override
    {
        watch_leading(c, fits, asked);
        return GeneratePCHAction::BeginSourceFileAction(c);
    }
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &c,
                                                   StringRef file) override
    {
        return behind<Marks>(c, GeneratePCHAction::CreateASTConsumer(c, file));
    }
    void EndSourceFileAction() override
    {
        passed = lines_passed_over(getCompilerInstance().getSourceManager());
        fits = fits && is_leading_whole(getCompilerInstance());
        GeneratePCHAction::EndSourceFileAction();
    }
};

/* Runs in this process the job for which clang's driver would start one. */
extern "C" bool cc_clang(cc_clang_job *job)
{
    llvm::ArrayRef<const char *> words(job->words, job->n);
    std::string text;
    llvm::raw_string_ostream stream(text);
    DiagnosticOptions *options = CreateAndPopulateDiagOpts(words).release();
    DiagnosticsEngine diagnostics(new DiagnosticIDs, options,
                                  new TextDiagnosticPrinter(stream, options));
    driver::Driver driver(words[0], llvm::sys::getDefaultTargetTriple(), diagnostics,
                          "clang", no_files());
    driver.setCheckInputsExist(false);
    std::unique_ptr<driver::Compilation> jobs(driver.BuildCompilation(words));
    SourceFiles files(job->leading ? job->leading->notes : "");
    CompilerInstance compiler;
    begin_reading(&compiler, job->leading ? job->leading->notes : "");
    says_less = false;
    trapping.clear();
    trapping_names.clear();
    job->module = nullptr;
    bool good = jobs && !jobs->containsError() && !jobs->getJobs().empty() &&
                CompilerInvocation::CreateFromArgs(
                    compiler.getInvocation(), jobs->getJobs().begin()->getArguments(),
                    diagnostics, words[0]);
    if (good) {
        compiler.createDiagnostics(
            new TextDiagnosticPrinter(stream, &compiler.getDiagnosticOpts()));
        compiler.setVerboseOutputStream(llvm::nulls()); /* how many errors there were */
        compiler.createFileManager(files.seen_by(
            llvm::sys::path::parent_path(compiler.getHeaderSearchOpts().ResourceDir)));
        auto &rule = compiler.getDependencyOutputOpts();
        for (const char *s = job->leading ? job->leading->notes : ""; *s;
             s += strlen(s) + 1) {
            if (*s == CC_TRAPPING)
                trapping_names.insert(s + 1);
            if (*s == CC_ASKED)
                rule.ExtraDeps.push_back({s + 1, EDK_DepFileEntry});
        }
        auto kind = compiler.getFrontendOpts().ProgramAction;
        compiler.getFrontendOpts().SkipFunctionBodies = true; /* those of SkipsHost */
        compiler.getCodeGenOpts().ClearASTBeforeBackend = false; /* Emit looks at it */
        Emit emit(job->context, job->leading);
        LibraryAction library;
        LeadingAction begin;
        PrintPreprocessedAction preprocess;
        if (job->text)
            name_text(compiler, job->text);
        FrontendAction *action = &emit;
        if (job->text)
            action = job->of_library ? static_cast<FrontendAction *>(&library) : &begin;
        else if (kind == frontend::PrintPreprocessedInput)
            action = &preprocess;
        good = compiler.ExecuteAction(*action);
        job->module = llvm::wrap(emit.takeModule().release());
        job->fits = begin.fits && !(job->leading && (says_less || tells_less()));
        if (good && !rule.OutputFile.empty())
            files.write_absent(rule.OutputFile);
        job->opened = files.list_opened();
        job->absent = files.list_absent();
        job->asked = one_behind_the_other(begin.asked);
        job->passed_over = one_behind_the_other(begin.passed);
        job->trapping = one_behind_the_other(trapping_names);
    }
    begin_reading(nullptr, "");
    job->messages = LLVMCreateMessage(text.c_str());
    return good;
}

extern "C" void cc_expand_constants(LLVMValueRef of)
{
    llvm::convertUsersOfConstantsToInstructions(llvm::unwrap<llvm::Constant>(of));
}
