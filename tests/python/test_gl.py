"""pycuda.gl: that it says what is missing on the host device, and the calls it makes of a driver that
has OpenGL; a driver that only records stands in for a GPU's."""

import re

import pytest

import pycuda.driver as cuda
from pycuda import gl


@pytest.mark.host
@pytest.mark.parametrize("call", [
    lambda: gl.RegisteredBuffer(1), lambda: gl.RegisteredImage(1, 3553, gl.graphics_map_flags.NONE),
    lambda: gl.make_context(cuda.Device(0)),
])
def test_host_device_has_no_part_in_opengl(context, call):
    assert cuda.have_gl_ext() is False
    with pytest.raises(cuda.LogicError, match=r"cuG\w+ failed: operation not supported - cuG\w+: not "
                                              "supported by the host device"):
        call()


@pytest.mark.host  # a GPU may have it
def test_automatic_context_says_why_there_is_none(run_python):
    done = run_python("import pycuda.gl.autoinit")
    assert re.search(r"RuntimeError: make_default_context\(\) wasn't able to create a context on any of "
                     r"the \d detected devices: cuGLCtxCreate failed: ", done.stderr), done.stderr


def test_classes():
    with pytest.raises(RuntimeError, match="This class cannot be instantiated from Python"):
        gl.RegisteredObject()
    with pytest.raises(TypeError, match=r"RegisteredImage\(bufobj, target, flags=0\): argument 2 is"):
        gl.RegisteredImage(1)


CODE = """
import warnings
import pycuda.gl.autoinit, pycuda.driver as cuda
from pycuda import gl
assert cuda.have_gl_ext()
buffer = gl.RegisteredBuffer(7, gl.graphics_map_flags.READ_ONLY)
assert buffer.gl_handle() == 7 and isinstance(buffer, gl.RegisteredObject)
mapping = buffer.map()
assert mapping.device_ptr_and_size() == (0x1000, 77)
mapping.unmap()
stream, image = cuda.Stream(), gl.RegisteredImage(8, 3553)
mapping = image.map(stream)
assert isinstance(mapping.array(index=1, level=2), cuda.Array)
del mapping, image
buffer.unregister()
for call in (buffer.unregister, buffer.map, lambda: gl.RegisteredBuffer(100)):
    try:
        call()
    except cuda.LogicError as error:
        print(error)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    gl.init()
    old = gl.BufferObject(9)
assert [w.category for w in caught] == [DeprecationWarning] * 2
mapping = old.map()
assert (old.handle(), mapping.device_ptr(), mapping.size()) == (9, 0x1000, 77)
mapping.unmap(), old.unregister()
"""

CALLS = ["GLCtxCreate", "GraphicsGLRegisterBuffer", "GraphicsMapResources",
         "GraphicsResourceGetMappedPointer", "GraphicsUnmapResources", "GraphicsGLRegisterImage",
         "GraphicsMapResources", "GraphicsSubResourceGetMappedArray", "GraphicsUnmapResources",
         "GraphicsUnregisterResource", "GraphicsUnregisterResource", "GraphicsGLRegisterBuffer",
         "GraphicsGLRegisterBuffer",
         "GraphicsMapResources", "GraphicsResourceGetMappedPointer",
         "GraphicsResourceGetMappedPointer", "GraphicsUnmapResources", "GraphicsUnregisterResource"]


def test_calls(run_python, fake_driver, tmp_path):
    done = run_python(CODE, PYCUDA_DRIVER=fake_driver, PYCUDA_TRACE=str(tmp_path / "trace"))
    assert (done.stderr, done.returncode) == ("", 0)
    twice = "failed: invalid resource handle - it was unregistered before"
    assert done.stdout.splitlines() == [
        f"RegisteredBuffer {twice}", f"RegisteredBuffer {twice}",
        "cuGraphicsGLRegisterBuffer failed: invalid OpenGL or DirectX context"]
    trace = (tmp_path / "trace").read_text()
    assert re.findall(r"^cu(G(?:raphics|LCtx)\w+)\(", trace, re.MULTILINE) == CALLS
