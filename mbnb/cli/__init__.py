"""The commands; each hands its work to the floors below and computes nothing itself."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import Any, NoReturn

import click

from mbnb.cli.book import build, check, run
from mbnb.cli.cache import cache
from mbnb.cli.download import datasets, download_command
from mbnb.cli.example import example
from mbnb.cli.plan import plan_command
from mbnb.cli.read import read
from mbnb.cli.report import report
from mbnb.cli.score import score_command
from mbnb.cli.select import select
from mbnb.cli.study import study
from mbnb.data.errors import InputError

BAD_INPUT = 2
NO = 1
STOPPED = 130  # as shells have it


class Commands(click.Group):
    """Commands that answer bad input with one sentence and status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            _leave(f"mbnb: {error}", BAD_INPUT)
        except KeyboardInterrupt:
            _leave("mbnb: stopped.", STOPPED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mbnb")
def main() -> None:
    """The micro-benchmark book: how small may a benchmark be before its ranking fails?

    \b
    Your own results
    mbnb example logs                      make a small folder of logs to try this on
    mbnb read logs/known --out mine        turn evaluation logs into a dataset folder
    mbnb report mine --out report.html     write one page: how small may it be?
    mbnb select mine --size 250 --out micro.json    freeze a micro-benchmark
    mbnb score micro.json logs/new         a new model's full score from few answers
    mbnb plan --gap 2 --dataset mine       how many items show a gap of two points

    \b
    Data
    mbnb datasets                          list the data sets there are
    mbnb download bigcodebench             get a public response matrix
    mbnb simulate gpqa --out my-data       write a simulated leaderboard

    \b
    The study and the book
    mbnb study simulated:mmlu-pro          run a grid without a notebook
    mbnb study --paper                     run the paper's whole study
    mbnb cache                             show the finished trials that are kept
    mbnb build                             build the whole book
    mbnb run 09 -p n_trials=10             execute one chapter with other parameters
    mbnb check                             check the chapters without executing them

    Exit status: 0 done, 1 the answer is "no" (a check or a chapter failed), 2 bad input,
    130 stopped.
    """
    # A terminated command has to end its children as an interrupted one does.
    signal.signal(signal.SIGTERM, _interrupt)


main.add_command(build)
main.add_command(run)
main.add_command(check)
main.add_command(study)
main.add_command(read)
main.add_command(report)
main.add_command(example)
main.add_command(cache)
main.add_command(download_command)
main.add_command(datasets)
main.add_command(select)
main.add_command(score_command)
main.add_command(plan_command)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave(message: str, status: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(status)
