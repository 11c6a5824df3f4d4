"""Calls side by side: the same results anywhere, what they share sent once, ends that are clean."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

from mbnb.data.errors import InputError
from mbnb.run.workers import side_by_side

# Tasks: functions of a module, as `side_by_side` wants them


def add(shared: int, each: int) -> int:
    return shared + each


def add_slowly(shared: int, each: int) -> int:
    time.sleep(0.3)
    return shared + each


def process_of_call(shared: Counted, each: int) -> tuple[int, int]:
    time.sleep(0.02)
    return os.getpid(), each


def sum_of_row(shared: tuple[np.ndarray, pd.DataFrame], row: int) -> tuple[float, str, bool]:
    array, table = shared
    base: object = array
    while base is not None and not isinstance(base, np.memmap):
        base = getattr(base, "base", None)
    return float(array[row].sum()), str(table.index[row]), isinstance(base, np.memmap)


def refuse_the_third(shared: None, each: int) -> int:
    if each == 3:
        raise InputError("item 'x' has no subtask.")
    return each


def killed_in_the_third(shared: None, each: int) -> int:
    if each == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return each


class Counted:
    """Writes a line to a file whenever it is unpickled."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.ballast = np.arange(100_000)

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__ = state
        with self.log.open("a") as file:
            file.write(f"{os.getpid()}\n")


def children_of(process: psutil.Process) -> list[psutil.Process]:
    """Its children that work or watch, without those that are over and not yet taken note of."""
    return [
        child
        for child in process.children(recursive=True)
        if child.status() != psutil.STATUS_ZOMBIE
    ]


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_every_call_comes_once_whatever_the_number_of_processes(n_jobs: int) -> None:
    results = list(side_by_side(add, 100, [(each,) for each in range(20)], n_jobs=n_jobs))
    assert sorted(results) == [(each, 100 + each) for each in range(20)]


def test_what_calls_share_is_unpickled_at_most_once_in_each_process(tmp_path: Path) -> None:
    for round_ in range(2):  # another object goes to processes that had one before
        log = tmp_path / f"unpickled-{round_}"
        calls = [(each,) for each in range(40)]
        results = dict(side_by_side(process_of_call, Counted(log), calls, n_jobs=2))
        assert {each for _, each in results.values()} == set(range(40))
        unpickled = log.read_text().split()
        assert len(unpickled) == len(set(unpickled))
        assert set(map(int, unpickled)) == {pid for pid, _ in results.values()} - {os.getpid()}


def test_large_arrays_are_mapped_and_not_copied_into_each_process() -> None:
    rng = np.random.default_rng(0)
    array = rng.random((30, 5000))
    table = pd.DataFrame({"name": [f"n{i}" for i in range(30)]}, index=[f"i{i}" for i in range(30)])
    results = dict(side_by_side(sum_of_row, (array, table), [(r,) for r in range(30)], n_jobs=2))
    for row in range(30):
        assert results[row] == (array[row].sum(), f"i{row}", True)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_call_comes_out_as_itself(n_jobs: int) -> None:
    with pytest.raises(InputError, match=r"^item 'x' has no subtask\.$"):
        list(side_by_side(refuse_the_third, None, [(each,) for each in range(8)], n_jobs=n_jobs))


def test_a_killed_process_is_one_sentence_and_the_next_run_works() -> None:
    calls = [(each,) for each in range(8)]
    with pytest.raises(InputError, match="a process was killed .* memory ran out") as caught:
        list(side_by_side(killed_in_the_third, None, calls, n_jobs=2))
    assert ". " not in str(caught.value) and str(caught.value).endswith(".")
    assert len(dict(side_by_side(add, 0, calls, n_jobs=2))) == 8


def test_no_room_for_the_shared_file_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path / "file"))
    calls = [(each,) for each in range(8)]
    with pytest.raises(InputError, match=r"\(Not a directory.*JOBLIB_TEMP_FOLDER") as caught:
        list(side_by_side(add_to_ballast, np.zeros(500_000), calls, n_jobs=2))
    assert ". " not in str(caught.value)


def test_closing_early_stops_the_processes_and_warns_of_nothing() -> None:
    calls = [(each,) for each in range(200)]  # a minute of work
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with (
            pytest.raises(OSError, match="disk full"),
            closing(side_by_side(add_slowly, 0, calls, n_jobs=2)) as results,
        ):
            next(results)
            raise OSError("disk full")
    this = psutil.Process()
    working = [p for p in children_of(this) if "popen_loky" in " ".join(p.cmdline())]
    assert working == []


SCRIPT = """
import signal
import numpy as np
from mbnb.run.workers import side_by_side
from test_workers import add_to_ballast

if __name__ == "__main__":
    # Whoever starts the tests in the background has them and their children ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for position, _ in side_by_side(
        add_to_ballast, np.zeros(500_000), [(each,) for each in range(2000)], n_jobs=2
    ):
        print(position, flush=True)
"""


def add_to_ballast(shared: np.ndarray, each: int) -> float:
    time.sleep(0.2)
    return float(shared[0] + each)


@pytest.mark.parametrize("how", ["killed", "interrupted", "finished"])
def test_nothing_is_left_of_a_run_that_ends(how: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT if how != "finished" else SCRIPT.replace("2000", "6"))
    folder = tmp_path / "mapped"
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "JOBLIB_TEMP_FOLDER": str(folder),
            "PYTHONPATH": str(Path(__file__).parent),
        },
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        assert list(folder.iterdir()), "the test looks at the wrong folder"
        children = children_of(psutil.Process(process.pid))
        assert len(children) >= 2
        if how == "killed":
            process.kill()
        elif how == "interrupted":
            process.send_signal(signal.SIGINT)
        gone = wait_until(lambda: not any(child.is_running() for child in children), 20)
        errors = process.stderr.read() if gone else ""
    for child in children:
        if child.is_running():
            child.kill()
    assert gone, "processes outlived the one that they worked for"
    assert wait_until(lambda: not list(folder.iterdir()), 10), "the mapped file was left behind"
    if how == "finished":
        assert process.returncode == 0 and errors == ""
    elif how == "interrupted":
        assert errors.rstrip().endswith("KeyboardInterrupt")
