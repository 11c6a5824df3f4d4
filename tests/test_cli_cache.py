"""`mbnb cache`: what it shows and what it deletes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from mbnb.cli import main
from mbnb.run.store import ResultStore


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultStore:
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path / "cache"))
    results = ResultStore()
    for key, selector in (("k1", "uniform"), ("k2", "uniform"), ("k3", "diversity")):
        about = {"dataset": "board", "selector": selector}
        results.put(key, f"{selector}-00000", {"estimates": np.zeros(3)}, about)
    (results.folder / "k3" / "about.json").unlink()
    return results


def cache(*arguments: str) -> Result:
    done = CliRunner().invoke(main, ["cache", *arguments])
    assert done.exit_code == 0, done.output
    return done


def test_it_shows_what_is_kept(kept: ResultStore) -> None:
    shown = cache().stdout
    assert f"{kept.folder}: 3 fits in 3 grids of one selector" in shown
    rows = json.loads(cache("--json").stdout)["kept"]
    assert [(row["selector"], row["state"], row["grids"]) for row in rows] == [
        ("uniform", "current", 2),
        ("unknown", "stale", 1),
    ]


def test_it_deletes_what_is_stale_or_all(kept: ResultStore) -> None:
    assert "Deleted: 1 fits in 1 grids" in cache("--clear", "stale").stderr
    assert sorted(path.name for path in kept.folder.iterdir()) == ["k1", "k2"]
    cache("--clear", "all")
    assert not list(kept.folder.iterdir())
    assert "0 fits" in cache().stdout and json.loads(cache("--json").stdout)["kept"] == []
