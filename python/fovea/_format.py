"""Formats of pictures and videos: data only, so that _fovea can import it."""

import dataclasses
import fractions
import os

_ROTATIONS = (None, "auto", 0, 90, 180, 270)
_FIELDS = (None, "progressive", "top", "bottom")


_Rate = fractions.Fraction | float | str | tuple[int, int] | None


def _as_rate(rate: _Rate) -> fractions.Fraction | None:
    """Frames per second as a Fraction: of a string such as "30000/1001", of a number, or None."""
    if rate is None or isinstance(rate, fractions.Fraction):
        return rate
    if isinstance(rate, tuple):
        return fractions.Fraction(*rate)
    return fractions.Fraction(rate).limit_denominator(1001)


@dataclasses.dataclass(frozen=True)
class Format:
    """The format of a picture: planar Y'CbCr.

    width, height: of luma, in samples; 0: as the arrays have it.
    chroma: "4:2:0", "4:2:2", "4:4:4", "4:0:0"; None: as the arrays have it. Odd sizes are rounded up.
    depth: bits per sample, 8 to 16; above 8 they are the low bits of uint16. 0: 8.
    range: "limited", "full" or None (not known). rate: frames per second, a Fraction, a number, or None.
    transfer, primaries, matrix: names such as "bt709" or code points of ITU-T H.273 as text, or None.
    siting: "left", "center", "topleft", "top", "bottomleft", "bottom" or None.
    peak: of the mastering display in cd/m2; 0: not known.
    """
    width: int = 0
    height: int = 0
    chroma: str | None = None
    depth: int = 0
    range: str | None = None
    rate: _Rate = None
    transfer: str | None = None
    primaries: str | None = None
    matrix: str | None = None
    siting: str | None = None
    peak: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _as_rate(self.rate))


@dataclasses.dataclass(frozen=True)
class Video:
    """A video file, and how it is read. It opens nothing.

    path: of a file; "-": standard input. reader: None, "y4m", "raw", "icpf", "libav", "libav:FORMAT".
    width, height, pixel_format ("420", "nv12", ...), bitdepth, rate: of a raw video.
    stream: of a container, from 1; 0: the best one. decoder: None or "prores=libavcodec".
    range, matrix, transfer, primaries, siting: replace the file's own, as in Format.
    fields: the true field order, "top" or "bottom" (which comes first) or "progressive"; None: the file's own.
    rotate: None (as stored), "auto" (as a player turns it), 0, 90, 180 or 270 degrees clockwise.
    conceal: take damaged ProRes frames. film_grain: False: without the grain that streams ask decoders to add. crop: None,
    (width, height, x, y) in luma samples, or "auto": without black bars. frame_skip: frames dropped at the start.
    """
    path: str | os.PathLike[str]
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
    rotate: str | int | None = None
    conceal: bool = False
    film_grain: bool = True
    crop: str | tuple[int, int, int, int] | None = None
    frame_skip: int = 0

    def __post_init__(self) -> None:
        if self.rotate not in _ROTATIONS or self.rotate is False:
            raise ValueError(f"rotate is {self.rotate!r}; it is None, 'auto', 0, 90, 180 or 270")
        if self.fields not in _FIELDS:
            raise ValueError(f"fields is {self.fields!r}; it is None, 'progressive', 'top' or 'bottom'")
        if isinstance(self.crop, str) and self.crop != "auto":
            raise ValueError(f"crop is {self.crop!r}; it is 'auto' or (width, height, x, y)")
        object.__setattr__(self, "rate", _as_rate(self.rate))
        path = os.fsencode(self.path)
        object.__setattr__(self, "_path", path)
        if 0 in path:
            raise ValueError(f"path has a null character: {self.path!r}")
        object.__setattr__(self, "_fields", _FIELDS.index(self.fields))
        object.__setattr__(self, "_rotate", _ROTATIONS.index(self.rotate))
