"""From what a log holds to numbers: scores, log-likelihoods, confidences, fingerprints."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

# Text that writers put where a number belongs; anything else is an error, never truth.
_WORDS = {"true": 1.0, "false": 0.0, "nan": float("nan"), "": float("nan")}

_LONGEST = 1500  # characters of a message


def as_score(value: Any) -> float:
    """A logged score as a number; NaN where the log holds none.

    Parameters
    ----------
    value : bool, number, None or text
        Text may be a number, ``True`` or ``False``, as some writers quote them.

    Raises
    ------
    ValueError
        If it is none of these; the message says what it is.
    """
    if value is None:
        return float("nan")
    if isinstance(value, (bool, int, float, np.number)):
        try:
            return float(value)
        except OverflowError:
            raise ValueError("a whole number beyond all bounds") from None
    if isinstance(value, str):
        text = value.strip().lower()
        if text in _WORDS:
            return _WORDS[text]
        # float() would take "1_0" and words such as "infinity".
        if text.isascii() and "_" not in text and "n" not in text:
            try:
                return float(text)
            except ValueError:
                pass
        raise ValueError(f"the text '{shortened(value)}'")
    if isinstance(value, (list, tuple)):
        raise ValueError(f"a list of {len(value)} values")
    raise ValueError(f"an entry of type {type(value).__name__}")


def option_probabilities(log_likelihoods: np.ndarray) -> np.ndarray:
    """Softmax over an item's real options; an impossible option (−∞) gets 0.

    Parameters
    ----------
    log_likelihoods : ndarray, shape (..., n_options)
        −∞ also fills up items with fewer options.

    Returns
    -------
    ndarray, same shape
        Sums to 1 over the last axis; NaN where no option has a likelihood above 0, or one is NaN.

    Raises
    ------
    ValueError
        If a log-likelihood is above 0: probabilities or losses were given.
    """
    values = np.asarray(log_likelihoods, dtype=float)
    if (values > 0).any():
        raise ValueError(
            f"a log-likelihood of {values[values > 0].flat[0]:g}, which is above 0: "
            "a probability or a loss is not one"
        )
    top = values.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        weights = np.exp(values - top)
    total: np.ndarray = weights / weights.sum(axis=-1, keepdims=True)
    return total


def gold_share(likelihoods: Sequence[float], golds: Sequence[int]) -> float:
    """Probability of the right options by softmax over all; NaN where it is not defined.

    Raises
    ------
    ValueError
        If a log-likelihood is above 0.
    """
    if any(math.isnan(value) for value in likelihoods):
        return math.nan
    top = max(likelihoods)
    if top > 0:
        raise ValueError(
            f"has a log-likelihood of {top:g}, which is above 0: a probability or a loss is not one"
        )
    if not golds or not math.isfinite(top):
        return math.nan
    weights = [math.exp(value - top) for value in likelihoods]
    return min(1.0, math.fsum(weights[k] for k in golds) / math.fsum(weights))


def model_of_folder(folder: str) -> str:
    """Model id from a folder or repository name: the first ``__`` stands for the slash."""
    return folder.replace("__", "/", 1)


def folder_of_model(model: str) -> str:
    """The name by which the leaderboard's repositories call a model."""
    return model.replace("/", "__", 1)


def fingerprint(content: Any) -> str:
    """Short hash of an item's content, the same for any order of keys."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def document_hash(doc: Any) -> str:
    """The harness's own hash of an item, for logs that are older than its `doc_hash`."""
    text = json.dumps(doc, indent=2, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def printable(text: str) -> str:
    """Text that moves no cursor: what cannot be printed is shown as Python would write it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def as_message(text: str) -> str:
    """A message as a person can read it, whatever foreign text it quotes at whatever length."""
    text = re.sub(r"\S{300,}", lambda word: f"{word[0][:120]}…{word[0][-60:]}", printable(text))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 500]} … {text[-450:]}"


def shortened(value: object, limit: int = 60) -> str:
    """A value for a message: one printable line, not too long; text without quotes."""
    plain = printable((value if isinstance(value, str) else repr(value))[: 2 * limit])
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"
