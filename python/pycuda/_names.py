"""Where users find a name is where it says that it is from, which reprs, tracebacks, help() and pickles show."""

from types import BuiltinFunctionType, FunctionType


def publish(module, namespace):
    """Classes and functions that a public module has from private ones, and the methods that were put into
    such classes, get its name. The public module that is imported first names what several have."""
    for name, thing in namespace.items():
        if name[0] != "_" and isinstance(thing, (type, FunctionType, BuiltinFunctionType)) \
                and (thing.__module__ or "").startswith("pycuda.") and "._" in thing.__module__:
            thing.__module__ = module
    functions = {thing for thing in namespace.values() if isinstance(thing, FunctionType)}
    for thing in namespace.values():
        if isinstance(thing, type) and thing.__module__ == module:
            for name, method in vars(thing).items():
                if isinstance(method, FunctionType) and method not in functions \
                        and method.__module__.startswith("pycuda."):
                    method.__module__, method.__name__ = module, name
                    method.__qualname__ = f"{thing.__qualname__}.{name}"
