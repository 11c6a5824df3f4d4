"""How fast a hub is asked: waits when it says so, tries again a few times, then stops; no more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

TRIES = 5
MOST_SECONDS = 600.0
_BUSY = (429, 500, 502, 503, 504)


class HubStop(Exception):
    """The hub is not to be asked any more; the message is the reason."""


class Pace:
    """The pace of all requests of one command, whichever thread makes them.

    Parameters
    ----------
    sleep : callable
        Takes seconds.
    """

    def __init__(self, sleep: Callable[[float], object] = time.sleep) -> None:
        self._sleep = sleep
        self._lock = threading.Lock()
        self._until = 0.0
        self.stopped: str | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """While this lasts, requests of the hub's library keep the pace.

        The library itself would wait for as long as a server tells it to, and ask on for every
        model; so its session's `send`, through which all requests go, is held here.
        """
        from huggingface_hub.utils import build_hf_headers, get_session, httpx

        build_hf_headers(token=False)  # may fetch what it never waits for: not at this pace
        client = get_session()
        send = client.send

        def patient(request: Any, **choices: Any) -> Any:
            return self._ask(lambda: send(request, **choices), httpx.TransportError)

        client.send = patient  # type: ignore[method-assign]
        try:
            yield
        finally:
            del client.send

    def stop(self, reason: str) -> HubStop:
        with self._lock:
            self.stopped = self.stopped or reason
        return HubStop(reason)

    def _ask(self, send: Callable[[], Any], fault: type[Exception]) -> Any:
        for attempt in range(1, TRIES + 1):
            self._wait()
            if self.stopped:
                raise HubStop(self.stopped)
            try:
                answer = send()
            except fault as error:
                if attempt == TRIES:
                    raise self.stop(
                        f"the hub cannot be reached ({type(error).__name__}: {error}); see to the "
                        "network, then run the same command again"
                    ) from None
                self._delay(2.0**attempt)
                continue
            if answer.status_code not in _BUSY:
                return answer
            told = seconds_told(answer.headers)
            answer.close()
            if attempt == TRIES or (told or 0) > MOST_SECONDS:
                often = f" {TRIES} times" if attempt == TRIES else ""
                wait = f" and asks to wait {told:,.0f} s" if told else ""
                raise self.stop(
                    f"the hub answered{often} with status {answer.status_code}{wait}; run the same "
                    "command again later (logged in by `hf auth login`, more requests are allowed)"
                )
            self._delay(2.0**attempt if told is None else told)
        raise AssertionError("a loop that returns or raises")

    def _delay(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    def _wait(self) -> None:
        with self._lock:
            seconds = self._until - time.monotonic()
        if seconds > 0:
            self._sleep(seconds)
            with self._lock:
                # All who wait have read it; a sleep that is none, in a test, must not repeat.
                self._until = 0.0


def seconds_told(headers: Mapping[str, str]) -> float | None:
    """How long a server asks to wait, by ``RateLimit`` or ``Retry-After``; None = it does not."""
    from huggingface_hub.utils import parse_ratelimit_headers

    limit = parse_ratelimit_headers(headers)
    if limit is not None and limit.remaining == 0:
        return limit.reset_in_seconds + 1.0
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text) + 1.0
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()) + 1.0
    except (ValueError, TypeError):
        return None
