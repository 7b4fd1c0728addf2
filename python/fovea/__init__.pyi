"""The names of the package, for checkers of types and editors. help(fovea.score) explains them."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

from _typeshed import ReadableBuffer as Buffer

from . import _fovea
from ._format import Format as Format, _Rate as _Rate
from ._fovea import (DeviceError as DeviceError, Error as Error, Frame as Frame, InputError as InputError, Map as Map,
                     OutOfMemoryError as OutOfMemoryError, OutputError as OutputError, PartialError as PartialError,
                     UsageError as UsageError, numerics_version as numerics_version, version as __version__)
from ._report import (Gate as Gate, Output as Output, Part as Part, Report as Report, Row as Row,
                      Segment as Segment, Verdict as Verdict, read_report as read_report)

_Path = str | PathLike[str]
_Video = _Path | Video
_Metrics = str | Metric | Iterable[str | Metric] | Mapping[str, Mapping[str, Any] | None]
_Planes = _fovea._Planes
_Limits = Mapping[str, float | tuple[str, float]]
_Crop = tuple[int, int, int, int]
_Maps = Mapping[str, Callable[[Map], object]]

__all__: list[str]

@dataclass(frozen=True)
class Video:
    path: _Path
    # scripts/params: video
    width: int = 0
    height: int = 0
    pixel_format: str | None = None
    bitdepth: int = 0
    rate: _Rate = None
    reader: str | None = None
    decoder: str | None = None
    stream: int = 0
    range: str | None = None
    matrix: str | None = None
    transfer: str | None = None
    primaries: str | None = None
    siting: str | None = None
    fields: str | None = None
    conceal: bool = False
    frame_skip: int = 0
    crop: str | _Crop | None = None
    rotate: str | int | None = None
    film_grain: bool = True
    background: str | None = None
    # end

class Metric:
    name: str
    options: dict[str, Any]
    def __init__(self, name: str, **options: Any) -> None: ...

class Cancel:
    def __init__(self) -> None: ...
    @property
    def requested(self) -> bool: ...
    def request(self) -> None: ...

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
    def __new__(cls, metrics: _Metrics, *, format: Format | None = None, maps: _Maps | None = None,
                crop: tuple[_Crop | None, _Crop | None] | None = None,
                # scripts/params: push
                model: str | Sequence[str] | None = None,
                allow_hdr: bool = False,
                roi: str | None = None,
                ignore_rate: bool = False,
                ignore_range: bool = False,
                ignore_colour: bool = False,
                scale: str | tuple[int, int] | None = None,
                scale_filter: str | tuple[float, float] | None = None,
                pad: bool = False,
                stretch: bool = False,
                convert: str | Iterable[str] | None = None,
                intervals: float | None = None,
                overwrite: bool = False,
                device: str | None = None,
                isa: str | None = None,
                threads: int = 0,
                in_flight: int = 0,
                # end
                ) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...
    def rows(self) -> Iterator[Row]: ...
    def report(self) -> Report: ...
    def finish(self) -> Report: ...

class Pairs(_fovea.Pairs):
    def __new__(cls, reference: _Video | None, distorted: _Video, *, cancel: Cancel | None = None,
                # scripts/params: pairs
                align: str | None = None,
                shortest: bool = False,
                ignore_rate: bool = False,
                ignore_range: bool = False,
                ignore_colour: bool = False,
                ignore_fields: bool = False,
                start: float | None = None,
                duration: float | None = None,
                scale: str | tuple[int, int] | None = None,
                scale_filter: str | tuple[float, float] | None = None,
                pad: bool = False,
                stretch: bool = False,
                convert: str | Iterable[str] | None = None,
                threads: int = 0,
                # end
                ) -> Self: ...
    def __getitem__(self, number: int) -> tuple[Frame | None, Frame]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...

class Still(_fovea.Still):
    def __new__(cls, reference: _Planes | None, distorted: _Planes, *, device: str | None = None,
                isa: str | None = None, threads: int = 0, format: Format | None = None,
                cancel: Cancel | None = None) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *unused: object) -> None: ...

class Model(_fovea.Model):
    def __new__(cls, version: str | None = None, path: _Path | None = None) -> Self: ...
    @property
    def features(self) -> list[Feature]: ...
    def score(self, features: Mapping[str, Iterable[float]] | Iterable[Iterable[float]] | Buffer, *,
              disable_clip: bool = False, enable_transform: bool = False) -> dict[str, array[float]]: ...

def score(reference: _Video | None, distorted: _Video, metrics: _Metrics | None = None, *,
          fail_below: _Limits | None = None, fail_above: _Limits | None = None, maps: _Maps | None = None,
          progress: Callable[[Progress], object] | None = None, cancel: Cancel | None = None,
          # scripts/params: score
          model: str | Sequence[str] | None = None,
          allow_hdr: bool = False,
          roi: str | None = None,
          align: str | None = None,
          shortest: bool = False,
          strict: bool = False,
          ignore_rate: bool = False,
          ignore_range: bool = False,
          ignore_colour: bool = False,
          ignore_fields: bool = False,
          fields: bool = False,
          subsample: int = 0,
          frames: int | Iterable[int] = 0,
          start: float | None = None,
          duration: float | None = None,
          scale: str | tuple[int, int] | None = None,
          scale_filter: str | tuple[float, float] | None = None,
          pad: bool = False,
          stretch: bool = False,
          convert: str | Iterable[str] | None = None,
          intervals: float | None = None,
          scenes: bool = False,
          resume: _Path | None = None,
          timing: bool = False,
          overwrite: bool = False,
          device: str | None = None,
          isa: str | None = None,
          threads: int = 0,
          in_flight: int = 0,
          # end
          ) -> Report: ...
def score_encodes(reference: _Video | None, encodes: Iterable[_Video], metrics: _Metrics | None = None, *,
                  fail_below: _Limits | None = None, fail_above: _Limits | None = None,
                  maps: Mapping[str, Callable[[int, Map], object]] | None = None,
                  progress: Callable[[int, Progress], object] | None = None, cancel: Cancel | None = None,
                  # scripts/params: encodes
                  model: str | Sequence[str] | None = None,
                  allow_hdr: bool = False,
                  roi: str | None = None,
                  align: str | None = None,
                  shortest: bool = False,
                  strict: bool = False,
                  ignore_rate: bool = False,
                  ignore_range: bool = False,
                  ignore_colour: bool = False,
                  ignore_fields: bool = False,
                  fields: bool = False,
                  subsample: int = 0,
                  frames: int | Iterable[int] = 0,
                  start: float | None = None,
                  duration: float | None = None,
                  scale: str | tuple[int, int] | None = None,
                  scale_filter: str | tuple[float, float] | None = None,
                  pad: bool = False,
                  stretch: bool = False,
                  convert: str | Iterable[str] | None = None,
                  intervals: float | None = None,
                  scenes: bool = False,
                  timing: bool = False,
                  overwrite: bool = False,
                  device: str | None = None,
                  isa: str | None = None,
                  threads: int = 0,
                  in_flight: int = 0,
                  # end
                  ) -> list[Encode]: ...
def batch(jobs: Iterable[Sequence[Any]], metrics: _Metrics | None = None, **keywords: Any) -> Iterator[Encode]: ...
def rows(pairs: Iterable[tuple[_Planes | None, _Planes]], metrics: _Metrics, **session: Any) -> Iterator[Row]: ...
def align(reference: _Video, distorted: _Video, mode: str = "map", *, cancel: Cancel | None = None) -> array[int]: ...
def find_bars(video: _Video, *, cancel: Cancel | None = None) -> _Crop: ...
def bd_rate(anchor: Iterable[tuple[float, float]], test: Iterable[tuple[float, float]], *, method: str = "pchip",
            better: str = "higher", saturated: float = 0, least_points: int = 4, drop_dominated: bool = False,
            allow_little_overlap: bool = False) -> BdRate: ...
def verify_device(name: str, *, cancel: Cancel | None = None) -> dict[str, str]: ...
def metrics() -> list[SimpleNamespace]: ...
def devices() -> list[SimpleNamespace]: ...
