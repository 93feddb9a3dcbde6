"""numpy.linalg on GPU arrays against numpy.linalg on the host: rows of expressions, and shapes, dtypes and memory layouts
that Hypothesis draws. Errors are NumPy's, by class."""

import os
import threading
import warnings

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import pycuda.driver as cuda
from pycuda import _native, _solvers, gpuarray, libraries
from pycuda.compiler import SourceModule
from pycuda.gpuarray import GPUArray, to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
_random = np.random.default_rng(16)


def _matrices(*shape, dtype="d"):
    x = _random.uniform(-2, 2, shape)
    return (x + 1j * _random.uniform(-2, 2, shape) if dtype in "FD" else x).astype(dtype)


def _definite(*shape, dtype="d"):
    x = _matrices(*shape, dtype=dtype)
    return (x @ x.conj().swapaxes(-1, -2) + np.eye(shape[-1])).astype(dtype)


VARIABLES = {
    "a": _matrices(4, 4), "f": _matrices(4, 4, dtype="f"), "c": _matrices(3, 3, dtype="F"), "r": _matrices(5, 3),
    "s": _matrices(2, 3, 4, 4), "p": _definite(4, 4), "h": _definite(2, 3, 3, dtype="D"), "b": _matrices(4),
    "m": _matrices(4, 2), "w": _matrices(3, 5, dtype="f"), "t": _matrices(2, 3, 3, 2), "i": _random.integers(-5, 5, (3, 3)),
    "u": _random.integers(0, 9, (4, 4)).astype("B"), "e": np.zeros((0, 3)), "e0": np.zeros((0, 0)), "es": np.zeros((0, 3, 3)),
    "z": np.zeros((3, 3)), "n": np.array([[1, np.nan], [3, 4]]), "x": np.array(3.0), "g": _matrices(3, 3, dtype="e"),
    "v": _matrices(6), "q": np.eye(3, dtype=bool), "k": _matrices(2, 3), "T": _matrices(2, 3, 6),
}

