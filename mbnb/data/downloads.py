"""Public response matrices by name: fetched, converted, checked and put where `load` finds them.

All of it lies in the user's data folder (``platformdirs.user_data_dir("mbnb")``): ``datasets``
holds finished dataset folders, ``files`` the whole files they were made from. It is not the cache
of results, since ``mbnb cache --clear`` must not delete data that somebody asked for.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from mbnb.data.conversions import convert
from mbnb.data.errors import InputError, check
from mbnb.data.folder import FILES, read_folder, write_folder
from mbnb.data.paths import given_path
from mbnb.data.registry import Download, download_names, read_download
from mbnb.data.responses import ResponseMatrix

MIRROR_VARIABLE = "MBNB_DOWNLOADS"
TIMEOUT = 30  # seconds until a host answers, and between two pieces of an answer
_AGAIN = "run the same command again"


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
        what is registered. No half file and no half folder is left.
    """
    entry = read_download(name)
    folder = dataset_folder(name) if out is None else given_path(out)
    if out is None and folder.is_dir():
        advice = "delete that folder and download the data set again"
        _check_content(entry, read_folder(folder), str(folder), advice)
        return folder
    if folder.exists():
        raise InputError(f"{folder} exists already; give a folder that does not.")
    address = (mirror or os.environ.get(MIRROR_VARIABLE, "")).rstrip("/")
    is_address = not address or urlsplit(address).scheme in ("http", "https")
    check(is_address, f"the mirror ({MIRROR_VARIABLE})", address, "http://… or https://…")
    answers = _fetch(entry, "answers", entry.answers.url, address, entry.answers.sha256)
    labels = None
    if entry.subtasks.url is not None:
        labels = _fetch(entry, "subtasks", entry.subtasks.url, address, None)
    try:
        matrix = convert(entry, answers, labels)
        advice = "the file of subtasks has changed, or the mirror"
        _check_content(entry, matrix, "what was downloaded", advice)
    except InputError:
        # The answers' hash was right. These have none, and would be taken for good next time.
        if labels is not None:
            labels.unlink()
        raise
    return write_folder(matrix, folder, _source(entry, labels, address))


def _fetch(entry: Download, what: str, url: str, mirror: str, sha256: str | None) -> Path:
    """One file, whole and with the right hash or not at all: pooch moves it to its place last."""
    # They take a while to import, and every data set is loaded by way of this module.
    import pooch
    import requests

    url = mirror + urlsplit(url).path if mirror else url
    pooch.get_logger().setLevel("WARNING")
    try:
        path = pooch.retrieve(
            url,
            known_hash=sha256 and f"sha256:{sha256}",
            fname=f"{entry.name}-{what}{Path(url).suffix}",
            path=downloads_folder() / "files",
            downloader=pooch.HTTPDownloader(progressbar=sys.stderr.isatty(), timeout=TIMEOUT),
        )
    except requests.HTTPError as error:
        raise InputError(f"{url} cannot be downloaded: {error}; {_AGAIN} later.") from None
    except requests.RequestException as error:
        raise InputError(
            f"{url} cannot be downloaded, or not as a whole ({type(error).__name__}): there is no "
            f"network here, or the host is down or blocked; {_AGAIN} with a network."
        ) from None
    except OSError as error:
        raise InputError(
            f"{downloads_folder()} cannot be written: {error.strerror or error}."
        ) from None
    except ValueError:
        raise InputError(
            f"{url} is not the file that is pinned: its SHA-256 is not {sha256}; nothing was kept; "
            f"{_AGAIN}, and if that does not help, the file or the mirror has changed."
        ) from None
    return Path(path)


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
    if labels is not None:
        digest = hashlib.sha256(labels.read_bytes()).hexdigest()
        lines.append(f"- {entry.subtasks.url} (SHA-256 {digest})")
    if mirror:
        lines += ["", f"Fetched from the mirror {mirror}."]
    lines += ["", f"Content hash of the response matrix: {entry.content_hash}"]
    return "\n".join(lines)
