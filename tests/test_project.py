"""The project's own papers: dependencies told alike everywhere, layers, nothing foreign."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import mbnb

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def package(requirement: str) -> str:
    return re.split(r"[<>=!~\[; ]", requirement, maxsplit=1)[0].lower()


def test_conda_has_the_same_dependencies() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    [pip] = [part["pip"] for part in environment["dependencies"] if isinstance(part, dict)]
    assert [line for line in pip if not line.startswith("-")] == PROJECT["dependencies"]
    assert "-c constraints.txt" in pip and "-e ." in pip
    [python] = [p for p in environment["dependencies"] if str(p).startswith("python=")]
    assert python.removeprefix("python=") in PROJECT["requires-python"]


def test_every_dependency_is_pinned_where_it_was_tested() -> None:
    lines = [
        line
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[^\s;]+( ; .+)?", line) for line in lines)
    pinned = {package(line) for line in lines}
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    assert {package(requirement) for requirement in wanted} <= pinned


def test_every_dependency_is_used() -> None:
    # Started by name, loaded by Sphinx, or what pandas needs for tables in pages and in files.
    not_imported = {"ipykernel", "jinja2", "jupyter-book", "pyarrow", "sphinx-mathjax-offline"}
    modules = {
        "ipython": "IPython",
        "pyyaml": "yaml",
        "scikit-learn": "sklearn",
        "vl-convert-python": "vl_convert",
    }
    own = [*(ROOT / "mbnb").rglob("*.py"), *(ROOT / "notebooks").glob("*.py")]
    source = "\n".join(path.read_text() for path in own)
    for requirement in PROJECT["dependencies"]:
        name = package(requirement)
        if name in not_imported:
            continue
        module = modules.get(name, name.replace("-", "_"))
        assert re.search(rf"(import|from) {module}\b|\"{module}\"", source), f"{name} is not used"


@pytest.mark.parametrize("name", mbnb.__all__)
def test_every_name_handed_on_is_there(name: str) -> None:
    assert (getattr(mbnb, name).__doc__ or "").strip(), f"mbnb.{name} has no docstring"


def test_nothing_built_is_tracked() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    foreign = [
        name
        for name in listed.stdout.splitlines()
        if name.startswith(("_build/", ".venv/", ".staging/"))
        or name.endswith((".npz", ".parquet"))
    ]
    assert foreign == []
