"""Why a model could not be fetched from the hub, in one sentence that says what to do."""

from __future__ import annotations

from mbnb.data.hub.names import HubNames
from mbnb.logs.values import shortened


def reason_of(error: Exception, names: HubNames, endpoint: str) -> str:
    """What the hub's library met, told for a person, without the last full stop."""
    from huggingface_hub import errors

    # What the library says of its own cache hides what the hub answered.
    if isinstance(error, errors.LocalEntryNotFoundError) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    page = f"{endpoint}/datasets/{names.repository}"
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, errors.GatedRepoError) or status == 403:
        return (
            f"access to it is granted on request: log in by `hf auth login`, ask for access on "
            f"{page}, then run the same command again"
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{names.repository} has no such commit"
    if isinstance(error, errors.EntryNotFoundError):
        return f"a file that {names.repository} lists is not there"
    if isinstance(error, errors.RepositoryNotFoundError) and status == 404:
        return (
            f"there is no {page}: the leaderboard may not have run this model, or spells it "
            "otherwise"
        )
    if isinstance(error, errors.RepositoryNotFoundError) or status == 401:
        return (
            f"{page} is not there, or not to be seen without a login: look at the model's "
            "spelling, or log in by `hf auth login`"
        )
    told = shortened(str(error), 160) or type(error).__name__
    if isinstance(error, (ValueError, errors.HfHubHTTPError)):
        return told
    return f"{type(error).__name__}: {told}"
