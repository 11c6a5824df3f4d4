"""Which code a unit's result depends on, as a hash; runs none of it."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# The room where results are made. What only judges or draws them can change without making them
# anew.
ORIGIN = "mbnb.run.units"
# The libraries whose releases may change a number.
LIBRARIES = ("numpy", "scipy", "scikit-learn", "kmedoids")
# Python 3.11 counts the nesting of all trees that are being made together, and takes the count for
# damaged where two threads make one at a time.
_ONE_AT_A_TIME = threading.Lock()


@cache
def code_hash() -> str:
    """SHA-256 (hex) of the source of `ORIGIN` and all it imports of mbnb, and of `LIBRARIES`."""
    digest = hashlib.sha256()
    for name in sorted(needed_modules()):
        digest.update(name.encode() + _file(name).read_bytes())
    for library in LIBRARIES:
        digest.update(f"{library}={importlib.metadata.version(library)}".encode())
    return digest.hexdigest()


def needed_modules() -> set[str]:
    """Names of mbnb's modules that `ORIGIN` imports, directly or through others, and its own."""
    found: set[str] = set()
    waiting = [ORIGIN]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return found


def _imports(name: str) -> Iterator[str]:
    source = _file(name).read_text(encoding="utf-8")
    with _ONE_AT_A_TIME:
        tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for imported in names:
            if imported.startswith("mbnb.") and _file(imported).is_file():
                yield imported


def _file(name: str) -> Path:
    place = PACKAGE.joinpath(*name.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
