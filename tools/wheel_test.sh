#!/bin/sh
# Tries the wheels of folder $1 where nothing but Python is: installs them by pip into a Debian that debootstrap makes ($2, the
# version of its Python with it: bookworm has 3.11, trixie 3.13, forky 3.14; PYTHONS of tools/wheel.sh makes the wheel), without
# compiler, linker or headers, and runs README's ten lines, the demo, a user's first hour (the ten lines and mistakes in a shell
# and in Jupyter, the tutorial, the page about Jupyter) and all kernel tests there. For root alone (chroot).
set -eu
wheels=${1:-dist}
suite=${2:-bookworm}
work=build/wheel
root=$PWD/$work/debian-$suite
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
    script=/usr/share/debootstrap/scripts/$suite # of suites that are younger than itself, the one that all are like
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    debootstrap --variant=minbase --include=python3-venv "$suite" "$root" "" "$script" >"$work/debootstrap.log" 2>&1 || {
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

version=$(chroot "$root" /usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
rm -rf "$root/try"
mkdir -p "$root/try/tests/python" "$root/try/tests/docs" "$root/try/docs/howto" "$root/try/wheels"
cp README.md pyproject.toml examples/demo.py tools/readme_lines.py "$root/try"
cp -r tests/kernels "$root/try/tests"
cp tests/python/conftest.py tests/python/test_first_hour.py "$root/try/tests/python"
cp tests/docs/conftest.py tests/docs/test_pages.py "$root/try/tests/docs"
cp docs/tutorial.md "$root/try/docs"
cp docs/howto/jupyter.md "$root/try/docs/howto"
cp "$wheels"/*.whl "$root/try/wheels"
platforms=
for glibc in _2_28 _2_27 _2_26 _2_24 _2_17 2014 _2_12 2010; do
    platforms="$platforms --platform manylinux${glibc}_x86_64"
done
"$work/tools/bin/pip" download -q -d "$root/try/wheels" --only-binary=:all: --python-version "$version" $platforms \
    numpy ml_dtypes pillow pytest pytest-timeout pytest-xdist ipykernel nbclient

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
pip install -q --no-index --find-links wheels ml_dtypes pillow pytest pytest-timeout pytest-xdist ipykernel nbclient pycuda
python -m pycuda info
python demo.py picture.png
test -s picture.png
pytest tests/python tests/docs
pytest -n 2 tests/kernels
INSIDE
