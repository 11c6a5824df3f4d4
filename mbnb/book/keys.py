"""What an executed chapter depends on, as a key; executes nothing.

A chapter's key covers the chapter, what is set in it from outside, the data, Python and the
libraries, and of the package: all code of the rooms that make numbers, how a chapter opens, and of
the other modules only the definitions that the chapter's names lead to. Docstrings and comments
count nowhere. So a changed chart executes anew the chapters that draw it, a changed docstring none.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import mbnb
from mbnb.book.chapters import Chapter
from mbnb.data.datasets import SIMULATED, locate

PACKAGE = Path(mbnb.__file__).parent
ROOMS = ("data", "judge", "methods", "run", "book/opening.py", "book/parameters.py")
# Rooms that only some chapters use: covered where a chapter's text names them.
MORE_ROOMS = ("frozen", "logs")
# Libraries whose releases may change a number or a figure.
LIBRARIES = (
    *("numpy", "scipy", "scikit-learn", "pandas", "kmedoids"),
    *("altair", "matplotlib", "seaborn"),
)


def chapter_key(root: Path, chapter: Chapter, injected: Mapping[str, Any]) -> str:
    """A key that changes whenever the executed chapter could.

    Raises
    ------
    InputError
        If a parameter names a data set that is not there.
    """
    names = {node.attr for node in _walk(chapter) if isinstance(node, ast.Attribute)} | {
        alias.name
        for node in _walk(chapter)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    used = {module for name in names if (module := mbnb._PLACES.get(name))}
    rooms = [room for room in MORE_ROOMS if f"mbnb.{room}" in chapter.text + " ".join(used)]
    dataset = {**chapter.defaults, **injected}.get("dataset", SIMULATED)
    parts = {
        "chapter": chapter.text,
        "injected": dict(injected),
        "rooms": [_code_of(room) for room in (*ROOMS, *rooms)],
        "charts": _reached("plots.py", frozenset(names | {"setup_charts"})),
        "data": hash_files(root / "data"),
        "dataset": "" if dataset.startswith(SIMULATED) else hash_files(locate(dataset)),
        "python": platform.python_version(),
        "libraries": versions(LIBRARIES),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _walk(chapter: Chapter) -> Iterable[ast.AST]:
    for cell in chapter.notebook.cells:
        if cell.cell_type == "code":
            yield from ast.walk(ast.parse(cell.source))


@cache
def _code_of(place: str) -> str:
    """A hash of the code of a module or of all modules of a room."""
    path = PACKAGE / place
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    texts = [f"{file.name} {ast.dump(_bare(file))}" for file in files]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@cache
def _reached(place: str, names: frozenset[str]) -> str:
    """A hash of the definitions of a module that some names lead to, and of its other lines."""
    defined: dict[str, ast.stmt] = {}
    always: list[ast.stmt] = []
    for statement in _bare(PACKAGE / place).body:
        name = getattr(statement, "name", None)
        if name is None:
            always.append(statement)
        else:
            defined[name] = statement
    waiting, found = set(names & defined.keys()), set()
    for statement in always:
        waiting |= _names_in(statement) & defined.keys()
    while waiting:
        found.add(name := waiting.pop())
        waiting |= (_names_in(defined[name]) & defined.keys()) - found
    kept = [*always, *(defined[name] for name in sorted(found))]
    return hashlib.sha256("\n".join(map(ast.dump, kept)).encode()).hexdigest()


def _names_in(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _bare(path: Path) -> ast.Module:
    """A module without docstrings; comments and layout are no part of a tree."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant()), *_] as body:
                body.pop(0)
    return tree


def versions(names: Iterable[str]) -> dict[str, str]:
    """Installed releases by name."""
    return {name: importlib.metadata.version(name) for name in names}


def hash_files(folder: Path) -> str:
    """SHA-256 over names and bytes of the files of a folder, but Markdown, which no code reads."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()
