from pycuda.tools import DTYPE_TO_NAME as DTYPE_TO_NAME
from pycuda.tools import NAME_TO_DTYPE as NAME_TO_DTYPE
from pycuda.tools import TYPE_REGISTRY as TYPE_REGISTRY
from pycuda.tools import DTypeRegistry as DTypeRegistry
from pycuda.tools import TypeNameNotKnown as TypeNameNotKnown
from pycuda.tools import get_or_register_dtype as get_or_register_dtype
from pycuda.tools import parse_c_arg_backend as parse_c_arg_backend
from pycuda.tools import register_dtype as register_dtype

def fill_registry_with_c_types(
    registry: DTypeRegistry, respect_windows: bool, include_bool: bool = True
) -> None: ...
def fill_registry_with_opencl_c_types(registry: DTypeRegistry) -> None: ...
def fill_registry_with_c99_stdint_types(registry: DTypeRegistry) -> None: ...
def fill_registry_with_c99_complex_types(registry: DTypeRegistry) -> None: ...
