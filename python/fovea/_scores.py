"""Scores files and frames that the program pushes."""

import array
import collections.abc
import contextlib
import functools
import logging
import math
import operator
import os
import typing

from . import _fovea, _run
from ._arguments import _callable, _choose, _iterable, _mapping, _videos
from ._cancel import _ending
from ._fovea import Error, UsageError
from ._metric import _metric_texts
from ._report import Report, Row
from ._run import Video

_LOG = logging.getLogger("fovea")
_LOG.addHandler(logging.NullHandler())
_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO)


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
        listed = list(frames)
        if any(isinstance(number, bool) for number in listed):
            raise TypeError
        numbers = sorted(map(operator.index, listed))
    except TypeError:
        raise TypeError(
            f"frames is {frames!r}; it must be a number of frames, or the numbers of those to score") from None
    if not numbers:
        raise ValueError("frames is empty: name the numbers of frames, or leave it out")
    if numbers[0] < 0:
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
    for number, job in enumerate(_iterable("jobs", jobs)):
        if not isinstance(job, (tuple, list)) or not 2 <= len(job) <= 3:
            raise TypeError(f"jobs[{number}] is {job!r}; it must be (reference, distorted) or (reference, "
                            "distorted, keywords)")
        reference, distorted = _videos(*job[:2])
        own = _mapping(f"jobs[{number}][2]", job[2] if len(job) > 2 else None, "keywords of score()")
        try:
            report = score(reference, distorted, **({"metrics": metrics} | keywords | dict(own)))
            yield Encode(distorted, report, None)
        except Error as error:
            yield Encode(distorted, error.report, error)


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


_run.explain(score, _run.SCORE, score)
_run.explain(score_encodes, _run.ENCODES, score_encodes)
_run.explain(Session.__new__, _run.PUSH, Session)
