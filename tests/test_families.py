"""Families of models, read from their names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import mbnb
from mbnb.data.families import family_of, name_families, with_families
from mbnb.data.responses import ResponseMatrix
from mbnb.run.splits import split_models


def matrix_of(*names: str) -> ResponseMatrix:
    scores = np.zeros((len(names), 4), dtype=np.uint8)
    return ResponseMatrix(
        scores,
        models=pd.DataFrame(index=pd.Index(names, name="model_id")),
        items=pd.DataFrame({"subtask": list("ssss")}, index=list("abcd")),
        name="names",
    )


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("meta-llama/Meta-Llama-3-8B", "llama"),
        ("CodeLlama-7B-Base", "llama"),
        ("Sao10K/L3-8B-Lunaris-v1", "llama"),
        ("TinyLlama/TinyLlama-1.1B-Chat", "tinyllama"),
        ("weqweasdas/hh_rlhf_rm_open_llama_3b", "openllama"),
        ("CodeQwen1.5-7B", "qwen"),
        ("QwQ-32B-Preview", "qwen"),
        ("mistralai/Ministral-8B-Instruct-2410", "mistral"),
        ("Mixtral-8x22B-Base", "mistral"),
        ("Codestral-22B-v0.1", "mistral"),
        ("google_gemma_2_9b_it", "gemma"),
        ("Phi-3-Mini-128K-Instruct", "phi"),
        ("Yi-1.5-34B-Chat", "yi"),
        ("deepseek_v2_lite_chat", "deepseek"),
        ("GPT-4o-2024-05-13", "gpt"),
        ("gpt4o(2024-05-13)", "gpt"),
        ("20250214_agentless_lite_o3_mini", "gpt"),
        ("claude-3-5-haiku-20241022", "claude"),
        ("sonnet-3.5", "claude"),
        ("Gemini-1.5-Pro-API-0514", "gemini"),
        ("Command R+", "command"),
        ("my_model/", None),
        ("arx_0314", None),
    ],
)
def test_a_name_points_to_its_line_of_base_models(name: str, family: str | None) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama"),
        ("DeepSeek-R1-Distill-Qwen-7B", "qwen"),
        ("HuggingFaceH4/zephyr-7b-beta", "mistral"),
        ("HuggingFaceH4/zephyr-7b-gemma-v0.1", "gemma"),
        ("stabilityai/stablelm-zephyr-3b", "stablelm"),
        ("allenai/tulu-2-dpo-7b", "llama"),
        ("SultanR/SmolTulu-1.7b-RM", "smollm"),
        ("20241106_navie-2-gpt4o-sonnet", "gpt"),
        ("umd-zhou-lab/llama-claude2-13B", "llama"),
    ],
)
def test_whose_weights_it_carries_goes_before_who_taught_it(name: str, family: str) -> None:
    assert family_of(name) == family


def test_models_without_a_known_base_stay_with_their_author_or_alone() -> None:
    names = ["x/One-7B", "x/Two-7B", "x/Llama-3-8B", "y/One-7B", "Nameless", "Nameless-2"]
    assert name_families(names) == ["by x", "by x", "llama", "by y", "Nameless", "Nameless-2"]


def test_a_copy_gets_the_column_and_the_sentence_counts_it() -> None:
    matrix = matrix_of("x/One", "x/Two", "x/Llama-3-8B", "Llama-3-70B", "Nameless")
    named, found = with_families(matrix)
    assert "family" not in matrix.models.columns
    assert named.models["family"].tolist() == ["by x", "by x", "llama", "llama", "Nameless"]
    assert named.content_hash == matrix.content_hash
    assert str(found) == (
        "The names of 2 of 5 models point to a known line of base models; 2 of the others are "
        "kept together with models of the same author and 1 stands alone: 3 families in all."
    )
    assert str(with_families(matrix_of("Llama-2", "Qwen2"))[1]) == (
        "The names of 2 of 2 models point to a known line of base models; 2 families in all."
    )


def test_families_that_the_data_name_stay_as_they_are() -> None:
    matrix = matrix_of("Llama-2", "Qwen2")
    named = replace(matrix, models=matrix.models.assign(family=["one", "one"]))
    same, found = mbnb.with_families(named)
    assert same is named
    assert str(found) == "The data name 1 family of 2 models."


def test_families_read_from_names_can_be_kept_on_one_side() -> None:
    names = [f"a/{base}-{number}" for base in ("Llama-3", "Qwen2", "Gemma") for number in range(4)]
    matrix, _ = with_families(matrix_of(*names))
    for trial in range(8):
        sources, targets = split_models(matrix, 0, trial, n_source=2, n_target=4, families=True)
        families = matrix.models["family"].to_numpy()
        assert not set(families[sources]) & set(families[targets])