ROWS = """
    np.linalg.cholesky(p), np.linalg.cholesky(h), np.linalg.cholesky(e0), np.linalg.cholesky(p.astype("f")), np.linalg.cholesky(es)
    np.linalg.cholesky(-p)
    np.linalg.cholesky(r)
    np.linalg.cond(a), np.linalg.cond(s), np.linalg.cond(a, 1), np.linalg.cond(a, "fro"), np.linalg.cond(r), np.linalg.cond(z)
    np.linalg.cond(b)
    np.linalg.det(a), np.linalg.det(s), np.linalg.det(f), np.linalg.det(c), np.linalg.det(i), np.linalg.det(e0), np.linalg.det(es), np.linalg.det(z)
    np.linalg.det(r)
    np.linalg.eig(a), np.linalg.eig(p), np.linalg.eig(c), np.linalg.eig(e0)
    np.linalg.eig(n)
    np.sort(np.linalg.eigvals(a)), np.sort(np.linalg.eigvals(s)), np.sort(np.linalg.eigvals(f)), np.sort(np.linalg.eigvals(i)), np.sort(np.linalg.eigvals(p @ p))
    np.linalg.eigh(p), np.linalg.eigh(h), np.linalg.eigh(a, "U"), np.linalg.eigh(a, UPLO="L"), np.linalg.eigh(f)
    np.linalg.eigh(a, "X")
    np.linalg.eigvalsh(p), np.linalg.eigvalsh(h, "U"), np.linalg.eigvalsh(es)
    np.linalg.inv(a), np.linalg.inv(s), np.linalg.inv(c), np.linalg.inv(i), np.linalg.inv(es), np.linalg.inv(f)
    np.linalg.inv(z)
    np.linalg.inv(b)
    np.linalg.lstsq(r, w[0], rcond=None), np.linalg.lstsq(r, w.T, rcond=0.1), np.linalg.lstsq(w, w[:, :2], rcond=None)
    np.linalg.lstsq(a, r, rcond=None)
    np.linalg.matrix_rank(r), np.linalg.matrix_rank(s), np.linalg.matrix_rank(z), np.linalg.matrix_rank(b), np.linalg.matrix_rank(p, hermitian=True)
    np.linalg.matrix_rank(a, tol=1.5)
    np.linalg.pinv(r), np.linalg.pinv(s), np.linalg.pinv(c), np.linalg.pinv(e), np.linalg.pinv(p, hermitian=True), np.linalg.pinv(r, 0.5)
    np.linalg.qr(r), np.linalg.qr(w), np.linalg.qr(s), np.linalg.qr(r, "complete"), np.linalg.qr(r, mode="r"), np.linalg.qr(r, "raw")
    np.linalg.qr(r, "no")
    np.linalg.slogdet(a), np.linalg.slogdet(s), np.linalg.slogdet(c), np.linalg.slogdet(z)
    np.linalg.solve(a, m), np.linalg.solve(a, b), np.linalg.solve(s, m), np.linalg.solve(c, c), np.linalg.solve(f, m), np.linalg.solve(u + p, b)
    np.linalg.solve(a=a, b=b), np.linalg.solve(e0, e0)
    np.linalg.solve(z, i)
    np.linalg.solve(a, r)
    np.linalg.svd(r), np.linalg.svd(r, False), np.linalg.svd(w, compute_uv=False), np.linalg.svd(s), np.linalg.svd(h, hermitian=True)
    np.linalg.svd(n)
    np.linalg.inv(g)
    np.linalg.svd(g)
    np.linalg.det(x)
    np.linalg.matrix_power(a, 3), np.linalg.matrix_power(a, 0), np.linalg.matrix_power(s, 5), np.linalg.matrix_power(i, 10), np.linalg.matrix_power(c, -2)
    np.linalg.matrix_power(a, 1), np.linalg.matrix_power(u, 0), np.linalg.matrix_power(i, -1), np.linalg.matrix_power(es, 2)
    np.linalg.matrix_power(a, 1.5)
    np.linalg.matrix_power(r, 2)
    np.linalg.matrix_power(z, -1)
    np.linalg.multi_dot([r, w, r]), np.linalg.multi_dot([b, a, m]), np.linalg.multi_dot([b, a, a, b]), np.linalg.multi_dot([a, m]), np.linalg.multi_dot((a, f, a, b))
    np.linalg.multi_dot([r, w, r, w, r], out=np.zeros_like(r)), np.linalg.multi_dot([b, b]), np.linalg.multi_dot([i, i, u[:3, :3]])
    np.linalg.multi_dot([r, w, r], out=np.zeros_like(r, "f"))
    np.linalg.multi_dot([r, w, r], out=np.zeros_like(r.T).T)
    np.linalg.multi_dot([a])
    np.linalg.multi_dot([a, s, a])
    np.linalg.multi_dot([a, r])
    np.linalg.tensorsolve(T, k), np.linalg.tensorsolve(t, i[:2] * 1.0), np.linalg.tensorsolve(np.moveaxis(T, 2, 0), k, axes=(0,))
    np.linalg.tensorsolve(t, k[:, :2])
    np.linalg.tensorinv(t), np.linalg.tensorinv(T, ind=2), np.linalg.tensorinv(np.moveaxis(T, 2, 0), ind=1)
    np.linalg.tensorinv(t, 0)
    np.linalg.tensorinv(r, 1)
    np.linalg.norm(a), np.linalg.norm(b), np.linalg.norm(s), np.linalg.norm(c), np.linalg.norm(i), np.linalg.norm(q), np.linalg.norm(e), np.linalg.norm(x)
    [np.linalg.norm(y, o) for y in (b, i[0], c[0], f[:, 1]) for o in (None, 0, 1, 2, 3, -1, -2, 0.5, np.inf, -np.inf)]
    [np.linalg.norm(y, o) for y in (a, r, c, w, i) for o in (None, "fro", "f", "nuc", 1, -1, 2, -2, np.inf, -np.inf)]
    [np.linalg.norm(s, o, axis, keep) for o in (1, -1, 2, "nuc", np.inf, "fro") for axis in ((-2, -1), (0, 3), (2, 1)) for keep in (False, True)]
    [np.linalg.norm(s, o, axis, True) for o in (1, 3, np.inf, 0) for axis in (0, -1, (1,))], np.linalg.norm(g), np.linalg.norm(e, axis=0)
    np.linalg.norm(a, "no")
    np.linalg.norm(b, "fro")
    np.linalg.norm(a, 3)
    np.linalg.norm(s, 2)
    np.linalg.norm(s, axis=(0, 1, 2))
    np.linalg.norm(a, axis=(0, 0))
    np.linalg.norm(a, axis=7)
    np.linalg.norm(e, np.inf, axis=0), [np.linalg.norm(e, o) for o in (1, np.inf, 2, "nuc", "fro")]
    np.linalg.norm(e, -np.inf, axis=0)
    np.linalg.norm(e, -1)
"""
NUMPY_2 = """
    np.linalg.matrix_rank(r, rtol=0.5), np.linalg.pinv(r, rtol=0.5)
    np.linalg.cholesky(p, upper=True)
    np.linalg.svdvals(s), np.linalg.svdvals(w)
    np.linalg.matrix_norm(s), np.linalg.matrix_norm(s, ord=2, keepdims=True), np.linalg.matrix_norm(c, ord="nuc"), np.linalg.matrix_norm(i, ord=-1)
    np.linalg.vector_norm(s), np.linalg.vector_norm(s, axis=(0, 2), ord=3), np.linalg.vector_norm(s, axis=1, keepdims=True, ord=np.inf)
    np.linalg.vector_norm(c, ord=1), np.linalg.vector_norm(i, axis=-1, ord=0), np.linalg.vector_norm(x)
    np.linalg.diagonal(s), np.linalg.diagonal(r, offset=-1), np.linalg.trace(s), np.linalg.trace(i, offset=1), np.linalg.trace(u, dtype="f")
    np.linalg.matrix_transpose(s), np.linalg.matmul(a, m), np.linalg.matmul(s, b), np.linalg.outer(b, v), np.linalg.outer(i[0], b)
    np.linalg.matrix_transpose(b)
    np.linalg.outer(a, b)
    np.linalg.tensordot(s, a, axes=1), np.linalg.tensordot(s, s, axes=((0, 1), (0, 1))), np.linalg.tensordot(t, i, axes=((1,), (0,)))
    np.linalg.tensordot(a, r)
    np.linalg.vecdot(a, b), np.linalg.vecdot(c, c), np.linalg.vecdot(s, s, axis=1), np.linalg.vecdot(i, i), np.linalg.vecdot(f, b, axis=0)
    np.linalg.vecdot(a, v)
    np.linalg.cross(i, c), np.linalg.cross(z[0], i), np.linalg.cross(r, r[0]), np.linalg.cross(k, k[::-1]), np.linalg.cross(i, i, axis=0)
    np.linalg.cross(a, a)
    np.linalg.cross(q, q)
"""
CASES = [line.strip() for line in (ROWS + (NUMPY_2 if hasattr(np.linalg, "svdvals") else "")).splitlines() if line.strip()]


