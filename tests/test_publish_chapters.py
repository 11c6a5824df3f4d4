"""Chapters before their execution: finding, pairing and the checks of their sources."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import jupytext
import pytest
from mbnb.book.cache import OUT_OF_REACH
from small_book import ENDING, make_book, source

from mbnb.book.chapters import (
    Chapter,
    find_chapter,
    find_root,
    read_chapter,
    read_chapters,
    tags_of,
    write_twins,
)
from mbnb.book.check import source_problems
from mbnb.data.errors import InputError

ROOT = Path(__file__).parents[1]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(
        tmp_path / "book", {"01_first": source("First"), "02_second": source("Second")}
    )


def edit(book: Path, text: str, *, name: str = "01_first") -> list[str]:
    """Problems of the book when a chapter has this text and its notebook was made from it."""
    (book / "notebooks" / f"{name}.py").write_text(text, encoding="utf-8")
    write_twins(book)
    return source_problems(book)


def only(problems: list[str]) -> str:
    assert len(problems) == 1, f"one problem was expected: {problems}"
    return problems[0]


def test_a_sound_book_has_no_problems(book: Path) -> None:
    assert source_problems(book) == []


def test_chapters_come_in_the_order_of_the_table_of_contents(book: Path) -> None:
    assert [chapter.name for chapter in read_chapters(book)] == ["01_first", "02_second"]


@pytest.mark.parametrize(
    "wanted", ["2", "02", "02_second", "second", "02_second.py", "notebooks/02_second.ipynb"]
)
def test_a_chapter_is_found_by_number_name_or_path(book: Path, wanted: str) -> None:
    assert find_chapter(book, wanted).name == "02_second"


def test_an_unknown_chapter_is_answered_with_those_there_are(book: Path) -> None:
    with pytest.raises(InputError) as caught:
        find_chapter(book, "9")
    assert str(caught.value) == ("there is no chapter '9'; the chapters are 01_first, 02_second")


def test_the_root_is_found_from_any_folder(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book / "notebooks")
    assert find_root() == book, "from inside the book"
    monkeypatch.chdir(tmp_path)
    assert find_root() == ROOT, "from elsewhere it is the book that the package came with"
    with pytest.raises(InputError, match=r"there is no book \(_toc.yml and _config.yml\)"):
        find_root(tmp_path)


# Pairing: by content, never by time


def test_the_notebook_is_the_same_however_often_it_is_made(book: Path) -> None:
    path = book / "notebooks" / "01_first.py"
    assert read_chapter(path).twin_text == read_chapter(path).twin_text
    assert write_twins(book) == [], "an unchanged notebook is not written again"


def test_a_stale_notebook_is_found_though_it_is_newer(book: Path) -> None:
    chapter = book / "notebooks" / "01_first.py"
    chapter.write_text(source("Another title"), encoding="utf-8")
    later = time.time() + 3600
    os.utime(chapter.with_suffix(".ipynb"), (later, later))
    assert only(source_problems(book)) == (
        "notebooks/01_first.py: the notebook beside it is not the one that this file makes; "
        "run 'mbnb check --write'"
    )
    assert write_twins(book) == [chapter.with_suffix(".ipynb")], "the newer, older text goes"
    assert source_problems(book) == []
    assert "Another title" in chapter.read_text(encoding="utf-8"), "the .py is never written"


def test_an_unchanged_notebook_that_is_older_is_no_problem(book: Path) -> None:
    os.utime(book / "notebooks" / "01_first.ipynb", (0, 0))
    assert source_problems(book) == []


def test_a_notebook_with_outputs_is_found(book: Path) -> None:
    twin = book / "notebooks" / "01_first.ipynb"
    text = twin.read_text(encoding="utf-8").replace(
        '"execution_count": null', '"execution_count": 1', 1
    )
    twin.write_text(text, encoding="utf-8")
    assert "is not the one that this file makes" in only(source_problems(book))


def test_inserting_a_cell_changes_no_other_cells_id(book: Path) -> None:
    path = book / "notebooks" / "01_first.py"
    before = [cell["id"] for cell in read_chapter(path).notebook.cells]
    edit(book, source("First", "\n# %%\nprint(p.seed)\n"))
    after = [cell["id"] for cell in read_chapter(path).notebook.cells]
    assert len(set(after)) == len(after) == len(before) + 1, "ids are unique"
    assert [one for one in after if one in before] == before, "the old cells keep theirs"


def test_tags_and_figure_metadata_survive_the_round_trip(book: Path) -> None:
    body = '\n# %% tags=["hide-input"] mystnb={"figure": {"name": "fig-a"}}\nprint(1)\n'
    path = book / "notebooks" / "01_first.py"
    assert edit(book, source("First", body)) == []
    cell = read_chapter(path).code_cells[3]
    assert cell.metadata["tags"] == ["hide-input"]
    assert cell.metadata["mystnb"]["figure"]["name"] == "fig-a"
    again = jupytext.reads(jupytext.writes(read_chapter(path).notebook, "py:percent"), "py:percent")
    assert [c.metadata.get("tags") for c in again.cells] == [
        c.metadata.get("tags") for c in read_chapter(path).notebook.cells
    ], "no tag is lost on the way back"
    written = jupytext.read(path.with_suffix(".ipynb"))
    assert "jupytext" not in written.metadata, "Jupyter must not sync the files by time"


# What each check finds


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            source("First", kernel="py39"),
            "its kernelspec is 'py39'; only 'python3' is allowed",
        ),
        (
            source("First").replace(' tags=["parameters"]', ""),
            "01_first.py has 0 cells tagged 'parameters'; exactly one is allowed",
        ),
        (
            source("First", '\n# %% tags=["parameters"]\nseed = 1\n'),
            "01_first.py has 2 cells tagged 'parameters'; exactly one is allowed",
        ),
        (
            source("First")
            .replace("n_trials: int = 20", "n_trials: int = 20\nseed: int = 0")
            .replace("globals()", "n_trials=n_trials, sizes=sizes"),
            "the parameter 'seed' is not handed to mbnb.parameters in the cell after the "
            "parameters cell",
        ),
        (
            source("First", end="\n# %%\nprint(p.sizes)\n"),
            "the parameter 'n_trials' is read by no later cell",
        ),
        (
            source("First").replace("n_trials: int = 20", "n_trials: int | None = 20"),
            "the parameters cell of 01_first.py has the type 'int | None', which papermill "
            "cannot read; a plain type such as int, str or list is allowed",
        ),
        (
            source("First").replace("n_trials: int = 20", "n_trials: int = 4 * 5"),
            "the parameters cell of 01_first.py holds 'n_trials: int = 4 * 5'; only plain values "
            "given to a name are allowed there",
        ),
        (
            source("First").replace("n_trials: int = 20", "n_trials: int = 0"),
            "n_trials must be a whole number ≥ 1; given: 0 (int)",
        ),
        (
            source("First", extra="#   mbnb:\n#     exclusive: 1\n"),
            "its mbnb metadata has exclusive = 1; allowed are exclusive (bool), timeout (int), "
            "quick (dict)",
        ),
        (
            source("First", extra="#   mbnb:\n#     quick:\n#       size: 3\n"),
            "its quick profile sets 'size', which is none of its parameters",
        ),
        (
            source("First", "\n# %%\nmbnb.say('lost')\nx = 1\n"),
            "code cell 4 says what no reader sees, since more code follows; mbnb.say must be a "
            "cell's last line",
        ),
        (
            source("First", "\n# %%\nif\n"),
            "code cell 4 is not Python (invalid syntax)",
        ),
    ],
)
def test_a_faulty_chapter_is_named_with_its_fault(book: Path, text: str, problem: str) -> None:
    assert only(edit(book, text)) == f"notebooks/01_first.py: {problem}"


def test_a_filter_that_can_drop_tags_is_found(book: Path) -> None:
    extra = "#   jupytext:\n#     cell_metadata_filter: -tags\n"
    assert "by which jupytext can drop tags" in only(edit(book, source("First", extra=extra)))


def test_a_parameter_without_a_rule_is_found(book: Path) -> None:
    text = source("First").replace("n_trials", "n_trails")
    assert any("no rule says what the parameter 'n_trails'" in p for p in edit(book, text))


def test_a_chapter_outside_the_table_of_contents_is_found(book: Path) -> None:
    problems = edit(book, source("Third"), name="03_third")
    assert problems == [
        "notebooks/03_third.ipynb is not in the table of contents",
        "notebooks/03_third.py is not in the table of contents",
    ]


def test_a_table_of_contents_with_a_gap_or_a_ghost_is_found(tmp_path: Path) -> None:
    gap = make_book(tmp_path / "gap", {"01_first": source("A"), "03_third": source("B")})
    assert "its name must begin with 02_" in only(source_problems(gap))
    (gap / "notebooks" / "03_third.py").unlink()
    assert source_problems(gap)[1:] == [
        "notebooks/03_third.py: the chapter 03_third.py cannot be read (No such file or directory)"
    ], "the rest of the book is checked all the same"


def test_a_page_that_is_not_there_is_found(book: Path) -> None:
    (book / "book" / "introduction.md").unlink()
    assert only(source_problems(book)) == (
        "the table of contents names book/introduction, which is not there"
    )


def test_magics_do_not_hide_the_rest_of_a_cell(book: Path) -> None:
    assert edit(book, source("First", end=ENDING.replace("import os", "%time 1\nimport os"))) == []


# The book itself


def test_the_chapters_of_this_book_are_sound() -> None:
    assert source_problems(ROOT) == []


@pytest.mark.parametrize("chapter", read_chapters(ROOT), ids=lambda chapter: chapter.name)
def test_a_chapter_keeps_its_tags_finds_its_data_and_says_what_made_it(chapter: Chapter) -> None:
    there = chapter.notebook
    back = jupytext.reads(jupytext.writes(there, "py:percent"), "py:percent")
    assert [tags_of(cell) for cell in back.cells] == [tags_of(cell) for cell in there.cells]
    code = "\n".join(cell.source for cell in chapter.code_cells)
    assert "../" not in code, "a path that depends on the working folder"
    last = code.rstrip().splitlines()[-1]
    assert last.startswith(("study.footer(", "mbnb.footer(")), "data, versions and time"


def test_rooms_left_out_of_the_key_cannot_be_reached_by_a_chapter() -> None:
    names = [room.removesuffix(".py").replace("/", ".") for room in OUT_OF_REACH]
    probe = (
        "import mbnb, sys; [getattr(mbnb, name) for name in mbnb.__all__]; "
        f"print([room for room in {names!r} if 'mbnb.' + room in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", "a room outside the key is loaded by a name of mbnb"
