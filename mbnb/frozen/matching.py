"""Matches new answers to a micro-benchmark's items by their ids; estimates nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.intervals import CHANCE, relatedness
from mbnb.frozen.micro_benchmark import MicroBenchmark

COMPARED = ("metric", "filter", "content")
# Where more of the known models than this look like answers under wrong ids, looks prove nothing.
MOST_UNRELATED = 0.05


def answers_of(
    answers: Mapping[str, float] | pd.Series,
    confidences: Mapping[str, float] | pd.Series | None,
    model: str,
    binary: bool,
) -> ResponseMatrix:
    """A matrix of one model from its answers by item id.

    Raises
    ------
    InputError
        If the answers carry no ids, or are not numbers from 0 to 1.
    """
    scores = _by_id(answers, "answers")
    values = scores.to_numpy()
    found = None
    if confidences is not None:
        given = _by_id(confidences, "confidences")
        odd = sorted(set(given.index) ^ set(scores.index))
        if odd:
            raise InputError(
                f"answers and confidences differ in {len(odd)} item ids (first: '{odd[0]}'); give "
                "both for every item."
            )
        found = given.reindex(scores.index).to_numpy(dtype=np.float32)[None, :]
    whole = binary and np.isin(values, (0, 1)).all()
    return ResponseMatrix(
        scores=values.astype(np.uint8 if whole else np.float32)[None, :],
        models=pd.DataFrame(index=pd.Index([model], name="model_id")),
        items=pd.DataFrame({"subtask": "-"}, index=scores.index),
        confidences=found,
        name="the answers",
    )


def match(
    micro: MicroBenchmark, new: ResponseMatrix, *, extra: str, unlike: str
) -> tuple[ResponseMatrix, list[tuple[str, ...]]]:
    """The new models' answers to the frozen items, in their order, and notes for each model.

    Raises
    ------
    InputError
        See `mbnb.frozen.scoring.score`.
    """
    notes = _check_ids(micro, new, extra)
    new = new.subset(items=np.array(micro.item_ids, dtype=object))
    if new.n_missing:
        row, column = np.argwhere(new.missing)[0]
        raise InputError(
            f"{new.name}: {new.n_missing} answers to the micro-benchmark's items are missing "
            f"(first: model '{new.model_ids[row]}', item '{new.item_ids[column]}'); every model "
            "must have answered every item."
        )
    compared = _check_columns(micro, new)
    notes += () if "content" in compared else ("Items were matched by their ids alone.",)
    notes += _check_kind(micro, new)
    if micro.evidence == "confidences":
        notes += ("The estimate is a mean of confidences, the interval is for the mean score.",)
    related = _check_related(micro, new, unlike)
    if micro.evidence == "scores" and new.confidences is not None:
        new = ResponseMatrix(new.scores, new.models, new.items, name=new.name)
    return new, [(*notes, *own) for own in related]


def _by_id(values: Mapping[str, float] | pd.Series, what: str) -> pd.Series:
    if not isinstance(values, Mapping | pd.Series):
        raise InputError(
            f"{what} are of type {type(values).__name__}, without item ids; give a dict or Series "
            "from item id to number, so that none is taken for another's."
        )
    found = pd.Series(values, dtype=object)
    strange = [name for name in found.index if not isinstance(name, str)]
    if strange or found.empty:
        first = f" (first: {strange[0]!r})" if strange else ""
        raise InputError(
            f"{what} are labelled by {len(strange)} values that are no item ids{first}; give a "
            "dict or Series from item id (a text) to number."
        )
    twice = found.index[found.index.duplicated()]
    if len(twice):
        raise InputError(
            f"{what} have {len(twice)} item ids more than once (first: '{twice[0]}'); ids must be "
            "unique."
        )
    for name, value in found.items():
        if value is not None and not isinstance(value, bool | np.bool_ | int | float | np.number):
            raise InputError(
                f"{what} for item '{name}': {value!r} is no number; allowed are 0 to 1."
            )
    return found.rename_axis("item_id").astype(np.float64)


def _check_ids(micro: MicroBenchmark, new: ResponseMatrix, extra: str) -> tuple[str, ...]:
    wanted, there = set(micro.item_ids), set(new.items.index)
    absent = [name for name in micro.item_ids if name not in there]
    if absent:
        raise InputError(
            f"{new.name}: {len(absent)} of the micro-benchmark's {micro.size} items are not there "
            f"(first: '{absent[0]}'; the ids given look like '{new.items.index[0]}'"
            f"{_of_a_limit(new)}); every item must be answered, under the id that was frozen."
        )
    beyond = [name for name in new.items.index if name not in wanted]
    if beyond and extra == "error":
        raise InputError(
            f"{new.name}: {len(beyond)} of its {new.n_items} items are not in the micro-benchmark "
            f"(first: '{beyond[0]}'); leave them out, or say that they may be ignored (--extra "
            "ignore)."
        )
    return (f"{len(beyond)} items beyond the micro-benchmark's were ignored.",) if beyond else ()


def _of_a_limit(new: ResponseMatrix) -> str:
    """What to suspect of items whose numbers in the log run from 0 without a hole."""
    if not {"task", "doc_id"} <= set(new.items.columns):
        return ""
    for _, numbers in new.items["doc_id"].astype(str).groupby(new.items["task"]):
        if set(numbers) != {str(k) for k in range(len(numbers))}:
            return ""
    return "; they are numbered from 0 on, as the first items are that a run with a limit takes"


def _check_columns(micro: MicroBenchmark, new: ResponseMatrix) -> set[str]:
    """Names of the columns that both sides have for every item and that are equal."""
    equal = set()
    for column in COMPARED:
        if column not in new.items.columns:
            continue
        both = 0
        for item, given in zip(micro.items, new.items[column], strict=True):
            frozen = getattr(item, column)
            if frozen is None or pd.isna(given):
                continue
            both += 1
            if frozen != str(given):
                raise InputError(
                    f"{new.name}: item '{item.id}' has the {column} '{given}', but was frozen with "
                    f"'{frozen}'; it is another item or another way to score it, and its answers "
                    "cannot be compared."
                )
        if both == micro.size:
            equal.add(column)
    return equal


def _check_kind(micro: MicroBenchmark, new: ResponseMatrix) -> tuple[str, ...]:
    if micro.evidence == "confidences" and new.confidences is None:
        raise InputError(
            f"{new.name} has no confidences, but the estimator {micro.estimator} takes their mean; "
            "give them, or freeze with the estimator weighted-mean."
        )
    graded = (new.scores != 0) & (new.scores != 1)
    if micro.binary and graded.any():
        row, column = np.argwhere(graded)[0]
        raise InputError(
            f"{new.name}: {int(graded.sum())} scores are neither 0 nor 1 (first: "
            f"{new.scores[row, column]:g} for model '{new.model_ids[row]}', item "
            f"'{new.item_ids[column]}'), but the known models' all are; score the new answers as "
            "theirs were."
        )
    if not micro.binary and not graded.any():
        return ("All answers are 0 or 1, while the known models' scores are graded.",)
    return ()


def _check_related(
    micro: MicroBenchmark, new: ResponseMatrix, unlike: str
) -> list[tuple[str, ...]]:
    """A note for each model whose answers do not go with the known models' mean scores.

    How much that means is known from the known models, whose ids are right: where more than
    `MOST_UNRELATED` of them look the same, nothing is held against a model.
    """
    means = np.array([[item.mean_score for item in micro.items]])
    unrelated = relatedness(new.scores.astype(np.float64), means) < CHANCE
    share = f"{100 * micro.unrelated_share:.1f} %" if micro.unrelated_share else "none"
    if micro.unrelated_share > MOST_UNRELATED:
        note = (
            "Whether answers stand under the right ids cannot be seen from these items: of the "
            f"known models' own answers {share} look no different from shuffled ones."
        )
        return [(note,) if odd else () for odd in unrelated]
    names = [str(name) for name, odd in zip(new.model_ids, unrelated, strict=True) if odd]
    if names and unlike == "error":
        raise InputError(
            f"{new.name}: the answers of '{names[0]}' look shuffled: they follow what is easy and "
            "hard for the known models no better than answers under wrong ids would, as "
            f"{share} of theirs do; check which answer belongs to which id, or say that the model "
            "is so unlike them (--unlike accept)."
        )
    note = f"Its answers look shuffled, as {share} of the known models' do: check the ids."
    return [(note,) if odd else () for odd in unrelated]
