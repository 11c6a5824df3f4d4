"""Writes the logs that a harness would have written of a response matrix, to try the readers on."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.profiles import read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.logs.values import document_hash, folder_of_model

TIME = "2026-01-01T00-00-00.000000"
KNOWN, NEW = "known", "new"
_PROFILE = "bbh"
_SUBTASKS = 3
_ITEMS = 120  # of each subtask
_EVERY = 9  # of the simulated models, so that all families and sizes are there


def write_example(folder: str | Path) -> Path:
    """Write a small folder of logs: `known` holds models with all answers, `new` one more model.

    The models are simulated, as their names say.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If the folder exists already or cannot be written.
    """
    goal = Path(folder)
    if goal.exists():
        raise InputError(f"{goal} exists already; give a folder that does not.")
    matrix = simulate(read_profile(_PROFILE))
    items = np.concatenate(
        [np.flatnonzero(matrix.subtask_codes == code)[:_ITEMS] for code in range(_SUBTASKS)]
    )
    models = np.arange(0, matrix.n_models, _EVERY)
    part = matrix.subset(models=models, items=items)
    middle = int(np.argsort(part.accuracies(), kind="stable")[part.n_models // 2])
    rest = [row for row in range(part.n_models) if row != middle]
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".mbnb-", dir=goal.parent))
        try:
            write_logs(part.subset(models=rest), staging / KNOWN)
            write_logs(part.subset(models=[middle]), staging / NEW)
            staging.chmod(0o755)
            staging.rename(goal)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise InputError(f"{goal} cannot be written: {error.strerror}.") from None
    return goal


def write_logs(matrix: ResponseMatrix, folder: Path, *, question: str = "") -> None:
    """Write sample logs of lm-evaluation-harness, a folder for each model.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete, binary, with confidences; ``items.options`` says how many options an item has.
        A subtask becomes a task, an item's position in it its ``doc_id``.
    folder : Path
        Is made.
    question : str
        Stands in every item, to make logs as long as real ones are.
    """
    matrix.require_complete()
    assert matrix.binary and matrix.confidences is not None
    tasks = {
        name: np.flatnonzero(matrix.subtask_codes == code)
        for code, name in enumerate(matrix.subtasks)
    }
    options = matrix.items["options"].to_numpy(dtype=int)
    golds = (np.arange(matrix.n_items) * 7 + 3) % options
    parts = {
        task: [
            _item(doc_id, str(matrix.item_ids[j]), options[j], golds[j], question)
            for doc_id, j in enumerate(items)
        ]
        for task, items in tasks.items()
    }
    for row, model in enumerate(map(str, matrix.model_ids)):
        place = folder / folder_of_model(model)
        place.mkdir(parents=True)
        names = {task: f"sim_{task.replace(' ', '_')}" for task in tasks}
        results = {
            "model_name": model,
            "versions": dict.fromkeys(names.values(), 1.0),
            "n-samples": {
                names[task]: {"original": len(items), "effective": len(items)}
                for task, items in tasks.items()
            },
        }
        (place / f"results_{TIME}.json").write_text(json.dumps(results), encoding="utf-8")
        for task, items in tasks.items():
            with (place / f"samples_{names[task]}_{TIME}.jsonl").open(
                "w", encoding="utf-8"
            ) as file:
                for (before, after), j in zip(parts[task], items, strict=True):
                    correct = int(matrix.scores[row, j])
                    chances = _chances(
                        float(matrix.confidences[row, j]), bool(correct), options[j], golds[j]
                    )
                    pairs = json.dumps([[f"{value:.5f}", "False"] for value in np.log(chances)])
                    nested = pairs.replace('["', '[["').replace('"]', '"]]')
                    file.write(
                        f'{before}"resps": {nested}, "filtered_resps": {pairs}, {after}'
                        f'"acc": {correct:.1f}}}\n'
                    )


def _item(doc_id: int, item: str, n: int, gold: int, question: str) -> tuple[str, str]:
    """What a row holds before and after a model's answer."""
    letters = [chr(ord("A") + k) for k in range(n)]
    text = f"Simulated item {item}. {question}".strip()
    doc = {"question": text, "options": letters}
    arguments = {
        f"gen_args_{k}": {"arg_0": text, "arg_1": f" {letter}"} for k, letter in enumerate(letters)
    }
    before = {"doc_id": doc_id, "doc": doc, "target": str(gold), "arguments": arguments}
    after = {"filter": "none", "metrics": ["acc"], "doc_hash": document_hash(doc)}
    return f"{json.dumps(before)[:-1]}, ", f"{json.dumps(after)[1:-1]}, "


def _chances(confidence: float, correct: bool, n: int, gold: int) -> np.ndarray:
    """Probabilities of the options by which the right one has its confidence, and wins or loses."""
    confidence = min(max(confidence, 1e-6), 1 - 1e-6)
    chances = np.full(n, (1 - confidence) / (n - 1))
    if not correct and n > 2:
        # One wrong option is ahead of the right one; the others share what is left.
        ahead = confidence + 0.7 * max(1 - 2 * confidence, 1e-6)
        chances[:] = max(1 - confidence - ahead, 1e-9) / (n - 2)
        chances[(gold + 1) % n] = ahead
    chances[gold] = confidence
    return chances
