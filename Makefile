# One word for each thing a developer does. `make demo` and `make test` set up what is missing.
VENV := .venv
PY := $(VENV)/bin/python
BUILD := build/main
SETUP := $(VENV)/.ready
TYPE_CHECKERS := $(VENV)/.type-checkers
SPHINX := $(VENV)/.sphinx
ARRAY_LIBRARIES := $(VENV)/.array-libraries
C_FILES := 'src/*.c' 'src/*.cpp' 'src/*.h' 'src/*.hpp' 'tests/*.c' 'tests/*.h' 'bench/*.c'

.PHONY: build demo test check rest wide bench wheel docs docs-test asan ubsan tsan gpusan fmt clean
.DEFAULT_GOAL := build

$(SETUP): tools/setup.sh pyproject.toml
	tools/setup.sh $(VENV)
	touch $@

build: $(SETUP)
	. $(VENV)/bin/activate && pip install -q --no-build-isolation --no-deps \
	    -Cbuild-dir=$(BUILD) -Csetup-args=-Dwerror=true .

demo: build
	$(PY) examples/demo.py

# meson takes the first ninja on PATH: another than that of `build` would build all again.
test: build
	. $(VENV)/bin/activate && meson test -C $(BUILD) --print-errorlogs
	$(VENV)/bin/lit -qv tests/ir
	$(VENV)/bin/pytest -n 2 --dist loadfile

# 240 MB, so not for those who build or test.
$(TYPE_CHECKERS): $(SETUP)
	$(PY) -m pip install -q mypy 'pyright[nodejs]'
	touch $@

# 500 MB where they are installed; `make test` does without.
$(ARRAY_LIBRARIES): $(SETUP)
	$(PY) -m pip install -q scipy scikit-learn xarray 'dask[distributed]' ray
	touch $@

check: rest wide asan ubsan tsan

# What looks at the sources, and tests with what `make test` does without.
rest: build $(TYPE_CHECKERS) $(ARRAY_LIBRARIES)
	$(VENV)/bin/ruff check
	git ls-files $(C_FILES) | xargs clang-format-19 --dry-run -Werror
	$(VENV)/bin/pytest tests/rules tests/types tests/python/test_array_libraries.py tests/python/test_workers.py

wide: build
	PYCUDA_TESTS_WIDE=1 $(VENV)/bin/pytest -n 2 --dist loadfile $$(git grep -lE 'PYCUDA_TESTS_WIDE|import .*WIDE' 'tests/*/test_*.py')

# What builds the pages, and what looks at them.
$(SPHINX): $(SETUP)
	$(PY) -m pip install -q sphinx myst-parser sphinx-gallery furo matplotlib scipy playwright
	touch $@

# The site, in build/docs. Every example of the gallery runs; a warning is an error.
docs: build $(SPHINX)
	$(VENV)/bin/sphinx-build -q -W --keep-going -d build/docs-work docs build/docs || \
	    { rm -rf build/docs-work; exit 1; }  # else the next run would not look at that page again

# Types in what the pages show, follows each link, and opens pages in Chromium, which apt has.
docs-test: docs
	$(VENV)/bin/pytest tests/docs

# The distributions in dist/, tried in a chroot where nothing but Python is: tools/wheel.sh, tools/wheel_test.sh.
wheel: build
	tools/wheel.sh dist
	tools/wheel_test.sh dist

bench: build
	$(PY) bench/host.py
	$(PY) bench/calls.py

# C tests under a sanitizer; ASan and UBSan also over the compiler, and over the extension module with Python tests.
asan: SAN := address
ubsan: SAN := undefined
tsan: SAN := thread
asan ubsan tsan: build
	. $(VENV)/bin/activate && tools/sanitize.sh $(SAN)

# The package's own kernels on a GPU under compute-sanitizer, which comes with CUDA. Not cuSOLVER's under initcheck: its
# QR decomposition waits at a place in its workspace that nothing has been written to yet.
gpusan: build
	for tool in memcheck racecheck synccheck; do \
	    PYCUDA_DRIVER=cuda compute-sanitizer --tool $$tool --error-exitcode 1 $(PY) tests/python/exercise.py || exit; done
	PYCUDA_DRIVER=cuda compute-sanitizer --tool initcheck --error-exitcode 1 $(PY) tests/python/exercise.py \
	    arrays gathers reductions scans sorts random_numbers others

fmt:
	git ls-files $(C_FILES) | xargs clang-format-19 -i

clean:
	rm -rf build docs/gallery $(VENV)
