"""Reads the parameters of a run from the library's table and checks them as keywords of Video, score(), Pairs and
Session."""

import dataclasses
import inspect
import operator
import os
import typing

from . import _fovea
from ._format import _as_rate

SCORE, MAP, PUSH = 1, 8, 256  # bits of a parameter's tasks: FvParamTask
PARAMS = _fovea.params()
OF_RUN = {param["name"]: param for param in PARAMS if param["sides"] == "run"}
OF_VIDEO = {param["name"]: param for param in PARAMS if param["sides"] != "run"}
PAIRS = MAP | 1 << 31  # the task of Pairs, which computes nothing
ENCODES = SCORE | 1 << 30  # the task of score_encodes(): no resume
_MARKS = {"crop": ":", "scale": "x", "convert": ",", "scale_filter": ":"}  # separators of a tuple's parts in text


def takes(param, task):
    computes = task != PAIRS or param["section"] in ("Frames", "Pictures") or param["name"] == "threads"
    return bool(param["tasks"] & task) and computes and (task != ENCODES or param["name"] != "resume")


def is_switch(param):
    return param["choices"] == ["on", "off"]


def default_of(param):
    if param["name"] == "resume":  # a path here, a switch in the command
        return None
    return {"bool": False, "int": 0}.get(param["type"], True if is_switch(param) else None)


def whole(name: str, value: typing.Any, least: int | None = None) -> int:
    """Returns an argument that must be a whole number, of `least` or more, and not True or False."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be a whole number") from None
    if least is not None and number < least:
        raise ValueError(f"{name} is {value!r}; it must be {least} or more")
    return number


def _text(param, value):
    """Returns a value as text for the library; None: it is the default."""
    name, mark = param["name"], _MARKS.get(param["name"])
    if value is None or value == default_of(param) and type(value) is type(default_of(param)):
        return None
    if isinstance(value, bool) and param["type"] != "int":
        return ("on" if value else "off") if is_switch(param) else str(value).lower()
    if param["type"] == "int":
        return str(whole(name, value))
    if isinstance(value, str):
        return value
    if name == "rate":
        return f"{value.numerator}/{value.denominator}"
    if param["form"] == "TIME":
        if not isinstance(value, (int, float)):
            raise TypeError(f"{name} is {value!r}; it must be a number of seconds")
        return f"{value:.6f}" if value else None
    if name == "roi" and not isinstance(value, os.PathLike):
        raise TypeError(f"{name} is {value!r}; it must be {param['form']}")
    if mark:
        try:
            parts = mark.join(map(str, sorted(value, key=str) if mark == "," else value))
        except TypeError:
            raise TypeError(f"{name} is {value!r}; it must be {param['form']}, or a tuple") from None
        return ("bicubic:" if name == "scale_filter" else "") + parts if parts else None
    return str(value)


def _pairs(prefix, param, value):
    values = value if param["repeats"] and isinstance(value,
                                                      (list, tuple)) and param["name"] not in _MARKS else [value]
    for item in values:
        text = _text(param, item)
        if text is not None:
            yield from (prefix + param["name"], text)


def settings(videos, keywords):
    """Returns the parameters of two Videos, or None, and of a run as the tuple (name, value, name, value, ...)."""
    words = []
    for prefix, video in zip(("reference.", "distorted."), videos):
        for name, param in OF_VIDEO.items() if video is not None else ():
            words += _pairs(prefix, param, getattr(video, name))
    for name, value in keywords.items():
        words += _pairs("", OF_RUN[name], value)
    return tuple(words)


def take(function, task, keywords):
    """Returns the keywords of a call by their names in the table. TypeError for one that the task does not accept."""
    taken = {}
    for name, value in keywords.items():
        if name == "fit":  # former name of `pad` and `stretch`
            if value not in (None, "pad", "stretch"):
                raise ValueError(f"fit is {value!r}; use pad=True or stretch=True")
            taken.update({value: True} if value else {})
            continue
        param = next((param for param in OF_RUN.values() if name in (param["name"], param["alias"])), None)
        if param is None or not takes(param, task):
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
        taken[param["name"]] = value
    return taken


def _lines(params):
    return "".join(f"    {param['name']}: {param['help']}\n" for param in params)


def explain(function, task, documented):
    """Adds the keywords of a task to the signature of a function with **run, and to the docstring of `documented`."""
    params = [param for param in OF_RUN.values() if takes(param, task)]
    own = inspect.signature(function)
    words = [word for word in own.parameters.values() if word.kind is not word.VAR_KEYWORD]
    named = {word.name for word in words}
    words += [inspect.Parameter(param["name"], inspect.Parameter.KEYWORD_ONLY, default=default_of(param))
              for param in params if param["name"] not in named]
    function.__signature__ = own.replace(parameters=words)
    documented.__doc__ = documented.__doc__.replace("    KEYWORDS\n", _lines(params))


_VIDEO = """A video file and how to read it. Making a Video opens no file.

    path: path of the file; "-": standard input.
{}
    crop may be a tuple (width, height, x, y), and rate a number or a Fraction.
    """


def _check(self):
    try:
        object.__setattr__(self, "rate", _as_rate(self.rate))
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(
            f"rate is {self.rate!r}; it must be a number, a Fraction or text such as '30000/1001'") from None
    if not isinstance(self.path, (str, bytes, os.PathLike)):
        raise TypeError(f"path is {self.path!r}; it must be the path of a file")
    path = os.fsencode(self.path)
    object.__setattr__(self, "_path", path)
    if 0 in path:
        raise ValueError(f"path has a null character: {self.path!r}")
    for name, param in OF_VIDEO.items():
        text = _text(param, getattr(self, name))
        if text is not None:
            _fovea.check("distorted." + name, text)


Video = dataclasses.make_dataclass(
    "Video", [("path", typing.Any)] + [(name, typing.Any, default_of(param)) for name, param in OF_VIDEO.items()],
    frozen=True, namespace={"__post_init__": _check, "__doc__": _VIDEO.format(_lines(OF_VIDEO.values()).rstrip())})
Video.__module__ = "fovea"
