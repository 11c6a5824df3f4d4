"""One executed notebook as one HTML file that needs nothing beside it; executes nothing."""

from __future__ import annotations

import base64
import html
import mimetypes
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from mbnb.book.chapters import CONFIG, FOLDER, INJECTED_TAG, Chapter, tags_of
from mbnb.book.extension import mathjax_file, vega_bundle
from mbnb.book.site import SiteFailed, run_strictly
from mbnb.plots import CSV, VEGA_FOLDER

STYLE = Path(__file__).with_name("page.css")
GLOSSARY, REFERENCES = Path("book") / "glossary.md", Path("book") / "references.bib"
# Tags of cells that a report leaves out, or puts at its end.
BOOK_ONLY, LAST, SOLUTION = "book-only", "report-last", "solution"

_TERM = re.compile(r"\{term\}`([^`<]+?)\s*(?:<([^>]+)>)?`")
_CITE = re.compile(r"\s*\{cite:[a-z]+\}`[^`]+`")
_NUMREF = re.compile(r"\{numref\}`([^`]+)`")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def as_report(notebook: NotebookNode, title: str, names: Mapping[str, str]) -> None:
    """Change an executed chapter into a report, in place.

    Code is hidden, exercises and solutions are left out, and cells are left out or moved by tags.

    Parameters
    ----------
    notebook : NotebookNode
    title : str
        Stands in the place of the notebook's own.
    names : mapping of str to str
        What to write in the place of what in the outputs, such as a name for a path.
    """
    chapter = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
    escaped = re.sub(r"([\\`*_{}\[\]<>#$|~^])", r"\\\1", title)
    cells = list(without_exercises(notebook.cells))
    cells[0].source = f"# {escaped}\n{cells[0].source.partition(chr(10))[2]}"
    kept: list[NotebookNode] = []
    for cell in cells:
        if {BOOK_ONLY, INJECTED_TAG} & set(tags_of(cell)):
            continue
        if cell.cell_type == "code":
            if not cell.outputs:
                continue
            cell.metadata["tags"] = sorted({*tags_of(cell), "remove-input"} - {"hide-input"})
            _rename(cell, names)
        kept.append(cell)
    how = nbformat.v4.new_markdown_cell(
        "## How this page was made\n\nThe command `mbnb report` ran the chapter "
        f"“{chapter}” of the micro-benchmark book with these parameters; the book tells what "
        "each step means, and holds the notebook to read and to change."
    )
    last = [cell for cell in kept if LAST in tags_of(cell)]
    notebook.cells = [*(cell for cell in kept if LAST not in tags_of(cell)), how, *last]


