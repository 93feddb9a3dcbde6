#!/bin/sh
# Tries the wheels of folder $1 where nothing but Python is: installs them by pip into a Debian 12 that debootstrap makes, without
# compiler, linker or headers, and runs README's ten lines, the demo and all kernel tests there. For root alone (chroot).
set -eu
wheels=${1:-dist}
work=build/wheel
root=$PWD/$work/debian
[ "$(id -u)" = 0 ] || {
    echo "the test of the wheels runs in a chroot, which only root may make" >&2
    exit 1
}
command -v debootstrap >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
}
mkdir -p "$work"
if [ ! -e "$root/.made" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=python3-venv bookworm "$root" >"$work/debootstrap.log" 2>&1 || {
        tail "$work/debootstrap.log" >&2
        exit 1
    }
    touch "$root/.made"
fi
for absent in usr/bin/gcc usr/bin/ld usr/bin/clang-19 usr/include/stdio.h usr/lib/llvm-19; do
    [ ! -e "$root/$absent" ] || {
        echo "$root has $absent" >&2
        exit 1
    }
done

rm -rf "$root/try"
mkdir -p "$root/try/tests" "$root/try/wheels"
cp README.md pyproject.toml examples/demo.py tools/readme_lines.py "$root/try"
cp -r tests/kernels "$root/try/tests"
cp "$wheels"/*.whl "$root/try/wheels"
"$work/tools/bin/pip" download -q -d "$root/try/wheels" --only-binary=:all: --python-version 3.11 --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 numpy pillow pytest pytest-timeout pytest-xdist

mounted=
for folder in proc dev; do
    mountpoint -q "$root/$folder" || {
        mount --bind "/$folder" "$root/$folder"
        mounted="$folder $mounted"
    }
done
trap 'for folder in $mounted; do umount "$root/$folder"; done' EXIT
chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 sh -eu <<'INSIDE'
cd /try
rm -rf /try/venv
python3 -m venv venv
. venv/bin/activate
pip install -q --no-index --find-links wheels pycuda-c
python readme_lines.py README.md
pip install -q --no-index --find-links wheels pillow pytest pytest-timeout pytest-xdist pycuda
python -m pycuda info
python demo.py picture.png
test -s picture.png
pytest -n 2 tests/kernels
INSIDE
