"""The command `mbnb select`: freezes a micro-benchmark, and hands its items to other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from mbnb.book.build import available_cores
from mbnb.cli.output import check_out, tell, write_whole
from mbnb.data.datasets import DUPLICATES, prepare
from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES
from mbnb.frozen.exports import csv_text, ids_text, samples_text
from mbnb.frozen.freeze import FOLDS, freeze
from mbnb.frozen.micro_benchmark import MicroBenchmark, read_micro_benchmark
from mbnb.frozen.scoring import LEVEL, typical_interval
from mbnb.methods.estimators import ESTIMATORS
from mbnb.methods.selectors import KNOWN_SELECTORS

EXPORTS: dict[str, tuple[str, Callable[[MicroBenchmark], str]]] = {
    "--samples": (".json", samples_text),
    "--csv": (".csv", csv_text),
    "--ids": (".txt", ids_text),
}

file_type = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("dataset", required=False)
@click.option(
    "--selector",
    type=click.Choice(list(KNOWN_SELECTORS)),
    help="How items are chosen.  [default: uniform]",
)
@click.option("--size", type=click.IntRange(1), help="Items to choose.")
@click.option("--seed", type=click.IntRange(0), help="Of the draw.  [default: 0]")
@click.option(
    "--estimator",
    type=click.Choice(list(ESTIMATORS)),
    help="By default the selector's own: confidence-mean, the mean confidence and not the mean "
    "score, for anchor-points, corrected-mean for close-pairs, weighted-mean for all others. "
    "ridge and corrected-mean learn from the models of DATASET; p-irt and gp-irt cannot be frozen.",
)
@click.option(
    "--nested",
    is_flag=True,
    help="Choose the items of a smaller size among those of a larger one with the same seed "
    "(uniform only); else each size is a draw of its own.",
)
@click.option(
    "--missing",
    type=click.Choice(POLICIES),
    help="What happens to missing answers.  [default: error]",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    help=f"What happens to models that are exact copies of another.  [default: {DUPLICATES[0]}]",
)
@click.option(
    "--folds",
    "n_folds",
    type=click.IntRange(2),
    help="How often items are selected anew without a part of the models, to measure how far "
    f"estimates fall from full scores; not for uniform and subtask with a plain mean.  "
    f"[default: {FOLDS}]",
)
@click.option("--jobs", type=click.IntRange(1), help="Processes; by default one for each core.")
@click.option("--out", type=file_type, help="File for the micro-benchmark (.json).")
@click.option(
    "--from",
    "source",
    type=file_type,
    help="A micro-benchmark frozen before, to export; nothing is chosen.",
)
@click.option(
    "--samples", type=file_type, help="File for lm-evaluation-harness's --samples (.json)."
)
@click.option("--csv", type=file_type, help="File for a table of the items (.csv).")
@click.option("--ids", type=file_type, help="File for the item ids, one a line (.txt).")
def select(
    dataset: str | None,
    selector: str | None,
    size: int | None,
    seed: int | None,
    estimator: str | None,
    nested: bool,
    missing: str | None,
    duplicates: str | None,
    n_folds: int | None,
    jobs: int | None,
    out: Path | None,
    source: Path | None,
    samples: Path | None,
    csv: Path | None,
    ids: Path | None,
) -> None:
    """Choose items of DATASET (a name, a path or simulated:…) and freeze them in one file.

    The file holds the items and their weights, the estimator, the seed, the known models, the
    hash of the data and its own SHA-256: `mbnb score` needs nothing else. The same data and
    options give the same file.

    \b
    mbnb select my-benchmark --size 250 --out micro.json
    mbnb select --from micro.json --samples samples.json --ids ids.txt
    """
    exports = {"--samples": samples, "--csv": csv, "--ids": ids}
    check_out(out, [".json"])
    for option, path in exports.items():
        check_out(path, [EXPORTS[option][0]], option)
    _check_distinct({"--out": out, **exports, "--from": source})
    if source is not None:
        choices = {
            "DATASET": dataset, "--selector": selector, "--size": size, "--seed": seed,
            "--estimator": estimator, "--nested": nested or None, "--missing": missing,
            "--duplicates": duplicates, "--folds": n_folds, "--jobs": jobs, "--out": out,
        }  # fmt: skip
        given = [name for name, value in choices.items() if value is not None]
        if given:
            raise InputError(f"--from only exports what is frozen; leave {given[0]} out.")
        if not any(exports.values()):
            raise InputError(f"--from needs a file to export to: {', '.join(EXPORTS)}.")
        micro = read_micro_benchmark(source)
    else:
        wanted = {"DATASET": dataset, "--size": size, "--out": out}
        lacking = [name for name, value in wanted.items() if value is None]
        if dataset is None or size is None or out is None:
            raise InputError(
                f"{', '.join(lacking)} must be given, such as in: mbnb select my-benchmark --size "
                "250 --out micro.json."
            )
        matrix, notes = prepare(
            dataset, missing=missing or "error", duplicates=duplicates or DUPLICATES[0]
        )
        micro = freeze(
            matrix,
            selector or "uniform",
            size,
            seed or 0,
            estimator=estimator,
            nested=nested,
            n_folds=n_folds or FOLDS,
            n_jobs=jobs or available_cores(),
            notes=notes,
        )
        tell(*micro.notes)
    # All texts before the first file: what cannot be exported leaves nothing behind.
    files = {path: EXPORTS[option][1](micro) for option, path in exports.items() if path}
    if out is not None:
        files = {out: micro.to_json(), **files}
    for path, text in files.items():
        _write(path, text)
    if out is not None:
        tell(_summary(micro))
    for path in files:
        click.echo(path)


def _summary(micro: MicroBenchmark) -> str:
    low, high = (100 * end for end in typical_interval(micro))
    return (
        f"{micro.size} of {micro.n_items} items frozen ({micro.selector}, {micro.estimator}, seed "
        f"{micro.seed}). A middling new model's full score will be known within {low:.1f} to "
        f"{high:.1f} points ({100 * LEVEL:g} % interval)."
    )


def _write(path: Path, text: str) -> None:
    # Bytes: the same file on every system.
    write_whole(path, lambda place: Path(place).write_bytes(text.encode()))


def _check_distinct(files: dict[str, Path | None]) -> None:
    seen: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        place = path.resolve()
        if place in seen:
            raise InputError(f"{seen[place]} and {option} name the same file, '{path}'.")
        seen[place] = option