@pytest.fixture(autouse=True, scope="module", params=["blocks", "others"])
def computing(request):
    """One context for all, so that kernels are loaded once. What computes: kernels of ours for small matrices, also on the
    host device, which has NumPy do it else; or what there is without them, cuSOLVER for small matrices, too."""
    cuda.init()
    context = cuda.Device(0).make_context()
    is_ours = request.param == "blocks"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LEAST", 0), ("LEAST_OF_SINGULAR_VALUES", 0), ("LEAST_OF_GENERAL", 0), ("FEWEST", 1), ("MOST_OF_EIGEN", 128),
                            ("ON_HOST_DEVICE", is_ours),
                            ("MOST", dict.fromkeys(_solvers.MOST, 128 if is_ours else 0))):
            patch.setattr(_solvers, name, value)
        yield request.param
    context.detach()


@pytest.fixture
def is_ours(computing):
    return computing == "blocks"


def run(text, variables):
    """The value, or the fault that is found."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(text, {"np": np} | variables)
    except (TypeError, ValueError, IndexError, np.linalg.LinAlgError) as error:
        return error


def _square(x):
    return x.conj().swapaxes(-1, -2) @ x


PRODUCTS = {  # of factors whose signs are free: what they are of, and the unit matrices that they make
    "EighResult": lambda w, v: (w, (v * w[..., None, :]) @ v.conj().swapaxes(-1, -2), _square(v)),
    "SVDResult": lambda u, s, vh: (s, (u[..., :s.shape[-1]] * s[..., None, :]) @ vh[..., :s.shape[-1], :], _square(u),
                                   _square(vh.swapaxes(-1, -2))),
    "EigResult": lambda w, v: (w.sum(-1), v @ (w[..., None] * np.linalg.inv(v)), (abs(v) ** 2).sum(-2)),
    "QRResult": lambda q, r: (q @ r, np.tril(r, -1), _square(q)),
}


def assert_same_products(got, wanted, what):
    one, other = (PRODUCTS[type(wanted).__name__](*factors) for factors in ([part.get() for part in got], wanted))
    for part, full in zip([*one, *got], [*other, *wanted], strict=True):
        assert (part.dtype, part.shape) == (full.dtype, full.shape), (what, got, wanted)
    for part, full in zip(one, other, strict=True):
        digits = np.finfo(full.dtype).eps
        assert np.allclose(part, full, 200 * digits, 200 * digits * np.abs(full).max(initial=1.0)), (what, got, wanted)


def assert_same(got, wanted, what):
    """The same types, dtypes, shapes and values; numbers of NumPy's are arrays without axes here."""
    if isinstance(wanted, Exception):
        assert isinstance(got, Exception), what
        kinds = [kind for kind in (np.linalg.LinAlgError, IndexError, TypeError, ValueError) if isinstance(wanted, kind)]
        assert isinstance(got, kinds[0]), (what, got, wanted)
    elif isinstance(wanted, (tuple, list)):
        assert getattr(got, "_fields", None) == getattr(wanted, "_fields", None) and len(got) == len(wanted), what
        if _solvers.are_there() and type(wanted).__name__ in PRODUCTS:
            assert_same_products(got, wanted, what)
            return
        for one, other in zip(got, wanted, strict=True):
            assert_same(one, other, what)
    else:
        wanted = np.asarray(wanted)
        assert type(got) is GPUArray and (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (what, got, wanted)
        digits = np.finfo(wanted.dtype).eps if wanted.dtype.kind in "fc" else 0
        scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)
        assert np.allclose(got.get(), wanted, 50 * digits, 50 * digits * scale, equal_nan=True), (what, got, wanted)


