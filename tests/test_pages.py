"""The prose pages, the bibliography and the citation file: what they claim is what is there."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import pytest
import yaml
from pybtex.database import parse_file

from mbnb.book.chapters import toc_entries
from mbnb.data.folder import read_folder
from mbnb.data.policies import drop_duplicate_models
from mbnb.data.profiles import profile_names, read_profile
from mbnb.data.responses import ResponseMatrix

ROOT = Path(__file__).resolve().parents[1]
PAGES = [entry.removeprefix("book/") for entry in toc_entries(ROOT) if entry.startswith("book/")]


def read(page: str) -> str:
    return (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")


def code_blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), flags=re.MULTILINE | re.DOTALL)


def without_code(text: str) -> str:
    return re.sub(r"^```(?:bash|python)\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_page_has_one_title(page: str) -> None:
    titles = re.findall(r"^# .+", without_code(read(page)), flags=re.MULTILINE)
    assert len(titles) == 1, f"{page}.md has {len(titles)} titles: {titles}"


@pytest.mark.parametrize("page", PAGES)
def test_page_is_finished(page: str) -> None:
    left = re.findall(r"TODO|FIXME|TBD|XXX|lorem ipsum|^% fidelity", read(page), re.MULTILINE)
    assert not left, f"{page}.md still holds {left}"


def test_every_term_and_citation_resolves() -> None:
    # The strict build checks this too, but takes minutes; this names page and word at once.
    terms: set[str] = set()
    for block in code_blocks("glossary", r"\{glossary\}"):
        terms |= {line.strip() for line in block.splitlines() if line and not line.startswith(" ")}
    keys = set(parse_file(ROOT / "book" / "references.bib").entries)
    lowered = {term.lower() for term in terms}
    for page in PAGES:
        for shown, target in re.findall(r"\{term\}`([^`<]+?)\s*(?:<([^>]+)>)?`", read(page)):
            assert (target or shown).lower() in lowered, f"{page}.md: no term '{target or shown}'"
        for cited in re.findall(r"\{cite:[pt]\}`([^`]+)`", read(page)):
            unknown = set(cited.split(",")) - keys
            assert not unknown, f"{page}.md cites {unknown}"


def test_no_term_is_defined_twice() -> None:
    terms = [
        line.strip().lower()
        for block in code_blocks("glossary", r"\{glossary\}")
        for line in block.splitlines()
        if line and not line.startswith(" ")
    ]
    twice = {term for term in terms if terms.count(term) > 1}
    assert not twice, f"defined twice: {twice}"


def test_every_reference_can_be_found() -> None:
    for key, entry in parse_file(ROOT / "book" / "references.bib").entries.items():
        where = {"doi", "eprint", "url", "isbn"} & {name.lower() for name in entry.fields}
        assert where, f"{key} has no DOI, arXiv number, URL or ISBN"
        assert entry.fields.get("year", "").isdigit(), f"{key} has no year"
        assert not entry.fields.get("doi", "10.").startswith("http"), f"{key}: a DOI is no URL"


def test_citation_file_agrees_with_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]
    assert [a["name"] for a in citation["authors"]] == [a["name"] for a in project["authors"]]
    paper = parse_file(ROOT / "book" / "references.bib").entries["yauney2026reliable"]
    (reference,) = citation["references"]
    assert reference["title"] == paper.fields["title"]
    assert [a["family-names"] for a in reference["authors"]] == [
        person.last_names[0] for person in paper.persons["author"]
    ]
    assert project["authors"][0]["name"] in (ROOT / "LICENSE").read_text(encoding="utf-8")


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


REAL = [name for name in card_rows() if ":" not in name]


@pytest.mark.parametrize("name", REAL)
def test_real_card_tells_the_matrix(name: str, real_data: Callable[[str], ResponseMatrix]) -> None:
    matrix = real_data(name)
    copies = len(drop_duplicate_models(matrix)[1])
    assert card_rows()[name] == [
        f"{matrix.n_models:,}",
        f"{matrix.n_items:,}",
        str(len(matrix.subtasks)),
        f"{matrix.n_missing:,}",
        str(copies),
        "no" if matrix.confidences is None else "yes",
    ]
    card = read("data_cards").split(f"### {name}\n")[1].split("\n(card-")[0]
    stated = re.search(r"\| accuracy \| ([\d.]+) to ([\d.]+) points, median ([\d.]+)", card)
    if stated:
        scores = np.where(matrix.missing, np.nan, matrix.scores)
        accuracies = 100 * np.nanmean(scores, axis=1)
        low, high, median = (f"{f(accuracies):.1f}" for f in (np.min, np.max, np.median))
        assert stated.groups() == (low, high, median)
