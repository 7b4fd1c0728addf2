"""Ends calls from another thread."""

import threading
import weakref

from . import _fovea


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
