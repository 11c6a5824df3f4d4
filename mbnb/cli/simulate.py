"""The command `mbnb simulate`: a simulated leaderboard as a folder, or a profile fitted to data."""

from __future__ import annotations

import math
from pathlib import Path

import click
import pandas as pd

from mbnb.cli.output import check_out, json_text, tell, write_whole
from mbnb.data.datasets import DUPLICATES, SIMULATED, prepare
from mbnb.data.errors import InputError
from mbnb.data.folder import write_folder
from mbnb.data.profile_text import profile_text
from mbnb.data.profiles import read_profile
from mbnb.data.responses import POLICIES
from mbnb.data.simulate import simulate
from mbnb.methods.samples import scores_alone
from mbnb.study.simulated.fidelity import fidelity
from mbnb.study.simulated.profile_fit import fit_profile

LIKE = "mmlu-pro"


@click.command("simulate")
@click.argument("profile", required=False)
@click.option(
    "--fit",
    "dataset",
    metavar="DATASET",
    help="Fit a profile to this data set (a name or a path) and write it.",
)
@click.option(
    "--like",
    help="Profile that the fit starts from and takes what answers cannot tell from, such as the "
    f"sharpness of confidences.  [default: {LIKE}]",
)
@click.option(
    "--models",
    "n_models",
    type=click.IntRange(1),
    help="Models of the fitted profile; by default 470, or as many as the data have.",
)
@click.option(
    "--options",
    type=click.IntRange(2),
    help="Options of every item, where the items have no column 'options'; without it the most "
    "common number of the profile of --like.",
)
@click.option(
    "--missing",
    type=click.Choice(POLICIES),
    help="With --fit: what happens to missing answers.  [default: error]",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    help="With --fit: what happens to models that are exact copies of another.  "
    f"[default: {DUPLICATES[0]}]",
)
@click.option(
    "--seed", type=click.IntRange(0), help="With --fit: of the draws, and of the profile."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File for the fitted profile (.toml), or folder for the simulated data set.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def simulate_command(
    profile: str | None,
    dataset: str | None,
    like: str | None,
    n_models: int | None,
    options: int | None,
    missing: str | None,
    duplicates: str | None,
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Simulate the leaderboard of PROFILE (a name or a .toml file), or fit a profile to data.

    A fit takes a minute or a few. It prints each statistic of the data and of the fitted profile;
    `simulated:my.toml` is then a data set for every command and chapter.

    \b
    mbnb simulate mmlu-pro --out simulated-mmlu-pro
    mbnb simulate --fit my-benchmark --options 4 --out my.toml
    mbnb study simulated:my.toml
    """
    if (profile is None) == (dataset is None):
        given = "both are" if profile else "neither is"
        raise InputError(f"one of PROFILE and --fit DATASET must be given; {given}.")
    if out is None:
        raise InputError(
            "--out must be given: a folder for a simulated data set, a .toml file with --fit."
        )
    if profile is not None:
        choices = {
            "--like": like, "--models": n_models, "--options": options, "--missing": missing,
            "--duplicates": duplicates, "--seed": seed,
        }  # fmt: skip
        for option, value in choices.items():
            if value is not None:
                raise InputError(f"{option} goes with --fit; a profile says it itself.")
        _write_data(profile.removeprefix(SIMULATED), out, as_json)
        return
    assert dataset is not None
    check_out(out, [".toml"])
    _fit(
        dataset, like or LIKE, n_models, options, missing or "error",
        duplicates or DUPLICATES[0], seed or 0, out, as_json,
    )  # fmt: skip


def _write_data(name: str, out: Path, as_json: bool) -> None:
    profile = read_profile(name)
    if out.exists():
        raise InputError(f"{out} exists already; give a folder that does not.")
    matrix = simulate(profile)
    source = (
        f"# Simulated: no model of this table exists\n\nMade by `mbnb simulate {name}` from the "
        f"profile {profile.name} (seed {profile.seed}), content {matrix.content_hash}.\n\n"
        f"## The profile\n\n```toml\n{profile_text(profile)}```\n"
    )
    write_folder(matrix, out, source)
    if as_json:
        answer = {
            "profile": profile.name,
            "models": matrix.n_models,
            "items": matrix.n_items,
            "content": matrix.content_hash,
            "out": str(out),
        }
        click.echo(json_text(answer))
        return
    tell(
        f"{matrix.n_models:,} simulated models × {matrix.n_items:,} items. No model of this table "
        "exists: say so where you show what was measured on it."
    )
    click.echo(out)


def _fit(
    dataset: str,
    like: str,
    n_models: int | None,
    options: int | None,
    missing: str,
    duplicates: str,
    seed: int,
    out: Path,
    as_json: bool,
) -> None:
    known = read_profile(like.removeprefix(SIMULATED))
    matrix, notes = prepare(dataset, missing=missing, duplicates=duplicates)
    tell(*notes, f"{matrix.name}: fitting a profile …")
    fitted = fit_profile(
        matrix, known, name=out.stem, n_models=n_models, options=options, seed=seed
    )
    comments = [
        f"Fitted to {matrix.name} ({matrix.n_models:,} models × {matrix.n_items:,} items, content "
        f"{matrix.content_hash[:12]}) by:",
        f"  mbnb simulate --fit {dataset} --like {like} --seed {seed} --missing {missing} "
        f"--duplicates {duplicates}"
        + (f" --models {n_models}" if n_models else "")
        + (f" --options {options}" if options else ""),
        *fitted.notes,
        "Sizes and names of the models' cohorts are invented.",
    ]
    text = profile_text(fitted.profile, comments)
    write_whole(out, lambda place: Path(place).write_bytes(text.encode()))
    made = simulate(fitted.profile)
    # Where the data have no confidences, there is nothing to hold the simulation's against.
    table = fidelity(matrix, made if matrix.confidences is not None else scores_alone(made))
    if as_json:
        rows = [
            {key: None if isinstance(v, float) and math.isnan(v) else v for key, v in row.items()}
            for row in table.to_dict("records")
        ]
        answer = {
            "dataset": matrix.name,
            "profile": str(out),
            "notes": [*notes, *fitted.notes],
            "statistics": rows,
        }
        click.echo(json_text(answer))
        return
    tell(*fitted.notes)
    click.echo(_as_text(table))
    tell(f"Profile written to {out}; use it as {SIMULATED}{out}.")


def _as_text(table: pd.DataFrame) -> str:
    return "Statistics of the data and of the fitted profile\n" + table.to_string(
        index=False, float_format="{:.3f}".format, na_rep="–"
    )
