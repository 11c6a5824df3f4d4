"""Broken logs of every format: each is read or gets one clear sentence; nothing else happens."""

from __future__ import annotations

import random
import shutil
import warnings
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readers.entries import Writer, example
from readers.mutate import mutated
from test_readers_acceptance import WRITERS

from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder, write_folder
from mbnb.logs import read

# Of each format, over all the ways in which it is written.
FEW, MANY = 24, 2400
WAYS = Counter(writer.format for writer in WRITERS)


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("writer", WRITERS, ids=[w.label for w in WRITERS])
def test_broken_logs_are_read_or_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, writer: Writer, examples: int
) -> None:
    base = tmp_path_factory.mktemp("fuzz")
    whole, broken, out = base / "whole", base / "broken", base / "out"
    whole.mkdir()
    writer.write(whole, example())
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    contents = {name: (whole / name).read_bytes() for name in files}
    shutil.copytree(whole, broken)
    n_examples = examples // WAYS[writer.format]
    # What was damaged last time is mended before the next file is damaged.
    damaged: list[Path] = []
    outcomes = {"read": 0, "refused": 0}

    @settings(
        max_examples=n_examples,
        derandomize=True,
        database=None,
        # Far above what any of these small files takes: it stands for a hang.
        deadline=timedelta(seconds=30),
        suppress_health_check=list(HealthCheck),
    )
    @given(seed=st.integers(0, 2**32), skip=st.booleans())
    def try_one(seed: int, skip: bool) -> None:
        draw = random.Random(seed)
        for name in damaged:
            (broken / name).write_bytes(contents[name])
        damaged[:] = [draw.choice(files)]
        (broken / damaged[0]).write_bytes(mutated(contents[damaged[0]], damaged[0].name, draw))
        choices = {**writer.choices, **({"on_bad": "skip"} if skip else {})}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                matrix, report = read(broken, **choices)
                write_folder(matrix, out, str(report))
        except InputError as error:
            outcomes["refused"] += 1
            text = str(error)
            assert text and "\n" not in text and text.isprintable(), ascii(text)
            assert len(text) < 2000
            assert not out.exists()
        else:
            outcomes["read"] += 1
            assert report.n_read == report.n_kept + sum(report.dropped.values())
            assert read_folder(out).content_hash == matrix.content_hash
            shutil.rmtree(out)
        assert {path.name for path in base.iterdir()} == {"whole", "broken"}

    try_one()
    # A fuzz test whose logs are all refused, or none, tests nothing.
    assert examples == FEW or min(outcomes.values()) > n_examples / 100, outcomes
