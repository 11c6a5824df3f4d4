"""What a person meant by a name or a cell that a table cannot hold, in words; decides nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mbnb.logs.values import shortened

_SUMMARY = {"overall", "average", "avg", "mean", "total", "totals", "sum", "macro", "micro"}
_SUMMARY |= {"median", "std", "stdev", "stddev"}
_BESIDE = ("score", "scores", "accuracy", "acc", "f1", "weighted", "dev", "deviation")
# A separator must stand between words, so that there is one way only to match a text.
_WORD = "|".join([*sorted(_SUMMARY), *_BESIDE])
_WORDS = re.compile(rf"\s*(?:{_WORD})(?:[\s_-]+(?:{_WORD}))*\s*", re.IGNORECASE)

_NEAR = {
    "model": "models model_name modelname model_names llm system checkpoint",
    "item": (
        "items item_name question questions question_id qid id doc_id docid example sample "
        "sample_id prompt prompt_id problem problem_id instance instance_id task_id"
    ),
    "score": (
        "scores correct is_correct correctness accuracy acc exact_match em result grade passed"
    ),
}
_MEANT = {name: meaning for meaning, names in _NEAR.items() for name in names.split()}

_NO_ANSWER = {"n/a", "na", "#n/a", "-", "--", "–", "—", "none", "null", "missing", "?", "."}
_RIGHT = {"pass", "passed", "yes", "y", "t", "correct", "right", "ok", "success"}
_WRONG = {"fail", "failed", "no", "n", "f", "incorrect", "wrong", "failure"}
_COMMA = re.compile(r"[+-]?\d*,\d+")
_PERCENT = re.compile(r"[+-]?[\d.,]+\s*%")
_INDEX = re.compile(r"__index_level_\d+__")
_PANDAS = re.compile(r"unnamed: \d+", re.IGNORECASE)


def is_summary(name: str) -> bool:
    """Whether an id is the name of a summary, such as "Average" or "score_mean"."""
    if not _WORDS.fullmatch(name):
        return False
    return not set(re.split(r"[\s_-]+", name.strip().lower())).isdisjoint(_SUMMARY)


def summary_sentence(place: str, what: str, meaning: str) -> str:
    """Why a row or a column that bears a summary's name is not read."""
    article = "an" if meaning == "item" else "a"
    return (
        f"{place}: {what} names a summary, not {article} {meaning}; take it out of the table, or "
        f"give it another name if it is {article} {meaning}."
    )


def cell_hint(value: object) -> str | None:
    """What to write instead of a text that is no score; None where that is not plain."""
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    if text in _NO_ANSWER:
        return "leave the cell empty where the answer is missing"
    if text in _RIGHT | _WRONG:
        return "write 1 and 0 (or true and false)"
    if _COMMA.fullmatch(text):
        point = shortened(text.replace(",", "."))
        return f"that is a decimal comma: write decimals with a point ({point})"
    if _PERCENT.fullmatch(text):
        return "write a share from 0 to 1: leave out the percent sign and divide by 100"
    return None


def meant_by(name: str) -> str | None:
    """Which column one with nearly its name stands for, if any."""
    return _MEANT.get(re.sub(r"[\s-]+", "_", name.strip().lower()))


def renames(names: Sequence[str], meanings: Sequence[str]) -> list[str]:
    """For each meaning the first column that seems to bear it, as what to rename it to."""
    found = []
    for meaning in meanings:
        near = next((name for name in names if meant_by(name) == meaning), None)
        if near is not None:
            found.append(f"'{shortened(near)}' to '{meaning}'")
    return found


def is_index(name: str) -> bool:
    """Whether pandas gave a column this name since its index had none."""
    return _INDEX.fullmatch(name) is not None


def is_unnamed(name: str) -> bool:
    return not name.strip() or _PANDAS.fullmatch(name.strip()) is not None


def unnamed_sentence(where: str, cells: Sequence[str], *, has_ids: bool) -> str:
    """What to do about a first column without a name.

    Parameters
    ----------
    where : str
    cells : sequence of str
        Its first few.
    has_ids : bool
        Whether another column is named model or item.
    """
    if cells and any([*cells] == [str(k + n) for k in range(len(cells))] for n in (0, 1)):
        other = "" if has_ids else ", or name it 'item' if these are the ids of the items"
        return (
            f"{where}: column 1 has no name and looks like row numbers ({', '.join(cells)} …); "
            f"delete it (in pandas: to_csv(index=False)){other}."
        )
    if has_ids:
        return f"{where}: column 1 has no name; name it or delete it."
    return (
        f"{where}: column 1 has no name; name it 'model' (each row is a model) or 'item' (each row "
        "is an item)."
    )
