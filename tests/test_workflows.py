"""The workflows: readable, and calling only what is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path: Path) -> dict[Any, Any]:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(content, dict), f"{path.name} is no workflow"
    return content


def commands(workflow: dict[Any, Any]) -> list[str]:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    return [line for step in steps for line in str(step.get("run", "")).splitlines()]


def test_there_is_one_for_the_tests_and_one_for_the_book() -> None:
    assert [path.name for path in WORKFLOWS] == ["book.yml", "test.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_asks_for_no_more_than_it_needs(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}, "write access is given job by job"
    for name, job in workflow["jobs"].items():
        assert job.get("timeout-minutes"), f"the job {name} may run for six hours"
        for needed in [job["needs"]] if "needs" in job else []:
            assert needed in workflow["jobs"], f"{name} needs {needed}, which is not there"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_make_target_exists(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    called = {
        target
        for line in commands(read(path))
        for target in re.findall(r"\bmake ([a-z][\w-]*)", line)
    }
    assert called, f"{path.name} calls no make target"
    assert called <= targets, f"{path.name} calls {called - targets}, which the Makefile lacks"


def test_the_book_is_executed_anew_every_month_without_a_cache() -> None:
    workflow = read(ROOT / ".github" / "workflows" / "book.yml")
    # YAML reads the key "on" as true.
    assert workflow[True]["schedule"], "no schedule"
    [cache] = [
        step
        for step in workflow["jobs"]["build"]["steps"]
        if str(step.get("uses", "")).startswith("actions/cache@")
    ]
    assert "schedule" not in cache["if"] and cache["if"].count("==") == 2, cache["if"]
