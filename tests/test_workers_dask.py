"""Calls on a real Dask cluster: same results, workers that die or do not fit, clean ends."""

from __future__ import annotations

import builtins
import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mbnb.data.datasets import load
from mbnb.data.errors import InputError
from mbnb.run import cluster as room
from mbnb.run.trials import run_trials
from mbnb.run.workers import side_by_side

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

ROOT = Path(__file__).parents[1]
CALLS = [(each,) for each in range(45)]
SHARED = np.random.default_rng(0).random((45, 200))


# Tasks: functions of a module, as `side_by_side` wants them


def scaled(shared: np.ndarray, each: int) -> np.ndarray:
    time.sleep(0.05)
    return shared[each] * each


def refuse_the_third(shared: type[Exception], each: int) -> int:
    if each == 3:
        raise shared("item 'x' has no subtask.")
    return each


def killed_in_the_third(shared: object, each: int) -> int:
    if each == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return each


# Clusters


@contextmanager
def local_cluster(n_workers: int, **options: Any) -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=n_workers,
        processes=True,
        threads_per_worker=options.pop("threads_per_worker", 1),
        dashboard_address=":0",
        **options,
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Three workers, each with a nanny that starts it again."""
    with local_cluster(3) as cluster:
        yield cluster


@contextmanager
def started(*command: str, path: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask, killed at the end."""
    places = [str(place) for place in (path, ROOT / "tests") if place]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "dask", *command],  # -P: not what lies here comes first
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def plain_worker(address: str, *, threads: int = 1, path: Path | None = None) -> Any:
    """A worker that nobody starts again."""
    options = ["--no-nanny", "--nthreads", str(threads), "--no-dashboard"]
    return started("worker", address, *options, path=path)


def held_for_runs(cluster: Any) -> int:
    """For how many runs workers hold what the run's calls share."""
    return sum(name.startswith("mbnb") for name in cluster.scheduler.worker_plugins)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def in_process(calls: list[tuple[int]] = CALLS) -> dict[int, np.ndarray]:
    return dict(side_by_side(scaled, SHARED, calls, n_jobs=1))


def check_same(results: list[tuple[int, np.ndarray]]) -> None:
    assert sorted(position for position, _ in results) == list(range(len(CALLS)))
    expected = in_process()
    for position, result in results:
        np.testing.assert_array_equal(result, expected[position])


def sentence(error: pytest.ExceptionInfo[InputError]) -> str:
    text = str(error.value)
    assert text.endswith(".") and ". " not in text and "\n" not in text
    return text


# The same results


def test_a_cluster_gives_what_one_process_gives(cluster: Any) -> None:
    check_same(
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=cluster.scheduler_address))
    )


