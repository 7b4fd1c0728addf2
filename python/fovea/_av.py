"""Reads frames of PyAV without importing PyAV."""

import re

from ._format import Format
from ._fovea import Frame

_LAYOUTS = re.compile(r"(nv(12|21|16|24|42)|p[024]1[026](le)?|yuyv422|yvyu422|uyvy422|y21[02](le)?)$")
_PLANAR = re.compile(r"(?:yuv(j?)(420|422|444)p|gray)(\d+)?(?:le)?$")
_RANGES = {1: "limited", 2: "full"}     # AVColorRange, whose other properties are code points of ITU-T H.273


def _code(frame, name):
    value = getattr(frame, name, None)
    return None if value in (None, 0, 2) else str(int(value))


def frame_of(frame, where):
    """Returns a fovea.Frame with a copy of the samples, and with the tags of the frame."""
    name = frame.format.name
    planar, layout = _PLANAR.match(name), _LAYOUTS.match(name)
    if not planar and not layout:
        raise TypeError(f"{where} is of pixel format {name}: planar Y'CbCr, gray and interleaved formats such as "
                        "nv12 are taken, "
                        "and RGB by fovea.Frame.from_rgb(frame.to_ndarray(format='rgb24'))")
    chroma = None if layout else ":".join(planar[2]) if planar[2] else "4:0:0"
    full = planar and (planar[1] or name.startswith("gray"))
    colour_range = _RANGES.get(getattr(frame, "color_range", None) or 0)
    shape = Format(frame.width, frame.height, chroma, int(planar[3] or 8) if planar else 0,
                   colour_range or ("full" if full else None), None, _code(frame, "color_trc"),
                   _code(frame, "color_primaries"), _code(frame, "colorspace"))
    return Frame.from_bytes(shape, list(frame.planes), name if layout else None,
                            [plane.line_size for plane in frame.planes])
