"""fovea: how good a video looks, in scores that are exact to the bit.

    import fovea
    report = fovea.score("reference.mov", "distorted.mp4", metrics=["vmaf", "cambi"])
    print(report.pooled["vmaf"]["mean"], report["cambi"][0])

score() takes two files, Session takes frames from arrays. Scores have the bits of the command `fovea`. Messages of
the library come from the logger "fovea". docs/python.md has examples.
"""

import array
import collections.abc
import contextlib
import functools
import logging
import math
import operator
import os
import threading
import types
import typing
import weakref

from . import _fovea, _run
from ._format import Format
from ._fovea import (DeviceError, Error, Frame, InputError, Map, OutOfMemoryError, OutputError,
                     PartialError, UsageError, numerics_version, version as __version__)
from ._report import Gate, Output, Part, Report, Row, Segment, Verdict, read_report
from ._run import Video

__all__ = ["BdRate", "Cancel", "DeviceError", "Encode", "Error", "Feature", "Format", "Frame", "Gate", "InputError",
           "Map", "Metric", "Model", "OutOfMemoryError", "Output", "OutputError", "Pairs", "Part", "PartialError",
           "Progress", "Report", "Row", "Segment", "Session", "Still", "UsageError", "Verdict", "Video", "align",
           "batch", "bd_rate", "devices", "find_bars", "metrics", "numerics_version", "read_report", "rows", "score",
           "score_encodes", "verify_device"]

_LOG = logging.getLogger("fovea")
_LOG.addHandler(logging.NullHandler())
_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO)


class Metric:
    """A metric with options. str(Metric("psnr", enable_chroma=False)) is "psnr=enable_chroma=false"; special
    characters in values are escaped."""

    def __init__(self, name, **options):
        self.name = name
        self.options = options

    def __str__(self):
        def text(value):
            plain = str(value).lower() if isinstance(value, bool) else str(value)
            return "".join("\\" + letter if letter in ":,'\\" else letter for letter in plain)
        pairs = ":".join(f"{name}={text(value)}" for name, value in self.options.items())
        return f"{self.name}={pairs}" if pairs else self.name


class Cancel:
    """Ends calls from another thread: score(..., cancel=c), and c.request() elsewhere.

    score(), score_encodes(), batch(), align(), find_bars(), verify_device(), Pairs and Still accept it as `cancel`.
    A call that is ended finishes the frames in work and raises PartialError, whose `report` has the scored frames.
    Later reads of a Pairs, and maps and scores of a Still, raise PartialError too. A request cannot be withdrawn: a
    call that begins later ends at once. One Cancel may end any number of calls.
    """

    def __init__(self):
        self._lock = threading.RLock()  # reentrant: a signal handler may call request() during _ends()
        self._ended = weakref.WeakSet()
        self._requested = False

    @property
    def requested(self):
        """Whether request() was called."""
        return self._requested

    def request(self):
        """Requests the end of the calls, and returns at once. Any thread may call it, any number of times."""
        with self._lock:
            self._requested = True
            for ended in tuple(self._ended):
                ended.cancel()

    def _ends(self, ended):
        with self._lock:
            self._ended.add(ended)
            if self._requested:
                ended.cancel()


def _ending(cancel, ended):
    """Makes a request of `cancel` end the items of `ended`: sessions, or a _Stop."""
    if cancel is not None and not isinstance(cancel, Cancel):
        raise TypeError(f"cancel is {cancel!r}; it must be a fovea.Cancel")
    for item in ended if cancel else ():
        cancel._ends(item)


class _Stop(_fovea.Stop):
    """The stop request of a call or an object without a session. A class of Python allows weak references to it."""


def _stop(cancel):
    stop = _Stop()
    _ending(cancel, [stop])
    return stop


class Progress(typing.NamedTuple):
    """The progress of a run: frames scored, frames in total (None: unknown), seconds since its start, and the part
    that limits its speed (None: unknown)."""
    frames: int
    total: int | None
    seconds: float
    limited_by: str | None


class Encode(typing.NamedTuple):
    """The result for a distorted video of score_encodes() or batch(). report: its Report, or None if no frame was
    scored. error: why it failed, or None. With both, the report has the frames scored before the failure."""
    video: Video
    report: Report | None
    error: Error | None


def _log(level, message):
    _LOG.log(_LEVELS[level], "%s", message)


