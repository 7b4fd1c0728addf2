"""Reads pairs of frames of two files, and compares what they show."""

import array
import collections.abc

from . import _fovea, _run
from ._arguments import _choose, _videos
from ._cancel import _stop


class Pairs(_fovea.Pairs):
    """The pairs of frames of two files by number, as score() compares them: pairs[n] is (reference or None,
    distorted).

    KEYWORDS

    Reading the next pair is fastest. A context manager; one thread at a time. Ctrl-C ends opening, even while it
    waits for a pipe; a Cancel as `cancel` also ends reading.
    """

    def __new__(cls, reference, distorted, *, cancel=None, **run):
        reference, distorted = _videos(reference, distorted)
        return super().__new__(cls, reference, distorted,
                               _run.settings((reference, distorted), _run.take("Pairs", _run.PAIRS, run)),
                               _stop(cancel))

    def __getitem__(self, number):
        if _run.whole("number", number) < 0:
            raise IndexError(f"pair {number}: pairs are counted from 0, and not from the end")
        if number >= 1 << 63:
            raise IndexError(f"pair {number} is beyond the last one")
        return self.read(number)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


class Still(_fovea.Still):
    """One pair of frames, for trying options: map() and scores() compute only what a changed option affects.

    Still(reference, distorted, *, device=None, isa=None, threads=0, format=None, cancel=None) accepts the same frames
    as Session.push(). A context manager; one thread at a time.
    """

    def __new__(cls, reference, distorted, *, device=None, isa=None, threads=0, format=None, cancel=None):
        for name, frame in (("reference", reference), ("distorted", distorted)):
            if isinstance(frame, collections.abc.Mapping):
                raise TypeError(f"{name} is {frame!r}; it must be a frame, or its planes")
        for name, value in (("device", device), ("isa", isa)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} is {value!r}; it must be a string or None")
        return super().__new__(cls, reference, distorted, _stop(cancel), device=device, isa=isa,
                               threads=_run.whole("threads", threads), format=format)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def align(reference, distorted, mode="map", *, cancel=None):
    """Finds the frames of two files that show the same content. Returns an array('q') with the number of the
    reference frame that each distorted frame shows; -1: it shows none. Repeated frames have equal numbers.

    mode: "map", or "auto" for one offset of all frames. score(align=mode) compares these pairs, each reference frame
    once. Reads both files to their ends and ignores Video.crop. Raises InputError if the result is not certain or
    does not fit the mode. Ctrl-C and a Cancel end the call. docs/alignment.md
    """
    videos = _videos(reference, distorted)
    for name, video in zip(("reference", "distorted"), videos):
        if video is None or video.frame_skip:
            raise ValueError(f"{name} is None: align() compares two videos" if video is None else
                             f"{name}.frame_skip is {video.frame_skip}: align() pairs whole videos")
    _choose("mode", mode, ("auto", "map"))
    return array.array("q", _fovea.align(*videos, _run.settings(videos, {"align": mode}), _stop(cancel)))


def find_bars(video, *, cancel=None):
    """Finds the part of a video file inside black bars. Returns (width, height, x, y), a value for Video.crop. Reads
    the whole file.

    Raises InputError if the bars are not certain. Ctrl-C and a Cancel end the call."""
    video = _videos(None, video, ("reference", "video"))[1]
    return _fovea.find_bars(video, _run.settings((None, video), {}), _stop(cancel))


_run.explain(Pairs.__new__, _run.PAIRS, Pairs)
