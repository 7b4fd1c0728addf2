"""fovea: how good a video looks, in scores that are exact to the bit.

    import fovea
    report = fovea.score("reference.mov", "distorted.mp4", metrics=["vmaf", "cambi"])
    print(report.pooled["vmaf"]["mean"], report["cambi"][0])

score() takes two files, Session takes frames from arrays. Scores have the bits of the command `fovea`. Messages of
the library come from the logger "fovea". docs/python.md has examples.
"""

from ._cancel import Cancel
from ._devices import devices, metrics, verify_device
from ._format import Format
from ._fovea import (DeviceError, Error, Frame, InputError, Map, OutOfMemoryError, OutputError,
                     PartialError, UsageError, numerics_version, version as __version__)
from ._frames import Pairs, Still, align, find_bars
from ._metric import Metric
from ._models import BdRate, Feature, Model, bd_rate
from ._report import Gate, Output, Part, Report, Row, Segment, Verdict, read_report
from ._run import Video
from ._scores import Encode, Progress, Session, batch, rows, score, score_encodes

__all__ = ["BdRate", "Cancel", "DeviceError", "Encode", "Error", "Feature", "Format", "Frame", "Gate", "InputError",
           "Map", "Metric", "Model", "OutOfMemoryError", "Output", "OutputError", "Pairs", "Part", "PartialError",
           "Progress", "Report", "Row", "Segment", "Session", "Still", "UsageError", "Verdict", "Video", "align",
           "batch", "bd_rate", "devices", "find_bars", "metrics", "numerics_version", "read_report", "rows", "score",
           "score_encodes", "verify_device"]

for _name in __all__:  # where a name is defined is private
    if getattr(globals()[_name], "__module__", "fovea").startswith("fovea._"):
        globals()[_name].__module__ = "fovea"
