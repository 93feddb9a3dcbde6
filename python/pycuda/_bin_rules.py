"""How wide the bins of a histogram should be: the rules that numpy.histogram_bin_edges knows by name, from what
reductions of the array say (Freedman and Diaconis 1981, Scott 1979, Doane 1976, Sturges 1926, Stone 1984)."""

import math

import numpy as np

from pycuda import _native


def _span(x):
    return float(_native.max(x).get()) - float(_native.min(x).get())


def _root(x):
    return _span(x) / math.sqrt(x.size)


def _sturges(x):
    return _span(x) / (math.log2(x.size) + 1.0)


def _rice(x):
    return _span(x) / (2.0 * x.size ** (1.0 / 3))


def _scott(x):
    return (24.0 * math.sqrt(math.pi) / x.size) ** (1.0 / 3.0) * float(x.std().get())


def _freedman_diaconis(x):
    high, low = np.percentile(x, [75, 25]).get()
    return 2.0 * float(high - low) * x.size ** (-1.0 / 3.0)


def _doane(x):
    if x.size < 3:
        return 0.0
    n = float(x.size)
    deviation = float(x.std().get())
    if deviation <= 0.0:
        return 0.0
    skew = float((((x - x.mean()) / deviation) ** 3).mean().get())
    expected = math.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    return _span(x) / (1.0 + math.log2(n) + math.log2(1.0 + abs(skew) / expected))


def _auto(x):
    width = max(_freedman_diaconis(x), _root(x) / 2)
    return min(width, _sturges(x))


def _stone(x, limits):
    """The number of bins, up to 100 or the square root of the elements, for which the estimated error is least."""
    from pycuda._histograms import histogram

    n, span = x.size, _span(x)
    if n <= 1 or span == 0:
        return 0.0

    def error(count):
        width = span / count
        share = histogram(x, count, limits)[0].get() / n
        return (2 - (n + 1) * share.dot(share)) / width

    most = max(100, int(math.sqrt(n)))
    return span / min(range(1, most + 1), key=error)


_RULES = {"auto": _auto, "doane": _doane, "fd": _freedman_diaconis, "rice": _rice, "scott": _scott, "sqrt": _root,
          "sturges": _sturges}


def bins_by(rule, x, first, last, is_limited):
    """How many bins from `first` to `last` a rule makes of an array; is_limited: others than those are left out."""
    if rule not in _RULES and rule != "stone":
        raise ValueError(f"{rule!r} is not a valid estimator for `bins`")
    if is_limited:
        x = x.ravel()[((x >= first) & (x <= last)).ravel()]
    if not x.size:
        return 1
    x = x.ravel()
    width = _stone(x, (first, last)) if rule == "stone" else _RULES[rule](x)
    if not width:
        return 1
    if x.dtype.kind in "iu" and width < 1:
        width = 1
    return max(math.ceil((last - first) / width), 1)
