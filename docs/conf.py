"""The documentation site: MyST pages, the gallery that examples/gallery fills, the reference from docstrings.

`make docs` builds it in build/docs. Nothing here is fetched: the theme has its files, search runs in the browser.
"""

import logging
import os
import pathlib
import sys

os.environ.setdefault("PYCUDA_DRIVER", "host")  # the gallery runs wherever the pages are built

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import pycuda

project = "pycuda-c"
author = "the authors of pycuda-c"
version = release = pycuda.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_gallery.gen_gallery",
              "docstrings", "plots", "tables"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["README.md"]
default_role = "code"
nitpicky = False

# -- Pages: MyST ---------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]  # the sorting functions of the gallery

# -- Reference -------------------------------------------------------------------------

autodoc_member_order = "groupwise"
autodoc_default_options = {
    "members": True, "imported-members": True, "undoc-members": True, "special-members": "__call__",
    "inherited-members": "object, BaseException, Exception, RuntimeError, int, enum, Module",
}

# -- Gallery: each example runs, one process for all ------------------------------------

logging.getLogger("pycuda").setLevel(logging.WARNING)  # else each compilation is told
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "ignore_pattern": r"wave_strips\.py",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 10,
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("animations",),
    "reference_url": {},
    "show_signature": False,
    "write_computation_times": False,
}

# -- Output ----------------------------------------------------------------------------

html_theme = "furo"
html_title = f"pycuda-c {version}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
