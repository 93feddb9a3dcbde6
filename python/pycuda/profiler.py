"""What a program does on its device and when: driver calls, kernels and copies, as a file for Perfetto.

    with pycuda.profiler.trace("t.json"):
        ...

https://ui.perfetto.dev and chrome://tracing open such files; ``python -m pycuda trace PROGRAM`` writes one of a whole
program. Times of kernels and copies are those of events in their streams, on a GPU and on the host device alike.
"""

import json
import os
import threading

from pycuda import _native

_DEVICES = 1_000_000  # where the numbers of processes begin that stand for devices


class trace:
    """Records all driver calls of the process, and writes them to *path* in the end.

    A context manager; `start` and `stop` do the same. The threads are rows of the process, the streams rows of
    their device. Work inside of a graph is one piece; work that a stream captures has no time. One recording at a
    time: RuntimeError if there is another. While none is on, calls cost what they always do.
    """

    _active = None

    def __init__(self, path):
        self.path = os.fspath(path)

    def __repr__(self):
        return f"<{type(self).__module__}.trace to {self.path!r}{', recording' if self is trace._active else ''}>"

    def start(self):
        """Starts recording; returns the trace."""
        if trace._active:
            raise RuntimeError(f"a trace is being recorded already, to {trace._active.path!r}")
        _native._record_start()
        trace._active = self
        return self

    def stop(self):
        """Waits for the work of all contexts and writes the file."""
        if self is not trace._active:
            raise RuntimeError("this trace is not being recorded: start() comes first")
        trace._active = None
        with open(self.path, "w") as file:
            json.dump({"traceEvents": _events(_native._record_stop()), "displayTimeUnit": "ns"}, file)

    __enter__ = start

    def __exit__(self, *problem):
        self.stop()


def _events(records):
    """The list that the format wants: complete events ("X") in microseconds, and names ("M")."""
    process, events, streams = os.getpid(), [], {}
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    threads = set()
    for (entry, begin, end, thread, status, work, stream, started, ended, device, size, grid, block,
         kernel) in records:
        threads.add(thread)
        events.append({"name": entry, "cat": "driver", "ph": "X", "ts": begin / 1e3, "dur": (end - begin) / 1e3,
                       "pid": process, "tid": thread, "args": {"result": status}})
        if not started:
            continue
        details = {"call": entry} | ({"bytes": size} if size else {})
        if work == "kernel":
            details |= {"grid": grid, "block": block}
        row = streams.setdefault((device, stream), len(streams) + 1 if stream else 0)
        events.append({"name": kernel or entry, "cat": work, "ph": "X", "ts": started / 1e3,
                       "dur": max(ended - started, 0) / 1e3, "pid": _DEVICES + device, "tid": row, "args": details})
    return _names(process, names, threads, streams) + events


def _names(process, names, threads, streams):
    def named(kind, pid, name, **where):
        return {"name": f"{kind}_name", "ph": "M", "pid": pid, "args": {"name": name}} | where

    rows = [named("process", process, "driver calls")]
    rows += [named("thread", process, names.get(thread, f"thread {thread}"), tid=thread) for thread in sorted(threads)]
    rows += [named("process", _DEVICES + device, f"device {device}") for device in sorted({at for at, _ in streams})]
    rows += [named("thread", _DEVICES + device, f"stream 0x{stream:x}" if stream else "null stream", tid=row)
             for (device, stream), row in streams.items()]
    return rows
