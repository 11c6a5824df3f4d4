"""Log-likelihoods of answer options in lm-evaluation-harness rows, and confidences from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mbnb.logs.json_rows import BadRow
from mbnb.logs.values import as_score, option_probabilities, shortened


def log_likelihoods(row: Mapping[str, Any]) -> list[float] | None:
    """Log-likelihood of each option of a multiple-choice row; None for generated answers.

    Since 2024 they are quoted, earlier they were numbers, and `resps` nests each pair once more;
    all three give the same.

    Raises
    ------
    BadRow
        If a pair does not begin with a number.
    """
    found = row.get("filtered_resps", row.get("resps"))
    if not isinstance(found, list) or not found:
        return None
    pairs = found
    while all(isinstance(pair, list) and len(pair) == 1 for pair in pairs):
        pairs = [pair[0] for pair in pairs]
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs) or len(pairs) < 2:
        return None
    values = []
    for first, greedy in pairs:
        if isinstance(greedy, str) and greedy not in ("True", "False"):
            return None
        try:
            values.append(float(first))
        except (TypeError, ValueError):
            raise BadRow(f"has a log-likelihood that is no number ({shortened(first)})") from None
        except OverflowError:
            raise BadRow("has a log-likelihood beyond all bounds") from None
    if any(value > 0 for value in values):
        raise BadRow(
            f"has a log-likelihood of {max(values):g}, which is above 0: a probability or a loss "
            "is none"
        )
    if "acc_mutual_info" in row and len(values) % 2 == 0:
        # The second half are the options without their question.
        values = values[: len(values) // 2]
    return values


def choice_texts(row: Mapping[str, Any], n_options: int) -> list[str] | None:
    """The options as they were put to the model, or None where they are not logged so."""
    arguments = row.get("arguments")
    if isinstance(arguments, dict):
        parts = [arguments.get(f"gen_args_{k}") for k in range(n_options)]
        texts = [part.get("arg_1") if isinstance(part, dict) else None for part in parts]
    elif isinstance(arguments, list):
        texts = [
            part[1] if isinstance(part, list) and len(part) > 1 else None
            for part in arguments[:n_options]
        ]
    else:
        return None
    if len(texts) < n_options or not all(isinstance(text, str) for text in texts):
        return None
    return [str(text) for text in texts]


def gold_of(target: Any, n_options: int, texts: Sequence[str] | None) -> int:
    """Position of the right option by this row's own target; −1 where it cannot be told.

    A target is the option's text or its position. Options may stand in another order for another
    model, so that a position holds for its row only.
    """
    if isinstance(target, bool) or not isinstance(target, (int, str)):
        return -1
    text = str(target).strip()
    if texts is not None:
        fitting = [k for k, option in enumerate(texts) if option.strip() == text]
        if len(fitting) == 1:
            return fitting[0]
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < n_options:
        return int(text)
    return -1


def option_confidences(
    likelihoods: Sequence[list[float] | None], golds: Sequence[int]
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Probability of the right option by softmax over an item's real options.

    Returns
    -------
    (ndarray or None, ndarray or None)
        Confidences (NaN where there is no likelihood or no known right option) and numbers of
        options (0 likewise), shape (n,); None where no row has any.
    """
    counts = np.array([0 if values is None else len(values) for values in likelihoods])
    if not counts.any():
        return None, None
    known = np.array(golds)
    confidences = np.full(len(counts), np.nan)
    # Items with as many options at a time: whole arrays, and no option that is none.
    for n in np.unique(counts[counts > 0]):
        at = np.flatnonzero((counts == n) & (known >= 0))
        if at.size:
            values = np.array([likelihoods[int(k)] for k in at], dtype=np.float64)
            confidences[at] = option_probabilities(values)[np.arange(len(at)), known[at]]
    return (None if np.isnan(confidences).all() else confidences), counts


def recomputed(
    row: Mapping[str, Any], values: Sequence[float], texts: Sequence[str], gold: int
) -> bool:
    """Whether the logged accuracies are those that the log-likelihoods give.

    The harness takes the first of equal options, and divides by the option's length in characters
    for `acc_norm`.
    """
    raw = np.array(values)
    lengths = np.array([max(len(text.removeprefix(" ")), 1) for text in texts], dtype=float)
    expected = {"acc": raw, "acc_norm": raw / lengths}
    return all(
        as_score(row[name]) == float(int(np.argmax(by)) == gold)
        for name, by in expected.items()
        if name in row
    )
