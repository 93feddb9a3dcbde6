/* The files that clang sees, and which of them it read or looked for. */
#undef __SANITIZE_ADDRESS__ /* as in clang.cpp */
#include "hostcc/front/source_files.hpp"
#include "hostcc/front/clang_job.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemAlloc.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

using llvm::StringRef, llvm::Twine;

/* The machine's files, but that ours take the place of a toolkit's headers of the same
   names, where a program names its folder for others in it. Notes the files looked for
   in folders other than ours and not found. */
class Files : public llvm::vfs::ProxyFileSystem
{
    std::string ours;
    llvm::StringSet<> &opened, &absent;
    llvm::StringMap<bool> is_toolkit; /* folders */

    bool holds_toolkit(StringRef folder)
    {
        auto known = is_toolkit.try_emplace(folder);
        if (known.second)
            known.first->second =
                folder != ours && exists(folder + "/crt/host_defines.h");
        return known.first->second;
    }
    std::string found_as(const Twine &name)
    {
        std::string file = name.str();
        StringRef folder = llvm::sys::path::parent_path(file);
        StringRef header = llvm::sys::path::filename(file);
        if (folder.ends_with("/cooperative_groups")) {
            folder = llvm::sys::path::parent_path(folder);
            header = StringRef(file).drop_front(folder.size() + 1);
        }
        /* Of these, ours say nothing about host code. */
        if (header == "cuda.h" || header == "curand.h" || !holds_toolkit(folder))
            return file;
        std::string own = ours + "/" + header.str();
        return exists(own) && exists(file) ? own : file;
    }
    bool exists(const Twine &name)
    {
        return !!ProxyFileSystem::status(name);
    }
    template <class T>
    llvm::ErrorOr<T> noted(const std::string &file, llvm::ErrorOr<T> found)
    {
        if (!found && !StringRef(file).starts_with(ours) &&
            !StringRef(CC_TEXT).starts_with(file))
            absent.insert(file);
        return found;
    }

  public:
    Files(llvm::StringRef ours, llvm::StringSet<> &opened, llvm::StringSet<> &absent)
        : ProxyFileSystem(llvm::vfs::getRealFileSystem()), ours(ours), opened(opened),
          absent(absent)
    {
    }
    llvm::ErrorOr<llvm::vfs::Status> status(const Twine &name) override
    {
        std::string file = found_as(name);
        return noted(file, ProxyFileSystem::status(file));
    }
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
        const Twine &name) override
    {
        std::string file = found_as(name);
        auto found = ProxyFileSystem::openFileForRead(file);
        if (found) {
            opened.insert(file);
            opened.insert(name.str());
        }
        return noted(file, std::move(found));
    }
};

SourceFiles::SourceFiles(const char *notes)
{
    for (; *notes; notes += strlen(notes) + 1)
        if (*notes == CC_ABSENT)
            absent.insert(notes + 1);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> SourceFiles::seen_by(StringRef ours)
{
    return llvm::makeIntrusiveRefCnt<Files>(ours, opened, absent);
}

/* A second rule behind clang's own: files that would be included if they were there. */
void SourceFiles::write_absent(const std::string &path) const
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

char *one_behind_the_other(const llvm::StringSet<> &names)
{
    size_t size = 1;
    for (const auto &name : names)
        size += name.getKeyLength() + 1;
    char *all = static_cast<char *>(llvm::safe_calloc(size, 1)), *at = all;
    for (const auto &name : names)
        at = llvm::copy(name.getKey(), at) + 1;
    return all;
}

char *SourceFiles::list_opened() const
{
    return one_behind_the_other(opened);
}

char *SourceFiles::list_absent() const
{
    return one_behind_the_other(absent);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> no_files()
{
    auto none = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    llvm::SmallString<256> here;
    if (!llvm::sys::fs::current_path(here))
        none->setCurrentWorkingDirectory(here);
    return none;
}
