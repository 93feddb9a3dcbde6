"""The struct module in native mode, with two more letters: F (complex64) and D (complex128)."""

import re
import struct
from struct import error

_ITEM = re.compile(r"\s*(\d*)(.)")
_LETTERS = "xbBcsphHiIlLnNqQ?efdPFD"


class Struct:
    """A format, with pack, pack_into, unpack, unpack_from, size and format."""

    def __init__(self, format):
        self.format = format
        self._complex = []  # for each value: whether it is one
        native = ""
        for count, letter in _ITEM.findall(format.strip()):
            if letter not in _LETTERS:
                raise error("bad char in struct format")
            number = int(count or 1)
            if letter in "FD":
                native += f"{2 * number}{'f' if letter == 'F' else 'd'}"
                self._complex += [True] * number
            else:
                native += count + letter
                self._complex += [False] * (letter in "sp" or (letter != "x" and number))
        self._struct = struct.Struct(native)
        self.size = self._struct.size

    def _flat(self, values):
        if len(values) != len(self._complex):
            raise error(f"pack requires exactly {len(self._complex)} arguments")
        flat = []
        for value, is_complex in zip(values, self._complex, strict=True):
            flat += [complex(value).real, complex(value).imag] if is_complex else [value]
        return flat

    def _values(self, flat):
        flat = iter(flat)
        return tuple(complex(next(flat), next(flat)) if c else next(flat) for c in self._complex)

    def pack(self, *values):
        return self._struct.pack(*self._flat(values))

    def pack_into(self, buffer, offset, *values):
        self._struct.pack_into(buffer, offset, *self._flat(values))

    def unpack(self, buffer):
        return self._values(self._struct.unpack(buffer))

    def unpack_from(self, buffer, offset=0):
        return self._values(self._struct.unpack_from(buffer, offset))


def calcsize(format):
    """Bytes of a format."""
    return Struct(format).size


def pack(format, *values):
    """The values as bytes."""
    return Struct(format).pack(*values)


def pack_into(format, buffer, offset, *values):
    """Write the values into a buffer."""
    Struct(format).pack_into(buffer, offset, *values)


def unpack(format, buffer):
    """The values in a buffer of just that size."""
    return Struct(format).unpack(buffer)


def unpack_from(format, buffer, offset=0):
    """The values in a buffer from an offset."""
    return Struct(format).unpack_from(buffer, offset)


def _clearcache():
    """There is no cache to clear."""
