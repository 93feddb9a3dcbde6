"""The line on stderr that tells of a compilation that takes longer than a second."""

import sys
import threading

DELAY = 1  # seconds before the first line, and between one and the next


def begin(compiler, kernel):
    """Called before a compilation: what is to be called after it, or None: stderr is no terminal."""
    stream = sys.stderr
    try:
        if stream is None or not stream.isatty():
            return None
    except (AttributeError, ValueError):  # something else in its place, or closed
        return None
    done = threading.Event()

    def show():
        seconds = 0
        while not done.wait(DELAY):
            seconds += DELAY
            stream.write(f"\r{compiler} compiles {kernel}: {seconds} s")
            stream.flush()
        if seconds:
            stream.write("\r\x1b[K")  # the line is gone when the work is done
            stream.flush()

    thread = threading.Thread(target=show, name="pycuda progress", daemon=True)
    thread.start()

    def end():
        done.set()
        thread.join()

    return end
