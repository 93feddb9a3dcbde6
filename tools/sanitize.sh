#!/bin/sh
# Builds under a sanitizer (address, undefined or thread) and runs the C tests and, but for the last, the IR tests.
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
$run meson test -C "$build" --print-errorlogs -t 5
# The compiler gives no memory back: its process is short. It has one thread.
[ "$san" = thread ] || ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 \
    lit -qv --param hostcc="$build/python/pycuda/hostcc" tests/ir
