"""The commands of ``python -m pycuda``, one a file: ``add_arguments(parser)`` and ``run(options)``."""