@pytest.mark.parametrize("computing, text",
                         [("others", text) for text in CASES] + [("blocks", text) for text in CASES[::1 if WIDE else 5]],
                         indirect=["computing"])
def test_expression(text):
    hosts = {name: array.copy() for name, array in VARIABLES.items()}
    got = run(text, {name: to_gpu(array) for name, array in VARIABLES.items()})
    assert_same(got, run(text, hosts), text)


def test_every_function_of_numpys_has_a_row():
    names = {name for name, function in vars(np.linalg).items() if hasattr(function, "__wrapped__")}
    assert len(names) > 20 and not [name for name in names if f"np.linalg.{name}(" not in ROWS + NUMPY_2]


# -- What Hypothesis draws -------------------------------------------------------------------------

FACTORISATIONS = {
    "cholesky": "definite", "det": "square", "eigh": "definite", "eigvalsh": "definite", "inv": "square", "pinv": "any",
    "matrix_rank": "any", "slogdet": "square", "solve": "system", "svd": "any", "eig": "square", "qr": "any", "norm": "any",
    "matrix_power": "power",
}


@st.composite
def layouts(draw, host):
    """The same elements on the host and the device in one of the ways in which they may lie, read-only views among
    them: (host array, GPUArray)."""
    order = draw(st.permutations(range(host.ndim)))
    steps = [draw(st.sampled_from([1, 2, -1])) for _ in order]
    back = np.argsort(order)
    room = np.zeros([host.shape[axis] * abs(step) for axis, step in zip(order, steps, strict=True)], host.dtype)
    index = tuple(slice(None, None, step) for step in steps)
    room[index] = host.transpose(order)
    return room[index].transpose(back), to_gpu(room)[index].transpose(tuple(int(axis) for axis in back))


