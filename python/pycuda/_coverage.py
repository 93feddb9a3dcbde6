"""Coverage of kernels on the host device: how often each line ran, and with how many lanes; public in pycuda.debug.

Kernels that are compiled while it is on count by themselves, and the device keeps what they counted until the process
ends (src/abi/coverage.h); here lines are put together from that. See docs/howto/coverage.md.
"""

import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass

import numpy as np

from pycuda import _checks, _native

SPACINGS = ("same", "consecutive", "strided", "gather")  # src/abi/coverage.h

@dataclass(frozen=True)
class CoveredLine:
    """A line with code: `count` threads ran it, in `vectors` vectors of lanes, `busy` of whose lanes (0 to 1) ran.

    A thread that comes again counts again. A line of several parts, such as the head of a loop, counts that which ran
    most often. `busy` is None where nothing ran.
    """

    count: int
    vectors: int
    busy: float | None


@dataclass(frozen=True)
class CoveredFile:
    """A file of kernels: `lines` are those with code, by number, `functions` (line, calls by threads) by linkage name.

    `path` is None for the text of a SourceModule, and `text` None where that is not known. `accesses` says of a line how
    many accesses to memory it has whose lanes are in one place ("same"), side by side ("consecutive"), evenly spaced
    ("strided") or anywhere ("gather"). `samples` says how often a profile has found the processor in a line.
    """

    name: str
    path: str | None
    text: str | None
    lines: dict
    functions: dict
    accesses: dict
    samples: dict

    @property
    def ran(self):
        """How many of the lines ran."""
        return sum(line.count > 0 for line in self.lines.values())


class coverage:
    """Counts how often each line of kernels runs, in kernels that are compiled from now on.

    A context manager, or a plain call, on until `stop()`. For the host device; kernels of array operations and the
    like are not counted. What was counted is there at any time, also after modules are gone: `files()`, `percent`,
    `text()` and `write(path)`. With `profile` the processor is looked at up to 1000 times a second, by the signal
    SIGPROF, and what lines it was found in is counted, too.
    """

    def __init__(self, profile=False):
        from pycuda.driver import LogicError, init

        if not _native._is_host_device():
            raise LogicError("coverage is built into kernels of the host device (PYCUDA_DRIVER=host)")
        init()
        if profile:
            _native._set_sampling(1000)
        self._turned_on = not _native._checks() & _checks.COVERAGE
        _native._checks(_native._checks() | _checks.COVERAGE)
        self._start, self._samples = dict(_snapshot()), dict(_samples())
        self._profile = profile

    def __repr__(self):
        files = self.files()
        return (f"<pycuda.debug.coverage {sum(file.ran for file in files)} of "
                f"{sum(len(file.lines) for file in files)} lines>")

    def stop(self):
        """Compiles kernels without counters from now on; those that have them go on."""
        if self._turned_on:
            _native._checks(_native._checks() & ~_checks.COVERAGE)
        if self._profile:
            _native._set_sampling(0)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.stop()

    def files(self):
        """What ran since the start: a list of CoveredFile. Waits for the current context."""
        _checks.synchronize()
        return self._so_far()

    def _so_far(self):
        return _files(self._start, self._samples)

    @property
    def percent(self):
        """Of all lines with code, those that ran."""
        return percent(self.files())

    def text(self):
        """The sources, each line with how often it ran and how many lanes were busy; where time went, of a profile."""
        files = self.files()
        return "\n".join([*hottest(files) * self._profile, *(annotated(file, self._profile and files) for file in files)])

    def write(self, path):
        """Writes lcov's format. Sources that are in no file are written to the folder `path`.sources."""
        write(path, self.files())


# -- From counters to lines -----------------------------------------------------------

def _snapshot():
    """(number, (module, loads of it, description, kernel, lanes, counters)) of each kernel that counts."""
    number = 0
    while (found := _native._coverage(number)) is not None:
        *facts, counts = found
        yield number, (*facts, np.frombuffer(counts, np.uint64).astype(np.int64).reshape(-1, 3))
        number += 1


