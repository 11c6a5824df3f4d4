"""The register of public downloads: one TOML file each, declared and read; nothing is fetched here.

An entry says which files are fetched, what their bytes must be, how they become a response matrix
and what that matrix must be. `mbnb.data.downloads` fetches, `mbnb.data.conversions` converts.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mbnb.data.declared import Declared, read_toml
from mbnb.data.errors import check
from mbnb.data.paths import kept_files

Address = Annotated[str, Meta(pattern="^https://")]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Meta(ge=1)]
# Such as "70-129 131-235", both ends included.
Ranges = Annotated[str, Meta(pattern=r"^\s*\d+-\d+(\s+\d+-\d+)*\s*$")]


class AnswersFile(Declared, frozen=True):
    """The file of answers: where it is, and what its bytes must be."""

    url: Address
    bytes: Count
    sha256: Sha256


class Table(Declared, frozen=True):
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

    rows: Literal["models", "items"]
    corner: str
    item_prefix: str
    order: Literal["file", "number"]
    least_answered: Annotated[float, Meta(ge=0, le=1)]


class Subtasks(Declared, frozen=True):
    """How an item gets its subtask.

    Parameters
    ----------
    rule : {"repository", "ids", "domains", "brackets"}
        See `mbnb.data.conversions`.
    url : str, optional
        For "domains" and "brackets": a second file, which tells them. A commit in its address and
        the content hash of the finished matrix pin it.
    ids : dict of str to str, optional
        For "ids": each subtask's ranges of item numbers. Other items are left out.
    """

    rule: Literal["repository", "ids", "domains", "brackets"]
    url: Address | None = None
    ids: dict[str, Ranges] | None = None

    def __post_init__(self) -> None:
        needs_url = self.rule in ("domains", "brackets")
        check((self.url is not None) == needs_url, "url", self.url, "with domains, brackets alone")
        check((self.ids is not None) == (self.rule == "ids"), "ids", self.ids, "with ids alone")


class Download(Declared, frozen=True):
    """A public response matrix that can be downloaded.

    `title`, `licence` and `source` are for people; `content_hash` is `ResponseMatrix.content_hash`
    of the converted matrix.
    """

    name: str
    title: str
    licence: str
    source: str
    n_models: Count
    n_items: Count
    content_hash: Sha256
    answers: AnswersFile
    table: Table
    subtasks: Subtasks


def download_names() -> list[str]:
    """Names of the data sets that can be downloaded, sorted."""
    return list(kept_files("downloads", ".toml"))


def read_download(name: str) -> Download:
    """What the register says of a data set.

    Raises
    ------
    InputError
        If the register has no such name (the message lists those it has) or its file is broken.
    """
    known = kept_files("downloads", ".toml")
    check(name in known, "the public data set", name, known)
    entry = read_toml(known[name], Download)
    check(entry.name == name, f"{known[name]}: name", entry.name, name)
    return entry
