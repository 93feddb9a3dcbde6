"""The CUDA driver API: devices, contexts, memory, streams, modules and kernels."""

from pycuda._native import *  # noqa: F403
from pycuda._native import Error


class CompileError(Error):
    """A source did not compile: what the compiler said, and how it was called."""

    def __init__(self, msg, command_line, stdout=None, stderr=None):
        super().__init__(msg, command_line, stdout, stderr)
        self.msg, self.command_line = msg, command_line
        self.stdout, self.stderr = stdout, stderr

    def __str__(self):
        text = self.msg
        if self.command_line:
            text += "\n[command: " + " ".join(self.command_line) + "]"
        if self.stdout:
            text += f"\n[stdout:\n{self.stdout}]"
        if self.stderr:
            text += f"\n[stderr:\n{self.stderr}]"
        return text
