"""Where the kernels run: a process of its own with a context.

A kernel that is compiled wrongly may hang or crash, and one that must fail spoils its context;
the process is then given up and the next request gets a new one. On the command line,
``python session.py [OPTION]... [PATTERN]...`` compiles with these options (-O3) and runs the
kernels whose names contain a pattern. Images are taken from the cache: what the same
compiler made of the same source and headers is the same. On a
GPU, PYCUDA_TESTS_NVCC names the nvcc that compiles them in place of NVRTC.
"""

import multiprocessing
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import corpus
import numpy as np

NVCC = os.environ.get("PYCUDA_TESTS_NVCC")
# Seconds; on a busy machine NVRTC and nvcc take over 60 for <curand_kernel.h>, as hostcc does for warp/mma.cu without AVX-512.
LIMIT = 300


class Session:
    """In the process: device 0, and threads that compile what will be asked for."""

    def __init__(self, folder=None, plan=()):
        import pycuda.driver as cuda
        from pycuda.compiler import SourceModule, compile

        cuda.init()
        self.device = cuda.Device(0)
        self.context = self.device.make_context()
        self.source_module = SourceModule
        self.options = {"no_extern_c": True, "cache_dir": folder,
                        "nvcc": NVCC or "nvcc",
                        "arch": "sm_{}{}".format(*self.device.compute_capability())}
        self.pool = ThreadPoolExecutor(2)
        self.ahead = {key: self.pool.submit(self.load, *self.source(*key), how=compile)
                      for key in plan}

    def load(self, source, options, how=None):
        return (how or self.source_module)(source, options=options, **self.options)

    def source(self, name, level):
        case = corpus.Case(corpus.FOLDER / name)
        return case.source, [*level.split(), *case.options]

    def compiles(self, name, level):
        self.load(*self.source(name, level))

    def run(self, name, level):
        """Compiles a case and runs all its geometries."""
        ahead = self.ahead.pop((name, level), None)
        if ahead and not ahead.cancel():  # else its turn has not come, and it need not wait for it
            ahead.exception()
        module = self.load(*self.source(name, level))
        with np.errstate(all="ignore"):
            runs = list(corpus.Case(corpus.FOLDER / name).runs())
            assert runs, "no geometry"
            for run in runs:
                run.execute(module)

    def on_host(self):
        return "host" in self.device.name().lower()


def serve(pipe, kind, folder, plan):
    """Answers requests (method, arguments) by (result or None, error text or None)."""
    from pycuda.driver import CompileError, Error

    session = kind(folder, plan)
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            break
        try:
            pipe.send((getattr(session, method)(*arguments), None))
        except Exception as error:  # noqa: BLE001 (every error is an answer)
            pipe.send((None, f"{type(error).__name__}: {error}"))
            if isinstance(error, Error) and not isinstance(error, CompileError):
                break
    session.pool.shutdown(cancel_futures=True)
    session.context.pop()


def watch(process):
    """(CPU seconds, awake) of a process and those that it started: whether any thread of them runs, is
    ready to or waits for a disk. However busy the machine is, who gets on is awake or spends time."""
    spent, awake, processes = 0.0, False, [str(process)]
    for number in processes:
        try:
            fields = Path("/proc", number, "stat").read_text().rpartition(")")[2].split()
            spent += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # its own, and of those that ended
            for task in Path("/proc", number, "task").iterdir():
                awake |= (task / "stat").read_text().rpartition(")")[2].split()[0] in "RD"
                processes += (task / "children").read_text().split()
        except OSError:  # it has just ended
            awake = True
    return spent, awake


class Worker:
    """The process, seen from outside. `limit`: seconds of CPU time that an answer may take, or that all
    may sleep in a row; how long that is depends on what else the machine does. `folder`: another cache."""

    def __init__(self, plan=(), limit=LIMIT, kind=Session, folder=None):
        self.folder = folder
        self.plan, self.limit, self.kind, self.process = plan, limit, kind, None

    def start(self):
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, daemon=True,
                                     args=(theirs, self.kind, self.folder, self.plan))
        self.process.start()
        theirs.close()
        self.plan = ()

    def ask(self, method, *arguments):
        """(result, error text); a crash or a hang is an error too."""
        if self.process is None:
            self.start()
        try:
            self.pipe.send((method, arguments))
            if self.answers():
                result, error = self.pipe.recv()
                if error and "CompileError" not in error and "AssertionError" not in error:
                    self.stop()
                return result, error
        except (EOFError, ConnectionError):
            self.process.join()
            code, self.process = self.process.exitcode, None
            return None, f"the process died with exit code {code}"
        self.process.kill()
        self.stop()
        return None, f"no end after {self.limit} s of its time"

    def answers(self):
        """False: it does not."""
        start, asleep = watch(self.process.pid)[0], 0
        while not self.pipe.poll(1):
            spent, awake = watch(self.process.pid)
            asleep = 0 if awake else asleep + 1
            if spent - start > self.limit or asleep > self.limit:
                return False
        return True

    def stop(self):
        if self.process:
            self.pipe.close()
            self.process.join()
            self.process = None


def main(arguments):
    level = " ".join(p for p in arguments if p.startswith("-")) or "-O3"
    patterns = [p for p in arguments if not p.startswith("-")] or [""]
    names = [c.name for c in corpus.cases() if not c.has("error") and not c.has("fails")
             and any(p in c.name for p in patterns)]
    worker = Worker([(name, level) for name in names])
    failed = 0
    for name in names:
        error = worker.ask("run", name, level)[1]
        failed += error is not None
        print(name, f"FAILED: {error}" if error else "ok", flush=True)
    worker.stop()
    print(f"{len(names)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
