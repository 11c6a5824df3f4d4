"""Fetches the details of many models from the Open LLM Leaderboards' repositories on the hub.

What comes are log files as they are there, at a commit that is written down; `read` reads them.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from mbnb.data.errors import InputError
from mbnb.data.hub.files import RepositoryFile, listed_files, newest_files
from mbnb.data.hub.manifest import MANIFEST, read_manifest, write_manifest
from mbnb.data.hub.names import HubNames, hub_names
from mbnb.data.hub.pace import HubStop, Pace
from mbnb.data.hub.reasons import reason_of

if TYPE_CHECKING:
    from huggingface_hub import HfApi

MOST_AT_ONCE = 4
_SECONDS = 30.0


@dataclass
class FetchedModel:
    """What came of one model.

    Attributes
    ----------
    names : HubNames
    commit : str
        Of the repository; empty where it could not be asked.
    files : list of str
        Paths within the repository of the files that lie here, whole.
    n_new : int
        How many of them were fetched now.
    reason : str
        Why the model is not whole here; empty where it is.
    """

    names: HubNames
    commit: str = ""
    files: list[str] = field(default_factory=list)
    n_new: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Fetched:
    """What `fetch_details` did.

    Attributes
    ----------
    folder : Path
        Where the logs lie, for `read`.
    models : list of FetchedModel
        In the order asked for.
    """

    folder: Path
    models: list[FetchedModel]

    @property
    def failed(self) -> dict[str, str]:
        """Models that are not whole here, with the reason of each."""
        return {model.names.model: model.reason for model in self.models if model.reason}

    @property
    def commits(self) -> dict[str, str]:
        """Commit of each model's repository, to fetch the very same again."""
        return {model.names.model: model.commit for model in self.models if not model.reason}


def fetch_details(
    models: Sequence[str],
    *,
    folder: str | Path,
    leaderboard: str = "v2",
    tasks: Sequence[str] = (),
    again: str | Path | None = None,
    n_jobs: int = MOST_AT_ONCE,
    endpoint: str | None = None,
    token: str | bool | None = None,
    sleep: Callable[[float], object] = time.sleep,
) -> Fetched:
    """Fetch models' logs: of each task the newest run's file.

    What lies in the folder and is whole is not fetched again, so a command that was cut is simply
    run again.

    Parameters
    ----------
    models : sequence of str
        Ids (``org/model``), or repositories of the leaderboard; where it is empty, those of
        `again`.
    folder : str or Path
        A folder of its own for each model is made in it, named as the repository, and
        ``fetched.json``, which says what was fetched from which commit.
    leaderboard : {"v2", "v1"}
    tasks : sequence of str
        Names of tasks as the leaderboard's files have them, or patterns (``leaderboard_bbh_*``);
        all tasks where it is empty.
    again : str or Path, optional
        An earlier ``fetched.json``: the very files that it names, at its commits, are fetched.
    n_jobs : int
        Models at once, at most 4: no more requests than these are under way at any time.
    endpoint : str, optional
        The hub's address; by default ``$HF_ENDPOINT``, or huggingface.co.
    token : str or bool, optional
        By default that of ``hf auth login`` or ``$HF_TOKEN``; False for none.
    sleep : callable
        Waits so many seconds.

    Returns
    -------
    Fetched
        Also where models failed: each with its reason, and none stops another.

    Raises
    ------
    InputError
        If huggingface_hub is not installed or told to stay offline, a model's id is none, or the
        folder cannot be written or holds another leaderboard's logs.
    """
    _check_library()
    earlier = {} if again is None else read_manifest(Path(again), leaderboard)
    wanted = _wanted(models or list(earlier), leaderboard)
    unknown = [name.model for name in wanted if name.model not in earlier]
    if again is not None and unknown:
        raise InputError(
            f"{again} holds no commit of '{unknown[0]}'; it has {len(earlier)} models."
        )
    if not 1 <= n_jobs <= MOST_AT_ONCE:
        raise InputError(
            f"n_jobs is {n_jobs}; allowed are 1 to {MOST_AT_ONCE} models at once, so that the hub "
            "is not overrun."
        )
    from huggingface_hub import HfApi

    out = Path(folder)
    new = not out.exists()
    before = read_manifest(out / MANIFEST, leaderboard) if not new else {}
    _make(out)
    api = HfApi(endpoint=endpoint or os.environ.get("HF_ENDPOINT") or None, token=token)
    pace = Pace(sleep)

    def work(names: HubNames) -> FetchedModel:
        made = FetchedModel(names)
        try:
            _fetch_model(api, made, _place(out, names), tasks, earlier.get(names.model))
        except HubStop as stop:
            made.reason = f"not fetched: {stop}"
        except Exception as error:
            made.reason = reason_of(error, names, api.endpoint)
        finally:
            if not made.files:
                _tidy(_place(out, names))
        return made

    done: list[FetchedModel] = []
    try:
        with _quiet(), pace.kept(), ThreadPoolExecutor(n_jobs) as pool:
            results = pool.map(work, wanted)
            try:
                for made in tqdm(
                    results, total=len(wanted), desc="fetching", unit="model", disable=None
                ):
                    done.append(made)
            except BaseException:
                pace.stop("interrupted")
                pool.shutdown(wait=True, cancel_futures=True)
                raise
    finally:
        whole = {m.names.model: _entry(m) for m in done if not m.reason}
        if whole or before:
            write_manifest(out / MANIFEST, api.endpoint, leaderboard, {**before, **whole})
        elif new and not any(out.iterdir()):
            out.rmdir()
    return Fetched(out, done)


