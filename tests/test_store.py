"""The store of finished results: whole files or none, what is kept, what no longer counts."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.data import code
from mbnb.data.errors import InputError
from mbnb.run import store
from mbnb.run.store import ResultStore, result_key
from mbnb.run.trials import run_trials

ABOUT = {"dataset": "board", "selector": "uniform"}
ARRAYS = {"estimates": np.arange(6.0)}


@pytest.fixture
def kept(tmp_path: Path) -> ResultStore:
    results = ResultStore(tmp_path / "cache")
    for unit in ("uniform-00000", "uniform-00001"):
        results.put("k1", unit, ARRAYS, ABOUT)
    return results


def test_what_is_kept_is_found_and_told(kept: ResultStore) -> None:
    assert kept.holds("k1", "uniform-00001") and not kept.holds("k1", "uniform-00002")
    found = kept.get("k1", "uniform-00000")
    assert found is not None
    np.testing.assert_array_equal(found["estimates"], ARRAYS["estimates"])
    [entry] = kept.kept()
    assert entry.about == ABOUT and entry.n_units == 2 and entry.current
    assert entry.n_bytes == sum(path.stat().st_size for path in entry.folder.iterdir())


def test_other_code_makes_what_is_kept_stale(
    kept: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = result_key(data="d")
    monkeypatch.setattr(store, "code_hash", lambda: "another")
    assert result_key(data="d") != before
    assert not kept.kept()[0].current
    kept.put("k2", "uniform-00000", ARRAYS, ABOUT)
    assert [entry.folder.name for entry in kept.clear(stale=True)] == ["k1"]
    assert [entry.folder.name for entry in kept.kept()] == ["k2"]
    kept.clear(stale=False)
    assert kept.kept() == []


def test_a_full_disk_is_one_sentence_and_loses_nothing(
    kept: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sorted(path.name for path in (kept.folder / "k1").iterdir())

    def full(file: object, **arrays: np.ndarray) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(InputError, match=r"No space left on device.*MBNB_CACHE.*stays\.$"):
        kept.put("k1", "uniform-00002", ARRAYS, ABOUT)
    assert sorted(path.name for path in (kept.folder / "k1").iterdir()) == files
    assert kept.get("k1", "uniform-00001") is not None


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """A disk of 64 kB, where whoever runs the tests may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_grid_on_a_disk_that_fills_up_goes_on_elsewhere(
    small_disk: Path, tmp_path: Path, n_jobs: int
) -> None:
    rng = np.random.default_rng(0)
    matrix = make_matrix(rng.integers(0, 2, (60, 40)).astype(np.uint8))
    grid = {"n_trials": 40, "n_source": 20, "n_target": 40, "n_jobs": n_jobs}
    with pytest.raises(InputError, match="No space left on device"):
        run_trials(matrix, ["uniform"], [5, 10], store=ResultStore(small_disk), **grid)
    done = list(small_disk.rglob("*.npz"))
    assert 3 < len(done) < 40, "some trials were finished, and they are kept"
    assert not list(small_disk.rglob(".unfinished-*"))
    # Where there is room, what was kept is moved and the rest is run.
    roomy = tmp_path / "roomy"
    subprocess.run(["cp", "-r", str(small_disk), str(roomy)], check=True)
    stamps = {path.name: path.stat().st_mtime_ns for path in roomy.rglob("*.npz")}
    again = run_trials(matrix, ["uniform"], [5, 10], store=ResultStore(roomy), **grid)
    assert again.table.equals(run_trials(matrix, ["uniform"], [5, 10], **grid).table)
    after = {path.name: path.stat().st_mtime_ns for path in roomy.rglob("*.npz")}
    assert len(after) == 40 and stamps.items() <= after.items()


def test_what_results_depend_on_is_followed_through_imports() -> None:
    needed = code.needed_modules()
    assert {"mbnb.run.units", "mbnb.methods.irt", "mbnb.methods.selector"} <= needed
    assert "mbnb.data.responses" in needed
    # What only judges, draws or schedules changes no result.
    assert not {"mbnb.judge.agreement", "mbnb.run.trials", "mbnb.data.simulate"} & needed
    assert not any(name.startswith(("mbnb.book", "mbnb.cli")) for name in needed)


def test_the_hash_changes_with_a_module_that_results_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = {
        "run/units.py": "from mbnb.run import irt\nimport numpy\n",
        "run/irt.py": "STEPS = 1\n",
        "run/agreement.py": "RULE = 1\n",
    }
    for name, text in rooms.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "run/__init__.py").write_text("")
    monkeypatch.setattr(code, "PACKAGE", tmp_path)

    def current() -> str:
        code.code_hash.cache_clear()
        return code.code_hash()

    try:
        first = current()
        (tmp_path / "run/agreement.py").write_text("RULE = 2\n")
        assert current() == first
        (tmp_path / "run/irt.py").write_text("STEPS = 2\n")
        assert current() != first
    finally:
        code.code_hash.cache_clear()
