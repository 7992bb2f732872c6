"""Which calls may begin in a window, and how those that began have ended.

Nothing here waits, so workers may be coroutines or threads.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from time import perf_counter_ns
from typing import Any

from request import Load

# A window with a fixed number of calls starts no more after so many failures.
GIVE_UP_AFTER = 100


class CallFailed(Exception):
    """A call that did not end well, or whose reply was wrong."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


def check(got: object, want: object) -> None:
    """Fail the call whose reply has something else in it than it must."""
    if got != want:
        raise CallFailed("wrong_reply", f"got {got!r:.80}, want {want!r:.80}")


class Window:
    """A number of calls, or, if that is 0, a time in which calls may begin."""

    def __init__(self, calls: int, window_ns: int = 0) -> None:
        self._calls = calls
        self._begun = itertools.count()  # its next() is atomic, and costs no lock
        self.failures: list[CallFailed] = []
        self.begun_ns = perf_counter_ns()
        self.end_ns = math.inf if calls else self.begun_ns + window_ns

    def admits(self) -> bool:
        """Whether one more call may begin. If so, it must."""
        if self._calls:
            return len(self.failures) < GIVE_UP_AFTER and next(self._begun) < self._calls
        return perf_counter_ns() < self.end_ns


class Tally:
    """The calls of one worker in a window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.latencies_ns: list[int] = []
        self.begun_ns = math.inf
        self.ended_ns = 0

    def succeeded(self, begun_ns: int) -> None:
        self._ended(begun_ns)
        if self.ended_ns <= self._window.end_ns:
            self.latencies_ns.append(self.ended_ns - begun_ns)

    def failed(self, begun_ns: int, failure: CallFailed) -> None:
        self._ended(begun_ns)
        self._window.failures.append(failure)

    def _ended(self, begun_ns: int) -> None:
        self.ended_ns = perf_counter_ns()
        self.begun_ns = min(self.begun_ns, begun_ns)


def answer(
    load: Load, warmup: Window, window: Window, tallies: Iterable[Tally], opened: int
) -> dict[str, Any]:
    """What is said of a load once all its calls have ended."""
    tallies = list(tallies)
    latencies = [latency for tally in tallies for latency in tally.latencies_ns]
    failures = warmup.failures + window.failures
    return {
        "calls": len(latencies),
        "messages_sent": len(latencies) * load.sent,
        "messages_received": len(latencies) * load.received,
        "window_ns": _duration(load, tallies),
        "connections_opened": opened,
        "errors": Counter(failure.code for failure in failures),
        **({"first_error": str(failures[0])} if failures else {}),
        "latencies_ns": latencies,
    }


def _duration(load: Load, tallies: list[Tally]) -> int:
    """From the begin of the first call to the end of the last, unless it was given."""
    if not load.calls:
        return load.window_ns
    ended = max(tally.ended_ns for tally in tallies)
    return max(0, ended - min(tally.begun_ns for tally in tallies)) if ended else 0