@st.composite
def problems(draw):
    name = draw(st.sampled_from(sorted(FACTORISATIONS)))
    kind = FACTORISATIONS[name]
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    dtype = draw(st.sampled_from("fdFDdi"))
    batch = draw(st.lists(st.integers(0, 3), max_size=2))
    rows, columns = (draw(st.integers(0 if kind != "any" else 1, 5)) for _ in "ab")
    shape = (*batch, rows, columns if kind == "any" else rows)

    def numbers(*shape):
        x = rng.uniform(-3, 3, shape) + (1j * rng.uniform(-3, 3, shape) if dtype in "FD" else 0)
        return (x.real if dtype in "fdi" else x).astype(dtype)

    a = numbers(*shape)
    if kind == "definite":
        a = (a @ a.conj().swapaxes(-1, -2) + np.eye(rows, dtype=a.real.dtype) * 9).astype(dtype)
    operands = [a]
    if kind == "system":
        operands.append(numbers(*(batch if draw(st.booleans()) else []), rows, draw(st.integers(0, 3))))
    pairs = [draw(layouts(x)) for x in operands]
    more = {"matrix_power": (draw(st.integers(0, 4)),), "norm": (None, (-2, -1))}.get(name, ())
    return name, [[one[i] for one in pairs] for i in range(2)], more


@hypothesis.settings(max_examples=150 if WIDE else 40, deadline=None, derandomize=True, database=None,
                     suppress_health_check=[*hypothesis.HealthCheck])
@hypothesis.given(problems())
def test_layouts_dtypes_and_batches(problem):
    name, (hosts, arrays), more = problem

    def value(operands):
        return run("function(*operands, *more)",
                   {"function": getattr(np.linalg, name), "operands": operands, "more": more})

    assert_same(value(arrays), value(hosts), (name, [(x.shape, x.strides, x.dtype) for x in hosts], more))


# -- Memory and order ------------------------------------------------------------------------------


@pytest.mark.host
def test_numpy_computes_on_the_memory_of_the_array(monkeypatch):
    """Not on a copy, and may not write there."""
    from pycuda import _on_host

    seen, whole = [], _on_host.view
    monkeypatch.setattr(_solvers, "are_there", lambda: False)
    monkeypatch.setattr(_on_host, "view", lambda x: seen.append(whole(x)) or seen[-1])
    x = to_gpu(VARIABLES["s"])[:, ::-1].swapaxes(2, 3)
    np.linalg.eigvals(x)
    host, = seen
    assert host.ctypes.data == x.ptr and host.strides == x.strides and not host.flags.writeable


@pytest.mark.host
def test_the_view_keeps_the_memory():
    from pycuda import _on_host

    x = to_gpu(VARIABLES["a"])
    host = _on_host.view(x)
    del x
    for _ in range(20):
        gpuarray.zeros((4, 4), "d")
    assert np.array_equal(host, VARIABLES["a"])


