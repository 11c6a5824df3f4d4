"""One executed notebook as one HTML file that needs nothing beside it; executes nothing."""

from __future__ import annotations

import base64
import html
import mimetypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from mbnb.book.alone import set_alone
from mbnb.book.chapters import CONFIG
from mbnb.book.offline import mathjax_file, vega_bundle
from mbnb.book.site import COLOUR, SiteFailed
from mbnb.plots import VEGA_FOLDER

STYLE = Path(__file__).with_name("page.css")
REFERENCES = Path("book") / "references.bib"
DOCUMENT = "page"
# A warning fails the page.
SPHINX_OPTIONS = ("-b", "html", "-W", "-n", "--keep-going", "-E", "-q")

_IMAGE = re.compile(r'src="(_images/[^"]+)"')


def write_page(
    executed: Path, root: Path, title: str, *, names: dict[str, str] | None = None
) -> str:
    """Make the page of an executed notebook.

    Parameters
    ----------
    executed : Path
        The notebook; its exercises and its cells tagged ``book-only`` are left out, those tagged
        ``report-last`` go to the end, and no code is shown.
    root : Path
        The book's folder: its glossary explains the words that the notebook marks as terms.
    title : str
        Stands in the place of the notebook's own.
    names : dict of str to str, optional
        What to write in the place of what, such as a name for a path of this machine.

    Returns
    -------
    str
        HTML with all styles, pictures and scripts inside.

    Raises
    ------
    SiteFailed
        If Sphinx complains of anything, or the page would ask for something outside itself.
    """
    notebook = nbformat.read(executed, as_version=4)
    set_alone(notebook, root, title, names or {})
    body, contents = _rendered(notebook, root, title)
    page = _composed(title, body, contents)
    if strays := list(_outside(page)):
        raise SiteFailed(f"the page asks for what is not in it: {', '.join(strays)}")
    return page


def _rendered(notebook: NotebookNode, root: Path, title: str) -> tuple[str, str]:
    """The notebook as HTML, pictures inside, and its table of contents; by Sphinx, strictly."""
    config = yaml.safe_load((root / CONFIG).read_text("utf-8"))
    has_references = (root / REFERENCES).is_file()
    settings = {
        "project": title,
        "root_doc": DOCUMENT,
        "extensions": ["myst_nb", *(["sphinxcontrib.bibtex"] if has_references else [])],
        "myst_enable_extensions": config.get("parse", {}).get("myst_enable_extensions", []),
        "nb_execution_mode": "off",
        "numfig": True,
        "language": "en",
        "html_theme": "basic",
        "templates_path": ["templates"],
        "html_use_index": False,
        "html_copy_source": False,
    }
    if has_references:
        settings |= {"bibtex_bibfiles": [REFERENCES.name], "bibtex_reference_style": "author_year"}
    with tempfile.TemporaryDirectory(prefix="mbnb-page-") as name:
        folder = Path(name)
        source, built = folder / "source", folder / "built"
        (source / "templates").mkdir(parents=True)
        lines = [f"{key} = {value!r}" for key, value in settings.items()]
        (source / "conf.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (source / "templates" / "page.html").write_text(
            "{{ body }}<!-- contents -->{{ toc }}", encoding="utf-8"
        )
        nbformat.write(notebook, source / f"{DOCUMENT}.ipynb")
        if has_references:
            shutil.copyfile(root / REFERENCES, source / REFERENCES.name)
        _sphinx(source, built)
        text = (built / f"{DOCUMENT}.html").read_text("utf-8")
        text = _IMAGE.sub(lambda match: f'src="{_data_uri(built / match[1])}"', text)
    body, _, contents = text.partition("<!-- contents -->")
    return body, contents


def _sphinx(source: Path, built: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sphinx", *SPHINX_OPTIONS, str(source), str(built)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    if done.returncode or not (built / f"{DOCUMENT}.html").is_file():
        said = COLOUR.sub("", done.stderr + done.stdout).replace(f"{source.resolve()}{os.sep}", "")
        lines = [line for line in said.splitlines() if line.strip()]
        marked = [line for line in lines if "WARNING" in line or "ERROR" in line]
        raise SiteFailed("\n".join(["Sphinx refused the page:", *(marked or lines[-10:])]))


def _data_uri(path: Path) -> str:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def _composed(title: str, body: str, contents: str) -> str:
    scripts = []
    if "VEGA_DEBUG" in body:
        scripts.append(vega_bundle())
        # Altair's page would fetch its libraries from here, were they not there already.
        body = body.replace(VEGA_FOLDER, "data:,")
    if 'class="math' in body:
        scripts.append(mathjax_file().read_text("utf-8"))
    inside = "".join(f"<script>{_as_script(text)}</script>\n" for text in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n{inside}</head>\n<body>\n"
        f'<nav aria-label="Contents">{contents}</nav>\n<main>\n{body}\n</main>\n</body>\n</html>\n'
    )


def _as_script(text: str) -> str:
    """A script that may stand in HTML: nothing in it ends the element."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


class _Strays(HTMLParser):
    """What elements of a page ask for beyond data inside it and links to the web."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_style = tag == "style"
        for name, value in attrs:
            value = (value or "").strip()
            if name in ("src", "srcset", "data", "poster", "action"):
                bad = not value.startswith("data:")
            elif name == "href" or name.endswith(":href"):
                to_web = tag == "a" and value.startswith(("http://", "https://", "mailto:"))
                bad = not (to_web or value.startswith(("#", "data:")))
            elif name == "style":
                bad = _asks(value)
            else:
                continue
            if bad:
                self.found.append(f"{tag} {name}={value[:80]}")

    def handle_data(self, data: str) -> None:
        if self.in_style and _asks(data):
            self.found.append("a style with a url() or an @import")


def _asks(style: str) -> bool:
    return bool(re.search(r"url\(\s*['\"]?(?!data:|#)|@import", style))


def _outside(page: str) -> Iterator[str]:
    parser = _Strays()
    parser.feed(page)
    yield from parser.found
