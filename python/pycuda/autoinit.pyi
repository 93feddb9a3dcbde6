from pycuda.driver import Context, Device
from pycuda.tools import make_default_context as make_default_context

context: Context
device: Device
