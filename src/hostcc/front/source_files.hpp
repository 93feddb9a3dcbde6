/* What clang.cpp has of source_files.cpp. */
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/VirtualFileSystem.h>

/* To clang's driver there are no files: it would look for compilers, their libraries
   and the name of the system, of which the job says nothing, in 150 system calls. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> no_files();
/* A NUL behind each. */
char *one_behind_the_other(const llvm::StringSet<> &);

class SourceFiles
{
    llvm::StringSet<> opened, absent;

  public:
    /* With what a precompiled header's making looked for in vain: cc_leading's notes.
     */
    explicit SourceFiles(const char *notes);
    /* The machine's as they are seen where `ours` is the device library's folder. */
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> seen_by(llvm::StringRef ours);
    void write_absent(const std::string &path) const;
    char *list_opened() const;
    char *list_absent() const;
};
