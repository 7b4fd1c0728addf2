"""Passes a value of a wrong type for every argument of every function and class, except the functions that make a
Frame: each must raise an exception that names the argument."""

import inspect
import unittest

import clips
import fovea


class Stranger:
    """An object that is no path, number, text, mapping, sequence or buffer."""


# Valid arguments of each function and of each class's constructor.
CALLS = {
    fovea.score: lambda: {"reference": clips.clip(), "distorted": clips.clip(seed=2), "metrics": "psnr"},
    fovea.score_encodes: lambda: {"reference": clips.clip(), "encodes": [clips.clip(seed=2)], "metrics": "psnr"},
    fovea.Session: lambda: {"metrics": "psnr"},
    fovea.Pairs: lambda: {"reference": clips.clip(), "distorted": clips.clip(seed=2)},
    fovea.Video: lambda: {"path": clips.clip()},
    fovea.Format: lambda: {"width": 64, "height": 48},
    fovea.Still: lambda: {"reference": None, "distorted": clips.planes()[0]},
    fovea.Model: lambda: {"version": "vmaf_v0.6.1"},
    fovea.align: lambda: {"reference": clips.clip(), "distorted": clips.clip()},
    fovea.find_bars: lambda: {"video": clips.clip()},
    fovea.bd_rate: lambda: {"anchor": [(1, 1), (2, 2), (3, 3), (4, 4)], "test": [(1, 1), (2, 2), (3, 3), (4, 4)]},
    fovea.verify_device: lambda: {"name": "cpu"},
    fovea.read_report: lambda: {"path": "missing.json"},
    fovea.rows: lambda: {"pairs": [], "metrics": "psnr"},
}


def names_of(function):
    words = inspect.signature(function).parameters.values()
    return [word.name for word in words if word.kind not in (word.VAR_KEYWORD, word.VAR_POSITIONAL)]


class Arguments(unittest.TestCase):
    def test_all_are_walked(self):
        functions = {getattr(fovea, name) for name in fovea.__all__ if callable(getattr(fovea, name))}
        made = {item for item in functions if isinstance(item, type) and
                (issubclass(item, (Exception, tuple)) or item in (
                    fovea.Cancel, fovea.Frame, fovea.Map, fovea.Metric, fovea.Report, fovea.Row, fovea.Gate,
                    fovea.Output, fovea.Part, fovea.Segment, fovea.Verdict))}
        self.assertEqual(functions - made - set(CALLS), {fovea.batch, fovea.metrics, fovea.devices},
                         "no call is listed")

    def test_strangers(self):
        wrong = []
        for function, words in CALLS.items():
            for name in names_of(function):
                for value in (Stranger(), [Stranger()], {Stranger(): 1}):
                    try:
                        result = function(**{**words(), name: value})
                        if function is fovea.rows:
                            list(result)
                        wrong.append(f"{function.__qualname__}({name}={value!r}) is taken")
                    # pylint: disable=broad-exception-caught # a walk tells all that is wrong
                    except Exception as error:
                        if name not in str(error) or not isinstance(error, (TypeError, ValueError)):
                            wrong.append(f"{function.__qualname__}({name}={value!r}): "
                                         f"{type(error).__name__}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))


clips.run()
