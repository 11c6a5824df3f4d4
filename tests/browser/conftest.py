"""A browser and the folder of a built book; without either, these tests are skipped, saying so."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

SITE_VARIABLE = "MBNB_SITE"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What a browser does for itself would be taken for a request of the page.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def site() -> Path:
    given = os.environ.get(SITE_VARIABLE)
    if not given:
        pytest.skip(f"no built book to look at: set {SITE_VARIABLE} to the folder with index.html")
    folder = Path(given).resolve()
    assert (folder / "index.html").is_file(), f"{folder} has no index.html"
    return folder


@pytest.fixture(scope="session")
def browser(site: Path) -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        except Error as error:
            pytest.skip(f"no Chromium to look with ({str(error).splitlines()[0]})")
        yield started
        started.close()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The book served on this machine alone."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
