"""The register of public downloads: one TOML file each, read and checked; nothing is fetched here.

An entry says which files are fetched, what their bytes must be, how they become a response matrix
and what that matrix must be. `mbnb.data.fetching` fetches, `mbnb.data.conversions` converts.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbnb.data.checked import build, check_keys, number
from mbnb.data.errors import InputError

ROWS = ("models", "items")
ORDERS = ("file", "number")
RULES = ("repository", "ids", "domains", "brackets")
RULES_WITH_FILE = ("domains", "brackets")

_HERE = Path(__file__).resolve().parent
# An installed wheel carries the register inside the package, a checkout at the repository's top.
# The wheel's folder is no "downloads", since a module has that name.
_FOLDERS = (_HERE / "registered", _HERE.parents[1] / "data" / "downloads")
_HEX = {"sha256": 64, "git_blob": 40, "content_hash": 64}


@dataclass(frozen=True, kw_only=True)
class AnswersFile:
    """The file of answers: where it is, and what its bytes must be."""

    url: str
    bytes: int = number(1, 1_000_000_000)
    sha256: str


@dataclass(frozen=True, kw_only=True)
class LabelsFile:
    """A second file that tells the items' subtasks.

    `most_bytes` is the most that is ever read of it. `git_blob` is its id in git (SHA-1 of
    ``blob <length>``, a zero byte and the content), or "" where none is known: then the commit in
    the URL and the content hash of the finished matrix pin it.
    """

    url: str
    most_bytes: int = number(1, 1_000_000_000)
    git_blob: str


@dataclass(frozen=True, kw_only=True)
class Table:
    """What the answers file looks like, and what is taken from it.

    Parameters
    ----------
    rows : {"models", "items"}
        What a row is; the columns are the other.
    corner : str
        The header of the first column, which holds the rows' ids.
    item_prefix : str
        Put before an item's id in the file to make its id.
    order : {"file", "number"}
        Items in the file's order, or by the number at the end of their ids.
    least_answered : float
        Models that answered a smaller share of the items (0–1) are left out.
    """

    rows: str
    corner: str
    item_prefix: str
    order: str
    least_answered: float = number(0, 1)


@dataclass(frozen=True, kw_only=True)
class Subtasks:
    """How an item gets its subtask.

    Parameters
    ----------
    rule : {"repository", "ids", "domains", "brackets"}
        See `mbnb.data.conversions`.
    file : LabelsFile or None
        For "domains" and "brackets".
    ids : dict of str to tuple of (int, int)
        For "ids": each subtask's ranges of item numbers, both ends included. Other items are left
        out.
    """

    rule: str
    file: LabelsFile | None
    ids: dict[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, kw_only=True)
class Download:
    """A public response matrix that can be downloaded.

    `title`, `licence` and `source` are for people; `content_hash` is `ResponseMatrix.content_hash`
    of the converted matrix.

    Raises
    ------
    InputError
        If the file has an unknown or missing key or an impossible value; the message names file,
        key and what is allowed.
    """

    name: str
    title: str
    licence: str
    source: str
    n_models: int = number(1, 1_000_000)
    n_items: int = number(1, 10_000_000)
    content_hash: str
    answers: AnswersFile
    table: Table
    subtasks: Subtasks


def download_names() -> list[str]:
    """Names of the data sets that can be downloaded, sorted."""
    return sorted({path.stem for folder in _FOLDERS for path in folder.glob("*.toml")})


def read_download(name: str) -> Download:
    """What the register says of a data set.

    Raises
    ------
    InputError
        If the register has no such name (the message lists those it has) or its file is broken.
    """
    if name not in download_names():
        raise InputError(
            f"no data set '{name}' can be downloaded; allowed: {', '.join(download_names())}."
        )
    [path] = [f / f"{name}.toml" for f in _FOLDERS if (f / f"{name}.toml").is_file()][:1]
    return parse_download(path)


def parse_download(path: Path) -> Download:
    """Read and check one file of the register; raises as `Download` says."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file ({error}).") from None
    file = str(path)
    check_keys(Download, table, file)
    parts = {
        "answers": _file(AnswersFile, table["answers"], file, "answers."),
        "table": build(Table, table["table"], file, "table."),
        "subtasks": _subtasks(table["subtasks"], file),
    }
    entry: Download = build(Download, {**table, **parts}, file, "")
    if entry.name != path.stem:
        raise InputError(f"{file}: key 'name' is '{entry.name}'; allowed is '{path.stem}'.")
    _check_hex(entry.content_hash, "content_hash", file, "")
    _check_choice(entry.table.rows, ROWS, f"{file}: key 'table.rows'")
    _check_choice(entry.table.order, ORDERS, f"{file}: key 'table.order'")
    return entry


def _file(kind: type, table: Any, file: str, prefix: str) -> Any:
    made = build(kind, table, file, prefix)
    if not made.url.startswith("https://"):
        raise InputError(
            f"{file}: key '{prefix}url' is '{made.url}'; allowed is an address that begins with "
            "https://."
        )
    if isinstance(made, AnswersFile):
        _check_hex(made.sha256, "sha256", file, prefix)
    elif made.git_blob:
        _check_hex(made.git_blob, "git_blob", file, prefix)
    return made


def _subtasks(table: Any, file: str) -> Subtasks:
    filled = {"file": None, "ids": {}, **table} if isinstance(table, dict) else table
    made: Subtasks = build(Subtasks, filled, file, "subtasks.")
    _check_choice(made.rule, RULES, f"{file}: key 'subtasks.rule'")
    needed = {"file": made.rule in RULES_WITH_FILE, "ids": made.rule == "ids"}
    for key, wanted in needed.items():
        if wanted != (key in table):
            raise InputError(
                f"{file}: key 'subtasks.{key}' is {'missing' if wanted else 'too many'}; the rule "
                f"'{made.rule}' {'needs' if wanted else 'takes no'} '{key}'."
            )
    labels = _file(LabelsFile, made.file, file, "subtasks.file.") if needed["file"] else None
    ids = _ids(made.ids, file) if needed["ids"] else {}
    return Subtasks(rule=made.rule, file=labels, ids=ids)


def _ids(table: Any, file: str) -> dict[str, tuple[tuple[int, int], ...]]:
    if not isinstance(table, dict) or not table:
        raise InputError(f"{file}: key 'subtasks.ids' is {table!r}; allowed is a table.")
    ranges: dict[str, tuple[tuple[int, int], ...]] = {}
    for subtask, text in table.items():
        parts = text.split() if isinstance(text, str) else []
        if not parts or not all(re.fullmatch(r"\d+-\d+", part) for part in parts):
            raise InputError(
                f"{file}: key 'subtasks.ids.{subtask}' is {text!r}; allowed are ranges of numbers "
                "with spaces between, such as '70-129 131-235'."
            )
        pairs = [part.split("-") for part in parts]
        ranges[subtask] = tuple((int(first), int(last)) for first, last in pairs)
    return ranges


def _check_hex(value: str, key: str, file: str, prefix: str) -> None:
    if not re.fullmatch(f"[0-9a-f]{{{_HEX[key]}}}", value):
        raise InputError(
            f"{file}: key '{prefix}{key}' is '{value}'; allowed are {_HEX[key]} hexadecimal digits."
        )


def _check_choice(value: str, allowed: tuple[str, ...], where: str) -> None:
    if value not in allowed:
        raise InputError(f"{where} is '{value}'; allowed: {', '.join(allowed)}.")
