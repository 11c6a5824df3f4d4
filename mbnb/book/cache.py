"""What an executed chapter depends on, as a key, and where it is kept; executes nothing."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import mbnb
from mbnb.book.chapters import Chapter
from mbnb.data.datasets import available, locate

# Libraries whose releases may change a number or a figure.
LIBRARIES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pandas",
    "kmedoids",
    "altair",
    "matplotlib",
    "seaborn",
)
# Rooms that no chapter can reach: `import mbnb` loads none of them (a test holds it so).
OUT_OF_REACH = (
    "cli",
    *(f"publish/book/{n}" for n in ("alone.py", "build.py", "cache.py", "check.py", "citation.py")),
    *(
        f"publish/book/{n}"
        for n in ("executions.py", "extension.py", "figure_files.py", "page.css")
    ),
    *(f"publish/book/{n}" for n in ("page.py", "reference.py", "repository.py", "site.py")),
    *(f"publish/book/{n}" for n in ("offline.py", "staging.py")),
)
KEPT = 8
STAGING = ".staging"


def chapter_key(root: Path, chapter: Chapter, injected: Mapping[str, Any]) -> str:
    """A key that changes whenever the executed chapter could.

    It covers the chapter, the parameters set from outside, the package, its data files, the data
    sets on disk that the parameters name, Python, and the releases of `LIBRARIES`.

    Raises
    ------
    InputError
        If a parameter names a data set that is not there.
    """
    values = {**chapter.defaults, **injected}
    names = [values["dataset"]] if "dataset" in values else []
    parts = {
        "chapter": chapter.text,
        "injected": dict(injected),
        "package": _package_hash(),
        "data": hash_files(root / "data", _files(root / "data")),
        "datasets": {name: _dataset_hash(name) for name in [*names, *values.get("datasets", [])]},
        "python": platform.python_version(),
        "libraries": versions(LIBRARIES),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def kept_notebook(root: Path, name: str, key: str) -> Path:
    """Where the executed notebook of a chapter is kept, whether it is there or not."""
    return root / STAGING / "executed" / name / f"{key}.ipynb"


def keep(root: Path, name: str, key: str, notebook: Path, run: Mapping[str, Any]) -> Path:
    """Move an executed notebook to where it is kept; only the newest few of a chapter stay.

    Parameters
    ----------
    run : mapping
        What is recorded of the execution; kept beside the notebook, which tells nothing of it.
    """
    target = kept_notebook(root, name, key)
    target.parent.mkdir(parents=True, exist_ok=True)
    record_of(target).write_text(json.dumps(dict(run)), encoding="utf-8")
    os.replace(notebook, target)
    newest_last = sorted(target.parent.glob("*.ipynb"), key=lambda path: path.stat().st_mtime_ns)
    for old in newest_last[:-KEPT]:
        old.unlink()
        record_of(old).unlink(missing_ok=True)
    return target


def record_of(notebook: Path) -> Path:
    """Where the record of a kept notebook's execution is."""
    return notebook.with_suffix(".json")


def kept_run(notebook: Path) -> dict[str, Any]:
    """What is recorded of a kept notebook's execution; empty where nothing is."""
    try:
        return dict(json.loads(record_of(notebook).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def versions(names: Iterable[str]) -> dict[str, str]:
    """Installed releases by name."""
    return {name: importlib.metadata.version(name) for name in names}


def hash_files(base: Path, paths: Iterable[Path]) -> str:
    """SHA-256 over the names, relative to a base, and the bytes of files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(base).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]


@cache
def _package_hash() -> str:
    package = Path(mbnb.__file__).parent
    beyond = [package / room for room in OUT_OF_REACH]
    files = [p for p in _files(package) if not any(p.is_relative_to(room) for room in beyond)]
    # In a checkout the profiles and figures lie beside the package, in a wheel inside it.
    beside = package.parent / "data"
    return hash_files(package.parent, [*files, *(_files(beside) if beside.is_dir() else [])])


def _dataset_hash(name: str) -> str:
    if name in set(available().query("kind == 'simulated'")["name"]):
        return "made by the package"
    folder = locate(name)
    return hash_files(folder, [path for path in folder.iterdir() if path.is_file()])
