"""`mbnb report`: one page that needs nothing beside it, on data of any shape."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from conftest import make_answers, make_matrix

from mbnb.book.page import strays_of
from mbnb.cli import main
from mbnb.data.folder import write_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.planning import needed_sizes, noisy_pairs


def small(n_models: int = 6, n_items: int = 40) -> ResponseMatrix:
    halves = ["left"] * (n_items // 2) + ["right"] * (n_items - n_items // 2)
    return make_matrix(make_answers(n_models, n_items), subtasks=halves, name="small")


def report(*words: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, words)], catch_exceptions=False)


def text_of(page: str) -> str:
    """What a reader sees."""
    shown = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", shown)))


def test_the_page_is_one_file_with_the_datas_own_names_and_numbers(tmp_path: Path) -> None:
    names = ["a_b_c", "<b>bold</b>", "d*e*", "$x$", "plain", "with `tick`"]
    matrix = replace(small(), models=small().models.set_index(pd.Index(names, name="model_id")))
    write_folder(matrix, tmp_path / "data", "made by a test")
    out = tmp_path / "report.html"
    done = report(tmp_path / "data", "--out", out, "--trials", 4, "--gap", 5, "--title", "My <own>")
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{out}\n", "stdout is where the page is and nothing else"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "report.html"]
    page = out.read_text(encoding="utf-8")
    assert strays_of(page) == [] and "<title>My &lt;own&gt;</title>" in page
    text = text_of(page)
    assert [name for name in names if name not in text] == []
    assert f"{needed_sizes(noisy_pairs(matrix), [5.0], 40)[5.0]} of the 40 items" in text
    assert "Exercise" not in text and "Re-run this chapter" not in text


def test_too_few_models_for_trials_and_a_relative_path_still_make_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(small(3), tmp_path / "my results", "made by a test")
    done = report("./my results", "--out", "r.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert str(tmp_path) not in page, "no path of the machine but the one given"
    assert "mbnb select './my results'" in text_of(page)
    assert "with 3 models" in text_of(page) and "with 3 models" in done.stderr


def test_graded_scores_with_missing_answers_make_a_page(tmp_path: Path) -> None:
    scores = np.float32(make_answers(6, 40) * 0.6 + 0.2)
    scores[1, 4] = np.nan
    write_folder(replace(small(), scores=scores), tmp_path / "data", "made by a test")
    out = tmp_path / "report.html"
    refused = report(tmp_path / "data", "--out", out)
    assert refused.exit_code == 2 and not out.exists()
    assert "drop-items, drop-models, wrong" in refused.stderr
    done = report(tmp_path / "data", "--out", out, "--missing", "drop-items", "--trials", 2)
    assert done.exit_code == 0, done.output
    assert "--missing drop-items" in text_of(out.read_text(encoding="utf-8"))
    assert "1 missing answer" in done.stderr


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--out", "r.pdf"], "r.pdf"),
        (["--out", "none/r.html"], "none"),
        (["--out", "r.html", "--sizes", "10,x"], "--sizes"),
        (["--out", "r.html", "--sizes", "30"], "size 30"),
        (["--out", "r.html", "--gap", "0"], "--gap"),
        (["--out", "r.html", "--selectors", "best"], "best"),
        (["--out", "r.html", "--sources", "9"], "9 sources"),
        (["--out", "r.html", "--book", "."], "--book"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(
    words: list[str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(small(), tmp_path / "data", "made by a test")
    done = report("data", *words)
    assert done.exit_code == 2
    assert named in done.stderr and "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