def _metric_of(name, options):
    """Returns the Metric of an item of metrics={"vmaf": {"version": "vmaf_v0.6.1neg"}, "psnr": None}."""
    if not isinstance(name, str):
        raise TypeError(f"metrics has the key {name!r}; it must be the name of a metric")
    if options is not None and not isinstance(options, collections.abc.Mapping):
        raise TypeError(f"metrics[{name!r}] is {options!r}; it must be a dict of the metric's options, or None")
    for option in options or ():
        if not isinstance(option, str):
            raise TypeError(f"metrics[{name!r}] has the key {option!r}; it must be the name of an option")
    return Metric(name, **(options or {}))


def _metric_texts(metrics):
    if metrics is None:
        return []
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    if isinstance(metrics, collections.abc.Mapping):
        metrics = [_metric_of(name, options) for name, options in metrics.items()]
    try:
        texts = list(metrics)
    except TypeError:
        raise TypeError(f"metrics is {metrics!r}; it must be a string, a fovea.Metric, several of them, or a dict "
                        "of names and "
                        "options") from None
    for item in texts:
        if not isinstance(item, (str, Metric)):
            raise TypeError(f"metrics has a {type(item).__name__}: a metric is a string or a fovea.Metric")
    if not texts:
        raise ValueError("metrics is empty: name one, or leave it out")
    return [str(item) for item in texts]


def _choose(name, value, choices):
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, choices))}")
    return choices.index(value)


