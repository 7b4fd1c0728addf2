"""Checks arguments, and names them in the errors."""

import collections.abc
import os

from ._run import Video


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
