"""Writes logs of simulated models as a harness would have written them, to try the readers on."""

from __future__ import annotations

import json
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
        with tempfile.TemporaryDirectory(prefix=".mbnb-", dir=goal.parent) as staging:
            whole = Path(staging) / goal.name
            _write_logs(part.subset(models=rest), whole / KNOWN)
            _write_logs(part.subset(models=[middle]), whole / NEW)
            whole.rename(goal)
    except OSError as error:
        raise InputError(f"{goal} cannot be written: {error.strerror}.") from None
    return goal


def _write_logs(matrix: ResponseMatrix, folder: Path) -> None:
    """Sample logs of lm-evaluation-harness, a folder for each model and a task for each subtask."""
    assert matrix.confidences is not None
    options = matrix.items["options"].to_numpy(dtype=int)
    golds = (np.arange(matrix.n_items) * 7 + 3) % options
    tasks = {
        f"sim_{name.replace(' ', '_')}": np.flatnonzero(matrix.subtask_codes == code)
        for code, name in enumerate(matrix.subtasks)
    }
    counts = {task: {"original": len(at), "effective": len(at)} for task, at in tasks.items()}
    for row, model in enumerate(map(str, matrix.model_ids)):
        place = folder / folder_of_model(model)
        place.mkdir(parents=True)
        results = {
            "model_name": model,
            "versions": dict.fromkeys(tasks, 1.0),
            "n-samples": counts,
        }
        (place / f"results_{TIME}.json").write_text(json.dumps(results), encoding="utf-8")
        for task, items in tasks.items():
            lines = []
            for doc_id, j in enumerate(items):
                correct, gold = int(matrix.scores[row, j]), int(golds[j])
                chances = _chances(
                    float(matrix.confidences[row, j]), bool(correct), options[j], gold
                )
                answer = _row(doc_id, str(matrix.item_ids[j]), gold, chances, correct)
                lines.append(json.dumps(answer) + "\n")
            path = place / f"samples_{task}_{TIME}.jsonl"
            path.write_text("".join(lines), encoding="utf-8")


def _row(doc_id: int, item: str, gold: int, chances: np.ndarray, correct: int) -> dict[str, object]:
    letters = [chr(ord("A") + k) for k in range(len(chances))]
    doc = {"question": f"Simulated item {item}.", "options": letters}
    pairs = [[f"{value:.5f}", "False"] for value in np.log(chances)]
    return {
        "doc_id": doc_id,
        "doc": doc,
        "target": str(gold),
        "arguments": {
            f"gen_args_{k}": {"arg_0": doc["question"], "arg_1": f" {letter}"}
            for k, letter in enumerate(letters)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": document_hash(doc),
        "acc": float(correct),
    }


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