def _mapping(name, value, meaning):
    """Returns an argument that must be a mapping with texts as keys; {} for None."""
    if value is None:
        return {}
    if not isinstance(value, collections.abc.Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(f"{name} is {value!r}; it must be a dict of {meaning}")
    return value


def _callable(name, value):
    if value is not None and not callable(value):
        raise TypeError(f"{name} is {value!r}; it must be a function")
    return value


def _flag(name, value):
    if not isinstance(value, (bool, int)):
        raise TypeError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def _iterable(name, value):
    try:
        return iter(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be an iterable") from None


def _gates(fail_below, fail_above):
    gates = []
    for name, conditions, above in (("fail_below", fail_below, False), ("fail_above", fail_above, True)):
        for output, limit in _mapping(name, conditions, "scores and their limits").items():
            pool, limit = limit if isinstance(limit, tuple) and len(limit) == 2 else ("mean", limit)
            try:
                limit = float(limit)
            except (TypeError, ValueError):
                raise TypeError(f"{name}: the limit of {output} is {limit!r}; it must be a number, or "
                                "(pool, number)") from None
            if math.isnan(limit):
                raise ValueError(f"{name}: the limit of {output} is nan")
            gates.append((output, _choose(f"{name}: the pooling of {output}", pool, _fovea.pools), above, limit))
    return gates


def _chosen(run):
    """Removes `frames` from the keywords and returns its numbers, sorted, if it lists frames; None: it is a count, or
    absent."""
    frames = run.get("frames")
    if frames is None or hasattr(frames, "__index__"):
        return None
    if isinstance(frames, (str, bytes)):
        raise TypeError(f"frames is {frames!r}; it must be a number of frames, or the numbers of those to score")
    del run["frames"]
    try:
        numbers = sorted(operator.index(number) for number in frames)
    except TypeError:
        raise TypeError(
            f"frames is {frames!r}; it must be a number of frames, or the numbers of those to score") from None
    if numbers and numbers[0] < 0:
        raise ValueError(f"frames has {numbers[0]}; frames count from 0")
    return numbers


def _folder(run, maps):
    """Removes `resume` from the keywords. Returns the bytes of its path, or None."""
    folder = run.pop("resume", None)
    if folder is None:
        return None
    if not isinstance(folder, (str, bytes, os.PathLike)) or not os.fsencode(folder):
        raise TypeError(f"resume is {folder!r}; it must be the path of a folder, which need not exist")
    if maps:
        raise ValueError("resume keeps scores and no maps: leave out maps, or resume")
    return os.fsencode(folder)


def _lacks(chosen, run, report):
    """Returns the error for chosen frames that were not scored, or None. With align= or subsample=, missing frames
    are no error."""
    there = set() if report is None else set(report.columns["frame"])
    missing = [number for number in chosen or () if number not in there]
    if not missing or run.get("align", "index") != "index" or run.get("subsample", 1) != 1:
        return None
    error = UsageError(f"frames has {missing[0]}, which was not scored: the videos, or the part of them that is "
                       "compared, have no "
                       f"frame of this number{f', and {len(missing) - 1} others' if len(missing) > 1 else ''}")
    error.status, error.report = 2, report
    return error


def _job(settings, metrics, progress, chosen, fail_below, fail_above, run, folder=None):
    """Returns the parameters of a run over files as the tuple that _fovea expects. progress gets the number of the
    encode as its first argument."""
    return (settings, metrics is None and not run.get("model"),
            None if chosen is None else array.array("q", chosen), _gates(fail_below, fail_above),
            _callable("progress", progress) and (lambda number, done, total, seconds, limited_by: progress(
                number, Progress(done, None if total < 0 else total, seconds, limited_by))), folder)


def _video(name, value):
    """Returns a path or a Video as a Video, and None as None."""
    if value is None or isinstance(value, Video):
        return value
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} is {value!r}; it must be a path or a fovea.Video")
    return Video(value)


def _videos(reference, distorted, names=("reference", "distorted")):
    videos = [_video(name, video) for name, video in zip(names, (reference, distorted))]
    if videos[1] is None:
        raise TypeError(f"{names[1]} is None; it must be a path or a fovea.Video")
    return videos


def _crops(crop):
    """Returns the parameters that set the crops of a session, whose pairs have no Videos."""
    try:
        pair = (None, None) if crop is None else tuple(crop)
        if len(pair) != 2 or not all(part is None or len(part) == 4 for part in pair):
            raise TypeError
    except TypeError:
        raise ValueError(f"crop is {crop!r}; it must be a pair, for the reference and the distorted video, of None "
                         "or (width, height, x, y)") from None
    return tuple(word for side, part in zip(("reference", "distorted"), pair) if part is not None
                 for word in (f"{side}.crop", ":".join(map(str, part))))


_OPENING = ("device", "isa", "threads", "in_flight", "intervals", "scenes", "overwrite", "roi", "model", "allow_hdr")


class Session(_fovea.Session):
    """Scores frames that the program pushes: one run of some metrics over one pair of videos. A context manager.

    metrics: as in score(). format: a Format with what arrays do not state: depth, range, rate and colour. maps:
    {"butteraugli.distance": f}: f(map) gets the Map of each frame, in the thread that pushes. crop: a pair, for the
    reference and the distorted video, each (width, height, x, y) or None. Times are in seconds.

    KEYWORDS

    Videos of different formats are prepared as by score(); push Frame objects if arrays do not state their formats.
    A session serves one thread at a time (else RuntimeError); any number of sessions may be in use. The GIL is
    released during calls.
    """

    def __new__(cls, metrics, *, format=None, maps=None, crop=None, **run):
        run = _run.take("Session", _run.PUSH, run)
        crops = _crops(crop)
        if isinstance(run.get("convert"), collections.abc.Iterable) and "rgb" in run["convert"]:
            raise ValueError("convert has 'rgb': a session takes RGB by Frame.from_rgb")
        prepares = bool(crops) or any(name not in _OPENING for name in run)
        self = cls._open(_metric_texts(metrics), run, crops, prepares, format)
        self._want(maps)
        return self

    @classmethod
    def _open(cls, metrics, run, crops=(), prepares=False, format=None):
        self = super().__new__(cls, metrics, _run.settings((), run) + crops, prepares, format, _log)
        self._told = 0
        self._result = None
        return self

    def _want(self, maps):
        for name, take in _mapping("maps", maps, "names of maps and functions").items():
            _callable(f"maps[{name!r}]", take)
            metric, point, name_of_map = name.partition(".")
            if not point:
                raise ValueError(f"maps: {name!r} is not METRIC.MAP, such as 'butteraugli.distance'")
            self._want_map(metric=metric, map=name_of_map, take=take)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def rows(self):
        """Yields a Row for each frame that was scored since the last call. Never waits."""
        for number, scores in self._rows(self._told):
            self._told += 1
            yield Row(number, scores)

    def report(self):
        """Returns the Report of the frames scored so far, or of all frames after finish()."""
        return self._result or Report(*self._report())

    def finish(self):
        """Waits until every pushed frame is scored, closes the session and returns its Report.

        Ctrl-C ends the wait; the `report` of the KeyboardInterrupt has the frames that were scored."""
        if self._result is None:
            try:
                self._finish()
            except BaseException as error:
                if not self.closed and self._scored:
                    error.report = self.report()
                raise
            self._result = Report(*self._report())
            self.close()
        return self._result


def _opening(run, **more):
    return {name: value for name, value in (run | more).items() if name in _OPENING}


def score(reference, distorted, metrics=None, *, fail_below=None, fail_above=None, maps=None, progress=None,
          cancel=None, **run):
    """Scores two files as `fovea score` does, and returns a Report. Keywords are the command's options.

    reference, distorted: a path, or a Video to set how it is read; reference None: the metrics need none.
    metrics: "vmaf,cambi", ["vmaf", Metric("psnr", enable_chroma=False)], ...; None: vmaf, psnr and psnr_hvs; of PQ
    and HLG cvvdp and pu_psnr in place of vmaf; of RGB pictures also those that take RGB.
    fail_below, fail_above: {"psnr_hvs": 35, "vmaf": ("p5", 80)}: gates. A failed gate raises nothing: see
    Report.gates and Report.passed. fail_above={"low_seconds": 0.5} limits Report.verdict.low_seconds.
    maps: {"butteraugli.distance": f}: calls f(map) for each frame, in order. progress: f, called with a Progress at
    most every 20 ms. cancel: a Cancel, by which another thread ends the call. frames: the number of frames to score,
    or a list of their numbers; UsageError, whose `report` has the other frames, if the videos lack one of them.

    KEYWORDS

    Times are in seconds. scale may be (width, height), scale_filter (B, C), and convert and model a list of values.
    resume is the path of a folder: finished parts stay there if the call is interrupted, and the same call continues
    from them and deletes them at its end. maps cannot be used with resume.
    Raises UsageError, InputError, DeviceError or PartialError. Ctrl-C, and an exception in maps or progress, end the
    call. The exception's `report` has the frames that were scored before, or is None or missing. Callbacks run in the
    caller's thread; the GIL is released between them.
    """
    run = _run.take("score", _run.SCORE, run)
    chosen = _chosen(run)
    folder = _folder(run, maps)
    videos = _videos(reference, distorted)
    _callable("progress", progress)
    words = _job(_run.settings(videos, run), metrics, progress and (lambda number, reached: progress(reached)),
                 chosen, fail_below, fail_above, run, folder)
    device = {} if folder is None else {"device": "cpu"}  # each part has its own session
    with Session._open(_metric_texts(metrics), _opening(run, **device)) as session:
        _ending(cancel, [session])
        session._want(maps)
        try:
            session._score(*videos, words)
        except BaseException as error:
            if session._scored:
                error.report = session.report()
            raise
        report = session.report()
    error = _lacks(chosen, run, report)
    if error:
        raise error
    return report


_GROUP = 16  # encodes that are scored at the same time, which limits the memory


def score_encodes(reference, encodes, metrics=None, *, fail_below=None, fail_above=None, maps=None, progress=None,
                  cancel=None, **run):
    """Scores several encodes of one reference, which is read and decoded once for each 16 of them. Returns a list of
    Encode.

    encodes: an iterable of paths and Videos, at least one. maps: {"butteraugli.distance": f}, called as f(number,
    map). progress: f, called as f(number, Progress). `number` counts encodes from 0. threads: number of threads for
    all encodes together; 0: as many as the process may use. The other keywords are those of score(). Each report
    equals that of score(): every encode has its own decisions, sizes, alignment and gates. An encode that is refused
    or fails gets an `error`, and the others are still scored.

    KEYWORDS

    Raises TypeError, ValueError and UsageError for arguments that concern all encodes. Ctrl-C, and an exception in
    maps or progress, end the call; the exception's `encodes` is the list so far, with reports of the frames that were
    scored.
    """
    if isinstance(encodes, (str, bytes, os.PathLike, Video)):
        raise TypeError("encodes is one video; it must be a list of videos")
    videos = [_videos(reference, encode, ("reference", f"encodes[{number}]")) for number, encode in
              enumerate(_iterable("encodes", encodes))]
    if not videos:
        raise ValueError("encodes is empty: name at least one video")
    run = _run.take("score_encodes", _run.ENCODES, run)
    chosen = _chosen(run)
    texts = _metric_texts(metrics)
    threads = _run.whole("threads", run.get("threads", 0))
    _callable("progress", progress)
    for name, take in _mapping("maps", maps, "names of maps and functions").items():
        _callable(f"maps[{name!r}]", take)
    told = []
    for first in range(0, len(videos), _GROUP):
        group = videos[first:first + _GROUP]
        each = max(1, (threads or _fovea.processors()) // len(group))
        passed = progress and (lambda number, reached: progress(first + number, reached))
        words = _job([_run.settings(pair, run) for pair in group], metrics, passed, chosen, fail_below,
                     fail_above, run)
        with contextlib.ExitStack() as stack:
            sessions = [stack.enter_context(Session._open(texts, _opening(run, threads=each)))
                        for _ in group]
            _ending(cancel, sessions)
            for number, session in enumerate(sessions, first):
                session._want({name: functools.partial(take, number) for name, take in (maps or {}).items()})
            reports = lambda: [session.report() if session._scored else None for session in sessions]
            try:
                errors = _fovea.score_encodes(sessions, group[0][0], [video for _, video in group], words, threads)
            except BaseException as error:
                error.encodes = told + [Encode(video, report, None) for (_, video), report in zip(group, reports())]
                raise
            for (_, video), report, error in zip(group, reports(), errors):
                if error is not None:
                    error.report = report
                else:
                    error = _lacks(chosen, run, report)
                told.append(Encode(video, report, error))
    return told


def batch(jobs, metrics=None, **keywords):
    """Scores pairs of files one after the other, and yields an Encode for each before it reads the next job.

    jobs: an iterable of (reference, distorted) or (reference, distorted, {keyword: value}). The keywords are those of
    score(); a job's keywords override those of the call. resume can be set in a job only. A job that is refused or
    fails gets an `error`, and later jobs are still scored.

    for job in fovea.batch(zip(references, distorteds), "psnr", frames=50): print(job.video.path, job.error)

    Raises TypeError and ValueError for a job or argument of a wrong kind. Ctrl-C, and an exception in maps or
    progress, end the batch.
    """
    if keywords.get("resume") is not None:
        raise ValueError("resume is the folder of one job: give it as (reference, distorted, {'resume': folder})")
    for number, job in enumerate(jobs):
        if not isinstance(job, (tuple, list)) or not 2 <= len(job) <= 3:
            raise TypeError(f"jobs[{number}] is {job!r}; it must be (reference, distorted) or (reference, "
                            "distorted, keywords)")
        reference, distorted = _videos(*job[:2])
        try:
            yield Encode(distorted, score(reference, distorted, **({"metrics": metrics} | keywords | dict(*job[2:]))),
                         None)
        except Error as error:
            yield Encode(distorted, error.report, error)


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


def rows(pairs, metrics, **session):
    """Scores pairs of frames from any iterable, and yields a Row for each as soon as it has its scores.

    for row in fovea.rows(zip(references, distorteds), "psnr"): print(row.number, row["psnr_y"])
    """
    with Session(metrics, **session) as scoring:
        for number, pair in enumerate(_iterable("pairs", pairs)):
            try:
                reference, distorted = pair
            except (TypeError, ValueError):
                raise TypeError(f"pairs[{number}] is {pair!r}; it must be a pair of frames") from None
            scoring.push(reference, distorted)
            yield from scoring.rows()
        report = scoring.finish()
    yield from report.frames[scoring._told:]


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
        values = array.array("d", self._score(self._rows(features), disable_clip, enable_transform))
        count = self._values
        names = ["score"]
        if count > 1:
            names += [f"member {i}" for i in range(1, count - 4)] + ["mean", "stddev", "low", "high"]
        return {name: values[place::count] for place, name in enumerate(names)}

    def _rows(self, features):
        names = [name for name, _ in self._features]
        if isinstance(features, collections.abc.Mapping):
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


def verify_device(name, *, cancel=None):
    """Tests a GPU against plain C. Returns {metric: ""} for equal bits, else {metric: why}. Takes seconds.

    Raises DeviceError if the device cannot be opened. The CPU is the standard, so for "cpu" the result is empty.
    Ctrl-C and a Cancel end the call."""
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r}; it must be the name of a device")
    return _fovea.verify_device(name, _stop(cancel))


def _namespaces(value):
    if isinstance(value, list):
        return [_namespaces(item) for item in value]
    if isinstance(value, dict):
        return types.SimpleNamespace(**{name: _namespaces(item) for name, item in value.items()})
    return value


def metrics():
    """Returns every metric: name, title, citation, needs_reference, takes_rgb, and lists that describe its options,
    outputs and maps."""
    return _namespaces(_fovea.metrics())


def devices():
    """Returns every device: name (for device=), title, driver, memory in bytes, usable, limits, lacks, software."""
    return _namespaces(_fovea.devices())


_run.explain(score, _run.SCORE, score)
_run.explain(score_encodes, _run.ENCODES, score_encodes)
_run.explain(Pairs.__new__, _run.PAIRS, Pairs)
_run.explain(Session.__new__, _run.PUSH, Session)
