"""SciPy, scikit-learn and xarray on GPU arrays, by the array API standard: the same numbers as of NumPy's arrays, and on
the device. `make check` installs the three; without one of them its tests are not run."""

import importlib.util

import pytest

START = """
import os
os.environ["SCIPY_ARRAY_API"] = "1"
import numpy as np
import pycuda.autoinit
from pycuda import array_api as xp, gpuarray
from pycuda.gpuarray import GPUArray
host = np.random.default_rng(5).normal(size=(60, 4))
host[:, 1] += 2 * host[:, 0]
x = gpuarray.to_gpu(host)


def check(function, *arguments, tolerance=1e-10):
    wanted = function(*arguments)
    got = function(*(gpuarray.to_gpu(a) if isinstance(a, np.ndarray) else a for a in arguments))
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (got, wanted)), strict=True):
        assert isinstance(one, GPUArray if np.ndim(other) else (GPUArray, float)), (function, type(one))
        one = one.get() if isinstance(one, GPUArray) else one
        assert np.allclose(one, other, tolerance, tolerance, equal_nan=True), (function, one, other)
"""
SCIPY = """
from scipy import cluster, differentiate, fft, integrate, optimize, signal, special, stats
positive = abs(host) + 0.5
for name in ("skew kurtosis zscore sem variation gmean hmean moment kstat circmean tmean gstd iqr trim_mean").split():
    extra = {"trim_mean": (0.1,)}.get(name, ())
    check(lambda a: getattr(stats, name)(a, *extra), positive)
check(lambda a: stats.pmean(a, 3), positive)
check(lambda a: stats.zmap(a, a * 2), positive)
for name in ("logsumexp", "softmax", "log_softmax"):
    check(getattr(special, name), host)
check(special.xlogy, positive, positive)
check(special.rel_entr, positive, 2 * positive)
check(cluster.vq.whiten, host)
check(lambda a: integrate.trapezoid(a, axis=0), host)
check(lambda a: integrate.cumulative_trapezoid(a, axis=0), host)
check(optimize.rosen, host)
check(lambda a: differentiate.derivative(lambda q: q ** 3, a).df, host, tolerance=1e-6)
check(fft.fft, host)
check(lambda a: fft.irfft(fft.rfft(a)), host)
check(lambda a: signal.fftconvolve(a, a), host)
found = integrate.tanhsinh(lambda q: xp.exp(-q * q), xp.asarray(0.0), xp.asarray(1.0)).integral
assert isinstance(found, GPUArray) and abs(float(found) - 0.7468241328124271) < 1e-12

try:
    special.erf(x)  # SciPy's own compiled code reads the memory of NumPy's arrays
    raise AssertionError("it was refused until open_to_host() was called")
except TypeError as problem:
    assert "open_to_host" in str(problem)
gpuarray.open_to_host()
check(special.erf, host)
check(stats.lmoment, positive)
check(lambda a: tuple(stats.ttest_1samp(a, 0.1)), host)
check(lambda a: tuple(stats.normaltest(a)), host)
"""
SKLEARN = """
import sklearn
from sklearn import decomposition, linear_model, metrics, model_selection, pipeline, preprocessing
with sklearn.config_context(array_api_dispatch=True):
    for name in ("mean_squared_error r2_score mean_absolute_error max_error explained_variance_score "
                 "mean_pinball_loss").split():
        check(getattr(metrics, name), host[:, 0].copy(), host[:, 1].copy())
    for name in "euclidean_distances cosine_similarity rbf_kernel linear_kernel polynomial_kernel".split():
        check(getattr(metrics.pairwise, name), host, host[:7].copy(), tolerance=1e-7)
    for name in "StandardScaler MinMaxScaler MaxAbsScaler Normalizer Binarizer PolynomialFeatures".split():
        check(lambda a: getattr(preprocessing, name)().fit_transform(a), host)
    check(lambda a: pipeline.make_pipeline(preprocessing.StandardScaler(), preprocessing.MinMaxScaler()).fit_transform(a), host)
    check(lambda a: tuple(model_selection.train_test_split(a, random_state=3)), host)
    labels = (host[:, 0] > 0).astype(int)
    guess = np.where(host[:, 2] > 1, 1 - labels, labels)
    for name in ("accuracy_score f1_score precision_score recall_score zero_one_loss confusion_matrix jaccard_score "
                 "hamming_loss").split():
        check(getattr(metrics, name), labels, guess)
    check(lambda a: preprocessing.LabelEncoder().fit_transform(a), labels + 5)
    scaler = preprocessing.StandardScaler().fit(x)
    assert isinstance(scaler.mean_, GPUArray)
    for solver in ("full", "covariance_eigh"):
        check(lambda a: abs(decomposition.PCA(3, svd_solver=solver).fit(a).components_), host)
    check(lambda a: linear_model.Ridge(solver="svd").fit(a, a[:, 1] * 3).coef_, host)
    check(lambda a: scaler.inverse_transform(scaler.transform(x)) if isinstance(a, GPUArray) else a, host)
"""
XARRAY = """
import xarray
holes = np.where(host > 1, np.nan, host)
for data in (host, holes):
    for name in "sum mean std var max min prod cumsum cumprod argmax any all count".split():
        check(lambda a: getattr(xarray.DataArray(a, dims=("t", "s")), name)("t").data, data, tolerance=1e-7)
for function in (
        lambda a: a * 2 + a.mean("t"), lambda a: a.sel(s="b"), lambda a: a.where(a > 0, 0.0), lambda a: a.where(a > 0),
        lambda a: a.isnull(), lambda a: a.where(a > 0).fillna(7.0), lambda a: xarray.concat([a, a], "t"),
        lambda a: a.transpose("s", "t"), lambda a: a.roll(t=1), lambda a: a.shift(t=2), lambda a: a.diff("t"),
        lambda a: a.stack(z=("t", "s")), lambda a: a.coarsen(t=10).mean(), lambda a: a.clip(-1, 1), lambda a: np.sin(a),
        lambda a: a.isel(t=[1, 2]), lambda a: a.groupby("s").mean(), lambda a: a.pad(t=1), lambda a: a.astype("f4")):
    check(lambda a: function(xarray.DataArray(a, dims=("t", "s"), coords={"s": list("abcd")})).data, host, tolerance=1e-7)
table = xarray.DataArray(x, dims=("t", "s"))
assert "array(" in repr(table) and table.equals(table.copy()) and table.data is x
"""


@pytest.mark.parametrize("library, program", [("scipy", SCIPY), ("sklearn", SKLEARN), ("xarray", XARRAY)])
def test_library(library, program, run_python):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed: make check does that")
    done = run_python(START + program, PYTHONWARNINGS="ignore")
    assert done.returncode == 0, done.stderr
