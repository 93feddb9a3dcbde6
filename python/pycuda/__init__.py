"""PyCUDA in C, with a CPU device built in."""

VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = "2026.1"
