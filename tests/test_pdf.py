"""A small site is printed for good, where there is a browser to print with."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from mbnb.book.one_page import Entry
from mbnb.book.pdf import find_browser, print_book

from mbnb.book import pdf
from mbnb.data.errors import InputError

PAGE = """<!DOCTYPE html><html lang="en"><head><title>{title} — The book</title></head><body>
<article class="bd-article"><h1>{title}</h1>{body}</article></body></html>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two pages, the first of which leads to the second."""
    one = '<p>Some words. <a href="two.html#there">On to the second.</a></p>'
    two = '<h2 id="there">There</h2><p>The end.</p>'
    (tmp_path / "one.html").write_text(PAGE.format(title="First", body=one), "utf-8")
    (tmp_path / "two.html").write_text(PAGE.format(title="Second", body=two), "utf-8")
    return tmp_path


@pytest.fixture
def printed(site: Path) -> bytes:
    try:
        find_browser()
    except InputError as error:
        pytest.skip(f"nothing to print with: {error}")
    target = site / "book.pdf"
    print_book(site, [Entry("one"), Entry("two", "Part I")], "Of a test.", target)
    return target.read_bytes()


def objects(document: bytes) -> bytes:
    """The file with its packed streams unpacked."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, flags=re.DOTALL)
    unpacked = []
    for stream in streams:
        try:
            unpacked.append(zlib.decompress(stream))
        except zlib.error:
            unpacked.append(stream)
    return document + b"\n".join(unpacked)


def test_the_printed_book_has_pages_an_outline_and_links_between_its_pages(printed: bytes) -> None:
    assert printed.startswith(b"%PDF-") and printed.rstrip().endswith(b"%%EOF")
    told = objects(printed)
    # A title page, the contents, and the two pages, each on a sheet of its own.
    assert len(re.findall(rb"/Type\s*/Page\b", told)) == 4
    for title in (b"First", b"Second", b"There"):
        assert title in told or title.decode().encode("utf-16-be") in told
    assert b"/Outlines" in told and b"/StructTreeRoot" in told
    assert b"page-1-there" in told, "the link leads into the same file"


def test_printing_leaves_nothing_behind_in_the_site(printed: bytes, site: Path) -> None:
    assert sorted(path.name for path in site.iterdir()) == ["book.pdf", "one.html", "two.html"]


def test_a_page_that_cannot_be_joined_leaves_nothing_behind_either(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "find_browser", lambda: "/nowhere/chromium")
    (site / "two.html").write_text("<html><body>no article</body></html>", "utf-8")
    with pytest.raises(ValueError):
        print_book(site, [Entry("one"), Entry("two")], "", site / "book.pdf")
    assert sorted(path.name for path in site.iterdir()) == ["one.html", "two.html"]
