/* What a source begins with, precompiled: what of clang's state a precompiled header
   does not hold, and how the source goes on behind it. leading_includes.c says when. */
#undef __SANITIZE_ADDRESS__ /* as in clang.cpp */
#include "hostcc/front/leading_source.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>

using namespace clang;

/* Its definitions that `#pragma push_macro` put aside; the list is private. */
template <auto list> struct PutAside {
    friend auto &put_aside(Preprocessor &p)
    {
        return p.*list;
    }
};
template struct PutAside<&Preprocessor::PragmaPushMacroInfo>;
auto &put_aside(Preprocessor &);

/* Macros that another compilation expands to something else; files that are looked for
   and not read, on which clang's rule depends, too. */
struct Watch : PPCallbacks {
    bool &fits;
    llvm::StringSet<> &asked;
    Watch(bool &fits, llvm::StringSet<> &asked) : fits(fits), asked(asked)
    {
    }
    void MacroExpands(const Token &name, const MacroDefinition &, SourceRange,
                      const MacroArgs *) override
    {
        StringRef word = name.getIdentifierInfo()->getName();
        if (word == "__DATE__" || word == "__TIME__" || word == "__TIMESTAMP__" ||
            word == "__BASE_FILE__")
            fits = false;
    }
    void HasInclude(SourceLocation, StringRef, bool, OptionalFileEntryRef file,
                    SrcMgr::CharacteristicKind) override
    {
        if (file)
            asked.insert(file->getName());
    }
};

void watch_leading(CompilerInstance &c, bool &fits, llvm::StringSet<> &asked)
{
    c.getPreprocessor().addPPCallbacks(std::make_unique<Watch>(fits, asked));
}

/* Nor may functions of the library have got a mark: what is precompiled already does
   not change. */
static bool lost_mark;

bool is_leading_whole(CompilerInstance &c)
{
    Preprocessor &p = c.getPreprocessor();
    return put_aside(p).empty() && p.getPragmaAssumeNonNullLoc().isInvalid() &&
           !lost_mark;
}

/* An attribute that analysers read and nobody here. */
void mark(const FunctionDecl *f, StringRef word)
{
    ASTContext &all = f->getASTContext();
    lost_mark = lost_mark || f->isFromASTFile();
    const_cast<FunctionDecl *>(f)->addAttr(
        SuppressAttr::CreateImplicit(all, &word, 1, SourceRange()));
}

bool is_marked(const FunctionDecl *f, StringRef word)
{
    for (auto *attribute : f->specific_attrs<SuppressAttr>())
        if (attribute->isImplicit() && attribute->diagnosticIdentifiers_size() == 1 &&
            *attribute->diagnosticIdentifiers_begin() == word)
            return true;
    return false;
}

void name_text(CompilerInstance &c, const char *text)
{
    c.getPreprocessorOpts().addRemappedFile(
        CC_TEXT, llvm::MemoryBuffer::getMemBuffer(text).release());
}

void skip_leading(CompilerInstance &c, const cc_leading &leading)
{
    Preprocessor &p = c.getPreprocessor();
    SourceManager &files = c.getSourceManager();
    SourceLocation begin = files.getLocForStartOfFile(files.getMainFileID());
    for (unsigned k = 0; k < leading.nlines; k++)
        files.AddLineNote(begin.getLocWithOffset(int(leading.lines[k].at)),
                          leading.lines[k].number,
                          int(files.getLineTableFilenameID(leading.lines[k].name)),
                          false, false, SrcMgr::C_User);
    p.setSkipMainFilePreamble(unsigned(leading.bytes), true);
    p.setPredefines(p.getPredefines() + leading.opened);
}
