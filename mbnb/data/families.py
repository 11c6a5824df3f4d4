"""Families of models, read from the models' names; looks at no answer.

A family is here the line of base models that a name points to, whatever the generation and the
size: fine-tunes, merges and distilled models belong to the line whose weights they carry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from mbnb.data.responses import ResponseMatrix

# Short words must stand alone, or “phi” would be found in “dolphin”.
_ALONE = r"(?<![a-z])(?:{})(?![a-z])"

# Names of base models, distinctive even within other words (“CodeQwen”, “OrpoLlama”), and the
# short forms that names of fine-tunes use (“L3.1”, “MN”, “Q2.5”). The earliest in a name decides.
_BASES = {
    "tinyllama": r"tiny[-_]?llama",
    "openllama": r"open[-_]llama",
    "llama": r"llama|" + _ALONE.format(r"l3(?:\.[123])?"),
    "qwen": r"qwen|" + _ALONE.format(r"qwq|qw|q2\.5"),
    "mistral": r"(?:mi|mini|math|code|dev)stral|mixtral|pixtral|" + _ALONE.format("nemo|mn"),
    "gemma": r"gemma",
    "phi": r"phixtral|" + _ALONE.format("phi"),
    "yi": _ALONE.format("yi"),
    "solar": _ALONE.format("solar"),
    "falcon": r"falcon",
    "pythia": r"pythia",
    "granite": r"granite",
    "internlm": r"internlm",
    "olmo": r"olmo",
    "smollm": r"smol-?lm|smoltulu",
    "stablelm": r"stable-?lm|stable-code",
    "starcoder": r"starcoder|starchat",
    "bloom": _ALONE.format("bloomz?"),
    "mpt": _ALONE.format("mpt"),
    "opt": _ALONE.format("opt") + r"-\d",
    "gpt-sw3": r"gpt-sw3",
    "gpt-neo": r"gpt-?neo|gpt-?j-",
    "gpt-2": r"gpt-?2(?!\d)",
    "danube": r"danube",
    "minicpm": r"minicpm",
    "command": r"command[-_ ]r|c4ai|aya-(?:23|expanse)",
    "jamba": r"jamba",
    "glm": r"chatglm|codegeex|" + _ALONE.format("glm"),
    "kimi": r"kimi",
    "deberta": r"deberta",
}
# Widespread fine-tunes of one line, where no base is named beside them (“zephyr-7b-gemma”).
_FINE_TUNES = {
    "llama": r"vicuna|guanaco|xwin-lm|tulu-v?2",
    "mistral": r"zephyr|openhermes-2|neural-chat-7b|starling-(?:lm|rm)-7b",
}
# Names that stand as often for a teacher as for the weights (“DeepSeek-R1-Distill-Llama”), so they
# decide where nothing else does.
_TEACHERS = {
    "deepseek": r"deepseek|" + _ALONE.format("ds"),
    "gpt": r"gpt-?[345]|" + _ALONE.format("o[134][-_]mini") + r"|_o[134](?![a-z0-9.])",
    "claude": r"claude|sonnet|^opus$",
    "gemini": r"gemini|^flash$",
    "nova": r"amazon\.nova",
    "doubao": r"doubao",
}


@dataclass(frozen=True)
class Families:
    """How the families of a matrix's models were found; as text a sentence for a reader.

    Attributes
    ----------
    n_models, n_recognised : int
        Models, and those whose names point to a known line of base models.
    n_by_author : int
        Unrecognised ones that stay with their author's other unrecognised models.
    n_families : int
    """

    n_models: int
    n_recognised: int
    n_by_author: int
    n_families: int
    given: bool = False

    def __str__(self) -> str:
        if self.given:
            what = "family" if self.n_families == 1 else "families"
            return f"The data name {self.n_families:,} {what} of {self.n_models:,} models."
        rest = self.n_models - self.n_recognised
        text = (
            f"The names of {self.n_recognised:,} of {self.n_models:,} models point to a known line "
            "of base models"
        )
        if not rest:
            return f"{text}; {self.n_families:,} families in all."
        alone = rest - self.n_by_author
        parts = [
            f"{self.n_by_author:,} of the others are kept together with models of the same author"
            if self.n_by_author
            else "",
            f"{alone:,} {'stand' if alone != 1 else 'stands'} alone" if alone else "",
        ]
        return f"{text}; {' and '.join(filter(None, parts))}: {self.n_families:,} families in all."


def family_of(model: str) -> str | None:
    """The line of base models that a model's name points to, such as ``"llama"``.

    The author before a slash does not count. Names of bases go before names of fine-tunes, and
    those before names that are as often a teacher's; of several, the earliest counts.

    Parameters
    ----------
    model : str
        A model's id, such as ``"deepseek-ai/DeepSeek-R1-Distill-Llama-8B"``.

    Returns
    -------
    str or None
        None where the name points to no line that is known here.
    """
    name = model.rstrip("/").rsplit("/", 1)[-1].lower()
    for rules in (_BASES, _FINE_TUNES, _TEACHERS):
        found = [
            (match.start(), order, family)
            for order, (family, rule) in enumerate(rules.items())
            if (match := re.search(rule, name))
        ]
        if found:
            return min(found)[2]
    return None


def name_families(models: Sequence[str]) -> list[str]:
    """A family for each model: a line of base models, else ``by AUTHOR``, else its own id.

    Models of one author whose names say nothing often share a base, so they stay together.
    """
    families = []
    for model in models:
        author, slash, _ = model.rstrip("/").rpartition("/")
        families.append(family_of(model) or (f"by {author}" if slash else model))
    return families


def with_families(matrix: ResponseMatrix) -> tuple[ResponseMatrix, Families]:
    """A matrix whose models have the column ``family``, and how their families were found.

    Families that the data name themselves stay as they are.

    Parameters
    ----------
    matrix : ResponseMatrix

    Returns
    -------
    (ResponseMatrix, Families)
        The second is a sentence as text.
    """
    if "family" in matrix.models.columns:
        count = int(matrix.models["family"].nunique(dropna=False))
        return matrix, Families(matrix.n_models, matrix.n_models, 0, count, given=True)
    ids = [str(model) for model in matrix.model_ids]
    families = pd.Series(name_families(ids), index=matrix.models.index)
    recognised = pd.Series([family_of(model) is not None for model in ids])
    counts = families.value_counts()
    together = (counts[families].to_numpy() > 1) & ~recognised.to_numpy()
    found = Families(len(ids), int(recognised.sum()), int(together.sum()), len(counts))
    return replace(matrix, models=matrix.models.assign(family=families)), found
