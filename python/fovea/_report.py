"""Defines reports: scores as columns, and the other content of the JSON report."""

import array
import bisect
import collections.abc
import dataclasses
import functools
import html
import json
import math
import os
import tempfile
import typing

from . import _fovea, _run

_FORMATS = {"json": 0, "csv": 1, "ndjson": 2, "html": 3, "events": 4}  # FvReportFormat


def _number(value: float | str | None) -> float:
    """JSON has no infinities: the report writes "inf", "-inf" and "nan"."""
    return math.nan if value is None else float(value)


def _pools(pooled: dict[str, dict[str, float | str | None]]) -> dict[str, dict[str, float]]:
    return {score: {pool: _number(value) for pool, value in values.items()} for score, values in pooled.items()}


@dataclasses.dataclass(frozen=True)
class Output:
    """The description of a score. unit: "dB", ... or "". minimum, maximum: its bounds. better: which values are
    better, "higher", "lower" or "neither". sequence: it is one value for the whole clip. metric: name of its
    metric."""
    name: str
    unit: str
    minimum: float
    maximum: float
    better: str
    sequence: bool
    metric: str


@dataclasses.dataclass(frozen=True)
class Gate:
    """A condition on a pooled score, with its outcome: "passed", "failed", or "undefined" for NaN."""
    score: str
    pool: str | None
    fails: str
    limit: float
    value: float
    outcome: str


