/* What a source begins with, precompiled: what clang.cpp has of leading_source.cpp. */
#include "hostcc/front/clang_job.h"

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringSet.h>

/* Marks of functions that precompiled headers keep. */
#define TRAPS "hostcc: it traps"
#define SAYS_MORE "hostcc: clang has more to say where it is called"
void mark(const clang::FunctionDecl *, llvm::StringRef);
bool is_marked(const clang::FunctionDecl *, llvm::StringRef);

/* While it is precompiled: sets `fits` to false where its macros have a meaning that
   another compilation would not give them, and notes files that are there and that
   nothing more is asked of. */
void watch_leading(clang::CompilerInstance &, bool &fits, llvm::StringSet<> &asked);
/* At its end: whether a precompiled header holds all of the state. */
bool is_leading_whole(clang::CompilerInstance &);
/* The main file's text is this, and not what a file of its name has. */
void name_text(clang::CompilerInstance &, const char *text);
/* The main file begins behind what was precompiled of it. */
void skip_leading(clang::CompilerInstance &, const cc_leading &);
