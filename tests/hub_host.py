"""A small hub on this machine: the part of the hub's API that fetching details uses, and faults."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = "c0ffee" + "0" * 34
NEWER = "beef" + "1" * 36


@dataclass
class Hub:
    """Repositories, and how it fails.

    Attributes
    ----------
    repositories : dict of repository to dict of path to bytes
    commits : dict of repository to str
        Where it is not `COMMIT`.
    gated : set of str
        Repositories that list their files and give none.
    forbidden : bool
        Whether files are given to nobody, without a word why.
    lost : set of str
        Paths that are listed and not there.
    spoilt : set of str
        Paths whose bytes are not those listed.
    cuts : dict of path to list of int
        After how many bytes a file's connection is cut, one for each time it is asked for.
    refusals : list of (int, dict)
        Status and headers of the next answers, whatever is asked.
    slow : float
        Seconds before each answer.
    asked : list of (str, str)
        Method and path of each request.
    ranges : list of str
        What was asked for of files that were cut.
    most_open : int
        The most requests that were under way at any time.
    tokens : Counter
        Of the headers by which those who asked told who they are.
    """

    url: str = ""
    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    commits: dict[str, str] = field(default_factory=dict)
    gated: set[str] = field(default_factory=set)
    forbidden: bool = False
    lost: set[str] = field(default_factory=set)
    spoilt: set[str] = field(default_factory=set)
    cuts: dict[str, list[int]] = field(default_factory=dict)
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    ranges: list[str] = field(default_factory=list)
    slow: float = 0
    open_now: int = 0
    most_open: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    tokens: Counter[str] = field(default_factory=Counter)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        with self.lock:
            self.open_now += 1
            self.most_open = max(self.most_open, self.open_now)
        try:
            self._answer(request)
        finally:
            with self.lock:
                self.open_now -= 1

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = unquote(urlsplit(request.path).path)
        self.asked.append((request.command, path))
        self.tokens[request.headers.get("Authorization", "")] += 1
        time.sleep(self.slow)
        if self.refusals:
            status, headers = self.refusals.pop(0)
            self._send(request, status, b"", headers)
        elif path.startswith("/api/datasets/"):
            self._list(request, path.removeprefix("/api/datasets/"))
        elif path.startswith("/datasets/"):
            self._file(request, path.removeprefix("/datasets/"))
        else:
            self._send(request, 404, b"")

    def _list(self, request: BaseHTTPRequestHandler, path: str) -> None:
        repository, _, revision = path.partition("/revision/")
        files = self.repositories.get(repository)
        commit = self.commits.get(repository, COMMIT)
        if files is None:
            self._send(request, 404, b"", {"X-Error-Code": "RepoNotFound"})
        elif revision not in ("", commit):
            self._send(request, 404, b"", {"X-Error-Code": "RevisionNotFound"})
        else:
            siblings = [_sibling(name, data) for name, data in files.items()]
            body = {"id": repository, "sha": commit, "siblings": siblings}
            self._send(request, 200, json.dumps(body).encode())

    def _file(self, request: BaseHTTPRequestHandler, path: str) -> None:
        repository, _, rest = path.partition("/resolve/")
        commit, _, name = rest.partition("/")
        data = self.repositories.get(repository, {}).get(name)
        if self.forbidden:
            self._send(request, 403, b"")
            return
        if repository in self.gated:
            self._send(request, 401, b"", {"X-Error-Code": "GatedRepo"})
            return
        if data is None or name in self.lost or commit != self.commits.get(repository, COMMIT):
            self._send(request, 404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        if name in self.spoilt:
            data = bytes(len(data))
        wanted = request.headers.get("Range", "")
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        headers = {"X-Repo-Commit": commit, "ETag": f'"{hashlib.sha256(data).hexdigest()}"'}
        if start:
            self.ranges.append(wanted)
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        cuts = self.cuts.get(name, [])
        cut = cuts.pop(0) if cuts and request.command == "GET" else None
        self._send(request, 206 if start else 200, data[start:], headers, cut)

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        cut: int | None = None,
    ) -> None:
        request.send_response(status)
        for name, value in (headers or {}).items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body[:cut])
            request.wfile.flush()
        if cut is not None:
            request.close_connection = True


def _sibling(name: str, data: bytes) -> dict[str, object]:
    # Large files lie in LFS and are told by their SHA-256, small ones by their git blob.
    told: dict[str, object] = {"rfilename": name, "size": len(data)}
    if len(data) > 200:
        digest = hashlib.sha256(data).hexdigest()
        return told | {"blobId": "0" * 40, "lfs": {"sha256": digest, "size": len(data)} | _POINTER}
    return told | {"blobId": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}


_POINTER = {"pointerSize": 130}


@contextmanager
def serving() -> Iterator[Hub]:
    """A hub that serves until the block ends."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with suppress(ConnectionError):
                hub.answer(self)

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
