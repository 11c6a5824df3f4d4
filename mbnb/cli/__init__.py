"""The commands; each hands its work to the rooms below and computes nothing itself.

A command's module is imported when the command is asked for, and the rooms when it runs. What is no
fault of the program becomes one sentence here, and nowhere else.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from mbnb.data.errors import InputError

NO = 1  # the answer is "no"
BAD_INPUT = 2
STOPPED = 130  # as shells have it, like the next
UNREAD = 141

# Every command: its module, and what it does.
SECTIONS = {
    "Your own results": {
        "example": ("simulate", "Make a small folder of logs to try the others on."),
        "read": ("read", "Turn evaluation logs into a dataset folder."),
        "report": ("report", "Write one page: how small may it be?"),
        "select": ("select", "Freeze a micro-benchmark in one file."),
        "score": ("score", "A new model's full score from few answers."),
        "plan": ("plan", "How many items order two models rightly?"),
    },
    "Data": {
        "datasets": ("datasets", "List the data sets there are, or get a public one."),
        "simulate": ("simulate", "Write a simulated leaderboard as a dataset folder."),
    },
    "The study and the book": {
        "study": ("study", "Run a grid, or the paper's whole study, without a notebook."),
        "cache": ("cache", "Show or delete the finished trials that are kept."),
        "build": ("book", "Execute the chapters that changed and build the pages."),
        "run": ("book", "Execute one chapter with other parameters."),
        "check": ("book", "Check the chapters without executing them."),
    },
}
PLACES = {name: place for section in SECTIONS.values() for name, (place, _) in section.items()}


class Door(click.Group):
    """The commands by name, and the one place where errors become sentences and statuses."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in PLACES:
            return None
        found: click.Command = getattr(import_module(f"mbnb.cli.{PLACES[cmd_name]}"), cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in section.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Whoever read the output has seen enough (`| head`); click would call that a "no".
            raise click.exceptions.Exit(UNREAD) from None

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        for stream in (sys.stdout, sys.stderr):
            # Whatever a name holds can be printed on any terminal; Python's own stderr does so.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        # A terminated command has to end its children as an interrupted one does.
        signal.signal(signal.SIGTERM, _interrupt)
        args = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            status = super().main(args, *rest, **extra | {"standalone_mode": False}) or 0
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            status = _told("stopped.", STOPPED)
        except BrokenPipeError:
            status = UNREAD
        except click.ClickException as error:
            status = _told(_of_click(error))
        except InputError as error:
            status = _told(str(error))
        except UnicodeError as error:
            status = _told(_of_text(error))
        except OSError as error:
            where = "" if error.filename is None else f"{shown(error.filename)}: "
            status = _told(f"{where}{error.strerror or error}")
        if status in (BAD_INPUT, UNREAD):
            _forget_output()
        sys.exit(status)


@click.group(cls=Door, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mbnb")
def main() -> None:
    """The micro-benchmark book: how small may a benchmark be before its ranking fails?

    \b
    mbnb example logs
    mbnb read logs/known --out mine
    mbnb report mine --out report.html
    mbnb plan --gap 2 --dataset mine
    mbnb run 09 -p n_trials=10

    Exit status: 0 done, 1 the answer is "no" (a check or a chapter failed, nothing will do), 2 bad
    input, 130 stopped.
    """


def shown(name: object) -> str:
    """A file's name as it can be printed: bytes that are no UTF-8 as escapes."""
    return os.fsencode(str(name)).decode("utf-8", "backslashreplace")


def _told(sentence: str, status: int = BAD_INPUT) -> int:
    click.echo(f"mbnb: {sentence}", err=True)
    return status


def _of_click(error: click.ClickException) -> str:
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    where = "" if ctx is None or ctx.parent is None else f"{ctx.info_name}: "
    return where + error.format_message()


def _of_text(error: UnicodeError) -> str:
    if isinstance(error, UnicodeEncodeError):
        part = error.object[max(0, error.start - 20) : error.end + 20]
        return f"a name or text that is no UTF-8 cannot be written: {part!a}"
    return f"a file is not UTF-8 text ({error})"


def _forget_output() -> None:
    """Let nothing be written to what cannot be written to, when the interpreter ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
