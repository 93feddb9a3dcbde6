"""Makes the distributions of a wheel that meson-python has built: split_wheel.py WHEEL FOLDER [NAME=LICENCE...]

pycuda-c       the extension module for one version of Python, the Python files and the templates of kernels
pycuda-c-host  the host device: hostcc, libhostcuda.so and hostcc's headers; of no Python. Both fill the folder pycuda/
pycuda         nothing but the name, for packages that require PyCUDA: it depends on pycuda-c

The licences are those of what is linked into hostcc or copied beside it; they go into pycuda-c-host. Of a wheel without the
host device pycuda-c alone is made.
"""

import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HOST = re.compile(r"pycuda/(hostcc|libhostcuda\.so|include/host/.*)$")
PROGRAM = 0o755 << 16  # of a file in a ZIP archive
FILE = 0o644 << 16


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def stripped(name, data):
    """Without the names that only debuggers read."""
    if not data.startswith(b"\x7fELF"):
        return data
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        subprocess.run(["strip", "--strip-unneeded", file.name], check=True)
        return pathlib.Path(file.name).read_bytes()


def write(folder, name, version, tag, metadata, files, extra=()):
    """A wheel of `files` {path: (data, mode)}; `extra`: more files of its .dist-info, {name: data}."""
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    kind = "true" if tag.endswith("-any") else "false"
    files = dict(files) | {f"{info}/{path}": (data, FILE) for path, data in dict(extra).items()}
    files[f"{info}/METADATA"] = metadata.encode(), FILE
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: split_wheel.py\nRoot-Is-Purelib: {kind}\n"
                              f"Tag: {tag}\n").encode(), FILE
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    rows.writerows((path, digest(data), len(data)) for path, (data, _) in files.items())
    rows.writerow((f"{info}/RECORD", "", ""))
    files[f"{info}/RECORD"] = record.getvalue().encode(), FILE
    with zipfile.ZipFile(pathlib.Path(folder) / f"{stem}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, (data, mode) in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr, entry.compress_type = mode, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def head(name, version, summary, *more):
    return "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {summary}", *more, ""])


def main(path, folder, *licences):
    whole = zipfile.ZipFile(path)
    _, version, *tag = pathlib.Path(path).stem.split("-")
    common, host, info, interface = {}, {}, {}, None
    for entry in whole.infolist():
        inside, of_info = whole.read(entry), re.match(r"[^/]+\.dist-info/(.*)", entry.filename)
        if entry.is_dir() or (of_info and of_info[1] in ("RECORD", "WHEEL")):
            continue
        if of_info:
            info[of_info[1]] = inside
            continue
        files = host if HOST.match(entry.filename) else common
        mode = PROGRAM if entry.external_attr >> 16 & 0o111 else FILE
        files[entry.filename] = stripped(entry.filename, inside), mode
        if entry.filename == "pycuda/__init__.py":
            interface = re.search(rb'^VERSION_TEXT = "(.*)"', inside, re.MULTILINE)[1].decode()
    top, _, text = info.pop("METADATA").decode().partition("\n\n")
    needs = f'Requires-Dist: pycuda-c-host=={version}; sys_platform == "linux" and platform_machine == "x86_64"'
    write(folder, "pycuda-c", version, "-".join(tag), f"{top}\n{needs}\n\n{text}", common, info)
    if "pycuda/hostcc" not in host:
        return
    texts = {f"licenses/{name}": data for name, data in info.items() if "LICENSE" in name}
    texts = {f"licenses/{pathlib.PurePath(name).name}": data for name, data in texts.items()}
    texts |= {f"licenses/{name}": pathlib.Path(at).read_bytes() for name, at in (row.split("=", 1) for row in licences)}
    write(folder, "pycuda-c-host", version, f"py3-none-{tag[-1]}",
          head("pycuda-c-host", version, "The host device of pycuda-c: CUDA C on the cores of the CPU",
               "License: MIT, and those in the folder licenses of what it brings along",
               *(f"License-File: {name.removeprefix('licenses/')}" for name in texts)), host, texts)
    write(folder, "pycuda", f"{interface}+c", "py3-none-any",
          head("pycuda", f"{interface}+c", "The name `pycuda`, for packages that require it: pycuda-c does the work",
               f"Requires-Dist: pycuda-c=={version}"), {})


if __name__ == "__main__":
    main(*sys.argv[1:])