def _samples():
    """((module, "kernel.cu:12"), how often) of each line in which the processor was found."""
    number = 0
    while (found := _native._sample(number)) is not None:
        *place, count = found
        yield tuple(place), count
        number += 1


def _modules(start):
    """(number, description, names of kernels, [count, vectors, lanes that there were] of each counter) of each module
    that was loaded or ran since then."""
    modules, fresh = {}, set()
    for number, (module, loads, description, kernel, lanes, counts) in _snapshot():
        if number in start:
            counts = counts - start[number][-1]
        if number not in start or loads != start[number][1] or counts.any():
            fresh.add(module)
        full, part, vectors = counts.T
        sums = np.stack([full * lanes + part, full + vectors, (full + vectors) * lanes], axis=1)
        if module in modules:
            modules[module][1].append(kernel)
            modules[module][2] += sums
        else:
            modules[module] = [description, [kernel], sums]
    return [(module, json.loads(description), kernels, sums.tolist())
            for module, (description, kernels, sums) in modules.items() if module in fresh]


def _files(start, sampled):
    found, samples = {}, {}
    for (module, place), count in _samples():
        if fresh := count - sampled.get((module, place), 0):
            samples.setdefault(module, []).append((*place.rpartition(":")[::2], fresh))
    for module, description, kernels, sums in _modules(start):
        keys = [(file["path"] or file["name"], file["text"]) for file in description["files"]]
        names = {os.path.basename(file["name"]): key for file, key in zip(description["files"], keys, strict=True)}
        most = {}
        for function, file, line, counter in description["lines"]:
            place = keys[file], line, function
            most[place] = max(most.get(place, [0, 0, 0]), sums[counter])
        for (key, line, _), counts in most.items():
            lines = found.setdefault(key, ({}, {}, {}, {}, kernels))[0]
            lines[line] = [a + b for a, b in zip(lines.get(line, [0, 0, 0]), counts, strict=True)]
        for function in description["functions"]:
            if (key := keys[function["file"]]) in found:
                functions = found[key][1]
                _, before = functions.get(function["name"], (0, 0))
                functions[function["name"]] = function["line"], before + sums[function["counter"]][0]
        for key in set(keys) & found.keys():
            found[key][2].clear()
        for file, line, _, spacing in description["accesses"]:
            if (key := keys[file]) in found:
                of_line = found[key][2].setdefault(line, {})
                of_line[SPACINGS[spacing]] = of_line.get(SPACINGS[spacing], 0) + 1
        for name, line, count in samples.get(module, ()):
            if (key := names.get(os.path.basename(name))) in found:
                of_file = found[key][3]
                of_file[int(line)] = of_file.get(int(line), 0) + count
    return sorted((_file(*key, *facts) for key, facts in found.items()), key=lambda file: file.path or file.name)


def _file(name, text, lines, functions, accesses, samples, kernels):
    path = None
    if text is None and os.path.isabs(name):
        path = name
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            pass
    elif text is not None:  # several modules may have that name
        first = min(functions, key=lambda name: (name not in kernels, functions[name][0]))
        stem, suffix = os.path.splitext(os.path.basename(name))
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:8]
        name = f"{_plain(first) or stem}-{digest}{suffix}"
    covered = {line: CoveredLine(count, vectors, count / room if room else None)
               for line, (count, vectors, room) in sorted(lines.items())}
    return CoveredFile(name, path, text, covered, functions, accesses, samples)


def _plain(name):
    """The name of a function as the source spells it."""
    if match := re.match(r"_ZN?(?:\d+_GLOBAL__N_1)?L?(\d+)", name):
        start = match.end()
        return name[start:start + int(match[1])]
    return name


# -- To read --------------------------------------------------------------------------

def percent(files):
    lines = sum(len(file.lines) for file in files)
    return 100 * sum(file.ran for file in files) / lines if lines else 100.0