SLOW = """
__global__ void late(double *x, int n)
{
    for (volatile int k = 0; k < 3000000; k++);
    if (threadIdx.x < n) x[threadIdx.x] = threadIdx.x % 5 ? 0 : 2;
}
"""


def test_what_is_on_its_way_comes_first():
    """Work of the null stream and of streams that it waits for."""
    late = SourceModule(SLOW).get_function("late")
    for stream in (None, cuda.Stream()):
        x = gpuarray.zeros((4, 4), "d")
        late(x, np.int32(16), block=(32, 1, 1), stream=stream)
        inverse = np.linalg.inv(x)
        x.fill(7)
        assert np.array_equal(inverse.get(), np.eye(4) / 2)


def test_pending_results_are_written_first():
    with gpuarray.lazy():
        x = to_gpu(VARIABLES["p"])
        y = x * 2 + 1
        z = np.linalg.inv(y) * 3
    assert_same(z, np.linalg.inv(VARIABLES["p"] * 2 + 1) * 3, "inv of a pending result")


def test_arrays_of_a_context_that_is_not_current():
    x = to_gpu(VARIABLES["a"])
    x *= 2
    other = cuda.Device(0).make_context()
    try:
        result = np.linalg.inv(x)
    finally:
        other.pop()
    assert_same(result, np.linalg.inv(VARIABLES["a"] * 2), "inv")


def test_operands_are_arrays_on_the_device():
    x = to_gpu(VARIABLES["a"])
    for operands in ((x, VARIABLES["b"]), (VARIABLES["a"], x), (x, [1, 2, 3, 4])):
        with pytest.raises(TypeError, match=r"numpy.linalg.solve: expected GPUArrays, got (ndarray|list)"):
            np.linalg.solve(*operands)


def test_results_come_from_the_operands_allocator():
    calls = []

    def allocate(size):
        calls.append(size)
        return cuda.mem_alloc(size)

    x = to_gpu(VARIABLES["p"], allocator=allocate)
    calls.clear()
    np.linalg.cholesky(x)
    assert calls == [x.nbytes]


@pytest.mark.parametrize("name", ["inv", "cholesky", "det", "eigvalsh", "svdvals", "pinv", "matrix_rank"])
@pytest.mark.parametrize("n", [40, 100])
def test_single_precision(name, n):
    """cuSOLVER computes in it, NumPy in double precision; pinv, whose rcond is usually less than the one can tell apart, is
    computed in double precision by both. The matrices are well conditioned, or have few singular values that are not 0."""
    if not hasattr(np.linalg, name):
        pytest.skip("NumPy 1 has none")

    def function(x):
        return getattr(np.linalg, name)(x, *((1e-10,) if name == "pinv" else ()))

    q, r = np.linalg.qr(_matrices(n, n))
    host = (q * np.linspace(0.5, 2, n)) @ q.T
    if name in ("pinv", "matrix_rank"):
        host = np.sign(r[:, -3:]) @ np.sign(r[:, -3:]).T * 2.0  # whole numbers: it has rank 3 in any precision
    host = host.astype("f")
    got, wanted = function(to_gpu(host)), np.asarray(function(host))
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    assert np.allclose(got.get(), wanted, 4 * n * np.finfo("f").eps, 1e-5 * abs(wanted).max()), name


def test_who_served_can_be_asked(is_ours):
    x, found = to_gpu(VARIABLES["a"]), []

    def elsewhere():
        found.append(libraries.last())

    np.linalg.solve(x, x)
    by_library = _native._library_solves()
    assert libraries.last() == ("pycuda_small_solve" if is_ours else "cusolverDnXgetrs" if by_library else "numpy.linalg.solve")
    np.linalg.norm(x, "nuc")
    assert libraries.last() == ("pycuda_small_svd" if is_ours else "cusolverDnXgesvdp" if by_library else "numpy.linalg.svd")
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == [None]
