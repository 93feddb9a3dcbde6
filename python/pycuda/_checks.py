"""Check mode of the host device: which checks are on, and what they found; public in pycuda.debug.

Kernels that are compiled while a check is on have it built in; see docs/howto/checking.md. The device keeps the
reports of the whole process. What Python alone knows, the array that memory belongs to and the lines that allocated
and freed it, is looked up when a report is first seen.
"""

import json
from dataclasses import asdict, dataclass

from pycuda import _native

KINDS = {"memory": 1, "race": 2, "init": 4, "sync": 8}
ORDER = 16
COVERAGE = 32  # finds nothing: see _coverage.py
_TOOLS = {"memory": "memcheck", "race": "racecheck", "init": "initcheck", "sync": "synccheck"}


def parse(words):
    """(bits, seed or None) of "memory,race,order:5", or of a sequence of such words; no word: all."""
    words = [words] if isinstance(words, str) else list(words)
    bits, seed = 0, None
    for word in ",".join(words).split(",") if words else ["all"]:
        name, _, number = word.strip().partition(":")
        if name == "all":
            bits |= sum(KINDS.values())
        elif name == "order" and number.isdecimal():
            bits, seed = bits | ORDER, int(number)
        elif name in KINDS and not number:
            bits |= KINDS[name]
        elif name == "coverage" and not number:
            bits |= COVERAGE
        elif name:
            raise ValueError(f"{word!r} is no kind of check: memory, race, init, sync, all, order:SEED")
    return bits, seed


def names(bits):
    """Those of the kinds that compilers hear of, as "memory,race"."""
    return ",".join(name for name, bit in [*KINDS.items(), ("coverage", COVERAGE)] if bits & bit)


def refuse_on_gpu(bits):
    """LogicError if the driver is a GPU's."""
    from pycuda.driver import LogicError

    if not _native._is_host_device():
        tool = next((_TOOLS[name] for name, bit in KINDS.items() if bits & bit), "memcheck")
        raise LogicError("checks are built into kernels of the host device (PYCUDA_DRIVER=host); on a GPU, NVIDIA's "
                         f"compute-sanitizer checks them: compute-sanitizer --tool {tool} python program.py")


def for_compiler(check):
    """What a compilation is to check: that of its argument, or by default what is on."""
    if check is None:
        return names(_native._checks())
    bits, _ = parse(check) if check else (0, None)
    if bits:
        refuse_on_gpu(bits)
    return names(bits | (_native._checks() & COVERAGE))


class check:
    """Turns checks on, for kernels that are compiled from now on: any of "memory", "race", "init", "sync" and
    "order:SEED" (blocks run in an order that the number stands for); none: the first four.

    A context manager that turns them back to what they were, at whose end a fault that is still unheard of raises
    CheckError; as a plain call it is on until `stop()`. Kernels that array operations and the like made before are made
    anew; a SourceModule that was there before has no checks. For the host device: on a GPU it is refused with a
    LogicError that says how to start compute-sanitizer.
    """

    def __init__(self, *kinds):
        from pycuda.driver import init

        self._bits, seed = parse(kinds)
        refuse_on_gpu(self._bits)
        init()
        self._before = _native._checks()
        _native._checks(self._bits | (self._before & COVERAGE), seed)

    def __repr__(self):
        kinds = [names(self._bits), "order" if self._bits & ORDER else ""]
        return f"<pycuda.debug.check {','.join(filter(None, kinds))}>"

    def stop(self):
        """Turns the checks back to what they were before."""
        _native._checks(self._before)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        try:
            if error is None:
                synchronize()
        finally:
            self.stop()


def synchronize():
    """Waits for the current context, if there is one: raises CheckError for a fault that nobody has heard of."""
    from pycuda.driver import Context

    if Context.get_current() is not None:
        Context.synchronize()


