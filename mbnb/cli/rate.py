"""The command `mbnb rate`: ratings from battles, and how few of these would do."""

from __future__ import annotations

import math
from pathlib import Path

import click
import pandas as pd

from mbnb.cli.grids import split_sizes
from mbnb.cli.output import check_out, json_text, tell, write_whole
from mbnb.data.battles import read_battles
from mbnb.data.errors import InputError
from mbnb.judge.agreement import agreement, format_interval, mdad
from mbnb.study.beyond.battle_trials import run_battles
from mbnb.study.beyond.ratings import fit_ratings, win_probability

SIZES = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000)
STEPS = (5, 10, 20, 50, 100)  # gaps in rating points, put into words


@click.command("rate")
@click.argument("battles", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--sizes", help="Numbers of battles to try, such as 100,500; by default what fits.")
@click.option(
    "--trials", "n_trials", type=click.IntRange(0), default=20, show_default=True,
    help="Trials behind the MDADs; 0 for the ratings alone.",
)  # fmt: skip
@click.option(
    "--width", type=click.FloatRange(0, 100, min_open=True), default=10.0, show_default=True,
    help="Of a bin of gaps, in rating points.",
)  # fmt: skip
@click.option(
    "--prior", type=click.FloatRange(0), default=0.0, show_default=True,
    help="Tied battles of each model with one rated 0, where some models cannot be rated without.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="File for the ratings (.csv).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def rate(
    battles: Path,
    sizes: str | None,
    n_trials: int,
    width: float,
    prior: float,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Rate models by BATTLES, and tell how far apart two must be for fewer battles to order them.

    BATTLES is a CSV file with the columns model_a, model_b and winner (model_a, model_b, tie), and
    prompt where several battles share one. Ratings are of the Bradley–Terry model, in points of
    which 400 are odds of ten to one.

    \b
    mbnb rate battles.csv
    mbnb rate battles.csv --sizes 500,2000 --json
    """
    check_out(out, [".csv"])
    fought = read_battles(battles)
    ratings = fit_ratings(fought, prior).sort_values("rating", ascending=False, kind="stable")
    table, notes = pd.DataFrame(), tuple[str, ...]()
    if n_trials:
        half = fought.n_battles // 2
        wanted = split_sizes(sizes) if sizes else [size for size in SIZES if 2.5 * size <= half]
        if not wanted:
            raise InputError(
                f"{fought.name}: half of its {fought.n_battles} battles are too few for a size of "
                f"{SIZES[0]}; name smaller --sizes, or --trials 0 for the ratings alone."
            )
        trials = run_battles(fought, wanted, ["uniform"], n_trials=n_trials, seed=seed)
        table, notes = mdad(agreement(trials, width=width), min_pairs=n_trials), trials.notes
    if out is not None:
        write_whole(out, lambda place: ratings.to_csv(place, float_format="%.6g"))
    if as_json:
        answer = {
            "battles": fought.n_battles,
            "ties": fought.tie_share,
            "ratings": ratings.reset_index().to_dict("records"),
            "mdad": {
                str(row["size"]): None if math.isnan(row["mdad"]) else row["mdad"]
                for row in table.to_dict("records")
            },
        }
        click.echo(json_text(answer))
        return
    tell(
        f"{fought.n_battles:,} battles of {fought.n_models} models, "
        f"{100 * fought.tie_share:.0f} % of them ties.",
        *notes,
    )
    click.echo(ratings.to_string(float_format="{:.1f}".format))
    if n_trials:
        click.echo(
            "\nRating points apart that are ordered right 4 times in 5, by battles asked for"
        )
        for _, row in table.iterrows():
            click.echo(f"{int(row['size']):>8,}  {format_interval(row)}")
    told = ", ".join(f"{gap}: {100 * win_probability(gap):.0f} %" for gap in STEPS)
    click.echo(f"\nHow often the better wins, by rating points apart: {told}")