def killing_one(
    results: Iterator[tuple[int, np.ndarray]], address: str, after: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Kill one worker when so many results are there."""
    for count, result in enumerate(results):
        if count == after:
            with distributed.Client(address, set_as_default=False) as client:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
        yield result


def test_trials_are_the_same_on_a_cluster_that_loses_a_worker(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = load("simulated:gpqa")
    grid: dict[str, Any] = {"n_trials": 8, "n_source": 30, "n_target": 20}
    selectors, sizes = ["uniform", "confidence", "anchor-points"], [10, 50]
    here = run_trials(matrix, selectors, sizes, **grid)
    address = cluster.scheduler_address

    def with_a_death(*arguments: Any, **options: Any) -> Iterator[tuple[int, Any]]:
        assert options["scheduler"] == address
        return killing_one(side_by_side(*arguments, **options), address, 8)

    monkeypatch.setattr("mbnb.run.units.side_by_side", with_a_death)
    there = run_trials(matrix, selectors, sizes, scheduler=address, **grid)
    pd.testing.assert_frame_equal(here.table, there.table, check_exact=True)
    assert here.notes == there.notes


# Ends


@pytest.mark.parametrize("kind", [InputError, OSError, TimeoutError, KeyError])
def test_an_error_in_a_call_comes_out_as_itself(cluster: Any, kind: type[Exception]) -> None:
    calls = side_by_side(
        refuse_the_third, kind, CALLS, n_jobs=1, scheduler=cluster.scheduler_address
    )
    with pytest.raises(kind) as error:
        list(calls)
    assert type(error.value) is kind and error.value.args == ("item 'x' has no subtask.",)


def test_closing_early_leaves_nothing_on_the_cluster(cluster: Any) -> None:
    many = [(each % 45,) for each in range(2000)]
    address = cluster.scheduler_address
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with (
            pytest.raises(OSError, match="disk full"),
            closing(side_by_side(scaled, SHARED, many, n_jobs=1, scheduler=address)) as results,
        ):
            next(results)
            assert held_for_runs(cluster) == 1
            raise OSError("disk full")
    assert held_for_runs(cluster) == 0
    wait_until(lambda: not cluster.scheduler.tasks)
    assert not cluster.scheduler.tasks


@pytest.mark.slow
def test_a_call_that_kills_its_workers_is_one_sentence() -> None:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        local_cluster(2) as two,
        pytest.raises(InputError, match="workers were killed .* memory") as error,
    ):
        address = two.scheduler_address
        list(side_by_side(killed_in_the_third, None, CALLS, n_jobs=1, scheduler=address))
    assert "--memory-limit" in sentence(error)


@pytest.mark.slow
def test_a_cluster_without_workers_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_FIRST_WORKER_SECONDS", 1)
    monkeypatch.setattr(room, "_NO_WORKER_SECONDS", 1)
    monkeypatch.setattr(room, "_LOOK_SECONDS", 0.5)
    with local_cluster(0) as empty:
        address = empty.scheduler_address
        with pytest.raises(InputError, match="has no worker") as error:
            list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address))
        assert f"dask worker {address} --nthreads 1" in sentence(error)
        with plain_worker(address) as worker:
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=20)
            results = side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address)
            next(results)
            worker.kill()
            with pytest.raises(InputError, match="no worker is left") as error:
                list(results)
        sentence(error)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


# What cannot be used


@pytest.mark.parametrize(
    "address", ["here", "127.0.0.1:8786", "tcp://127.0.0.1", "http://127.0.0.1:8786", ""]
)
def test_a_malformed_address_is_one_sentence(address: str) -> None:
    with pytest.raises(InputError, match="is not the address of a Dask scheduler") as error:
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address))
    assert f"'{address}'" in sentence(error)


def test_an_address_where_nobody_answers_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_CONNECT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(InputError, match="no Dask scheduler answers") as error:
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address))
    assert address in sentence(error)


def test_a_workers_address_is_not_its_schedulers(cluster: Any) -> None:
    address = next(iter(cluster.scheduler.workers))
    with pytest.raises(InputError, match="a Dask worker answers") as error:
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address))
    sentence(error)


def test_without_dask_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mbnb.run.cluster")
    real_import = builtins.__import__

    def no_dask(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith(("dask", "distributed")):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return real_import(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", no_dask)
    with pytest.raises(InputError, match=r"pip install 'mbnb\[dask\]'") as error:
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler="tcp://127.0.0.1:1"))
    sentence(error)


def test_data_that_are_too_large_are_refused_before_they_are_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_LARGEST_PARCEL", 1000)
    with pytest.raises(InputError, match=r"the data are 0\.0 GB") as error:
        list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler="tcp://127.0.0.1:1"))
    assert "confidences" in str(error.value)


def copy_of_mbnb(folder: Path) -> Path:
    """A folder to import mbnb from, whose units of work have one comment more."""
    for source in (ROOT / "mbnb").rglob("*.py"):
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    (folder / "data").symlink_to(ROOT / "data")
    with (folder / "mbnb/run/units.py").open("a") as file:
        file.write("# other code\n")
    return folder


@pytest.mark.parametrize("what", ["threads", "code", "no mbnb"])
def test_a_worker_that_is_not_fit_is_named(what: str, tmp_path: Path) -> None:
    path = None
    if what == "code":
        path = copy_of_mbnb(tmp_path)
    elif what == "no mbnb":
        (tmp_path / "mbnb").mkdir()
        (tmp_path / "mbnb/__init__.py").touch()
        path = tmp_path
    messages = {
        "threads": "has 2 threads.*--nthreads 1",
        "code": "runs other code of mbnb",
        "no mbnb": "cannot run mbnb.*No module named 'mbnb.run'",
    }
    with local_cluster(1) as one:
        address = one.scheduler_address
        fit = set(one.scheduler.workers)
        with plain_worker(address, threads=2 if what == "threads" else 1, path=path):
            wait_until(lambda: len(one.scheduler.workers) == 2)
            [unfit] = set(one.scheduler.workers) - fit
            with pytest.raises(InputError, match=messages[what]) as error:
                list(side_by_side(scaled, SHARED, CALLS, n_jobs=1, scheduler=address))
    assert f"the worker at {unfit}" in sentence(error)


@pytest.mark.slow
def test_a_worker_with_other_code_that_joins_later_gives_no_result(tmp_path: Path) -> None:
    copy_of_mbnb(tmp_path)
    many = [(each % 45,) for each in range(2000)]
    with local_cluster(1) as one:
        address = one.scheduler_address
        results = side_by_side(scaled, SHARED, many, n_jobs=1, scheduler=address)
        next(results)
        with (
            plain_worker(address, path=tmp_path),
            pytest.raises(InputError, match="runs other code of mbnb"),
        ):
            list(results)
