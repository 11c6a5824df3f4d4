"""Names of models as hubs and harnesses write them, and back."""

from __future__ import annotations


def model_of_folder(folder: str) -> str:
    """Model id from a folder or repository name: the first ``__`` stands for the slash."""
    return folder.replace("__", "/", 1)


def folder_of_model(model: str) -> str:
    """The name by which the leaderboard's repositories call a model."""
    return model.replace("/", "__", 1)
