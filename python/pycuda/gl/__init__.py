"""OpenGL's buffers and images in kernels.

Make an OpenGL context current (with PyOpenGL, glfw, ...), then a CUDA context on the same GPU, and
register what OpenGL made; map it while kernels use it. Nothing of OpenGL is needed to import this;
where the driver has no part in OpenGL, as on the host device, the calls raise LogicError.
"""

from warnings import warn

from pycuda import _native
from pycuda._driver import (  # noqa: F401
    RegisteredBuffer,
    RegisteredImage,
    RegisteredMapping,
    RegisteredObject,
    graphics_map_flags,
)


def make_context(dev, flags=0):
    """A new current Context on a Device that drives the current OpenGL context; flags: ctx_flags.
    Contexts of Device.make_context do as well. CUDA: cuGLCtxCreate."""
    return _native._gl_make_context(dev, flags)


def _deprecated(old, new):
    warn(f"pycuda.gl.{old} is deprecated since CUDA 3.0; {new}", DeprecationWarning, stacklevel=3)


def init():
    """Does nothing: drivers need no call any more. Deprecated."""
    _deprecated("init", "nothing needs it")


class BufferObject:
    """A RegisteredBuffer under its old name. Deprecated."""

    def __init__(self, bufobj):
        _deprecated("BufferObject", "use RegisteredBuffer")
        self._buffer = RegisteredBuffer(bufobj)

    def handle(self):
        """OpenGL's name of it."""
        return self._buffer.gl_handle()

    def unregister(self):
        """Give it back to OpenGL alone."""
        self._buffer.unregister()

    def map(self):
        """A BufferObjectMapping."""
        return BufferObjectMapping(self._buffer.map())


class BufferObjectMapping:
    """A RegisteredMapping under its old name. Deprecated."""

    def __init__(self, mapping):
        self._mapping = mapping

    def unmap(self):
        """Let OpenGL use the buffer again."""
        self._mapping.unmap()

    def device_ptr(self):
        """The address of the buffer."""
        return self._mapping.device_ptr_and_size()[0]

    def size(self):
        """The bytes of the buffer."""
        return self._mapping.device_ptr_and_size()[1]