def without_exercises(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells without the section “Exercises” and without solutions, wherever they stand."""
    inside = False
    for cell in cells:
        if cell.cell_type == "markdown":
            lines = []
            for line in cell.source.splitlines():
                if line.startswith(("# ", "## ")):
                    inside = line.startswith("## Exercises")
                if not inside:
                    lines.append(line)
            cell.source = "\n".join(lines).strip()
            if cell.source:
                yield cell
        elif not inside and SOLUTION not in tags_of(cell):
            yield cell


def chapter_without_exercises(chapter: Chapter) -> Chapter:
    """The same chapter, of which no solution is executed."""
    notebook = jupytext.reads(chapter.text, fmt="py:percent")
    notebook.cells = list(without_exercises(notebook.cells))
    return replace(chapter, text=jupytext.writes(notebook, fmt="py:percent"))


def _rename(cell: NotebookNode, names: Mapping[str, str]) -> None:
    """Replace texts wherever a reader could see them."""
    pairs = [(f(old), f(new)) for old, new in names.items() for f in (str, html.escape)]
    for output in cell.outputs:
        data = output.get("data", output)
        for kind, value in data.items():
            if isinstance(value, str) and (kind == "text" or kind.startswith("text/")):
                for old, new in pairs:
                    value = value.replace(old, new)
                data[kind] = value


def set_alone(notebook: NotebookNode, root: Path) -> None:
    """Let no link lead to another page, in place; explain the terms that are used at the end."""
    entries = glossary_entries((root / GLOSSARY).read_text("utf-8"))
    by_term = {term.lower(): number for number, (terms, _) in enumerate(entries) for term in terms}
    labels = {c.metadata.get("mystnb", {}).get("figure", {}).get("name") for c in notebook.cells}
    used: set[int] = set()

    def term(match: re.Match[str]) -> str:
        number = by_term.get((match[2] or match[1]).lower())
        if number is None:
            return match[1]
        used.add(number)
        return match[0]

    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    for cell in prose:
        text = _LINK.sub(lambda m: m[1] or _title_of(root, m[2]), cell.source)
        text = _NUMREF.sub(lambda m: m[0] if m[1] in labels else "a figure of the book", text)
        cell.source = _TERM.sub(term, text)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # The data of a figure are for the book, whose pages offer them as files.
            output.get("data", {}).pop(CSV, None)
    appendix = []
    if used:
        told = "\n\n".join(
            "\n".join([*terms, *(f"  {line}" for line in lines)])
            for terms, lines in (entries[number] for number in sorted(used))
        )
        appendix.append(f"## Words of this page\n\n```{{glossary}}\n{told}\n```")
    if any(_CITE.search(cell.source) for cell in prose):
        appendix.append("## References\n\n```{bibliography}\n```")
    notebook.cells += [nbformat.v4.new_markdown_cell(text) for text in appendix]


def glossary_entries(text: str) -> list[tuple[list[str], list[str]]]:
    """Entries of the book's glossary that words alone explain: their terms, and the lines.

    Roles inside an explanation become plain words; an entry with a formula is left out, since a
    page for its sake would have to carry the program that sets formulae.
    """
    entries: list[tuple[list[str], list[str]]] = []
    for block in re.findall(r"^```\{glossary\}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"\n\s*\n", block.strip("\n")):
            lines = part.splitlines()
            terms = [line for line in lines if not line.startswith(" ")]
            told = [line.strip() for line in lines if line.startswith(" ")]
            plain = [_CITE.sub("", _TERM.sub(lambda m: m[1], line)) for line in told]
            plain = [_LINK.sub(lambda m: m[1], line) for line in plain]
            if terms and plain and "$" not in part:
                entries.append((terms, plain))
    return entries


def _title_of(root: Path, target: str) -> str:
    """How prose names another page of the book that it cannot link to."""
    name = Path(target.partition("#")[0]).stem
    for path in (root / FOLDER / f"{name}.py", root / "book" / f"{name}.md"):
        if path.is_file():
            found = re.search(r"^(?:# )?# (.+)$", path.read_text("utf-8"), re.MULTILINE)
            if found:
                return f"“{found[1].strip()}” (a chapter of the micro-benchmark book)"
    return f"“{name.replace('_', ' ')}”"


def write_report(executed: Path, root: Path, title: str, names: Mapping[str, str]) -> str:
    """The page of an executed notebook as a report; see `as_report`.

    Parameters
    ----------
    executed : Path
    root : Path
        The book's folder: its glossary explains the words that the notebook marks as terms.
    title : str
    names : mapping of str to str

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
    as_report(notebook, title, names)
    page = _page(notebook, root, title)
    if strays := strays_of(page):
        raise SiteFailed(f"the page asks for what is not in it: {', '.join(strays)}")
    return page


def chapter_page(executed: Path, root: Path, chapter: Chapter) -> str:
    """The page of an executed chapter, code and exercises and all, as one HTML file."""
    return _page(nbformat.read(executed, as_version=4), root, chapter.name)


def _page(notebook: NotebookNode, root: Path, title: str) -> str:
    """A notebook as HTML with all that it needs inside; by Sphinx, strictly."""
    set_alone(notebook, root)
    config = yaml.safe_load((root / CONFIG).read_text("utf-8"))
    settings = {
        "project": title,
        "root_doc": "page",
        "extensions": ["myst_nb", "sphinxcontrib.bibtex"],
        "myst_enable_extensions": config.get("parse", {}).get("myst_enable_extensions", []),
        "nb_execution_mode": "off",
        "numfig": True,
        "language": "en",
        "html_theme": "basic",
        "templates_path": ["templates"],
        "html_use_index": False,
        "html_copy_source": False,
        "bibtex_bibfiles": [REFERENCES.name],
        "bibtex_reference_style": "author_year",
    }
    with tempfile.TemporaryDirectory(prefix="mbnb-page-") as name:
        source, built = Path(name) / "source", Path(name) / "built"
        (source / "templates").mkdir(parents=True)
        lines = [f"{key} = {value!r}" for key, value in settings.items()]
        (source / "conf.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (source / "templates" / "page.html").write_text(
            "{{ body }}<!-- contents -->{{ toc }}", encoding="utf-8"
        )
        nbformat.write(notebook, source / "page.ipynb")
        if (root / REFERENCES).is_file():
            shutil.copyfile(root / REFERENCES, source / REFERENCES.name)
        options = ["-b", "html", "-W", "-n", "--keep-going", "-E", "-q"]
        command = [sys.executable, "-P", "-m", "sphinx", *options, str(source), str(built)]
        run_strictly(command, source, built / "page.html")
        text = (built / "page.html").read_text("utf-8")
        text = re.sub('src="(_images/[^"]+)"', lambda m: f'src="{_data_uri(built / m[1])}"', text)
    body, _, contents = text.partition("<!-- contents -->")
    return _composed(title, body, contents)


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
    # Nothing in a script may end the element that it stands in.
    safe = [text.replace("</script", "<\\/script").replace("<!--", "<\\!--") for text in scripts]
    inside = "".join(f"<script>{text}</script>\n" for text in safe)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n{inside}</head>\n<body>\n"
        f'<nav aria-label="Contents">{contents}</nav>\n<main>\n{body}\n</main>\n</body>\n</html>\n'
    )


def strays_of(page: str) -> list[str]:
    """What a page asks for that is not in it, such as a picture of another host."""
    markup = re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL)
    asked = r'<[^>]*\s(?:src|srcset|data|poster|action)="(?!data:)([^"]*)"'
    linked = r'<link\s[^>]*href="(?!data:)([^"]*)"'
    led_to = r'<a\s[^>]*href="(?!#|https?:|mailto:|data:)([^"]*)"'
    return [found for kind in (asked, linked, led_to) for found in re.findall(kind, markup)]
