"""The prose pages, the bibliography and the citation file: what they claim is what is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from mbnb.book.chapters import toc_entries
from mbnb.data.folder import read_folder
from mbnb.data.profiles import profile_names, read_profile

ROOT = Path(__file__).resolve().parents[1]
PAGES = [entry.removeprefix("book/") for entry in toc_entries(ROOT) if entry.startswith("book/")]


def read(page: str) -> str:
    return (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")


def code_blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), flags=re.MULTILINE | re.DOTALL)


def test_folder_example_makes_a_dataset_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in code_blocks("rerunning", "python"):
        if "my_results" in block:
            exec(block, {})
    assert read_folder("my_results").n_models == 3


def test_documented_commands_exist() -> None:
    from mbnb.cli import main

    lines = [
        line
        for page in PAGES
        for block in code_blocks(page, "bash")
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("mbnb ")
    ]
    assert len(lines) >= 6, "the pages show the commands"
    for line in lines:
        _, command, *words = shlex.split(line, comments=True)
        if command == "--help":
            continue
        found = main.get_command(click.Context(main), command)
        assert found, f"'{line}': there is no command {command}"
        known = {o for p in found.params for o in (*p.opts, *p.secondary_opts)}
        used = {word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word)}
        assert used <= known, f"'{line}': {command} has no {used - known}"


def card_rows() -> dict[str, list[str]]:
    rows = re.findall(r"^\| `([^`]+)` \|(.*)\|$", read("data_cards"), flags=re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}


def test_simulated_cards_tell_the_profiles() -> None:
    simulated = {n.removeprefix("simulated:"): r for n, r in card_rows().items() if ":" in n}
    assert sorted(simulated) == profile_names()
    for name, row in simulated.items():
        profile = read_profile(name)
        shape = [f"{profile.n_models:,}", f"{profile.n_items:,}", str(len(profile.subtasks))]
        assert row[:3] == shape, f"{name}: the card says {row[:3]}, the profile {shape}"
        card = read("data_cards").split(f"### simulated:{name}\n")[1].split("###")[0]
        half = sum(subtask.items // 2 for subtask in profile.subtasks)
        assert f"| train half | {half:,} items |" in card
        for group, n_models in re.findall(r"`([0-9a-z-]+)` \((\d+)", card):
            there = sum(c.models for c in profile.cohorts if c.group == group)
            assert there == int(n_models), f"{name}: group {group} has {there} models"
