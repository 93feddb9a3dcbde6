"""Shows, measures or clears the cache of compiled kernels."""

import os
import shutil

from pycuda import _native

LIMIT = 256 << 20  # as in src/compile/image_cache.c


def _entries(folder):
    """The files that the compiler keeps in the folder; other people's files are not ours."""
    try:
        with os.scandir(folder) as files:
            return [file for file in files if (".image" in file.name and not file.is_symlink())
                    or (file.name.startswith("device-") and not file.is_dir(follow_symlinks=False))]
    except FileNotFoundError:
        return []


def _size(file):
    try:
        return file.stat(follow_symlinks=False).st_size
    except FileNotFoundError:  # another process removed it
        return 0


def describe():
    """Folder, number of entries, bytes and the limit: a dict for JSON."""
    folder = _native._cache_folder()
    entries = _entries(folder) if folder else []
    return {"folder": folder or None, "entries": len(entries),
            "bytes": sum(map(_size, entries)),
            "limit": float(os.environ.get("PYCUDA_CACHE_SIZE") or LIMIT)}


def describe_in_words(facts):
    if not facts["folder"]:
        return {"folder": "none (PYCUDA_DISABLE_CACHE is set, or there is no home folder)"}
    return {"folder": facts["folder"], "entries": facts["entries"],
            "size": f"{facts['bytes'] / 2**20:.1f} MiB of at most {facts['limit'] / 2**20:.0f}"}


def _clear():
    folder = _native._cache_folder()
    for file in _entries(folder) if folder else []:
        try:
            if file.is_dir():
                shutil.rmtree(file.path)  # sources that debuggers list
            else:
                os.unlink(file.path)
        except FileNotFoundError:  # another process was first
            pass


def add_arguments(parser):
    parser.add_argument("what", choices=("show", "size", "clear"), nargs="?", default="show",
                        help="show: folder, entries, size (default); size: bytes, for programs; "
                             "clear: remove all entries")


def run(options):
    if options.what == "clear":
        _clear()
    elif options.what == "size":
        print(describe()["bytes"])
    else:
        for name, value in describe_in_words(describe()).items():
            print(f"{name:8} {value}")
    return 0
