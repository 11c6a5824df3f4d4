"""Chapters are found and checked: each fault of a source is named with its file."""

from __future__ import annotations

import os
from pathlib import Path

import jupytext
import nbformat
import pytest
from small_book import make_book, source

from mbnb.book.chapters import find_chapter, find_root, read_chapters, toc_entries, write_twins
from mbnb.book.check import executed_problems, source_problems
from mbnb.data.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("01_first", "02_second", "A_more")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path / "book", {name: source(name) for name in NAMES})


def test_a_sound_book_has_no_problems_and_keeps_its_order(book: Path) -> None:
    assert source_problems(book) == []
    assert [chapter.name for chapter in read_chapters(book)] == list(NAMES)


@pytest.mark.parametrize("wanted", ["2", "02", "02_second", "second", "notebooks/02_second.ipynb"])
def test_a_chapter_is_found_by_number_name_or_path(book: Path, wanted: str) -> None:
    assert find_chapter(book, wanted).name == "02_second"


def test_an_unknown_chapter_is_answered_with_those_there_are(book: Path) -> None:
    with pytest.raises(InputError, match=r"'7'.*01_first, 02_second, A_more"):
        find_chapter(book, "7")


def test_the_root_is_found_from_any_folder(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book / "notebooks")
    assert find_root() == book
    with pytest.raises(InputError, match="no book"):
        find_root(book / "data")


def test_the_twin_is_jupytexts_notebook_however_often_it_is_made(book: Path) -> None:
    chapter = read_chapters(book)[0]
    first = chapter.twin.read_text("utf-8")
    os.utime(chapter.path)  # newer, but the same
    assert write_twins(book) == []
    assert chapter.twin.read_text("utf-8") == first
    of_jupytext = jupytext.read(chapter.path)
    twin = nbformat.read(chapter.twin, as_version=4)
    assert [(c.source, c.metadata) for c in twin.cells] == [
        (c.source, c.metadata) for c in of_jupytext.cells
    ]


def test_a_stale_twin_is_found_though_it_is_newer_and_is_mended(book: Path) -> None:
    twin = read_chapters(book)[0].twin
    notebook = nbformat.read(twin, as_version=4)
    notebook.cells[0].source = "# Edited in Jupyter"
    nbformat.write(notebook, twin)
    [problem] = source_problems(book)
    assert "01_first" in problem and "mbnb check --write" in problem
    assert write_twins(book) == [twin]
    assert source_problems(book) == []


def test_inserting_a_cell_changes_no_other_cells_id(book: Path) -> None:
    chapter = read_chapters(book)[0]
    before = [cell.id for cell in chapter.notebook.cells]
    chapter.path.write_text(source("01_first", "\n# %%\nx = 1\n"), encoding="utf-8")
    assert [cell.id for cell in read_chapters(book)[0].notebook.cells][:-1] == before


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('tags=["parameters"]', "", "0 cells tagged 'parameters'"),
        ("n_trials: int = 50", "n_trials: int = 5 * 10", "n_trials: int = 5 \\* 10"),
        ("n_trials: int = 50", "n_trails: int = 50", "n_trails"),
        ("n_trials: int = 50", "n_trials: int = 0", "n_trials is 0"),
        ("n_trials: int = 50", "n_trials: int = 10", "default is 50"),
        ("# %%\nimport os", '# %% tags=["remove-sell"]\nimport os', "remove-sell"),
        ("# %%\nimport os", '# %% tags=["claims"]\nimport os', "not 'remove-cell'"),
    ],
)
def test_a_faulty_chapter_is_named_with_its_fault(
    book: Path, old: str, new: str, named: str
) -> None:
    path = book / "notebooks" / "01_first.py"
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    write_twins(book)
    assert any(
        "01_first" in problem and named.replace("\\", "") in problem
        for problem in source_problems(book)
    )


def test_a_default_of_its_own_is_allowed_where_open_study_is_given_it(book: Path) -> None:
    path = book / "notebooks" / "01_first.py"
    text = path.read_text("utf-8").replace("n_trials: int = 50", "n_trials: int = 10")
    path.write_text(text + "\nstudy = mbnb.open_study(globals(), n_trials=10)\n", encoding="utf-8")
    write_twins(book)
    assert source_problems(book) == []


def test_chapters_outside_the_contents_and_ghosts_in_it_are_found(book: Path) -> None:
    toc = book / "_toc.yml"
    toc.write_text(toc.read_text("utf-8").replace("02_second", "03_ghost"), encoding="utf-8")
    problems = " ".join(source_problems(book))
    assert "03_ghost" in problems and "02_second.py is not in" in problems


def test_what_forbids_publishing_an_executed_chapter(tmp_path: Path) -> None:
    new = nbformat.v4
    cells = [new.new_code_cell("a"), new.new_code_cell("b"), new.new_code_cell("c")]
    cells[1].update(execution_count=1, outputs=[new.new_output("stream", name="stderr", text="w")])
    widget = new.new_output("display_data", {"application/vnd.jupyter.widget-view+json": {}})
    cells[2].update(execution_count=2, outputs=[widget])
    nbformat.write(new.new_notebook(cells=cells), tmp_path / "x.ipynb")
    found = executed_problems(tmp_path / "x.ipynb")
    assert [
        any(word in text for text in found) for word in ("not executed", "stderr", "widget")
    ] == [True] * 3
    (tmp_path / "y.ipynb").write_text("{")
    assert "y is not a notebook" in executed_problems(tmp_path / "y.ipynb")[0]


def test_this_book_is_sound() -> None:
    assert source_problems(ROOT) == []
    assert toc_entries(ROOT)[0] == "book/introduction"
