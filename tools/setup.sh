#!/bin/sh
# Makes a virtual environment with all build and test needs in $1, after installing by apt what the
# machine lacks. Without root or sudo it says which packages are missing and stops.
set -eu
venv=$1
missing=
need() { # need PACKAGE TEST...: the package is missing if the test fails
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need gcc gcc --version
need python3-dev test -e "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"
need python3-venv python3 -c 'import ensurepip, venv'
need g++ g++ --version
need clang-19 clang-19 --version
need libclang-19-dev test -e /usr/lib/llvm-19/lib/libclangFrontend.a
need libc++-19-dev test -e /usr/lib/llvm-19/include/c++/v1/new
need liblld-19-dev test -e /usr/lib/llvm-19/lib/liblldELF.a
need llvm-19-dev llvm-config-19 --version
need clang-format-19 clang-format-19 --version
need gdb gdb --version
need openmpi-bin mpirun --version
if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ]; then
        sudo=
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo=sudo
    else
        echo "missing packages:$missing" >&2
        echo "install them (apt-get install$missing), then run make again" >&2
        exit 1
    fi
    echo "installing:$missing"
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install -q meson-python meson ninja 'numpy>=2.0' pillow \
    pytest pytest-timeout pytest-xdist hypothesis lit filecheck mpi4py ml_dtypes mpmath array-api-strict array-api-compat nvidia-cuda-cccl \
    'nvidia-cuda-cccl-cu12==12.9.*' ruff ipykernel nbclient
