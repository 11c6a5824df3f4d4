"""How long reading logs takes and how much memory: makes a folder of logs, reads it, prints.

    python benchmarks/reading.py [--models 400] [--dataset simulated:mmlu-pro] [--folder DIR]

The logs are those of lm-evaluation-harness, of simulated models, with questions as long as
`--question` characters; they are made in a temporary folder (3 to 15 GB) unless `--folder` names
one, which is kept and used again. Reading them is set against reading the same bytes and doing
nothing with them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from machine import MEGABYTE, describe, peak_mb
from memory import watched_children

import mbnb
from mbnb.logs import read
from mbnb.logs.example import write_logs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--models", type=int, default=400)
    parser.add_argument("--dataset", default="simulated:mmlu-pro")
    parser.add_argument("--question", type=int, default=150, help="characters of a question")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only-read", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_read:
        print(json.dumps(_measure(arguments.folder, arguments.jobs[0])))
        return
    print(describe())
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary) / "logs"
        if not folder.exists():
            matrix = mbnb.load(arguments.dataset)
            some = matrix.subset(models=np.arange(arguments.models))
            write_logs(some, folder, question="x" * arguments.question)
        files = [path for path in folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / MEGABYTE
        print(f"{len(files):,} files, {size:,.0f} MB; the bytes alone take {_bytes(files):.1f} s")
        for jobs in arguments.jobs:
            # A fresh process, so that its peak is of reading alone.
            command = [sys.executable, __file__, "--only-read", "--folder", str(folder)]
            done = subprocess.run(
                [*command, "--jobs", str(jobs)], stdout=subprocess.PIPE, text=True, check=True
            )
            print(jobs, "processes:", json.loads(done.stdout))


def _bytes(files: list[Path]) -> float:
    begun = perf_counter()
    for path in files:
        with path.open("rb") as file:
            while file.read(1 << 20):
                pass
    return perf_counter() - begun


def _measure(folder: Path, jobs: int) -> dict[str, object]:
    begun = perf_counter()
    with watched_children() as peaks:
        matrix, report = read(folder, n_jobs=jobs)
    return {
        "models": matrix.n_models,
        "items": matrix.n_items,
        "rows": report.n_read,
        "seconds": round(perf_counter() - begun, 1),
        "peak_mb": round(peak_mb()),
        "children_mb": [round(peak) for peak in sorted(peaks.values(), reverse=True)],
    }


if __name__ == "__main__":
    main()
