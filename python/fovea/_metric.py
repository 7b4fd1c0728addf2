"""Metrics with their options, as text for the library."""

import collections.abc


class Metric:
    """A metric with options. str(Metric("psnr", enable_chroma=False)) is "psnr=enable_chroma=false"; special
    characters in values are escaped."""

    def __init__(self, name, **options):
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}; it must be the name of a metric")
        self.name = name
        self.options = options

    def __str__(self):
        def text(value):
            plain = str(value).lower() if isinstance(value, bool) else str(value)
            return "".join("\\" + letter if letter in ":,'\\" else letter for letter in plain)
        pairs = ":".join(f"{name}={text(value)}" for name, value in self.options.items())
        return f"{self.name}={pairs}" if pairs else self.name


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
