"""Names of models as hubs and harnesses write them, and back; safe names for our own files."""

from __future__ import annotations

import hashlib
import re
import unicodedata


def model_of_folder(folder: str) -> str:
    """Model id from a folder or repository name: the first ``__`` stands for the slash."""
    return folder.replace("__", "/", 1)


def folder_of_model(model: str) -> str:
    """The name by which the leaderboard's repositories call a model."""
    return model.replace("/", "__", 1)


def file_slug(text: str) -> str:
    """A file name for any text: short, the same on all systems, different for different text."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    short = re.sub(r"[^A-Za-z0-9.-]+", "-", plain).strip("-.").lower()[:40].rstrip("-.")
    return (
        f"{short or 'x'}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
    )
