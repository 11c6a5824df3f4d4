"""The whole way on real data by the commands alone: logs, report, selection, a score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from test_report import text_of

from mbnb.cli import main
from mbnb.data.responses import ResponseMatrix

ROOT = Path(__file__).resolve().parents[1]


def mbnb(*arguments: object) -> Result:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.slow
def test_a_leaderboard_is_reported_frozen_and_scores_models_that_were_left_out(
    real_data: Callable[[str], ResponseMatrix], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path / "cache"))
    whole = real_data("bigcodebench")
    draws = np.random.default_rng(0).permutation(whole.n_models)
    known, new = whole.subset(models=draws[8:]), whole.subset(models=draws[:8])
    for part, path in ((known, "known.csv"), (new, "new.csv")):
        table = pd.DataFrame(part.scores, index=part.model_ids, columns=part.item_ids)
        table.rename_axis("model").to_csv(path)
    mbnb("read", "known.csv", "--out", "board")
    mbnb("report", "board", "--out", "report.html", "--trials", 2, "--sizes", "50,250",
         "--selectors", "uniform,anchor-points", "--book", ROOT)  # fmt: skip
    page = Path("report.html").read_text(encoding="utf-8")
    assert f"of the {whole.n_items:,} items are enough" in text_of(page)
    mbnb("select", "board", "--selector", "uniform", "--size", 250, "--out", "micro.json")
    # The new models answer the frozen items alone, in another order.
    asked = [item["id"] for item in json.loads(Path("micro.json").read_text())["items"]]
    table = pd.read_csv("new.csv", index_col="model")
    table[asked[::-1]].to_csv("answers.csv")
    done = mbnb("score", "micro.json", "answers.csv", "--json")
    results = json.loads(done.stdout)["models"]
    truth = dict(zip(new.model_ids, new.accuracies(), strict=True))
    assert {result["model"] for result in results} == set(truth)
    # At least 95 of 100 are to be within; of eight one outside would be no surprise, three would.
    within = [r["low"] <= truth[r["model"]] <= r["high"] for r in results]
    assert sum(within) >= 6
