"""The machine, its clock and its memory; knows no selector."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import resource
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

LIBRARIES = ("numpy", "scipy", "scikit-learn", "kmedoids", "joblib", "pandas")
MEGABYTE = 2**20


def describe() -> dict[str, str]:
    """What a reader must know to judge a time: date, processor, memory, versions; no host name."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    blas = {
        f"{pool['internal_api']} {pool['version']} {pool.get('architecture', '')}".strip()
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    }
    return {
        "date": date.today().isoformat(),
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory_gb": f"{pages / 2**30:.0f}",
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
        "blas": ", ".join(sorted(blas)),
    }


def _processor() -> str:
    """The processor's model with its family and number, where Linux tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = dict(line.split(":", 1) for line in reversed(lines) if ":" in line)
    told = {name.strip(): value.strip() for name, value in facts.items()}
    numbers = f"family {told.get('cpu family', '?')}, model {told.get('model', '?')}"
    return f"{told.get('model name', platform.machine())} ({numbers})"


def seconds_of(work: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of a few runs: what else the machine does only adds to it."""
    times = []
    for _ in range(repeats):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return min(times)


def forget_peak() -> None:
    """Let the peak of this process's memory begin anew, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    except OSError:
        return


def peak_mb() -> float:
    """The most memory that this process has held, in MB (resident).

    From /proc where there is one: getrusage tells a child the peak of the parent it was forked
    from.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


def measure_yardstick() -> float:
    """Seconds that this machine takes for a fixed piece of work on one thread.

    About half of it is a product of two matrices of 1,000 × 1,000 (processor), half eight passes
    over 80 MB (memory); each is repeated and its shortest time counts. Takes about half a second.
    """
    square = np.linspace(0, 1, 1_000_000).reshape(1000, 1000)
    stream = np.linspace(0, 1, 20_000_000, dtype=np.float32)
    products, passes = [], []
    with threadpool_limits(1):
        for _ in range(5):
            begun = perf_counter()
            square @ square
            between = perf_counter()
            for _ in range(8):
                stream.max()
            passes.append(perf_counter() - between)
            products.append(between - begun)
    return min(products) + min(passes)