def hottest(files, most=10):
    """The lines in which a profile has found the processor most often, as rows of text."""
    lines = sorted(((count, file, number) for file in files for number, count in file.samples.items()),
                   key=lambda row: -row[0])
    total = sum(count for count, _, _ in lines)
    rows = [f"{total} samples; the lines with most:"] if total else ["no samples: kernels ran for too short a time"]
    for count, file, number in lines[:most]:
        text = (file.text or "").split("\n")
        line = text[number - 1].strip() if number <= len(text) else ""
        rows.append(f"{100 * count / total:7.1f} %  {os.path.basename(file.name)}:{number}: {line}")
    return [*rows, ""]


def _memory(file, number):
    """ "1 consecutive, 2 gather" of a line."""
    accesses = file.accesses.get(number, {})
    return ", ".join(f"{accesses[spacing]} {spacing}" for spacing in SPACINGS if spacing in accesses)


def annotated(file, profile=None):
    """The source as text, each line with its counts; `profile`: all files, to tell shares of time."""
    total = sum(sum(other.samples.values()) for other in profile or ())
    rows = [f"{file.path or file.name}: {file.ran} of {len(file.lines)} lines ran ({percent([file]):.1f} %)",
            f"{'time':>7} " * bool(profile) + f"{'threads':>14} {'busy':>7}" + f" {'memory':<25}" * bool(profile)]
    texts = (file.text or "").split("\n")
    last = max([*file.lines, len(texts) if texts[-1] else len(texts) - 1])
    for number in range(1, last + 1):
        text = texts[number - 1].rstrip() if number <= len(texts) else ""
        if line := file.lines.get(number):
            busy = "" if line.busy is None else f"{100 * line.busy:.1f} %"
            facts = f"{line.count or '#####':>14} {busy:>7}"
        else:
            facts = " " * 22
        if profile:
            share = f"{100 * file.samples[number] / total:.1f} %" if number in file.samples else ""
            facts = f"{share:>7} {facts} {_memory(file, number):<25}"
        rows.append(f"{facts} {number:>5} | {text}".rstrip())
    return "\n".join(rows) + "\n"


# -- lcov -----------------------------------------------------------------------------

def _records(files, folder):
    """lcov's text (man geninfo); `folder` has the sources that are in no file."""
    yield "TN:\n"
    for file in files:
        yield f"SF:{file.path or os.path.join(folder, file.name)}\n"
        for name, (line, _) in sorted(file.functions.items(), key=lambda row: row[1]):
            yield f"FN:{line},{name}\n"
        for name, (_, calls) in file.functions.items():
            yield f"FNDA:{calls},{name}\n"
        yield f"FNF:{len(file.functions)}\nFNH:{sum(calls > 0 for _, calls in file.functions.values())}\n"
        for number, line in file.lines.items():
            yield f"DA:{number},{line.count}\n"
        yield f"LF:{len(file.lines)}\nLH:{file.ran}\nend_of_record\n"


def _replace(path, text):
    """Writes a file whole or not at all."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        return
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.remove(part)
        raise


def write(path, files):
    path = os.fspath(path)
    folder = os.path.abspath(path) + ".sources"
    if any(file.path is None and file.text is not None for file in files) and (
            not os.path.exists(path) or os.path.isfile(path)):
        if not os.path.isdir(folder):
            os.mkdir(folder)
        for file in files:
            if file.path is None and file.text is not None:
                _replace(os.path.join(folder, file.name), file.text)
    _replace(path, "".join(_records(files, folder)))


def write_at_exit(path):
    """At the end of the program: HOSTCUDA_COVERAGE names a file. `%p` in its name is the process."""
    import atexit

    process = os.getpid()

    def finish():
        if os.getpid() != process:  # a fork of it, which has no device
            return
        try:
            _checks.synchronize()
        except Exception as problem:  # noqa: BLE001 - what has run is counted all the same
            print(f"HOSTCUDA_COVERAGE: {problem}", file=sys.stderr)
        try:
            if files := _files({}, {}):
                write(path.replace("%p", str(process)), files)
        except OSError as problem:
            print(f"HOSTCUDA_COVERAGE: {problem}", file=sys.stderr)

    atexit.register(finish)
