"""Plain tables: long and wide, CSV, Parquet and JSON lines, whatever their dialect or damage."""

from __future__ import annotations

import json
import math
import tempfile
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.logs import read, tables
from mbnb.logs.tables_layout import is_summary, meaning_of

LONG = "model,item,score\nm1,a,1\nm1,b,0\nm2,a,0\nm2,b,1\n"


def _file(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _cells(matrix: ResponseMatrix) -> dict[tuple[str, str], float | None]:
    values = matrix.scores.astype(np.float32)
    values[matrix.missing] = np.nan
    return {
        (str(model), str(item)): None if math.isnan(value) else float(value)
        for model, row in zip(matrix.model_ids, values, strict=True)
        for item, value in zip(matrix.item_ids, row, strict=True)
    }


# Round trips

Cells = dict[tuple[str, str], float | None]


def _write(folder: Path, kind: str, cells: Cells) -> None:
    rows = [(model, item, score) for (model, item), score in cells.items()]
    long = pd.DataFrame(rows, columns=["model", "item", "score"]).astype({"score": float})
    wide = long.pivot(index="model", columns="item", values="score")
    if kind == "long csv":
        long.to_csv(folder / "table.csv", index=False)
    elif kind == "models csv":
        wide.to_csv(folder / "table.csv")
    elif kind == "items csv":
        wide.T.rename_axis("item_id").to_csv(folder / "table.csv")
    elif kind == "long parquet":
        long.to_parquet(folder / "table.parquet")
    elif kind == "models parquet":
        wide.to_parquet(folder / "table.parquet")  # the column of ids is the last
    else:
        long.to_json(folder / "table.jsonl", orient="records", lines=True)


_ids = st.one_of(
    st.sampled_from(['a,"b"', "NA", "None", "nan", "007", "1e5", "x y", "a;b", "ü", "🙂", "true"]),
    st.text(min_size=1, max_size=8).filter(
        lambda text: (
            text.isprintable()
            and text == text.strip()
            and meaning_of(text) is None
            and not is_summary(text)
        )
    ),
)


def _seen(text: str) -> str:
    """What tells an id from another: neither blanks nor case nor its Unicode form."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


@st.composite
def _matrices(draw: st.DrawFn) -> Cells:
    models = draw(st.lists(_ids, min_size=1, max_size=4, unique_by=_seen))
    items = draw(st.lists(_ids, min_size=1, max_size=5, unique_by=_seen))
    values = draw(st.sampled_from([(0.0, 1.0, None), (0.0, 0.25, 0.5, 1.0, None)]))
    return {(model, item): draw(st.sampled_from(values)) for model in models for item in items}


KINDS = ["long csv", "models csv", "items csv", "long parquet", "models parquet", "json lines"]


@settings(max_examples=30, deadline=None)
@given(cells=_matrices())
def test_a_table_reads_back_as_the_matrix_it_was_written_from(cells: Cells) -> None:
    hashes = set()
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            _write(Path(folder), kind, cells)
            matrix, report = read(folder)
        assert _cells(matrix) == cells
        assert report.n_read == report.n_kept == len(cells)
        assert report.n_missing == sum(score is None for score in cells.values())
        hashes.add(matrix.content_hash)
    assert len(hashes) == 1


# Dialects


@pytest.mark.parametrize(
    "text",
    [
        LONG.encode(),
        b"\xef\xbb\xbf" + LONG.encode(),
        LONG.replace("\n", "\r\n").encode(),
        LONG.replace("\n", "\r").encode(),
        LONG.replace("\n", "\n\n").encode(),
        b"\n\n" + LONG.encode().rstrip(),
        LONG.replace(",", ";").encode(),
        LONG.replace(",", "\t").encode(),
        b"\xef\xbb\xbfsep=;\r\n" + LONG.replace(",", ";").encode(),
        b"sep=,\n" + LONG.encode(),
        LONG.replace("model,item,score", '"Model","Item_ID"," SCORE "').encode(),
        LONG.replace(",1\n", ',"True"\n').replace(",0\n", ",0.0\n").encode(),
        LONG.replace("model,item,score", "model,example_id,pass1").encode(),
        b"model,b,a\nm2,1,0\nm1,0,1\n",
        b"item;m1;m2\na;1;0\nb;0;1\n",
        b"sep=;\nitem;m1;m2\na;1;0\nb;0;1\n",
    ],
)
def test_dialects_of_csv_read_alike(tmp_path: Path, text: bytes) -> None:
    matrix, _ = read(_file(tmp_path, text))
    expected = {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): 0, ("m2", "b"): 1}
    assert _cells(matrix) == expected


def test_ids_stay_the_text_that_they_are(tmp_path: Path) -> None:
    ids = ["01", "1", "1.0", "1e5", "12345678901234567890123", "2026-01-01", "NA", "true", " x "]
    matrix, _ = read(_file(tmp_path, "item,m\n" + "".join(f"{i},1\n" for i in ids)))
    assert set(matrix.item_ids) == {text.strip() for text in ids}


@pytest.mark.parametrize("row", ['m1,"a\nb",x', 'm1,"a"",""\nb",x'])
def test_a_fault_is_told_with_its_line_after_quoted_line_breaks(tmp_path: Path, row: str) -> None:
    text = f'model,content,item,score\nm1,"two\nlines",a,1\n\nm1,one,b,1\n{row.replace("x", "c,?")}'
    with pytest.raises(InputError, match=r"table.csv, line 6: .*'score'.*'\?'"):
        read(_file(tmp_path, text + "\n"))
    with pytest.raises(
        InputError, match=r"table.csv, line 6: score 7.0 of item 'c' is out of range"
    ):
        read(_file(tmp_path, text.replace("?", "7") + "\n"))


def test_odd_rows_of_many_blocks_keep_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_CELLS", 16)
    rows = [f"m,q{k},1" if k % 7 else f"m,q{k}" for k in range(100)]
    path = _file(tmp_path, "\n".join(["model,item,score", *rows, "m,q99,1"]))
    with pytest.raises(InputError, match=r"table.csv, line 2: the row holds 2 cells, the header 3"):
        read(path)
    with pytest.raises(InputError, match=r"item 'q99' more than once \(again in .*, line 102\)"):
        read(path, on_bad="skip")
    matrix, report = read(_file(tmp_path, "\n".join(["model,item,score", *rows])), on_bad="skip")
    assert (matrix.n_items, report.n_read) == (85, 100)
    assert report.dropped == {"row that cannot be read": 15}


# What columns mean


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("name,a,b", ["name, a, b", "'model'", "'item'"]),
        ("# made by x", ["# made by x"]),
        (",a,b", ["column 1 has no name", "index=False"]),
        (",model,item,score", ["column 1 has no name", "index=False"]),
        ("model,a,,b", ["column 3 has no name"]),
        ("model,a,b,a", ["column 4", "'a'"]),
        ("model,score", ["'model' and 'score'", "'item'"]),
        ("item,score", ["'item' and 'score'", "'model'"]),
        ("model,question_id,acc", ["'model' and 'acc'", "'item'"]),
        ("model_name,question_id,correct", ["model_name, question_id, correct"]),
        ("doc_id,model,score", ["doc_id, model, score"]),
        ("model,item,acc,f1", ["'score'", "acc, f1", "metric"]),
        ("model,item,latency", ["'score'", "latency", "metric"]),
        ("model,model_id,item,score", ["'model' and 'model_id'"]),
        ("model,item,score,pass1", ["'score' and 'pass1'"]),
        ("item,confidence,m1", ["'confidence'", "long table"]),
        ("a,model,b", ["a, model, b"]),
        ("model", ["none of a item's"]),
        ("item,subtask", ["none of a model's"]),
    ],
)
def test_what_a_table_holds_is_never_guessed(tmp_path: Path, header: str, named: list[str]) -> None:
    path = _file(tmp_path, f"{header}\n{','.join(['1'] * (header.count(',') + 1))}\n")
    with pytest.raises(InputError, match="table.csv") as caught:
        read(path)
    assert all(text in str(caught.value) for text in named), caught.value


@pytest.mark.parametrize("name", ["correct", "Acc", "is_correct", "exact_match", " acc "])
def test_the_only_column_left_is_the_score_if_its_name_is_that_of_one(
    tmp_path: Path, name: str
) -> None:
    matrix, report = read(_file(tmp_path, f"model,subtask,item,{name}\nm,s,a,True\nm,s,b,0\n"))
    assert _cells(matrix) == {("m", "a"): 1, ("m", "b"): 0}
    assert report.tasks["metric"].tolist() == [name.strip()]
    assert any(f"'{name}'" in note for note in report.notes)


@pytest.mark.parametrize(
    ("header", "metric", "label"),
    [
        ("model, item, score", None, "score"),
        ("Model,Item,SCORE", None, "score"),
        ("model,item, Score", "score", "score"),
        ("model, item, Acc ,f1", "acc", "Acc"),
    ],
)
def test_the_score_can_be_another_column_by_name(
    tmp_path: Path, header: str, metric: str | None, label: str
) -> None:
    path = _file(tmp_path, f"{header}\nm,a,1{',0.5' * header.count('f1')}\n")
    matrix, report = read(path, metric=metric)
    assert matrix.scores.tolist() == [[1]]
    assert report.tasks["metric"].tolist() == [label]
    with pytest.raises(InputError, match="no metric 'bleu'; it has "):
        read(path, metric="bleu")
    with pytest.raises(InputError, match="name the one column that is the score"):
        read(path, metric={"*": "acc"})


def test_tasks_subtasks_and_contents_come_from_their_columns(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "model,task,subtask,item,score,confidence,content,shots\n"
        "m,t,s1,1,1,0.9,one,5\nm,t,s2,2,0,0.25,two,5\nm,u,,1,1,0.5,three,5\n",
    )
    matrix, report = read(path)
    assert matrix.item_ids.tolist() == ["t/1", "t/2", "u/1"]
    assert matrix.items["subtask"].tolist() == ["s1", "s2", "u"]
    assert matrix.confidences is not None
    assert matrix.confidences.tolist() == [[np.float32(0.9), 0.25, 0.5]]
    assert matrix.items["content"].nunique() == 3
    assert any("not read: shots" in note for note in report.notes)
    wide, _ = read(_file(tmp_path, "item,subtask,m1,m2\na,s1,1,0\nb,s2,,1\n"))
    assert wide.items["subtask"].tolist() == ["s1", "s2"]
    assert wide.n_missing == 1
    plain, report = read(_file(tmp_path, LONG))
    assert plain.subtasks == ["all"] and report.tasks["task"].tolist() == [""]


def test_tasks_are_chosen_by_name_and_the_other_rows_counted(tmp_path: Path) -> None:
    _file(tmp_path, "model,task,item,score\nm,t,1,1\nm,u,1,0\nn,t,1,0\nn,u,1,0\n")
    _file(tmp_path, "model,task,item,score\nm,v,1,1\nn,v,1,1\n", "other.csv")
    matrix, report = read(tmp_path, tasks=("t",))
    assert matrix.item_ids.tolist() == ["t/1"]
    assert (report.n_read, report.n_kept) == (4, 2)
    assert report.dropped == {"row of a task that was not asked for": 2}


def test_files_add_up(tmp_path: Path) -> None:
    _file(tmp_path, "model,item,score\nm1,a,1\nm2,a,0\n", "one.csv")
    _file(tmp_path, "model,b\nm1,0\nm2,\n", "two.csv")
    matrix, report = read(tmp_path)
    assert _cells(matrix) == {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): 0, ("m2", "b"): None}
    assert (report.n_files, report.n_read, report.n_kept) == (2, 4, 4)
    assert "Wide tables: each cell counts as a row." in report.notes
    _file(tmp_path, "model,item,score\nm2,a,0\n", "three.csv")
    with pytest.raises(InputError, match=r"'m2' answers item 'a' more than once \(again in .*csv"):
        read(tmp_path)


# Bad cells and rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model,item,score\nm,a,inf\n", "line 2: .*'score' the text 'inf'"),
        ("model,item,score\nm,a,1_0\n", "line 2: .*'score' the text '1_0'"),
        ("model,item,score\nm,a,1,2\n", "line 2: the row holds 4 cells, the header 3"),
        ("model,item,score\n" + "m" * 2001 + ",a,1\n", "2,001 characters"),
        ("model,item,score\nm,a,1\nm,b,-0.5\n", "line 3: score -0.5 of item 'b' is out of range"),
        ("model,item,score\nm,a,1e300\n", "line 2: score 1e\\+300 of item 'a' is out of range"),
        ("model,item,score,confidence\nm,a,1,-2.5\n", "confidence -2.5 .*option_probabilities"),
        ("model,item,score\nm,a,1\nm,a,1\n", "item 'a' more than once .again in .*, line 3"),
        ("model,item,score\n", "holds no row that can be read"),
        ("model,a,b\nm,1,0\nn,1,0.5x\n", "line 3: .*'b' the text '0.5x'"),
        ("model,a,b\nm,1\n", "line 2: the row holds 2 cells, the header 3"),
        ("model,a,b\nm,1,0\n\nm,1,0\n", "'m' answers item 'a' more than once .*line 4"),
        ("item,m1\na,1\na,1\n", "item 'a' more than once .*line 3"),
        ('model,a\n"m"x,1\n', "line 2: the row is no proper CSV"),
        ('model,item,score\nm,a,1\nm,"b,1\nm,c,1\n', "line 3: the row is no proper CSV"),
        ("model;a;b\nm;0,75;0,25\n", "line 2: .*'0,75'.* with a point"),
        ("", "is empty"),
        (b"\xff\xfem\x00o\x00", "UTF-8"),
        ("model,item,score\nmod\u00e8le,a,1\n".encode("latin-1"), "UTF-8"),
    ],
)
def test_bad_tables_are_refused_with_file_and_line(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(_file(tmp_path, text))
    assert "table.csv" in str(caught.value) or "2,001" in message


@pytest.mark.parametrize("cell", ["N/A", "-", "null", "pass", "no", '"0,75"', "75%", "maybe"])
def test_a_cell_that_is_no_score_is_told_with_what_to_write(tmp_path: Path, cell: str) -> None:
    for text in (f"model,a\nm,1\nn,{cell}\n", f"model,item,score\nm,a,1\nn,a,{cell}\n"):
        with pytest.raises(InputError, match="line 3: .* the text '.*'; allowed are .* nothing"):
            read(_file(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("model,item,score\nm,a,1\n,b,1\n ,c,1\n", "model"),
        ("model,item,score\nm,a,1\nm,,1\nm,,0\n", "item"),
        ("model,a\nm,1\n,0\n,1\n", "model"),
        ("item,m\na,1\n,0\n,1\n", "item"),
    ],
)
def test_blank_ids_are_missing_ones_and_counted(tmp_path: Path, text: str, meaning: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(InputError, match=rf"2 rows without a {meaning} \(first: line 3\)"):
        read(path)
    matrix, report = read(path, on_bad="skip")
    assert _cells(matrix) == {("m", "a"): 1}
    assert (report.n_read, report.dropped) == (3, {"row that cannot be read": 2})


def test_bad_rows_are_skipped_by_name_counted_and_told(tmp_path: Path) -> None:
    matrix, report = read(_file(tmp_path, LONG + "m1,c,?\nm2,c,1,1\n"), on_bad="skip")
    assert matrix.scores.tolist() == [[1, 0], [0, 1]]
    assert (report.n_read, report.dropped) == (6, {"row that cannot be read": 2})
    wide = _file(tmp_path, "model,a,b\nm1,1,0\nm2,?,1\nm3,1\n")
    matrix, report = read(wide, on_bad="skip")
    assert matrix.model_ids.tolist() == ["m1"]
    assert (report.n_read, report.dropped) == (6, {"row that cannot be read": 4})
    assert any("2 rows" in note and "lines 3, 4" in note for note in report.notes)


@pytest.mark.parametrize(
    ("text", "n_read", "n_empty"),
    [
        ("model,a,b\nm1,1,0\n\n,,\n , ,\nm2,0,1\n,\n", 10, 6),
        ("item,m1,m2\na,1,0\n,,\nb,0,1\n", 6, 2),
        (LONG.replace("m2,a", ",,\n,\nm2,a") + ",,\n", 7, 3),
    ],
)
def test_empty_rows_are_passed_over_and_counted(
    tmp_path: Path, text: str, n_read: int, n_empty: int
) -> None:
    matrix, report = read(_file(tmp_path, text))
    expected = {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): 0, ("m2", "b"): 1}
    assert _cells(matrix) == expected
    assert (report.n_read, report.n_kept) == (n_read, 4)
    assert report.dropped == {"row with nothing in it": n_empty}


@pytest.mark.parametrize("name", ["Average", " overall ", "score_mean", "Macro avg", "std"])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("model,a,b\nm,1,0\n{},1,0\n", "line 3"),
        ("model,a,{}\nm,1,0\n", "first line"),
        ("item,m\na,1\n{},1\n", "line 3"),
        ("item,m,{}\na,1,1\n", "first line"),
        ("model,item,score\nm,a,1\n{},a,1\n", "line 3"),
        ("model,item,score\nm,a,1\nm,{},1\n", "line 3"),
    ],
)
def test_a_summary_is_no_model_and_no_item(
    tmp_path: Path, name: str, text: str, place: str
) -> None:
    path = _file(tmp_path, text.replace("{}", name))
    for on_bad in ("error", "skip"):
        with pytest.raises(InputError, match=f"csv, .*{place}: '{name}' names a summary"):
            read(path, on_bad=on_bad)


def test_names_that_only_hold_such_a_word_are_read(tmp_path: Path) -> None:
    path = _file(tmp_path, "model,meaning,sum/3,mean-shift,total1,score2\nmacro-7b,1,1,0,1,0\n")
    matrix, _ = read(path)
    assert set(matrix.item_ids) == {"meaning", "sum/3", "mean-shift", "total1", "score2"}
    assert matrix.model_ids.tolist() == ["macro-7b"]


# JSON lines


def test_json_lines_of_the_exchange_format_are_read(tmp_path: Path) -> None:
    rows = [
        {"benchmark_id": "b", "model": "m", "example_id": 3, "pass1": 0.5, "count": 4},
        {"benchmark_id": "b", "model": "m", "example_id": "x", "pass1": True, "count": 4},
        {"benchmark_id": "b", "model": "m", "example_id": "y", "pass1": None, "count": 4},
    ]
    path = _file(tmp_path, "\n".join(map(json.dumps, rows)), "table.jsonl")
    matrix, report = read(path)
    assert _cells(matrix) == {("m", "b/3"): 0.5, ("m", "b/x"): 1.0, ("m", "b/y"): None}
    assert report.tasks["metric"].tolist() == ["pass1"]


def test_responses_of_py_irt_are_read(tmp_path: Path) -> None:
    rows = [
        {"subject_id": "m1", "responses": {"q1": 1, "q2": 0, "q3": None}},
        {"subject_id": 7, "responses": {"q1": True, "q2": 0.0}},
    ]
    path = _file(tmp_path, "\n".join(map(json.dumps, rows)), "table.jsonl")
    with pytest.raises(InputError, match="different items"):
        read(path)
    matrix, report = read(path, how="outer")
    values = {("m1", "q1"): 1, ("m1", "q2"): 0, ("m1", "q3"): None}
    assert _cells(matrix) == values | {("7", "q1"): 1, ("7", "q2"): 0, ("7", "q3"): None}
    assert (report.n_read, report.n_missing) == (5, 2)
    for bad in (
        '{"subject_id": "m", "responses": [1]}',
        '{"subject_id": "m", "responses": {"q": "?"}}',
    ):
        with pytest.raises(InputError, match="table.jsonl, line 3: "):
            read(_file(tmp_path, "\n".join([*map(json.dumps, rows), bad]), "table.jsonl"))
    twice = '{"subject_id": "m", "responses": {"q": 1, "q": 0}}'
    with pytest.raises(InputError, match="line 2: .*'q' twice"):
        read(_file(tmp_path, json.dumps(rows[0]) + "\n" + twice, "table.jsonl"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"model": "m", "item": 1.5, "score": 1}', "line 2: .* 'item' an entry of type float"),
        ('{"model": ["m"], "item": 1, "score": 1}', "line 2: .* 'model' an entry of type list"),
        ('{"model": "m", "item": 1, "score": [1]}', "line 2: .* 'score' an entry of type list"),
        ('{"model": "m", "item": 2, "score": "?"}', "line 2: .* the text '\\?'"),
        ('{"item": 1, "score": 1}', "1 row without a model .first: line 2"),
        ('{"model": "m", "item"', "line 2: the row is not JSON"),
    ],
)
def test_bad_json_lines_are_refused_with_their_line(tmp_path: Path, row: str, message: str) -> None:
    text = '{"model": "m", "item": 0, "score": 1}\n' + row + "\n"
    with pytest.raises(InputError, match=message):
        read(_file(tmp_path, text, "table.jsonl"))


# Parquet


def _parquet(folder: Path, columns: dict[str, object]) -> Path:
    path = folder / "table.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet_types_that_hold_ids_and_scores_read_alike(tmp_path: Path) -> None:
    texts = pa.array(["7", "8"], pa.large_string())
    odd = np.array([0x3FF0000000000000, 0x7FF0000000000001], dtype=np.uint64).view(np.float64)
    kinds = [
        (["m", "m"], [7, 8], [True, None]),
        (pa.array(["m", "m"]).dictionary_encode(), texts, [1, None]),
        (["m", "m"], pa.array([7, 8]).dictionary_encode(), [1.0, math.nan]),
        (["m", "m"], ["7", "8"], pa.array([1.0, None], pa.float16())),
        (["m", "m"], ["7", "8"], ["True", ""]),
        (["m", "m"], ["7", "8"], odd),  # a signalling NaN
    ]
    for model, item, score in kinds:
        path = _parquet(tmp_path, {"model": model, "item": item, "score": score})
        matrix, _ = read(path)
        assert _cells(matrix) == {("m", "7"): 1, ("m", "8"): None}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [[1], [0]]}, "column 'score' is of type list<"),
        ({"score": [{"acc": 1}, {"acc": 0}]}, "column 'score' is of type struct<"),
        ({"score": [pd.Timestamp(0), None]}, "column 'score' is of type timestamp"),
        ({"score": ["1", "?"]}, "row 2: the row has in column 'score' the text '\\?'"),
        ({"item": [1.0, 2.0]}, "column 'item' is of type double"),
        ({"item": ["a", None]}, "1 row without a item .first: row 2"),
        ({"item": ["a", "mean"]}, "row 2: 'mean' names a summary"),
        ({"model": [["m"], ["m"]]}, "column 'model' is of type list<"),
    ],
)
def test_parquet_columns_of_other_types_are_refused(
    tmp_path: Path, change: dict, message: str
) -> None:
    columns = {"model": ["m", "m"], "item": ["a", "b"], "score": [1, 0]} | change
    with pytest.raises(InputError, match=f"table.parquet.*{message}"):
        read(_parquet(tmp_path, columns))


def test_columns_that_are_not_needed_do_no_harm(tmp_path: Path) -> None:
    columns = {"model": ["m"], "item": ["a"], "score": [1], "score.more": [[1]], "more": [{"a": 1}]}
    matrix, report = read(_parquet(tmp_path, columns))
    assert matrix.scores.tolist() == [[1]]
    assert "Columns of tables that are not read: score.more, more." in report.notes


def test_an_index_that_pandas_wrote_is_no_item(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 0], "b": [1, 1]}, index=["m", "n"])
    frame.to_parquet(tmp_path / "table.parquet")
    with pytest.raises(InputError, match="does not tell what it holds.*__index_level_0__"):
        read(tmp_path)
    frame.rename_axis("model").to_parquet(tmp_path / "table.parquet")
    named, _ = read(tmp_path)
    frame.reset_index(names="model").set_index(pd.Index(["x", "y"])).to_parquet(
        tmp_path / "table.parquet"
    )
    matrix, report = read(tmp_path)
    assert matrix.content_hash == named.content_hash
    assert any("not read: __index_level_0__" in note for note in report.notes)


def test_broken_parquet_is_refused_in_one_sentence(tmp_path: Path) -> None:
    whole = _parquet(tmp_path, {"model": ["m"], "item": ["a"], "score": [1]}).read_bytes()
    for cut in (8, len(whole) // 2, len(whole) - 1):
        with pytest.raises(InputError, match="table.parquet cannot be read: "):
            read(_file(tmp_path, whole[:cut], "table.parquet"))
    twice = pa.table([["m"], ["a"], [1], [0]], names=["model", "item", "score", "score"])
    pq.write_table(twice, tmp_path / "table.parquet")
    with pytest.raises(InputError, match="column 4 is named 'score'"):
        read(tmp_path)


def test_parquet_that_claims_far_more_than_it_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 200_000
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int8)), pa.array(["x"]))
    path = _parquet(tmp_path, {"model": same, "item": same, "score": np.zeros(n, np.int8)})
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match="more than once"):
        read(path)
    monkeypatch.setattr(tables, "_ROWS", 1000)
    monkeypatch.setattr(tables, "_ROWS_PER_BYTE", 1)
    with pytest.raises(InputError, match="claims 200,000 rows"):
        read(path)


def test_files_that_are_no_tables_are_left_to_others(tmp_path: Path) -> None:
    _file(tmp_path, '{"doc": 1}\n', "rows.jsonl")
    _file(tmp_path, "not parquet", "other.parquet")
    _file(tmp_path, LONG)
    _, report = read(tmp_path)
    assert sum(report.ignored.values()) == 2
    assert report.n_files == 1
