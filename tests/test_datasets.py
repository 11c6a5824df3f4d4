"""Dataset folders and names: round trips, what is refused, where names are looked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.data.datasets import available, load, prepare
from mbnb.data.errors import InputError
from mbnb.data.folder import read_folder, write_folder
from mbnb.data.responses import ResponseMatrix


@pytest.fixture
def folder(toy: ResponseMatrix, tmp_path: Path) -> Path:
    return write_folder(toy, tmp_path / "toy", "Made by hand.")


def test_round_trip(toy: ResponseMatrix, folder: Path) -> None:
    again = read_folder(folder)
    assert again.content_hash == toy.content_hash and again.name == "toy"
    assert sorted(p.name for p in folder.iterdir()) == [
        "SOURCE.md",
        "items.csv",
        "models.csv",
        "responses.npz",
    ]
    assert (folder / "items.csv").read_text().splitlines()[:2] == ["item_id,subtask", "a,s1"]


def test_round_trip_of_graded_scores_missing_answers_and_odd_names(tmp_path: Path) -> None:
    matrix = make_matrix(
        np.array([[0.25, np.nan], [1.0, 0.1]], np.float32),
        confidences=[[0.1, np.nan], [1.0, 0.5]],
        models=["None", 'a/b:c "é", 🙂'],
        items=["NA", "nan"],
        subtasks=["null", "1"],
    )
    again = read_folder(write_folder(matrix, tmp_path / "odd", "x"))
    assert again.content_hash == matrix.content_hash
    # 0.1 is no float16, so the confidences were kept as float32.
    with np.load(tmp_path / "odd" / "responses.npz") as archive:
        assert archive["confidence"].dtype == np.float32


def test_confidences_are_halved_only_where_nothing_is_lost(tmp_path: Path) -> None:
    matrix = make_matrix([[1, 0]], confidences=[[0.75, 0.125]])
    write_folder(matrix, tmp_path / "exact", "x")
    with np.load(tmp_path / "exact" / "responses.npz") as archive:
        assert archive["confidence"].dtype == np.float16
    assert read_folder(tmp_path / "exact").content_hash == matrix.content_hash


def test_an_existing_folder_is_not_written_over(toy: ResponseMatrix, folder: Path) -> None:
    with pytest.raises(InputError, match="exists already"):
        write_folder(toy, folder, "x")


def test_a_failed_write_leaves_nothing(toy: ResponseMatrix, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(toy, tmp_path / "file" / "toy", "x")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_bom_and_crlf_are_read(folder: Path, toy: ResponseMatrix) -> None:
    for name in ("models.csv", "items.csv"):
        text = (folder / name).read_text().replace("\n", "\r\n")
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_folder(folder).content_hash == toy.content_hash


def test_free_columns_keep_their_types(folder: Path) -> None:
    (folder / "models.csv").write_text(
        "model_id,size_b,tuned\nm0,7.5,True\nm1,,False\nm2,1,True\nm3,2,True\n"
    )
    models = read_folder(folder).models
    assert models["size_b"].isna().tolist() == [False, True, False, False]
    assert models["tuned"].dtype == bool


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("models.csv", "model\nm0\n", ["models.csv", "model_id"]),
        ("items.csv", "item_id\na\n", ["items.csv", "subtask"]),
        ("models.csv", "model_id\nm0\nm1\n", ["(4, 6)", "2 models"]),
        ("models.csv", "model_id,x\nm0,1\n,2\nm2,3\nm3,4\n", ["models.csv", "row 2"]),
        ("models.csv", "x,model_id\n1,m0\n2,\u00a0\n3,m2\n4,m3\n", ["models.csv", "row 2"]),
        ("models.csv", "model_id\nm0\nm0\nm2\nm3\n", ["'m0'"]),
        ("models.csv", "", ["models.csv", "CSV"]),
        ("models.csv", b"model_id\n\xff\xfe\n", ["models.csv", "CSV"]),
        ("models.csv", "model_id\nm0\nm0 \nm2\nm3\n", ["models.csv", "'m0'", "'m0 '"]),
        ("models.csv", "model_id\nm 0\nm\u00a00\nm2\nm3\n", ["'m 0'", r"'m\xa00'"]),
        ("models.csv", "model_id\nm0\nm\u200b0\nm2\nm3\n", ["'m0'", r"'m\u200b0'"]),
        ("models.csv", "model_id\n\u00e9\ne\u0301\nm2\nm3\n", [r"'\xe9'", r"'e\u0301'"]),
        (
            "items.csv",
            "item_id,subtask\na,s\nA,s\nc,s\nd,s\ne,s\nf,s\n",
            ["items.csv", "'a'", "'A'"],
        ),
    ],
)
def test_bad_tables(folder: Path, name: str, text: str | bytes, named: list[str]) -> None:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_folder(folder)
    assert all(part in str(caught.value) for part in named), caught.value


def test_blanks_at_the_ends_of_ids_are_taken_off_and_told(
    folder: Path, toy: ResponseMatrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("models.csv", "items.csv"):
        text = (folder / name).read_text().replace("\na", "\n\u00a0a\u200b").replace("m1", "m1 ")
        (folder / name).write_text(text)
    matrix = read_folder(folder)
    assert matrix.content_hash == toy.content_hash
    about_models, about_items = matrix.notes
    assert "'m1 '" in about_models and r"'\xa0a\u200b'" in about_items
    monkeypatch.setenv("MBNB_DATA", str(folder.parent))
    assert prepare("toy")[1] == matrix.notes


@pytest.mark.parametrize(
    ("arrays", "named"),
    [
        ({"correct": np.full((4, 6), 2, np.uint8)}, ["'correct'", "2", "0, 1 and 255"]),
        ({"correct": np.zeros((4, 6))}, ["'correct'", "float64", "integers"]),
        ({"score": np.zeros((4, 6), np.int64)}, ["'score'", "int64", "floats"]),
        ({"right": np.zeros((4, 6), np.uint8)}, ["right", "'correct'", "'score'"]),
        ({"correct": np.zeros((4, 6), np.uint8), "score": np.zeros((4, 6))}, ["exactly one"]),
        ({"correct": np.full((4, 6), None, object)}, ["plain arrays"]),
        (
            {"correct": np.zeros((4, 6), np.uint8), "confidence": np.full((4, 6), -3.0)},
            ["toy", "confidences", "0 to 1"],
        ),
    ],
)
def test_bad_arrays(folder: Path, arrays: dict, named: list[str]) -> None:
    np.savez(folder / "responses.npz", **arrays)
    with pytest.raises(InputError) as caught:
        read_folder(folder)
    assert all(part in str(caught.value) for part in named), caught.value


def test_absent_files(folder: Path, tmp_path: Path) -> None:
    (folder / "items.csv").unlink()
    with pytest.raises(InputError, match="lacks items.csv; a dataset folder holds responses.npz"):
        read_folder(folder)
    with pytest.raises(InputError, match="is not a folder"):
        read_folder(tmp_path / "nowhere")


def test_names_and_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBNB_DATA", str(folder.parent))
    assert load("toy").name == "toy"
    assert load(folder).content_hash == load("toy").content_hash
    monkeypatch.chdir(folder)
    assert load("../toy").name == "toy"
    listed = available()
    assert "simulated:mmlu-pro" in listed["name"].tolist()
    assert listed.loc[listed["kind"] == "local", "name"].tolist() == ["toy"]


@pytest.mark.parametrize("name", ["no-such", "simulated:no-such", "", "toy/../../x"])
def test_unknown_names_list_what_there_is(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBNB_DATA", str(folder.parent))
    with pytest.raises(InputError, match=r"simulated:mmlu-pro.*\(toy\)"):
        load(name)


def test_data_variable_that_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBNB_DATA", "/no/such/folder")
    with pytest.raises(InputError, match="MBNB_DATA is '/no/such/folder', which is not a folder"):
        load("toy")
    monkeypatch.delenv("MBNB_DATA")
    with pytest.raises(InputError, match=r"names in \$MBNB_DATA \(not set\)"):
        load("toy")
