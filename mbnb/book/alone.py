"""A chapter's executed notebook made ready to be read without its book; renders nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from mbnb.book.chapters import INJECTED_TAG, tags_of
from mbnb.book.exercises import without_exercises
from mbnb.plots import CSV

# Tags of cells that a page of its own leaves out, or puts at its end.
BOOK_ONLY, LAST = "book-only", "report-last"
GLOSSARY = Path("book") / "glossary.md"

_TERM = re.compile(r"\{term\}`([^`<]+?)\s*(?:<([^>]+)>)?`")
_CITE = re.compile(r"\s*\{cite:[a-z]+\}`[^`]+`")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def set_alone(notebook: NotebookNode, root: Path, title: str, names: Mapping[str, str]) -> None:
    """Change an executed notebook into a document of its own, in place.

    Code is hidden, exercises and their solutions are left out, cells are left out or moved by their
    tags, links to other pages become their names, and the terms that are used are explained at the
    end.

    Parameters
    ----------
    notebook : NotebookNode
    root : Path
        The book's folder, for its glossary and titles.
    title : str
        Stands in the place of the notebook's own.
    names : mapping of str to str
        What to write in the place of what in the outputs.
    """
    _rename(notebook, names)
    chapter = re.match(r"# (.*)", notebook.cells[0].source)
    notebook.cells = list(_cells_for_page(notebook, title))
    _stand_alone(notebook, root)
    _tell_how(notebook, chapter[1] if chapter else "")


def _rename(notebook: NotebookNode, names: Mapping[str, str]) -> None:
    """Replace texts wherever a reader could see them."""
    pairs = [
        (f(old), f(new)) for old, new in names.items() if old != new for f in (str, html.escape)
    ]

    def renamed(text: str) -> str:
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = renamed(output.text)
            for kind, value in output.get("data", {}).items():
                if isinstance(value, str) and kind.startswith("text/"):
                    output.data[kind] = renamed(value)


def _cells_for_page(notebook: NotebookNode, title: str) -> Iterator[NotebookNode]:
    last = []
    for number, cell in enumerate(without_exercises(notebook.cells)):
        tags = tags_of(cell)
        if number == 0:
            cell.source = re.sub(
                r"\A# .*", lambda _: f"# {_as_markdown(title)}", cell.source, count=1
            )
        if BOOK_ONLY in tags or INJECTED_TAG in tags:
            continue
        if cell.cell_type == "code":
            if not cell.outputs:
                continue
            cell.metadata["tags"] = sorted({*tags, "remove-input"} - {"hide-input"})
            # The data of a figure are for the book, whose pages offer them as files.
            for output in cell.outputs:
                output.get("data", {}).pop(CSV, None)
        if LAST in tags:
            last.append(cell)
        else:
            yield cell
    yield from last


def _as_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#$|~^])", r"\\\1", text)


def _stand_alone(notebook: NotebookNode, root: Path) -> None:
    """Let no link lead to another page; explain the terms at the end instead."""
    entries = glossary_entries((root / GLOSSARY).read_text("utf-8"))
    by_term = {term.lower(): number for number, (terms, _) in enumerate(entries) for term in terms}
    used: set[int] = set()

    def term(match: re.Match[str]) -> str:
        number = by_term.get((match[2] or match[1]).lower())
        if number is None:
            return match[1]
        used.add(number)
        return match[0]

    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    for cell in prose:
        cell.source = _LINK.sub(lambda m: m[1] or _title_of(root, m[2]), cell.source)
        cell.source = _TERM.sub(term, cell.source)
    cited = any(_CITE.search(cell.source) for cell in prose)
    appendix = []
    if used:
        told = "\n\n".join(
            "\n".join([*terms, *(f"  {line}" for line in lines)])
            for terms, lines in (entries[number] for number in sorted(used))
        )
        appendix.append(f"## Words of this page\n\n```{{glossary}}\n{told}\n```")
    if cited:
        appendix.append("## References\n\n```{bibliography}\n```")
    _insert(notebook, appendix)


def _tell_how(notebook: NotebookNode, chapter: str) -> None:
    _insert(
        notebook,
        [
            "## How this page was made\n\nThe command `mbnb report` ran the chapter "
            f"“{chapter}” of the micro-benchmark book with these parameters; the book tells what "
            "each step means, and holds the notebook to read and to change."
        ],
    )


def _insert(notebook: NotebookNode, texts: list[str]) -> None:
    """Put Markdown before the cells that come last."""
    place = next(
        (i for i, cell in enumerate(notebook.cells) if LAST in tags_of(cell)), len(notebook.cells)
    )
    notebook.cells[place:place] = [nbformat.v4.new_markdown_cell(text) for text in texts]


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
            if terms and plain and "$" not in part:
                entries.append((terms, plain))
    return entries


def _title_of(root: Path, target: str) -> str:
    """How prose names another page of the book that it cannot link to."""
    name = Path(target.partition("#")[0]).stem
    for path in (root / "notebooks" / f"{name}.py", root / "book" / f"{name}.md"):
        if path.is_file():
            found = re.search(r"^(?:# )?# (.+)$", path.read_text("utf-8"), re.MULTILINE)
            if found:
                return f"“{found[1].strip()}” (a chapter of the micro-benchmark book)"
    return f"“{name.replace('_', ' ')}”"
