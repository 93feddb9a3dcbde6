"""What notebooks show of arrays and devices: ``_repr_html_``."""

from pycuda import _native


def _escape(text):
    import html  # takes a quarter of the time of importing pycuda.driver

    return html.escape(text)


def _table(rows):
    cells = "".join(f'<tr><th style="text-align: left">{_escape(name)}</th>'
                    f'<td style="text-align: left">{_escape(str(value))}</td></tr>' for name, value in rows)
    return f"<table>{cells}</table>"


def _bytes(size):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size} bytes" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024


def of_array(self):
    """Shape, dtype and size, and the values as NumPy prints them: of large arrays the edges."""
    facts = [("shape", self.shape), ("dtype", self.dtype), ("size", _bytes(self.nbytes))]
    try:
        values = str(self)
    except (RuntimeError, _native.Error) as problem:  # its memory or context is gone
        values = str(problem)
    return f"{_table(facts)}<pre>{_escape(values)}</pre>"


def of_device(self):
    """Name and figures."""
    return _table([("device", self.name()), ("compute capability", "{}.{}".format(*self.compute_capability())),
                   ("multiprocessors", self.multiprocessor_count), ("memory", _bytes(self.total_memory())),
                   ("PCI bus id", self.pci_bus_id())])
