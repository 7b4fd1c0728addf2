"""The devices of this machine, and what the library measures."""

import types

from . import _fovea
from ._cancel import _stop


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