def _wanted(models: Sequence[str], leaderboard: str) -> list[HubNames]:
    """Each model once, in the order given."""
    if not models:
        raise InputError("no model is given; give ids such as org/model.")
    return list(dict.fromkeys(hub_names(model, leaderboard) for model in models))


def _entry(made: FetchedModel) -> dict[str, Any]:
    return {
        "repository": made.names.repository,
        "commit": made.commit,
        "files": sorted(made.files),
    }


def _check_library() -> None:
    try:
        from huggingface_hub import constants
    except ImportError:
        raise InputError(
            "fetching from the hub needs huggingface_hub; install it with `pip install mbnb[hub]`."
        ) from None
    if constants.HF_HUB_OFFLINE:
        raise InputError("HF_HUB_OFFLINE is set, so nothing can be fetched; unset it.")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}.") from None
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder} cannot be written.")


def _place(out: Path, names: HubNames) -> Path:
    return out / names.repository.rpartition("/")[2]


def _fetch_model(
    api: HfApi,
    made: FetchedModel,
    place: Path,
    tasks: Sequence[str],
    earlier: Mapping[str, Any] | None,
) -> None:
    names = made.names
    info = api.dataset_info(
        names.repository,
        revision=earlier["commit"] if earlier else None,
        files_metadata=True,
        timeout=_SECONDS,
    )
    made.commit = info.sha or ""
    if not re.fullmatch("[0-9a-f]{40}", made.commit):
        raise ValueError("the hub does not tell the repository's commit")
    listed = listed_files(info.siblings or [], names)
    if earlier:
        listed = [entry for entry in listed if entry.path in earlier["files"]]
    for entry in newest_files(listed, tasks, names):
        if not entry.is_whole(place / entry.path):
            _fetch_file(api, names, made.commit, entry, place)
            made.n_new += 1
        made.files.append(entry.path)


def _fetch_file(
    api: HfApi, names: HubNames, commit: str, entry: RepositoryFile, place: Path
) -> None:
    local = place / entry.path
    # What lies there is not what the repository has: a file that was cut, or an older one.
    local.unlink(missing_ok=True)
    api.hf_hub_download(
        names.repository,
        entry.path,
        repo_type="dataset",
        revision=commit,
        local_dir=place,
        etag_timeout=_SECONDS,
        tqdm_class=_silent(),
    )
    if not entry.is_whole(local) and (entry.n_bytes is not None or not local.is_file()):
        local.unlink(missing_ok=True)
        raise ValueError(f"{entry.path} came damaged and was deleted; run the same command again")


def _silent() -> Any:
    """The library's bars: one for each file would be hundreds."""

    class Silent(tqdm):
        def __init__(self, *arguments: Any, **choices: Any) -> None:
            choices.pop("name", None)
            super().__init__(*arguments, **{**choices, "disable": True})

    return Silent


@contextmanager
def _quiet() -> Iterator[None]:
    """The library's warnings of each attempt are told once, as a reason."""
    from huggingface_hub.utils import logging

    level = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)


def _tidy(place: Path) -> None:
    """Delete a model's folder in which no log lies, only what the library keeps for itself."""
    kept = place / ".cache"
    if place.is_dir() and not any(
        path.is_file() for path in place.rglob("*") if kept not in path.parents
    ):
        shutil.rmtree(place)
