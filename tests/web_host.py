"""A small web server on this machine that can fail in all the ways a download meets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Host:
    """Files by path, and how they are served.

    `cut` is the number of bytes after which a connection is cut, `ranges` whether the host can go
    on in the middle, `lengths` whether it tells lengths, `status` an answer for every path,
    `silent` the seconds before it answers and `stall` those before it closes, `hang_up` whether it
    closes without an answer.
    """

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    ranges: bool = True
    lengths: bool = True
    status: int | None = None
    silent: float = 0
    stall: float = 0
    hang_up: bool = False
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.asked.append((request.path, wanted))
        time.sleep(self.silent)
        if self.hang_up:
            return
        if request.path in self.redirects:
            request.send_response(302)
            request.send_header("Location", self.redirects[request.path])
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        content = self.files.get(request.path)
        if content is None or self.status is not None:
            request.send_error(self.status or 404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        if start and start >= len(content):
            request.send_error(416)
            return
        request.send_response(206 if start else 200)
        if start:
            span = f"bytes {start}-{len(content) - 1}/{len(content)}"
            request.send_header("Content-Range", span)
        if self.lengths:
            request.send_header("Content-Length", str(len(content) - start))
        request.end_headers()
        request.wfile.write(content[start:] if self.cut is None else content[start : self.cut])
        request.wfile.flush()
        time.sleep(self.stall)


@contextmanager
def serving() -> Iterator[Host]:
    """A host that serves until the block ends."""
    host = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # Who asked may have gone, as it should when it is sent what it did not ask for.
            with suppress(ConnectionError):
                host.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
