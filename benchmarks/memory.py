"""Memory of a grid's workers and of one selector alone in a process; writes no file."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import numpy as np
import pandas as pd
import psutil
from machine import MEGABYTE, forget_peak, peak_mb
from threadpoolctl import threadpool_limits

import mbnb
from mbnb.data.responses import ResponseMatrix

BLOCK = 2_000
N_SUBTASKS = 57
N_DIMS = 10
EVERY = 0.05  # seconds between two looks at the workers


def measure_workers(
    matrix: ResponseMatrix, sizes: list[int], n_trials: int, n_jobs: int
) -> pd.DataFrame:
    """Peak resident memory of the parent and of each worker in a real grid, and its wall time.

    Returns
    -------
    DataFrame
        Columns process, peak_mb, seconds. Pages that processes share, such as the matrix, count
        in each.
    """
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    forget_peak()
    begun = perf_counter()
    with watched_children() as peaks:
        mbnb.run_trials(
            matrix,
            list(mbnb.SELECTORS),
            sizes,
            n_trials=n_trials,
            n_source=n_source,
            n_target=n_target,
            n_jobs=n_jobs,
        )
    seconds = perf_counter() - begun
    # Beside the workers there is a small process that tidies up after them.
    workers = sorted(peaks.values(), reverse=True)[:n_jobs]
    rows = [("parent", peak_mb()), *(("worker", peak) for peak in workers)]
    return pd.DataFrame(rows, columns=["process", "peak_mb"]).assign(seconds=seconds)


@contextmanager
def watched_children() -> Iterator[dict[int, float]]:
    """The largest resident memory of each child process, in MB, while the block runs."""
    peaks: dict[int, float] = {}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            for child in psutil.Process().children(recursive=True):
                try:
                    now = child.memory_info().rss / MEGABYTE
                except psutil.Error:
                    continue
                peaks[child.pid] = max(peaks.get(child.pid, 0.0), now)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peaks
    finally:
        over.set()
        watcher.join()


def measure_large(n_items: list[int], n_source: int, size: int) -> pd.DataFrame:
    """Seconds and peak memory of each selector on large train halves, each in its own process.

    Returns
    -------
    DataFrame
        Columns selector, n_items, n_source, size, fit_seconds, selection_seconds, matrix_mb (the
        process with the answers, before the fit) and peak_mb.
    """
    rows = []
    for count in n_items:
        for name in mbnb.SELECTORS:
            command = [sys.executable, __file__, name, str(count), str(n_source), str(size)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            rows.append(json.loads(done.stdout))
            print(f"  {count:,} items: {name}", file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def made_up(n_models: int, n_items: int, seed: int = 0) -> ResponseMatrix:
    """Answers and confidences of a two-parameter model with ten dimensions, in blocks of items."""
    rng = np.random.default_rng(seed)
    abilities = rng.normal(size=(n_models, N_DIMS)).astype(np.float32)
    scores = np.empty((n_models, n_items), dtype=np.uint8)
    confidences = np.empty((n_models, n_items), dtype=np.float32)
    for start in range(0, n_items, BLOCK):
        block = slice(start, min(start + BLOCK, n_items))
        n = block.stop - start
        slopes = rng.normal(0, 0.4, size=(n, N_DIMS))
        slopes[:, 0] = rng.lognormal(0, 0.4, n)
        logits = abilities @ slopes.T.astype(np.float32)
        logits -= rng.normal(0, 1.2, n).astype(np.float32)
        logits += np.float32(0.5) * rng.standard_normal(logits.shape, dtype=np.float32)
        confidences[:, block] = 1 / (1 + np.exp(-logits))
        draws = rng.random(logits.shape, dtype=np.float32)
        scores[:, block] = draws < confidences[:, block]
    return ResponseMatrix(
        scores=scores,
        models=pd.DataFrame(
            index=pd.Index([f"m{i:04d}" for i in range(n_models)], name="model_id")
        ),
        items=pd.DataFrame(
            {"subtask": [f"s{j % N_SUBTASKS:02d}" for j in range(n_items)]},
            index=pd.Index([f"i{j:06d}" for j in range(n_items)], name="item_id"),
        ),
        confidences=confidences,
        name="made up",
    )


def measure_alone(name: str, n_items: int, n_source: int, size: int) -> dict[str, object]:
    """One selector in this process: seconds of fit and selection, peak memory."""
    # Its libraries are loaded first: a limit of threads holds for those that are there.
    selector = mbnb.make_selector(name)
    with threadpool_limits(1):
        train = made_up(n_source, n_items)
        forget_peak()
        before = psutil.Process().memory_info().rss / MEGABYTE
        begun = perf_counter()
        fitted = selector.fit(train)
        fit_seconds = perf_counter() - begun
        begun = perf_counter()
        fitted.select(size, np.random.default_rng(size))
        selection_seconds = perf_counter() - begun
    return {
        "selector": name,
        "n_items": n_items,
        "n_source": n_source,
        "size": size,
        "fit_seconds": fit_seconds,
        "selection_seconds": selection_seconds,
        "matrix_mb": before,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    # The parent asks for one selector at a time; the folder of this file is already on the path.
    selector, *numbers = sys.argv[1:]
    print(json.dumps(measure_alone(selector, *map(int, numbers))))
