"""The command `mbnb select`: freezes a micro-benchmark, and hands its items to other programs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from mbnb.cli import options
from mbnb.cli.options import tell, write_whole
from mbnb.data.errors import InputError

FROM = ("source", "samples", "csv", "ids")


@click.command()
@click.argument("dataset", required=False)
@click.option(
    "--selector",
    default="uniform",
    show_default=True,
    help=f"How items are chosen: {', '.join(options.KNOWN_SELECTORS)}.",
)
@click.option("--size", type=click.IntRange(1), help="Items to choose.")
@options.seed
@click.option(
    "--estimator",
    type=click.Choice(options.ESTIMATORS),
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
@options.missing
@options.duplicates
@click.option(
    "--folds",
    "n_folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="How often items are selected anew without a part of the models, to measure how far "
    "estimates fall from full scores; not for uniform and subtask with a plain mean.",
)
@options.jobs
@click.option("--out", type=options.OutFile(".json"), help="File for the micro-benchmark (.json).")
@click.option(
    "--from",
    "source",
    type=options.Given(exists=True, dir_okay=False),
    help="A micro-benchmark frozen before, to export; nothing is chosen.",
)
@click.option(
    "--samples",
    type=options.OutFile(".json"),
    help="File for lm-evaluation-harness's --samples (.json).",
)
@click.option("--csv", type=options.OutFile(".csv"), help="File for a table of the items (.csv).")
@click.option("--ids", type=options.OutFile(".txt"), help="File for the item ids, one a line.")
@click.pass_context
def select(
    ctx: click.Context,
    dataset: str | None,
    out: Path | None,
    source: Path | None,
    samples: Path | None,
    csv: Path | None,
    ids: Path | None,
    **choices: Any,
) -> None:
    """Choose items of DATASET (a name, a path or simulated:…) and freeze them in one file.

    The file holds the items and their weights, the estimator, the seed, the known models, the
    hash of the data and its own SHA-256: `mbnb score` needs nothing else. The same data and
    options give the same file.

    \b
    mbnb select my-benchmark --size 250 --out micro.json
    mbnb select --from micro.json --samples samples.json --ids ids.txt
    """
    from mbnb.frozen.micro_benchmark import (
        csv_text,
        ids_text,
        read_micro_benchmark,
        samples_text,
    )

    places = [path.resolve() for path in (out, source, samples, csv, ids) if path]
    twice = [path for path in places if places.count(path) > 1]
    if twice:
        raise InputError(f"two options name the same file, '{twice[0]}'; give each its own.")
    exports = [(samples, samples_text), (csv, csv_text), (ids, ids_text)]
    if source is None:
        micro = _freeze(dataset, out, **choices)
    else:
        typed = options.typed(ctx)
        surplus = [option for name, option in typed.items() if name not in FROM]
        if surplus or len(typed) < 2:
            wrong = f"leave {surplus[0]} out" if surplus else "name one"
            raise InputError(f"--from only exports, to --samples, --csv or --ids: {wrong}.")
        micro = read_micro_benchmark(source)
    # All texts before the first file: what cannot be exported leaves nothing behind.
    files = {out: micro.to_json()} if out else {}
    files |= {path: text(micro) for path, text in exports if path}
    for path, content in files.items():
        write_whole(path, partial(_write, content))
    for path in files:
        click.echo(path)


def _freeze(
    dataset: str | None,
    out: Path | None,
    *,
    size: int | None,
    missing: str,
    duplicates: str,
    jobs: int,
    **choices: Any,
) -> Any:
    """Freeze, and tell a person what is known of it."""
    from mbnb.data.datasets import prepare
    from mbnb.frozen.freeze import freeze
    from mbnb.frozen.scoring import LEVEL, typical_interval

    if dataset is None or size is None or out is None:
        raise InputError(
            "DATASET, --size and --out must be given, such as in: mbnb select my-benchmark --size "
            "250 --out micro.json."
        )
    matrix, notes = prepare(dataset, missing=missing, duplicates=duplicates)
    micro = freeze(matrix, size=size, n_jobs=jobs, notes=notes, **choices)
    low, high = (100 * end for end in typical_interval(micro))
    tell(
        *micro.notes,
        f"{micro.size} of {micro.n_items} items frozen ({micro.selector}, {micro.estimator}, seed "
        f"{micro.seed}). A middling new model's full score will be known within {low:.1f} to "
        f"{high:.1f} points ({100 * LEVEL:g} % interval).",
    )
    return micro


def _write(content: str, path: Path) -> None:
    # Bytes: the same file on every system.
    path.write_bytes(content.encode())
