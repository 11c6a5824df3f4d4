"""Fetches one file over HTTP, whole and checked or not at all; knows no data set.

While a file is under way its bytes are in a folder of unfinished files, and nowhere else: there a
download that was cut goes on when it is asked for again. At its goal a file appears only once its
size and its hash are right, and an unfinished file that turns out wrong is deleted.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pooch
import requests
import urllib3
from tqdm import tqdm

from mbnb.data.errors import InputError

# Seconds until a connection is made, and between two pieces of an answer.
TIMEOUT = (10.0, 30.0)
_PIECE = 1 << 16
# The statuses of a whole file, of the rest of one, and of no rest that could be sent.
_WHOLE, _REST, _NO_REST = 200, 206, 416
_AGAIN = "run the same command again"


def fetch(
    url: str,
    goal: Path,
    unfinished: Path,
    *,
    n_bytes: int | None = None,
    sha256: str | None = None,
    most_bytes: int | None = None,
) -> Path:
    """Fetch a file, unless it is at its goal already.

    Parameters
    ----------
    url : str
        Address, http or https; redirects are followed.
    goal : Path
        Where the finished file lies.
    unfinished : Path
        Where its bytes are kept while it is under way; on the same disk as `goal`.
    n_bytes, sha256 : int, str, optional
        What the file must be. Where no hash is given, a file at the goal is taken as it is.
    most_bytes : int, optional
        No more than that is read, by default `n_bytes`.

    Raises
    ------
    InputError
        If the host cannot be reached or does not answer, has no such file, cuts the connection, or
        the file is not the one that is pinned; one sentence that says what to do.
    """
    transfer = _Transfer(unfinished, n_bytes, most_bytes or n_bytes)
    try:
        for folder in (goal.parent, unfinished.parent):
            folder.mkdir(parents=True, exist_ok=True)
        with _quiet_pooch():
            pooch.retrieve(
                url,
                known_hash=sha256 and f"sha256:{sha256}",
                fname=goal.name,
                path=goal.parent,
                downloader=transfer,
            )
    except InputError:
        raise
    except ValueError:
        raise InputError(
            f"{url} is not the file that is pinned: its SHA-256 is {transfer.sha256}, expected is "
            f"{sha256}; it was deleted; {_AGAIN}, and if that does not help, the file or the "
            "mirror has changed."
        ) from None
    except OSError as error:
        raise InputError(
            f"{goal} cannot be written ({error.strerror or error}); make room there, or see that "
            "the folder can be written."
        ) from None
    return goal


@contextmanager
def _quiet_pooch() -> Iterator[None]:
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


@dataclass
class _Transfer:
    """A downloader for pooch that goes on where an earlier one was cut.

    pooch hands it an empty file, checks the hash of what is in there afterwards, and moves it to
    the goal; so the unfinished file is moved there only when its size is right.
    """

    unfinished: Path
    n_bytes: int | None
    most_bytes: int | None
    sha256: str = field(default="", init=False)

    def __call__(self, url: str, output_file: Any, pooch_object: Any) -> None:
        while not self._whole():
            start = self._size()
            with _asked(url, start) as answer:
                _check_status(answer, url, start)
                if start and not _goes_on(answer, start):
                    # The server cannot go on there: from the start then, with this answer if it
                    # is the whole file.
                    self.unfinished.unlink()
                    if answer.status_code != _WHOLE:
                        continue
                    start = 0
                self._check_length(answer, url, start)
                self._write(answer, url, start)
                break
        self.sha256 = pooch.file_hash(str(self.unfinished))
        os.replace(self.unfinished, output_file)

    def _size(self) -> int:
        return self.unfinished.stat().st_size if self.unfinished.is_file() else 0

    def _whole(self) -> bool:
        """Whether a process was killed after the last byte came and before the file was moved."""
        if self.n_bytes is not None and self._size() > self.n_bytes:
            self.unfinished.unlink()
        return self.n_bytes is not None and self._size() == self.n_bytes

    def _check_length(self, answer: requests.Response, url: str, start: int) -> None:
        told = answer.headers.get("Content-Length", "")
        # The length of packed bytes is not that of the file.
        if not told.isdecimal() or "Content-Encoding" in answer.headers:
            return
        length = start + int(told)
        if self.n_bytes is not None and length != self.n_bytes:
            self._refuse(f"{url} is {length:,} bytes long, expected are {self.n_bytes:,}")
        if self.most_bytes is not None and length > self.most_bytes:
            self._refuse(f"{url} is {length:,} bytes long, allowed are {self.most_bytes:,}")

    def _refuse(self, what: str) -> None:
        self.unfinished.unlink(missing_ok=True)
        raise InputError(
            f"{what}: it is not the file that is pinned, and nothing was kept; see that no portal "
            "or proxy answers in the host's place."
        )

    def _write(self, answer: requests.Response, url: str, start: int) -> None:
        done, too_long = start, False
        bar = tqdm(
            total=self.n_bytes,
            initial=start,
            desc=Path(urlsplit(url).path).name,
            unit="B",
            unit_scale=True,
            leave=False,
            disable=None,
        )
        try:
            with bar, self.unfinished.open("ab" if start else "wb") as file:
                for piece in answer.iter_content(_PIECE):
                    if self.most_bytes is not None and done + len(piece) > self.most_bytes:
                        too_long = True
                        break
                    if os.fstat(file.fileno()).st_size != done:
                        raise InputError(
                            f"another process is downloading {url}, too; wait for it, then "
                            f"{_AGAIN}."
                        )
                    file.write(piece)
                    file.flush()
                    done += len(piece)
                    bar.update(len(piece))
        except requests.RequestException:
            raise _cut(url, done, self.n_bytes) from None
        if too_long:
            self._refuse(f"{url} is longer than the {self.most_bytes:,} bytes allowed")
        if self.n_bytes is not None and done < self.n_bytes:
            raise _cut(url, done, self.n_bytes)


@contextmanager
def _asked(url: str, start: int) -> Iterator[requests.Response]:
    """The answer to a request for the file from byte `start` on; its body is not read yet."""
    # Packed bytes could not be counted, and so not gone on with.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    host = urlsplit(url).netloc
    try:
        answer = requests.get(url, headers=headers, stream=True, timeout=TIMEOUT)
    except requests.Timeout:
        raise InputError(
            f"{host} does not answer within {max(TIMEOUT):g} seconds; {_AGAIN} later."
        ) from None
    except (requests.exceptions.SSLError, requests.exceptions.ProxyError) as error:
        raise InputError(
            f"{host} cannot be reached safely ({error}); see to the proxy or the certificates of "
            "this machine."
        ) from None
    except requests.ConnectionError as error:
        if error.args and isinstance(error.args[0], urllib3.exceptions.ProtocolError):
            raise InputError(
                f"{host} closed the connection without an answer; {_AGAIN} later."
            ) from None
        raise InputError(
            f"{host} cannot be reached: there is no network here, or the host is down or blocked; "
            f"{_AGAIN} with a network."
        ) from None
    except requests.RequestException as error:
        raise InputError(f"{url} cannot be downloaded: {error}.") from None
    with answer:
        yield answer


def _goes_on(answer: requests.Response, start: int) -> bool:
    """Whether it is the rest from byte `start` on, as plain bytes."""
    return (
        answer.status_code == _REST
        and answer.headers.get("Content-Range", "").startswith(f"bytes {start}-")
        and "Content-Encoding" not in answer.headers
    )


def _check_status(answer: requests.Response, url: str, start: int) -> None:
    status = answer.status_code
    if status in (404, 410):
        raise InputError(
            f"{url} is not there (status {status}): the file or the mirror has moved; a newer "
            "mbnb may know where."
        )
    if status not in ((_WHOLE, _REST, _NO_REST) if start else (_WHOLE,)):
        raise InputError(
            f"{urlsplit(url).netloc} answered with status {status} ({answer.reason}) for {url}; "
            f"{_AGAIN} later."
        )


def _cut(url: str, done: int, n_bytes: int | None) -> InputError:
    of = f" of {n_bytes:,}" if n_bytes is not None else ""
    return InputError(
        f"the connection was cut after {done:,}{of} bytes of {url}; {_AGAIN}, and it goes on from "
        "there."
    )
