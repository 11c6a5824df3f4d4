"""The command `mbnb fetch`: logs of many models from the Open LLM Leaderboards' repositories."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mbnb.cli.output import json_text, tell
from mbnb.data.errors import InputError
from mbnb.data.hub.fetch import MOST_AT_ONCE, Fetched, fetch_details
from mbnb.data.hub.names import LEADERBOARDS

NO = 1


@click.command()
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option(
    "--models",
    "listed",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Text file of more models, one a line.",
)
@click.option(
    "--again",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A fetched.json: the very files it names, of all its models or of those given.",
)
@click.option(
    "--leaderboard",
    type=click.Choice(LEADERBOARDS),
    default=LEADERBOARDS[0],
    show_default=True,
    help="The Open LLM Leaderboard's second version, or its first.",
)
@click.option(
    "--task",
    "tasks",
    multiple=True,
    help="This task only, or a pattern such as 'leaderboard_bbh_*' (repeatable).",
)
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of logs."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_AT_ONCE),
    default=MOST_AT_ONCE,
    show_default=True,
    help="Models fetched at once.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def fetch(
    models: tuple[str, ...],
    listed: Path | None,
    again: Path | None,
    leaderboard: str,
    tasks: tuple[str, ...],
    out: Path,
    jobs: int,
    as_json: bool,
) -> None:
    """Fetch the logs of each MODEL (ORG/NAME) from the Open LLM Leaderboard into a folder.

    Of each task the newest run's file comes. What lies in the folder is not fetched again: run a
    command that was cut once more. A model that cannot be had is told with its reason and stops no
    other; the exit status is 1 then. Needs `pip install mbnb[hub]`.

    \b
    mbnb fetch meta-llama/Llama-3.1-8B Qwen/Qwen2.5-7B --task leaderboard_mmlu_pro --out logs
    mbnb read logs --out my-benchmark
    """
    named = [*models, *(_lines(listed) if listed else [])]
    fetched = fetch_details(
        named, folder=out, leaderboard=leaderboard, tasks=tasks, again=again, n_jobs=jobs
    )
    tell(*(f"{model}: {reason}." for model, reason in fetched.failed.items()), _summary(fetched))
    click.echo(json_text(_as_dict(fetched)) if as_json else out)
    if fetched.failed:
        sys.exit(NO)


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as text: {error}.") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _summary(fetched: Fetched) -> str:
    whole = [model for model in fetched.models if not model.reason]
    n_new = sum(model.n_new for model in fetched.models)
    told = (
        f"{len(whole):,} of {len(fetched.models):,} models are here, {n_new:,} files were fetched."
    )
    return f"{told} Read them: mbnb read {fetched.folder}" if whole else told


def _as_dict(fetched: Fetched) -> dict[str, object]:
    return {
        "folder": str(fetched.folder),
        "models": [
            {
                "model": made.names.model,
                "repository": made.names.repository,
                "commit": made.commit or None,
                "files": made.files,
                "new": made.n_new,
                "reason": made.reason or None,
            }
            for made in fetched.models
        ],
    }
