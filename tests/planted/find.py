"""Looks for planted faults in a process of its own, which a kernel may crash.

``python find.py [KIND | PATTERN]...`` runs the files whose names contain a word with the check of their kind, and their
right twins with all checks, and tells what was not found or found without reason.
"""

import os
import sys

os.environ.setdefault("PYCUDA_DRIVER", "host")

import planted
import session


class Session(session.Session):
    def source(self, name, right):
        case = planted.Case(planted.FOLDER / name, right)
        return case.source, case.options

    def compiles(self, name):
        self.load(*self.source(name, False))

    def twin(self, name):
        module = self.load(*self.source(name, True))
        for run in planted.Case(planted.FOLDER / name, True).runs():
            run.execute(module)

    def find(self, name, kinds, right=False):
        """Compiles and runs under these checks: the reports must be those of the header, or none of a right kernel."""
        for run in planted.Case(planted.FOLDER / name, right).runs():
            run.find(lambda: self.load(*self.source(name, right)), kinds)


def main(words):
    worker, wrong, silent = session.Worker(kind=Session), 0, 0
    cases = [case for kind in (*planted.KINDS, "right") for case in planted.cases(kind)
             if not words or any(word in case.name for word in words)]
    for case in cases:
        if case.kind != "right" and (error := worker.ask("find", case.name, case.kind)[1]):
            wrong += 1
            print(f"{case.name}: {error}\n", flush=True)
        if (case.kind == "right" or case.has_twin) and (
                error := worker.ask("find", case.name, ",".join(planted.KINDS), True)[1]):
            silent += 1
            print(f"{case.name} without its fault: {error}\n", flush=True)
    worker.stop()
    print(f"{len(cases)} files: {wrong} faults not found as they should be, {silent} right kernels reported")
    return 1 if wrong or silent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
