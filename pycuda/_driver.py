"""What the driver API looks like in Python, unadorned; use pycuda.driver."""

from pycuda._native import *  # noqa: F403
from pycuda._native import __all__  # noqa: F401
