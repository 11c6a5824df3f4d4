"""Public response matrices by name: fetched, converted, checked and put where `load` finds them.

All of it lies in the user's data folder (``platformdirs.user_data_dir("mbnb")``): ``datasets``
holds finished dataset folders, ``files`` the whole files they were made from, ``unfinished`` those
under way, so that a download that was cut goes on. It is not the cache of results, since
``mbnb cache --clear`` must not delete data that somebody asked for.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from mbnb.data.conversions import convert
from mbnb.data.errors import InputError
from mbnb.data.folder import FILES, read_folder, write_folder
from mbnb.data.registry import Download, LabelsFile, download_names, read_download
from mbnb.data.responses import ResponseMatrix

MIRROR_VARIABLE = "MBNB_DOWNLOADS"


def downloads_folder() -> Path:
    """The folder of all that was downloaded; it may not be there yet."""
    return Path(platformdirs.user_data_dir("mbnb")) / "downloads"


def dataset_folder(name: str) -> Path:
    """Where a downloaded data set lies; it may not be there yet."""
    return downloads_folder() / "datasets" / name


def downloaded_names() -> list[str]:
    """Names of the registered data sets that were downloaded, sorted."""
    return [name for name in download_names() if (dataset_folder(name) / FILES[0]).is_file()]


def download(name: str, out: str | Path | None = None, mirror: str | None = None) -> Path:
    """Download a data set, convert it, and check that it is the one that is registered.

    Files that were fetched before are not fetched again.

    Parameters
    ----------
    name : str
        One of `download_names()`.
    out : str or Path, optional
        Dataset folder to write, which must not exist yet; by default one in the user's data
        folder, where `load` finds it by its name. There, a data set that was downloaded before is
        checked and kept.
    mirror : str, optional
        Address (http or https) in place of ``https://raw.githubusercontent.com`` and its like: the
        files are looked for under it by the same paths. By default ``$MBNB_DOWNLOADS``, where that
        is set.

    Returns
    -------
    Path
        The dataset folder.

    Raises
    ------
    InputError
        If the name is unknown, the folder exists, a file cannot be fetched, or what came is not
        what is registered. No half file and no half folder is left; a file whose connection was
        cut waits in ``unfinished`` to be gone on with.
    """
    entry = read_download(name)
    folder = dataset_folder(name) if out is None else Path(out)
    if out is None and folder.is_dir():
        advice = f"delete that folder and run `mbnb download {name}` again"
        _check_content(entry, read_folder(folder), str(folder), advice)
        return folder
    if folder.exists():
        raise InputError(f"{folder} exists already; give a folder that does not.")
    address = _mirror(mirror)
    answers, labels = _fetch(entry, address)
    try:
        matrix = convert(entry, answers, labels)
        advice = "the file of subtasks has changed, or the mirror"
        _check_content(entry, matrix, "what was downloaded", advice)
    except InputError:
        # The answers' hash was right. These may have none, and would be taken for good next time.
        if labels is not None:
            labels.unlink()
        raise
    return write_folder(matrix, folder, _source(entry, labels, address))


def _mirror(given: str | None) -> str:
    address = given or os.environ.get(MIRROR_VARIABLE, "")
    if address and urlsplit(address).scheme not in ("http", "https"):
        raise InputError(
            f"the mirror ({MIRROR_VARIABLE}) is '{address}'; allowed is an address that begins "
            "with http:// or https://."
        )
    return address.rstrip("/")


def _at(mirror: str, url: str) -> str:
    return mirror + urlsplit(url).path if mirror else url


def _fetch(entry: Download, mirror: str) -> tuple[Path, Path | None]:
    # requests takes a while to import, and every data set is loaded by way of this module.
    from mbnb.data.fetching import fetch

    def places(file: str) -> tuple[Path, Path]:
        name = f"{entry.name}-{file}"
        return downloads_folder() / "files" / name, downloads_folder() / "unfinished" / name

    answers = fetch(
        _at(mirror, entry.answers.url),
        *places(f"answers{Path(entry.answers.url).suffix}"),
        n_bytes=entry.answers.bytes,
        sha256=entry.answers.sha256,
    )
    file = entry.subtasks.file
    if file is None:
        return answers, None
    labels, unfinished = places(f"subtasks{Path(file.url).suffix}")
    if labels.is_file() and not _is_pinned(labels, file):
        labels.unlink()
    url = _at(mirror, file.url)
    fetch(url, labels, unfinished, most_bytes=file.most_bytes)
    if not _is_pinned(labels, file):
        got = _git_blob(labels)
        labels.unlink()
        raise InputError(
            f"{url} is not the file that is pinned: its git blob is {got}, expected is "
            f"{file.git_blob}; it was deleted; run the same command again, and if that does not "
            "help, the file or the mirror has changed."
        )
    return answers, labels


def _is_pinned(path: Path, file: LabelsFile) -> bool:
    return not file.git_blob or _git_blob(path) == file.git_blob


def _git_blob(path: Path) -> str:
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _check_content(entry: Download, matrix: ResponseMatrix, what: str, advice: str) -> None:
    if matrix.content_hash != entry.content_hash:
        raise InputError(
            f"{what} is not the registered data set '{entry.name}': the content hash of its "
            f"{matrix.n_models} models × {matrix.n_items} items is {matrix.content_hash}, expected "
            f"is {entry.content_hash}; {advice}."
        )


def _source(entry: Download, labels: Path | None, mirror: str) -> str:
    """Text of SOURCE.md."""
    lines = [f"# {entry.title}", "", entry.source.strip(), "", f"Licence: {entry.licence.strip()}"]
    lines += ["", "Files:", "", f"- {entry.answers.url} (SHA-256 {entry.answers.sha256})"]
    if labels is not None and entry.subtasks.file is not None:
        digest = hashlib.sha256(labels.read_bytes()).hexdigest()
        lines.append(f"- {entry.subtasks.file.url} (SHA-256 {digest})")
    if mirror:
        lines += ["", f"Fetched from the mirror {mirror}."]
    lines += ["", f"Content hash of the response matrix: {entry.content_hash}"]
    return "\n".join(lines)