@dataclasses.dataclass(frozen=True)
class Segment:
    """A bad segment of a score: a time with low frames, whose word is two or more below the word of the clip.

    first, last: numbers of its first and last frame. start, end: seconds at which the first frame begins and the last
    one ends. low_seconds: duration of its low frames. mean, level, word: mean of its low frames, with its level and
    word. worst: value of worst_frame. cost: sum over its low frames of words below the clip x seconds. bit_rate: bits
    per second in the distorted video, or None. cause: "starved", "hard", the kind of an event that covers it, or
    None. shots: its parts within one scene each, as (first, last, worst_frame)."""
    score: str
    first: int
    last: int
    start: float
    end: float
    low_seconds: float
    mean: float
    level: int
    word: str
    worst: float
    worst_frame: int
    cost: float
    bit_rate: float | None
    cause: str | None
    shots: list[tuple[int, int, int]]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict on a clip (docs/verdicts.md); str() is its sentence.

    kind: "not scored", "partial", "not comparable", "gate failed", "identical", "but", "word", "number" or "checked".
    score: the score that represents the clip, or None. value, level, word: mean of that score, with its level (1 to
    5) and word; nan, 0 and "" if there is no such score. bound: "at most", "at least" or None. reason: why the clip
    is partial, not comparable, or fails a gate, or None. low_seconds: duration that the sentence counts as low.
    segments: bad segments of all scores with words, those of `score` first. events: findings in the videos, as the
    dicts of the JSON report (docs/report.md)."""
    kind: str
    sentence: str
    score: str | None
    value: float
    level: int
    word: str
    bound: str | None
    reason: str | None
    low_seconds: float
    segments: list[Segment]
    events: list[dict[str, typing.Any]]

    def __str__(self) -> str:
        return self.sentence


def _segment(found: dict[str, typing.Any]) -> Segment:
    shots = [(shot["first"], shot["last"], shot["worst_frame"]) for shot in found["shots"]]
    numbers = {name: _number(found[name]) for name in ("mean", "worst")}
    members: dict[str, typing.Any] = {**found, **numbers, "shots": shots}
    return Segment(**members)


@dataclasses.dataclass(frozen=True)
class Part:
    """An interval or a scene: number of its first frame, count of its scored frames, and its pooled scores."""
    frame: int
    frame_count: int
    pooled: dict[str, dict[str, float]]


class Row(collections.abc.Mapping[str, float]):
    """The scores of one frame by name; .number is the number of the frame."""
    __slots__ = ("number", "_scores")

    def __init__(self, number: int, scores: dict[str, float]) -> None:
        self.number = number
        self._scores = scores

    def __getitem__(self, score: str) -> float:
        return self._scores[score]

    def __iter__(self) -> collections.abc.Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return f"Row({self.number}, {self._scores})"


class _Rows(collections.abc.Sequence[Row]):
    """The rows of a report, each made when it is read."""

    def __init__(self, columns: dict[str, "array.array[typing.Any]"]) -> None:
        self._numbers = columns["frame"]
        self._scores = {name: column for name, column in columns.items() if name != "frame"}

    def __len__(self) -> int:
        return len(self._numbers)

    @typing.overload
    def __getitem__(self, place: int) -> Row: ...

    @typing.overload
    def __getitem__(self, place: slice) -> list[Row]: ...

    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        return Row(self._numbers[place], {name: column[place] for name, column in self._scores.items()})


class Report:
    """The scores of a session. A report needs no file, device or thread, and can be pickled.

    A report maps names to columns like a dict: `"vmaf" in report`, `list(report)`, `dict(report)`, `report.items()`;
    but len(report) is the number of scored frames.

    columns: {"frame": array('q') of frame numbers, score: array('d') of values, ...}, in the order of the report. An
    array has the buffer protocol, so numpy.asarray(report["psnr_y"]) copies nothing, and pandas takes the whole dict.
    """

    def __init__(self, text: bytes, columns: dict[str, bytes]) -> None:
        self._json = text
        self.columns: dict[str, "array.array[typing.Any]"] = {}
        for name, values in columns.items():
            self.columns[name] = array.array("q" if name == "frame" else "d")
            self.columns[name].frombytes(values)

    def __getstate__(self) -> dict[str, object]:
        return {"_json": self._json, "columns": self.columns}

    @functools.cached_property
    def _facts(self) -> dict[str, typing.Any]:
        return typing.cast("dict[str, typing.Any]", json.loads(self._parts_of_json()[0]))

    def _parts_of_json(self) -> tuple[bytes, bytes]:
        """Returns the report without the frames, and the frames, which are last and longest. Lines can be searched,
        because JSON strings have no line breaks."""
        head, _, frames = self._json.rpartition(b',\n  "frames": [')
        return head + b"}", frames[:frames.rindex(b"]")]

    def _to_ndjson(self) -> bytes:
        head, frames = self._parts_of_json()
        lines = [line.strip().rstrip(b",") for line in frames.splitlines() if line.strip()]
        events = [line.strip().rstrip(b",") for line in head.splitlines() if line.strip().startswith(b'{"check": ')]
        for event in reversed(sorted(events, key=lambda event: typing.cast(int, json.loads(event)["last"]))):
            place = bisect.bisect_right(self.columns["frame"], json.loads(event)["last"])
            lines.insert(place, b'{"event": ' + event + b"}")
        whole = b"".join(line.strip() + (b" " if line.endswith(b",") else b"") for line in head.splitlines())
        return b"\n".join([*lines, whole, b""])

    def __getitem__(self, score: str) -> "array.array[float]":
        """Returns the column of a score; the message of a KeyError lists the columns of the report."""
        try:
            return self.columns[score]
        except KeyError:
            raise KeyError(f"{score}: the report has {', '.join(self.columns)}") from None

    def __iter__(self) -> collections.abc.Iterator[str]:
        return iter(self.columns)

    def __contains__(self, score: object) -> bool:
        return score in self.columns

    def keys(self) -> collections.abc.KeysView[str]:
        """Returns the names of the columns."""
        return self.columns.keys()

    def values(self) -> collections.abc.ValuesView["array.array[typing.Any]"]:
        """Returns the columns."""
        return self.columns.values()

    def items(self) -> collections.abc.ItemsView[str, "array.array[typing.Any]"]:
        """Returns the pairs of name and column."""
        return self.columns.items()

    def get(self, score: str, default: typing.Any = None) -> typing.Any:
        """Returns the column of a score, or `default`."""
        return self.columns.get(score, default)

    def __len__(self) -> int:
        """Returns the number of scored frames."""
        return len(self.columns["frame"])

    def __repr__(self) -> str:
        means = ", ".join(f"{score} {values['mean']:.6g}" for score, values in self.pooled.items())
        return f"<fovea.Report: {len(self)} frames; mean {means}>"

    @property
    def frames(self) -> collections.abc.Sequence[Row]:
        """The frames as a sequence of Row."""
        return _Rows(self.columns)

    @functools.cached_property
    def pooled(self) -> dict[str, dict[str, float]]:
        """{score: {"mean": ..., "min": ..., "p5": ..., ...}} over all scored frames; without harmonic_mean if a
        value is negative."""
        return _pools(self._facts["pooled"])

    @functools.cached_property
    def sequence(self) -> dict[str, float]:
        """{score: value} for scores that have one value for the whole clip."""
        return {score: _number(value) for score, value in self._facts["sequence"].items()}

    @functools.cached_property
    def outputs(self) -> dict[str, Output]:
        """{score: Output}, the descriptions of the scores."""
        return {output["name"]: Output(output["name"], output["unit"] or "", _number(output["minimum"]),
                                       _number(output["maximum"]), output["better"], output["sequence"],
                                       metric["name"])
                for metric in self._facts["metrics"] for output in metric["outputs"]}

    @property
    def decisions(self) -> list[str]:
        """The decisions of the run, one sentence each. Those that begin with "warning: " change what scores mean."""
        return typing.cast("list[str]", self._facts["decisions"])

    @property
    def partial(self) -> str | None:
        """Why the scores do not cover the whole videos; None: they do."""
        return typing.cast("str | None", self._facts["partial_reason"])

    @property
    def alignment(self) -> dict[str, typing.Any] | None:
        """How align= paired the frames, as in the JSON report: a dict with "mode", and for "auto" and "map" with
        "offset", its certainty and "events", the dropped and repeated frames (docs/alignment.md). None with
        align="index"."""
        return typing.cast("dict[str, typing.Any] | None", self._facts["alignment"])

    @functools.cached_property
    def gates(self) -> list[Gate]:
        """The conditions of fail_below and fail_above, each a Gate."""
        return [Gate(gate["score"], gate["pool"], gate["fails"], _number(gate["limit"]), _number(gate["value"]),
                     gate["outcome"]) for gate in self._facts["gates"]]

    @property
    def passed(self) -> bool:
        """Whether every gate passed."""
        return all(gate.outcome == "passed" for gate in self.gates)

    @functools.cached_property
    def verdict(self) -> Verdict:
        """The Verdict on the clip: its sentence, the parts of the sentence, and the bad segments."""
        found = self._facts["verdict"]
        return Verdict(found["kind"], found["sentence"], found["score"], _number(found["value"]), found["level"],
                       found["word"], found["bound"], found["reason"], found["low_seconds"],
                       [_segment(segment) for segment in found["segments"]], self._facts["events"])

    @property
    def check(self) -> dict[str, typing.Any] | None:
        """What the metrics that check a single video found: a dict with "verdict", "checks" and "events", as in the
        JSON report (docs/check.md). None without such a metric."""
        return typing.cast("dict[str, typing.Any] | None", self._facts.get("check"))

    @functools.cached_property
    def parts(self) -> dict[str, list[Part]]:
        """{"intervals": [Part, ...], "scenes": [Part, ...]}, without a kind that was not requested."""
        return {kind: [Part(part["frame"], part["frame_count"], _pools(part["pooled"])) for part in self._facts[kind]]
                for kind in ("intervals", "scenes") if kind in self._facts}

    def worst(self, score: str, count: int = 3, apart: int = 1) -> list[Row]:
        """Returns the `count` worst frames by a score, the worst first, at least `apart` rows from each other."""
        count, apart = _run.whole("count", count, 0), _run.whole("apart", apart, 1)
        if not isinstance(score, str):
            raise TypeError(f"score is {score!r}; it must be the name of a score")
        if score not in self.outputs:
            raise KeyError(f"score is {score!r}; the report has {', '.join(self.outputs)}")
        better = self.outputs[score].better
        if better == "neither":
            raise ValueError(f"{score} says nothing about good and bad: it has no worst frames")
        values = self[score]
        places = sorted((i for i, value in enumerate(values) if not math.isnan(value)),
                        key=lambda i: (values[i] if better == "higher" else -values[i], i))
        found: list[int] = []
        for place in places:
            if len(found) < count and all(abs(place - other) >= apart for other in found):
                found.append(place)
        frames = self.frames
        return [frames[place] for place in found]

    def to_json(self) -> str:
        """Returns the JSON report as text, byte for byte as `fovea score -o FILE.json` writes it for the same run."""
        return self._json.decode()

    def to_dict(self) -> dict[str, typing.Any]:
        """Returns the JSON report as a dict."""
        return typing.cast("dict[str, typing.Any]", json.loads(self._json))

    def to_bytes(self, format: str) -> bytes:
        """Returns the report as "json", "csv", "ndjson", "html" or "events": the bytes that `fovea score -o` writes,
        but HTML without pictures."""
        if not isinstance(format, str):
            raise TypeError(f"format is {format!r}; it must be a string")
        if format not in _FORMATS:
            raise ValueError(f"format is {format!r}; it must be one of {', '.join(_FORMATS)}")
        if format == "json":
            return self._json
        if format == "ndjson":
            return self._to_ndjson()
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(self._json)
            file.flush()
            return _fovea.convert_report(os.fsencode(file.name), _FORMATS[format])

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the report to a file, complete or not at all, and never over one of the videos. format None: the
        ending of the name decides."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"path is {path!r}; it must be the path of a file")
        name = os.fspath(path)
        ending = os.path.splitext(os.fsdecode(name))[1][1:]
        if format is None and ending not in _FORMATS:
            raise ValueError(f"path is {os.fsdecode(name)!r}: its ending says no format; name it "
                             f".{', .'.join(_FORMATS)}, or say "
                             "format=")
        inputs = [source["path"] for source in self._facts["inputs"].values() if source and source["path"]]
        _fovea.write_file(os.fsencode(name), self.to_bytes(ending if format is None else format),
                          [os.fsencode(file) for file in inputs])

    def _repr_html_(self) -> str:
        names = ("mean", "min", "p5", "median", "max")
        rows = "".join(f"<tr><th>{html.escape(score)}</th>" +
                       "".join(f"<td>{values[name]:.4f}</td>" for name in names) + "</tr>"
                       for score, values in self.pooled.items())
        return "<table><tr><th></th>" + "".join(f"<th>{name}</th>" for name in names) + f"</tr>{rows}</table>"


def read_report(path: str | os.PathLike[str]) -> Report:
    """Reads the Report from a JSON file that this version of fovea wrote."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"path is {path!r}; it must be the path of a file")
    columns = _fovea.read_report(os.fsencode(path))[1]
    with open(path, "rb") as file:
        return Report(file.read(), columns)
