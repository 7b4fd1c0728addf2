"""Models of VMAF, and the comparison of curves."""

import array
import collections.abc
import os
import typing

from . import _fovea, _run
from ._arguments import _choose, _flag, _iterable


class Feature(typing.NamedTuple):
    """An input of a Model: libvmaf's long name of a score, and the options of its metric, as text."""
    name: str
    options: dict[str, str]


class Model(_fovea.Model):
    """A model of VMAF, for programs that compute its features themselves: Model("vmaf_v0.6.1"), or
    Model(path="model.json").

    The metric "vmaf" of score() computes both features and score. A model never changes; any number of threads may
    use it.
    Raises UsageError for a version that does not exist, and InputError for a file that is not a model.
    """

    def __new__(cls, version=None, path=None):
        if version is not None and not isinstance(version, str):
            raise TypeError(f"version is {version!r}; it must be the name of a model")
        if path is not None and not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"path is {path!r}; it must be the path of a file")
        return super().__new__(cls, version) if path is None else super().__new__(cls, version, path)

    @property
    def features(self):
        """The features that score() needs, in the order of its rows: a list of Feature."""
        return [Feature(*feature) for feature in self._features]

    def score(self, features, *, disable_clip=False, enable_transform=False):
        """Scores frames from their features. Returns {name: array('d') with a value for each frame}.

        features: {name of a feature: a sequence of numbers, one for each frame}, or rows of numbers in the order of
        `features`: a sequence of rows, or a contiguous 2-D buffer of float64, frames x features. disable_clip: do not
        clip scores to the model's range. enable_transform: transform scores even if the model disables its transform.

        A plain model returns "score". A collection of n models returns "score", "member 1" to "member n-1" (the other
        models), "mean", "stddev", and "low" and "high", the ends of the interval that contains 95 % of the models'
        scores. Raises KeyError for a missing feature, and ValueError for columns or rows of another length.
        """
        try:
            rows = self._rows(features)
        except TypeError as error:
            raise TypeError(f"features is {features!r}; it must be a dict of columns, or rows: {error}") from None
        values = array.array("d", self._score(rows, _flag("disable_clip", disable_clip),
                                              _flag("enable_transform", enable_transform)))
        count = self._values
        names = ["score"]
        if count > 1:
            names += [f"member {i}" for i in range(1, count - 4)] + ["mean", "stddev", "low", "high"]
        return {name: values[place::count] for place, name in enumerate(names)}

    def _rows(self, features):
        names = [name for name, _ in self._features]
        if isinstance(features, collections.abc.Mapping):
            for name in names:
                if name not in features:
                    raise KeyError(f"features lacks {name}")
            columns = [list(features[name]) for name in names]
            if len({len(column) for column in columns}) > 1:
                raise ValueError("features has columns of different lengths: " +
                                 ", ".join(str(len(column)) for column in columns))
            return array.array("d", (value for row in zip(*columns) for value in row))
        try:
            view = memoryview(features)
        except TypeError:
            rows = [list(row) for row in features]
        else:
            if view.format != "d" or view.ndim != 2 or not view.c_contiguous:
                raise TypeError("features is a buffer; it takes contiguous float64 of frames x features")
            rows = [view.cast("B").cast("d")[i:i + view.shape[1]].tolist()
                    for i in range(0, view.nbytes // 8, view.shape[1] or 1)]
        for row in rows:
            if len(row) != len(names):
                raise ValueError(f"features has a row of {len(row)} values; the model reads {len(names)}: "
                                 f"{', '.join(names)}")
        return array.array("d", (value for row in rows for value in row))


class BdRate(typing.NamedTuple):
    """The comparison of a test curve with an anchor: see bd_rate(). If `refusal` is not None, numbers are NaN.

    rate: percent; negative: the test needs fewer bits for the same quality. quality: test minus anchor, in the unit
    of the score. overlap, rate_overlap: the shared part of the qualities and of the rates, 0 to 1. refusal: None, or
    its kind, such as "no overlap"; reason: a sentence that explains it. dropped: the points that were left out of the
    anchor and of the test, each a list of (rate, quality, why).
    """
    rate: float
    quality: float
    overlap: float
    rate_overlap: float
    refusal: str | None
    reason: str
    dropped: tuple[list[tuple[float, float, str]], list[tuple[float, float, str]]]


def bd_rate(anchor, test, *, method="pchip", better="higher", saturated=0, least_points=4, drop_dominated=False,
            allow_little_overlap=False):
    """Computes BD-rate and BD-quality of two curves, each an iterable of (bit rate, quality) in any order. Returns a
    BdRate.

    method: "pchip", "pchip-aom", "akima" or "cubic". better: "higher" or "lower", the direction of the quality.
    saturated: a curve ends at a point at least as good as this if the next point is worse (99.5 for VMAF); 0: curves
    are never cut. least_points: least number of points per curve. drop_dominated: leave out points that cost more
    bits for less quality. allow_little_overlap: compare curves that share less than a quarter of their qualities. For
    curves that cannot be compared, the BdRate has a refusal and no numbers. Raises UsageError for arguments out of
    range. docs/bd.md
    """
    _choose("better", better, ("lower", "higher"))
    if not isinstance(saturated, (int, float)):
        raise TypeError(f"saturated is {saturated!r}; it must be a number")
    least_points = _run.whole("least_points", least_points)
    drop_dominated, allow_little_overlap = (_flag("drop_dominated", drop_dominated),
                                            _flag("allow_little_overlap", allow_little_overlap))
    curves = []
    for name, points in (("anchor", anchor), ("test", test)):
        flat = array.array("d")
        for point in _iterable(name, points):
            try:
                rate, quality = point
                flat.extend((rate, quality))
            except (TypeError, ValueError):
                raise TypeError(f"{name} has {point!r}: a point is (bit rate, quality)") from None
        curves.append(flat)
    return BdRate(*_fovea.bd_rate(*curves, _choose("method", method, _fovea.bd_methods),
                                  better == "higher", saturated, least_points, drop_dominated, allow_little_overlap))
