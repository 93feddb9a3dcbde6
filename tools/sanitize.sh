#!/bin/sh
# Builds under a sanitizer (address, undefined or thread) and runs the C tests; under the first two also the IR tests of
# the compiler, Python tests of the extension module and of the host device under it, and hostile calls.
set -eu
san=$1
build=build/$san
[ -d "$build" ] || meson setup "$build" -Db_sanitize="$san" -Db_lundef=false \
    -Doptimization=1 >/dev/null
export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
# The thread sanitizer's map of memory does not bear much randomness of addresses.
run=
[ "$san" != thread ] || run='setarch -R'
meson compile -C "$build" >/dev/null # the tests alone would build no more than they need
$run meson test -C "$build" --print-errorlogs -t 5
[ "$san" != thread ] || exit 0

# The compiler gives no memory back: its process is short.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 lit -qv --param hostcc="$build/python/pycuda/hostcc" tests/ir

# The installed package (its files keep their dates, for the cache of images) with the libraries of this build; the
# compiler is the ordinary one.
package=$(cd / && python -c 'import os, pycuda; print(os.path.dirname(pycuda.__file__))')
site=$PWD/$build/site
rm -rf "$site"
mkdir -p "$site"
cp -rp "$package" "$site/pycuda"
cp "$build"/python/pycuda/_native*.so "$build"/python/pycuda/libhostcuda.so "$site/pycuda"
export PYTHONPATH="$site" PYTHONDONTWRITEBYTECODE=1 PYCUDA_DRIVER=host
if [ "$san" = address ]; then
    # Python keeps much until it ends: tests count what is left over. An allocation of any size may be asked for, and is
    # refused. Python's own allocator would hide what is used after it was freed.
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:malloc_context_size=8 PYTHONMALLOC=malloc
    LD_PRELOAD=$(cc -print-file-name=libasan.so)
    export LD_PRELOAD
fi
pytest -q -n 2 --dist loadfile -p no:cacheprovider $(sed 's|^|tests/python/test_|; s|$|.py|' <<FILES
driver_abuse
driver_context
driver_function
driver_graph
driver_memory
driver_mempool
driver_names
driver_stream
driver_table
driver_texture
bad_input
gpuarray
repr
tools
FILES
)
python tests/fuzz/hostile.py 1 3000