@dataclass(frozen=True)
class Report:
    """One finding. Repetitions at the same line are counted (`count`, in threads), not listed.

    `kind` is "memory", "race", "init", "sync" or "order", `severity` "error" or "warning". `block` and `thread` did
    `access` ("read", "write", "atomic", "free") `bytes` bytes at `address`, on `line` of `file`, in `kernel`; the
    second party of a race is in the fields that begin with `other_`. `variable` is a parameter of the kernel or a
    variable of it; `offset` counts in bytes from where its allocation or the variable begins, which has `size` bytes in `space` ("global",
    "shared", "local", "constant", "heap") and is `state` ("live", "freed"). `allocated_at` and `freed_at` are lines
    of the program, "program.py:12". What is not known is None. `text` says it all in a sentence.
    """

    kind: str
    fault: str
    severity: str
    count: int
    kernel: str
    file: str | None
    line: int
    block: tuple
    thread: tuple
    access: str | None
    other_file: str | None
    other_line: int | None
    other_block: tuple | None
    other_thread: tuple | None
    other_access: str | None
    bytes: int
    address: int
    space: str | None
    state: str | None
    variable: str | None
    base: int
    offset: int
    size: int
    launch: int
    grid: tuple
    block_shape: tuple
    allocated_at: str | None
    freed_at: str | None
    dtype: str | None
    shape: tuple | None
    message: str
    text: str

    def __str__(self):
        return self.text


def _look_around(fields):
    """Of an address that is in no memory, by a pointer of which the kernel does not tell what it was made from."""
    near = _native._memory_near(fields["address"])
    if near:
        fields["base"], fields["size"], freed = near
        fields["offset"] = fields["address"] - fields["base"]
        fields["space"], fields["state"] = "global", "freed" if freed else "live"
        fields["fault"] = "freed" if freed else fields["fault"]


def _report(found):
    """A Report of the driver's dict, with what this process knows of the memory now."""
    fields = dict(found)
    del fields["allocation"]
    for prefix, party in ("", fields.pop("who")), ("other_", fields.pop("other") or [None] * 5):
        for name, value in zip(("file", "line", "block", "thread", "access"), party, strict=True):
            fields[prefix + name] = value
    if not fields["base"] and fields["address"] and fields["space"] is None:
        _look_around(fields)
    memory = fields["base"] and _native._describe_address(fields["base"], fields["address"], fields["variable"],
                                                          fields["state"] == "freed")
    description, allocated, freed, dtype, shape = memory or [None] * 5
    text = f"{fields['severity']}: " * (fields["severity"] != "error") + fields["message"]
    if description:
        text += f"; this is {description}" + (f", freed at {freed}" if freed else "")
    return Report(**fields, allocated_at=allocated, freed_at=freed,
                  dtype=dtype and str(dtype), shape=shape, text=text)


_seen = []  # reports as they were when they were first seen, by the driver's numbers
_raised = 0  # so many of them an exception has told of


def reports():
    """All findings since the program began, or since `clear_reports()`: a list of Report, the first 100 different."""
    fresh = []
    while (found := _native._check_report(len(fresh))) is not None:
        fresh.append(found)
    del _seen[len(fresh):]
    for number, found in enumerate(fresh):
        if number == len(_seen):
            _seen.append(_report(found))
        elif _seen[number].count != found["count"]:
            _seen[number] = Report(**(asdict(_seen[number]) | {"count": found["count"]}))
    return list(_seen)


def clear_reports():
    """Forgets all findings."""
    global _raised
    _native._clear_check_reports()
    _seen.clear()
    _raised = 0


def finding(detail):
    """The exception for a call that hears of a fault, made where other failures of the driver are."""
    global _raised
    from pycuda.debug import CheckError

    found = reports()
    fresh, _raised = found[_raised:], len(found)
    errors = [report for report in fresh if report.severity == "error"]
    first = next((report.text for report in errors if report.message == detail), detail)
    more = f" (and {len(errors) - 1} more, in .reports)" if len(errors) > 1 else ""
    error = CheckError(first + more)
    error.code, error.name, error.reports = 719, "CUDA_ERROR_LAUNCH_FAILED", fresh
    return error


def write(path):
    """Writes all findings as JSON: {"reports": [...]}, each with the fields of Report."""
    with open(path, "w") as file:
        json.dump({"reports": [asdict(report) for report in reports()]}, file, indent=1)
        file.write("\n")


def write_at_exit(path):
    """The same at the end of the program: HOSTCUDA_CHECK_REPORT names a file."""
    import atexit

    atexit.register(write, path)
