"""The names of the package, for checkers of types and editors. help(fovea.score) explains them."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

from _typeshed import ReadableBuffer as Buffer

from . import _fovea
from ._format import Format as Format, Video as Video
from ._fovea import (DeviceError as DeviceError, Error as Error, Frame as Frame, InputError as InputError, Map as Map,
                     OutOfMemoryError as OutOfMemoryError, OutputError as OutputError, PartialError as PartialError,
                     UsageError as UsageError, numerics_version as numerics_version, version as __version__)
from ._report import (Gate as Gate, Output as Output, Part as Part, Report as Report, Row as Row,
                      read_report as read_report)

_Path = str | PathLike[str]
_Video = _Path | Video
_Metrics = str | Metric | Iterable[str | Metric]
_Planes = _fovea._Planes
_Limits = Mapping[str, float | tuple[str, float]]
_Kernel = str | tuple[float, float]
_Crop = tuple[int, int, int, int]
_Maps = Mapping[str, Callable[[Map], object]]

__all__: list[str]

class Metric:
    name: str
    options: dict[str, Any]
    def __init__(self, name: str, **options: Any) -> None: ...

class Progress(NamedTuple):
    frames: int
    total: int | None
    seconds: float
    limited_by: str | None

class Encode(NamedTuple):
    video: Video
    report: Report | None
    error: Error | None

class Feature(NamedTuple):
    name: str
    options: dict[str, str]

class BdRate(NamedTuple):
    rate: float
    quality: float
    overlap: float
    rate_overlap: float
    refusal: str | None
    reason: str
    dropped: tuple[list[tuple[float, float, str]], list[tuple[float, float, str]]]

class Session(_fovea.Session):
    def __new__(cls, metrics: _Metrics, *, device: str | None = None, isa: str | None = None, threads: int = 0,
                in_flight: int = 0, intervals: float | None = None, format: Format | None = None,
                maps: _Maps | None = None, crop: tuple[_Crop | None, _Crop | None] | None = None,
                **preparation: Any) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...
    def rows(self) -> Iterator[Row]: ...
    def report(self) -> Report: ...
    def finish(self) -> Report: ...

class Pairs(_fovea.Pairs):
    def __new__(cls, reference: _Video | None, distorted: _Video, **keywords: Any) -> Self: ...
    def __getitem__(self, number: int) -> tuple[Frame | None, Frame]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...

class Still(_fovea.Still):
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...

class Model(_fovea.Model):
    @property
    def features(self) -> list[Feature]: ...
    def score(self, features: Mapping[str, Iterable[float]] | Iterable[Iterable[float]] | Buffer, *,
              disable_clip: bool = False, enable_transform: bool = False) -> dict[str, array[float]]: ...

def score(reference: _Video | None, distorted: _Video, metrics: _Metrics | None = None, *, device: str | None = None,
          isa: str | None = None, threads: int = 0, in_flight: int = 0, align: str = "index", shortest: bool = False,
          ignore_rate: bool = False, ignore_range: bool = False, ignore_colour: bool = False, ignore_fields: bool = False,
          strict: bool = False, fields: bool = False, scale: str | tuple[int, int] | None = None, fit: str | None = None,
          kernel: _Kernel = "bicubic", convert: str | Iterable[str] = (), subsample: int = 1, frame_cnt: int = 0,
          frames: Iterable[int] | None = None, start: float = 0, duration: float = 0, intervals: float | None = None,
          scenes: bool = False, allow_hdr: bool = False, fail_below: _Limits | None = None,
          fail_above: _Limits | None = None, maps: _Maps | None = None,
          progress: Callable[[Progress], object] | None = None) -> Report: ...
def score_encodes(reference: _Video | None, encodes: Iterable[_Video], metrics: _Metrics | None = None, *,
                  device: str | None = None, isa: str | None = None, threads: int = 0, in_flight: int = 0,
                  align: str = "index", shortest: bool = False, ignore_rate: bool = False, ignore_range: bool = False,
                  ignore_colour: bool = False, ignore_fields: bool = False, strict: bool = False,
                  fields: bool = False, scale: str | tuple[int, int] | None = None, fit: str | None = None,
                  kernel: _Kernel = "bicubic", convert: str | Iterable[str] = (), subsample: int = 1, frame_cnt: int = 0,
                  frames: Iterable[int] | None = None, start: float = 0, duration: float = 0,
                  intervals: float | None = None, scenes: bool = False, allow_hdr: bool = False,
                  fail_below: _Limits | None = None, fail_above: _Limits | None = None,
                  maps: Mapping[str, Callable[[int, Map], object]] | None = None,
                  progress: Callable[[int, Progress], object] | None = None) -> list[Encode]: ...
def batch(jobs: Iterable[Sequence[Any]], metrics: _Metrics | None = None, **keywords: Any) -> Iterator[Encode]: ...
def rows(pairs: Iterable[tuple[_Planes | None, _Planes]], metrics: _Metrics, **session: Any) -> Iterator[Row]: ...
def align(reference: _Video, distorted: _Video, mode: str = "map") -> array[int]: ...
def find_bars(video: _Video) -> _Crop: ...
def bd_rate(anchor: Iterable[tuple[float, float]], test: Iterable[tuple[float, float]], *, method: str = "pchip",
            better: str = "higher", saturated: float = 0, least_points: int = 4, drop_dominated: bool = False,
            allow_little_overlap: bool = False) -> BdRate: ...
def verify_device(name: str) -> dict[str, str]: ...
def metrics() -> list[SimpleNamespace]: ...
def devices() -> list[SimpleNamespace]: ...
