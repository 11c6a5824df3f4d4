"""What the Open LLM Leaderboards call a model on the hub, and back; asks no hub.

============  =================================================  ==================================
leaderboard   repository                                         configuration of a task
============  =================================================  ==================================
v1            ``open-llm-leaderboard-old/details_ORG__MODEL``    ``harness_TASK_SHOTS``
v2            ``open-llm-leaderboard/ORG__MODEL-details``        ``ORG__MODEL__leaderboard_TASK``
============  =================================================  ==================================

Only the first ``__`` stands for the slash: what follows may hold more of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mbnb.data.errors import InputError
from mbnb.logs.names import folder_of_model, model_of_folder
from mbnb.logs.values import shortened

LEADERBOARDS = ("v2", "v1")
_OWNERS = {"v2": "open-llm-leaderboard", "v1": "open-llm-leaderboard-old"}
_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,95}"
_MODEL = re.compile(rf"(?:{_PART}/)?{_PART}")
_REPOSITORY = re.compile(
    rf"open-llm-leaderboard(?:-old)?/(?:details_(?P<v1>{_PART})|(?P<v2>{_PART})-details)"
)
_CONFIGURATION = re.compile(rf"(?P<folder>{_PART}?)__leaderboard_\w+")


@dataclass(frozen=True)
class HubNames:
    """A model's names on a leaderboard.

    Attributes
    ----------
    model : str
        The model's own id, ``org/model`` or ``model``.
    leaderboard : {"v2", "v1"}
    """

    model: str
    leaderboard: str

    @property
    def folder(self) -> str:
        return folder_of_model(self.model)

    @property
    def repository(self) -> str:
        own = f"details_{self.folder}" if self.leaderboard == "v1" else f"{self.folder}-details"
        return f"{_OWNERS[self.leaderboard]}/{own}"

    def configuration(self, task: str) -> str:
        """What the hub's data viewer calls the rows of a task.

        Parameters
        ----------
        task : str
            As its file has it: ``leaderboard_bbh_snarks`` (v2), ``harness|arc:challenge|25`` (v1).
        """
        if self.leaderboard == "v1":
            return re.sub(r"[|:-]", "_", task)
        return f"{self.folder}__{task}"


def hub_names(text: str, leaderboard: str) -> HubNames:
    """A model's names, from its own id, its repository or the configuration of one of its tasks.

    Raises
    ------
    InputError
        If the leaderboard is unknown, or the text is none of these: it could lead out of a folder,
        say, or be told back as another model.
    """
    if leaderboard not in LEADERBOARDS:
        raise InputError(
            f"leaderboard '{leaderboard}' is unknown; known: {', '.join(LEADERBOARDS)}."
        )
    repository = _REPOSITORY.fullmatch(text)
    configuration = _CONFIGURATION.fullmatch(text)
    if repository:
        model = model_of_folder(repository["v1"] or repository["v2"])
    elif configuration:
        model = model_of_folder(configuration["folder"])
    else:
        model = text if "/" in text else model_of_folder(text)
    if not _MODEL.fullmatch(model) or ".." in model:
        raise InputError(
            f"'{shortened(text)}' is no model id; allowed are ORG/MODEL or MODEL, of letters, "
            "digits, '-', '_' and '.', and without '..'."
        )
    names = HubNames(model, leaderboard)
    if model_of_folder(names.folder) != model:
        raise InputError(
            f"the leaderboard's name for '{model}', {names.folder}, would be read back as "
            f"'{model_of_folder(names.folder)}': an organisation's name must not hold '__'."
        )
    return names
