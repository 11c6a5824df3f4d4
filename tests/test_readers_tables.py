"""Plain tables: long and wide, CSV, Parquet and JSON lines, whatever their dialect or damage."""

from __future__ import annotations

import csv
import json
import math
import tempfile
import weakref
from collections.abc import Callable, Sequence
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
from mbnb.logs import read, tables_files
from mbnb.logs.tables_hints import is_summary
from mbnb.logs.tables_layout import meaning_of

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


def _write_csv(path: Path, rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def _long_csv(path: Path, cells: Cells) -> None:
    rows = [(model, item, score) for (model, item), score in cells.items()]
    _write_csv(path.with_suffix(".csv"), [("model", "item", "score"), *rows])


def _axes(cells: Cells) -> tuple[list[str], list[str]]:
    models, items = zip(*cells, strict=True)
    return list(dict.fromkeys(models)), list(dict.fromkeys(items))


def _models_csv(path: Path, cells: Cells) -> None:
    models, items = _axes(cells)
    rows = [[model, *(cells[model, item] for item in items)] for model in models]
    _write_csv(path.with_suffix(".csv"), [["model", *items], *rows])


def _items_csv(path: Path, cells: Cells) -> None:
    models, items = _axes(cells)
    rows = [[item, *(cells[model, item] for model in models)] for item in items]
    _write_csv(path.with_suffix(".csv"), [["item_id", *models], *rows])


def _long_parquet(path: Path, cells: Cells) -> None:
    models, items = zip(*cells, strict=True)
    scores = pa.array(cells.values(), pa.float64())
    table = pa.table({"model": models, "item": items, "score": scores})
    pq.write_table(table, path.with_suffix(".parquet"))


def _models_parquet(path: Path, cells: Cells) -> None:
    models, items = _axes(cells)
    columns = {item: [cells[model, item] for model in models] for item in items}
    # The column of ids last, as pandas writes an index.
    table = pa.table(
        {**{k: pa.array(v, pa.float64()) for k, v in columns.items()}, "model": models}
    )
    pq.write_table(table, path.with_suffix(".parquet"))


def _json_lines(path: Path, cells: Cells) -> None:
    rows = (
        {"model": model, "item": item, "score": score} for (model, item), score in cells.items()
    )
    path.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


_ids = st.one_of(
    st.sampled_from(['a,"b"', "NA", "None", "nan", "007", "1e5", " x ", "a;b", "ü", "🙂", "true"]),
    st.text(min_size=1, max_size=8).filter(
        lambda text: (
            text.isprintable()
            and bool(text.strip())
            and meaning_of(text) is None
            and not is_summary(text)
        )
    ),
)


@st.composite
def _matrices(draw: st.DrawFn) -> Cells:
    models = draw(st.lists(_ids, min_size=1, max_size=4, unique=True))
    items = draw(st.lists(_ids, min_size=1, max_size=5, unique=True))
    values = draw(st.sampled_from([(0.0, 1.0, None), (0.0, 0.25, 0.5, 1.0, None)]))
    return {(model, item): draw(st.sampled_from(values)) for model in models for item in items}


@pytest.mark.parametrize(
    "write", [_long_csv, _models_csv, _items_csv, _long_parquet, _models_parquet, _json_lines]
)
@settings(max_examples=40, deadline=None)
@given(cells=_matrices())
def test_a_table_reads_back_as_the_matrix_it_was_written_from(
    write: Callable[[Path, Cells], None], cells: Cells
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "table", cells)
        matrix, report = read(folder)
    assert _cells(matrix) == cells
    assert report.n_read == report.n_kept == len(cells)
    assert report.n_missing == sum(score is None for score in cells.values())


def test_all_ways_to_write_a_matrix_give_the_same_one(tmp_path: Path) -> None:
    cells: Cells = {
        (model, item): None if (model, item) == ("m2", "q10") else 0.5 * (len(model + item) % 3)
        for model in ("m1", "m2", "m10")
        for item in ("q2", "q10", 'q,"3"')
    }
    hashes = set()
    for number, write in enumerate(
        [_long_csv, _models_csv, _items_csv, _long_parquet, _models_parquet, _json_lines]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        write(folder / "table", cells)
        hashes.add(read(folder)[0].content_hash)
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
        LONG.replace("model,item,score", '"Model","Item_ID"," SCORE "').encode(),
        LONG.replace(",1\n", ',"True"\n').replace(",0\n", ",0.0\n").encode(),
        LONG.replace("model,item,score", "model,example_id,pass1").encode(),
    ],
    ids=[
        "plain",
        "mark",
        "crlf",
        "cr",
        "empty lines",
        "no end",
        ";",
        "tab",
        "case",
        "true",
        "alias",
    ],
)
def test_dialects_of_csv_read_alike(tmp_path: Path, text: bytes) -> None:
    matrix, _ = read(_file(tmp_path, text))
    expected = {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): 0, ("m2", "b"): 1}
    assert _cells(matrix) == expected


def test_a_delimiter_other_than_a_comma_and_columns_that_are_not_read_are_told(
    tmp_path: Path,
) -> None:
    path = _file(tmp_path, "model;item;score;shots;family\nm;a;1;5;x\n")
    _, report = read(path)
    assert "Some tables are separated by a semicolon, as their header shows." in report.notes
    assert "Columns of tables that are not read: shots, family." in report.notes


def test_a_comma_in_an_items_name_does_not_hide_the_semicolons(tmp_path: Path) -> None:
    matrix, _ = read(_file(tmp_path, "item;a,model\nq1;1\nq2;0\n"))
    assert matrix.model_ids.tolist() == ["a,model"]


@pytest.mark.parametrize("row", ['m1,"a\nb",x', 'm1,"a"",""\nb",x'])
def test_a_fault_is_told_with_its_line_after_quoted_line_breaks(tmp_path: Path, row: str) -> None:
    text = f'model,content,item,score\nm1,"two\nlines",a,1\n\nm1,one,b,1\n{row.replace("x", "c,?")}'
    with pytest.raises(InputError, match=r"table.csv, line 6: the row has as score"):
        read(_file(tmp_path, text + "\n"))
    late = text.replace("?", "7") + "\n"
    with pytest.raises(InputError, match=r"table.csv, line 6: score 7 of item 'c' is out of range"):
        read(_file(tmp_path, late))


def test_odd_rows_of_many_blocks_keep_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_files, "_BLOCK", 64)
    rows = [f"m,q{k},1" if k % 7 else f"m,q{k}" for k in range(100)]
    path = _file(tmp_path, "\n".join(["model,item,score", *rows, "m,q99,1"]))
    with pytest.raises(InputError, match=r"table.csv, line 2: the row holds 2 cells, the header 3"):
        read(path)
    with pytest.raises(InputError, match=r"item 'q99' more than once \(again in .*, line 102\)"):
        read(path, on_bad="skip")
    matrix, report = read(_file(tmp_path, "\n".join(["model,item,score", *rows])), on_bad="skip")
    assert matrix is not None and report is not None
    assert (matrix.n_items, report.n_read) == (85, 100)
    assert report.dropped == {"row that cannot be read": 15}


def test_a_quote_that_is_never_closed_swallows_no_rows(tmp_path: Path) -> None:
    path = _file(tmp_path, 'model,item,score,content\nm,a,1,"one\nm,b,1,two\nm,c,1,three\n')
    with pytest.raises(InputError, match=r"table.csv, line 2: the row is no proper CSV"):
        read(path)
    cut = _file(tmp_path, 'model,item,score\nm,a,1\nm,"b,1\nm,c,1\n')
    with pytest.raises(InputError, match=r"table.csv, line 3: the row is no proper CSV"):
        read(cut, on_bad="skip")


# What columns mean


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("name,a,b", "name the first column 'model' .* or 'item' .*its first column is 'name'"),
        (",a,b", r"no name and looks like row numbers \(1 …\); delete it .*, or name it 'item'"),
        ("model,a,,b", "column 3 has no name; name every column"),
        ("model,a,b,a", "column 4 is named 'a', as one before it is"),
        ("model,score", "columns 'model' and 'score' but none named 'item'"),
        ("item,score", "columns 'item' and 'score' but none named 'model'"),
        (
            "model,item,acc,f1",
            r"no column 'score'; of its further columns \(acc, f1\) name the one",
        ),
        ("model,model_id,item,score", "columns 'model' and 'model_id', which mean the same"),
        ("model,item,score,pass1", "columns 'score' and 'pass1', which mean the same"),
        ("item,confidence,m1", "a wide table holds scores only; give confidences in a long table"),
        ("a,model,b", "name the first column"),
        ("model", "has no column that is an item"),
        ("item,subtask", "has no column that is a model"),
    ],
)
def test_what_a_table_holds_is_never_guessed(tmp_path: Path, header: str, message: str) -> None:
    n_cells = header.count(",") + 1
    path = _file(tmp_path, f"{header}\n{','.join(['1'] * n_cells)}\n")
    with pytest.raises(InputError, match=f"table.csv.*{message}"):
        read(path)


def test_the_score_can_be_another_column_by_name(tmp_path: Path) -> None:
    path = _file(tmp_path, "model,item,acc,f1\nm,a,1,0.5\nm,b,0,0.25\n")
    matrix, report = read(path, metric="f1")
    assert matrix.scores.tolist() == [[0.5, 0.25]]
    assert report.tasks["metric"].tolist() == ["f1"]
    with pytest.raises(InputError, match="no metric 'bleu'; it has acc, f1"):
        read(path, metric="bleu")
    with pytest.raises(InputError, match="name the one column that is the score"):
        read(path, metric={"*": "acc"})


def test_tasks_subtasks_and_contents_come_from_their_columns(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "model,task,subtask,item,score,confidence,content\n"
        "m,t,s1,1,1,0.9,one\nm,t,s2,2,0,0.25,two\nm,u,,1,1,0.5,three\n",
    )
    matrix, _ = read(path)
    assert matrix.item_ids.tolist() == ["t/1", "t/2", "u/1"]
    assert matrix.items["subtask"].tolist() == ["s1", "s2", "u"]
    assert matrix.confidences is not None
    assert matrix.confidences.tolist() == [[np.float32(0.9), 0.25, 0.5]]
    assert matrix.items["content"].nunique() == 3
    wide, _ = read(_file(tmp_path, "item,subtask,m1,m2\na,s1,1,0\nb,s2,,1\n"))
    assert wide.items["subtask"].tolist() == ["s1", "s2"]
    assert wide.n_missing == 1


def test_tasks_are_chosen_by_name_and_the_other_rows_counted(tmp_path: Path) -> None:
    text = "model,task,item,score\nm,t,1,1\nm,u,1,0\nn,t,1,0\nn,u,1,0\n"
    _file(tmp_path, text)
    _file(tmp_path, "model,task,item,score\nm,v,1,1\nn,v,1,1\n", "other.csv")
    matrix, report = read(tmp_path, tasks=("t",))
    assert matrix.item_ids.tolist() == ["t/1"]
    assert (report.n_read, report.n_kept) == (4, 2)
    assert report.dropped == {"row of a task that was not asked for": 2}


def test_a_table_without_tasks_has_items_by_their_own_ids(tmp_path: Path) -> None:
    matrix, report = read(_file(tmp_path, LONG))
    assert matrix.item_ids.tolist() == ["a", "b"]
    assert matrix.subtasks == ["all"]
    assert report.tasks["task"].tolist() == [""]


# Several files


def test_long_tables_add_up(tmp_path: Path) -> None:
    _file(tmp_path, "model,item,score\nm1,a,1\nm2,a,0\n", "one.csv")
    _file(tmp_path, "model,item,score\nm1,b,0\nm2,b,1\n", "two.csv")
    matrix, report = read(tmp_path)
    assert matrix.scores.tolist() == [[1, 0], [0, 1]]
    assert report.n_files == 2
    _file(tmp_path, "model,item,score\nm2,a,0\n", "three.csv")
    with pytest.raises(InputError, match=r"'m2' answers item 'a' more than once \(again in .*csv"):
        read(tmp_path)


def test_wide_tables_add_up_by_model_and_their_cells_count_as_rows(tmp_path: Path) -> None:
    _file(tmp_path, "model,a,b\nm1,1,0\n", "one.csv")
    _file(tmp_path, "model,b,a\nm2,1,\n", "two.csv")
    matrix, report = read(tmp_path)
    assert _cells(matrix) == {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): None, ("m2", "b"): 1}
    assert report.n_read == report.n_kept == 4
    assert "Wide tables: each cell counts as a row." in report.notes


# Bad cells


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model,item,score\nm,a,1\nm,b,yes\n",
            "line 3: the row has as score .* the text 'yes'; write 1 and 0",
        ),
        ("model,item,score\nm,a,inf\n", "line 2: the row has as score .* the text 'inf'"),
        ("model,item,score\nm,a,1_0\n", "line 2: the row has as score .* the text '1_0'"),
        ("model,item,score\nm,a,1\n,b,1\n", "line 3: the row has no model"),
        ("model,item,score\nm,,1\n", "line 2: the row has no item"),
        ("model,item,score\nm,a,1,2\n", "line 2: the row holds 4 cells, the header 3"),
        (
            "model,item,score\n" + "m" * 1001 + ",a,1\n",
            "as model a text of 1,001 characters; allowed are",
        ),
        ("model,item,score\nm,a,1\nm,b,-0.5\n", "line 3: score -0.5 of item 'b' is out of range"),
        ("model,item,score\nm,a,1e300\n", "line 2: score inf of item 'a' is out of range"),
        ("model,item,score,confidence\nm,a,1,-2.5\n", "confidence -2.5 .*option_probabilities"),
        ("model,item,score\nm,a,1\nm,a,1\n", "item 'a' more than once .again in .*, line 3"),
        ("model,item,score\n", "holds no row that can be read"),
        ("model,a,b\nm,1,0\nn,1,0.5x\n", "line 3: the row has in column 'b' the text '0.5x'"),
        ("model,a,b\nm,1\n", "line 2: the row holds 2 cells, the header 3"),
        ("model,a,b\n,1,0\n", "line 2: the row has no model"),
        ("model,a,b\nm,1,0\n\nm,1,0\n", "'m' answers item 'a' more than once .*line 4"),
        ("item,m1\na,1\na,1\n", "item 'a' more than once .*line 3"),
        ('model,a\n"m"x,1\n', "line 2: the row is no proper CSV"),
        ("", "table.csv is empty"),
        (b"\xff\xfem\x00o\x00", "is UTF-16 text; allowed is UTF-8"),
        ("model,item,score\nmodèle,a,1\n".encode("latin-1"), "holds text that is not UTF-8"),
        ("model,a\nmodèle,1\n".encode("latin-1"), "holds text that is not UTF-8"),
    ],
)
def test_bad_tables_are_refused_with_file_and_line(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(_file(tmp_path, text))
    assert "table.csv" in str(caught.value)


def test_bad_rows_are_skipped_by_name_and_counted(tmp_path: Path) -> None:
    matrix, report = read(_file(tmp_path, LONG + "m1,c,?\nm2,c,1,1\n"), on_bad="skip")
    assert matrix.scores.tolist() == [[1, 0], [0, 1]]
    assert (report.n_read, report.dropped) == (6, {"row that cannot be read": 2})
    wide = _file(tmp_path, "model,a,b\nm1,1,0\nm2,?,1\n")
    matrix, report = read(wide, on_bad="skip")
    assert matrix.model_ids.tolist() == ["m1"]
    assert (report.n_read, report.dropped) == (4, {"row that cannot be read": 2})


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


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"model": "m", "item": 1.5, "score": 1}', "line 2: .* 'item' an entry of type float"),
        ('{"model": ["m"], "item": 1, "score": 1}', "line 2: .* 'model' an entry of type list"),
        ('{"model": "m", "item": 1, "score": [1]}', "line 2: .* 'score' an entry of type list"),
        ('{"model": "m", "item": 2, "score": "?"}', "line 2: .* the text '\\?'"),
        ('{"item": 1, "score": 1}', "line 2: the row has no model"),
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
    kinds = [
        (["m", "m"], [7, 8], [True, None]),
        (
            pa.array(["m", "m"]).dictionary_encode(),
            pa.array(["7", "8"], pa.large_string()),
            [1, None],
        ),
        (["m", "m"], pa.array([7, 8]).dictionary_encode(), [1.0, math.nan]),
        (["m", "m"], ["7", "8"], pa.array([1.0, None], pa.float16())),
        (["m", "m"], ["7", "8"], ["True", ""]),
    ]
    for model, item, score in kinds:
        path = _parquet(tmp_path, {"model": model, "item": item, "score": score})
        matrix, _ = read(path)
        assert _cells(matrix) == {("m", "7"): 1, ("m", "8"): None}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [[1], [0]]}, "column 'score' is of type list<.*; allowed are numbers"),
        ({"score": [{"acc": 1}, {"acc": 0}]}, "column 'score' is of type struct<"),
        ({"score": [pd.Timestamp(0), None]}, "column 'score' is of type timestamp"),
        ({"score": ["1", "?"]}, "row 2: the row has as score .* the text '\\?'"),
        ({"item": [1.0, 2.0]}, "column 'item' is of type double; allowed are text and whole"),
        ({"item": ["a", None]}, "row 2: the row has no item"),
        ({"model": [["m"], ["m"]]}, "column 'model' is of type list<"),
    ],
)
def test_parquet_columns_of_other_types_are_refused(
    tmp_path: Path, change: dict, message: str
) -> None:
    columns = {"model": ["m", "m"], "item": ["a", "b"], "score": [1, 0]} | change
    with pytest.raises(InputError, match=f"table.parquet.*{message}"):
        read(_parquet(tmp_path, columns))


def test_nested_columns_that_are_not_needed_do_no_harm(tmp_path: Path) -> None:
    columns = {"model": ["m"], "item": ["a"], "score": [1], "score.more": [[1]], "more": [{"a": 1}]}
    matrix, report = read(_parquet(tmp_path, columns))
    assert matrix.scores.tolist() == [[1]]
    assert "Columns of tables that are not read: score.more, more." in report.notes


def test_broken_parquet_is_refused_in_one_sentence(tmp_path: Path) -> None:
    whole = _parquet(tmp_path, {"model": ["m"], "item": ["a"], "score": [1]}).read_bytes()
    for cut in (8, len(whole) // 2, len(whole) - 1):
        with pytest.raises(InputError, match="table.parquet cannot be read: "):
            read(_file(tmp_path, whole[:cut], "table.parquet"))
    twice = pa.table([["m"], ["a"], [1], [0]], names=["model", "item", "score", "score"])
    pq.write_table(twice, tmp_path / "table.parquet")
    with pytest.raises(InputError, match="more than one column 'score'"):
        read(tmp_path)


def test_parquet_that_claims_far_more_than_it_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 2_000_000
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int8)), pa.array(["x"]))
    path = _parquet(tmp_path, {"model": same, "item": same, "score": np.zeros(n, np.int8)})
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match=r"more rows \([\d,]+ so far\) than there are pairs"):
        read(path)
    monkeypatch.setattr(tables_files, "_ROWS", 1000)
    monkeypatch.setattr(tables_files, "_ROWS_PER_BYTE", 1)
    with pytest.raises(InputError, match="claims 2,000,000 rows .* no table of answers does"):
        read(path)


def test_files_that_are_no_tables_are_left_to_others(tmp_path: Path) -> None:
    _file(tmp_path, '{"doc": 1}\n', "rows.jsonl")
    _file(tmp_path, "not parquet", "other.parquet")
    _file(tmp_path, LONG)
    _, report = read(tmp_path)
    assert sum(report.ignored.values()) == 2
    assert report.n_files == 1


def test_a_table_that_is_next_to_empty_is_refused_before_its_matrix_is_made(tmp_path: Path) -> None:
    rows = [f"m{k},q{k},1" for k in range(4000)]
    path = _file(tmp_path, "\n".join(["model,item,score", *rows]))
    with pytest.raises(InputError, match="names 4,000 models and 4,000 items in 4,000 rows"):
        read(path, how="outer")


def test_a_signalling_nan_is_missing_like_any_other(tmp_path: Path) -> None:
    odd = np.array([0x7FF0000000000001, 0x3FF0000000000000], dtype=np.uint64).view(np.float64)
    matrix, _ = read(_parquet(tmp_path, {"model": ["m", "m"], "item": ["a", "b"], "score": odd}))
    assert matrix.scores.tolist() == [[255, 1]]


# What a person may have meant


@pytest.mark.parametrize("name", ["Average", " overall ", "AVG", "score_mean", "Macro avg", "std"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model,a,b\nm,1,0\n{},1,0\n",
            "line 3: the row '{}' names a summary, not a model; take it",
        ),
        ("model,a,{}\nm,1,0\n", r"csv: column 3 \('{}'\) names a summary, not an item; take it"),
        ("item,m\na,1\n{},1\n", "line 3: the row '{}' names a summary, not an item; take it out"),
        ("item,m,{}\na,1,1\n", r"csv: column 3 \('{}'\) names a summary, not a model; take it"),
        ("model,item,score\nm,a,1\n{},a,1\n", "line 3: '{}' in the column of models names a summ"),
        ("model,item,score\nm,a,1\nm,{},1\n", "line 3: '{}' in the column of items names a summa"),
    ],
)
def test_a_summary_is_no_model_and_no_item(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = _file(tmp_path, text.replace("{}", name))
    for on_bad in ("error", "skip"):
        with pytest.raises(InputError, match=message.replace("{}", name)) as caught:
            read(path, on_bad=on_bad)
        assert "or give it another name if it is a" in str(caught.value)


def test_a_summary_is_found_in_every_kind_of_table(tmp_path: Path) -> None:
    path = _parquet(tmp_path, {"model": ["m", "Mean"], "a": [1, 0], "b": [1, 0]})
    with pytest.raises(InputError, match="row 2: the row 'Mean' names a summary, not a model"):
        read(path)
    path.unlink()
    rows = '{"model": "m", "item": 1, "score": 1}\n{"model": "m", "item": "total", "score": 1}\n'
    with pytest.raises(InputError, match="line 2: 'total' in the column of items names a summary"):
        read(_file(tmp_path, rows, "table.jsonl"))


def test_names_that_only_hold_such_a_word_are_read(tmp_path: Path) -> None:
    path = _file(tmp_path, "model,meaning,sum/3,mean-shift,total1,score2\nmacro-7b,1,1,0,1,0\n")
    matrix, _ = read(path)
    assert set(matrix.item_ids) == {"meaning", "sum/3", "mean-shift", "total1", "score2"}
    assert matrix.model_ids.tolist() == ["macro-7b"]


def test_what_a_wide_table_loses_to_bad_rows_is_told_by_name(tmp_path: Path) -> None:
    bad = "".join(f"n{k},N/A,1\n" for k in range(6))
    path = _file(tmp_path, f"model,a,b\nm1,1\nm2,1,0\n,1,0\n{bad}")
    matrix, report = read(path, on_bad="skip")
    assert matrix.model_ids.tolist() == ["m2"]
    assert report.dropped == {"row that cannot be read": 16}
    told = "8 models left out, since a row of a wide table that cannot be read is left out whole: "
    assert [note.split(": ", 1)[1] for note in report.notes if "left out" in note] == [
        f"{told}m1, that of line 4, n0, n1, n2 and 3 more."
    ]
    items = _file(tmp_path, "item,m1,m2\na,1,0\nb,-,0\n")
    matrix, report = read(items, on_bad="skip")
    assert matrix.item_ids.tolist() == ["a"]
    assert any("1 item left out" in note and note.endswith(": b.") for note in report.notes)


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        *[
            (text, "leave the cell empty where the answer is missing")
            for text in ("N/A", "NA", "-", "none", "NULL")
        ],
        *[
            (text, r"write 1 and 0 \(or true and false\)")
            for text in ("pass", "Fail", "yes", "no", "correct", "incorrect")
        ],
        ('"0,75"', r"a decimal comma: write decimals with a point \(0.75\)"),
        ("75%", "leave out the percent sign and divide by 100"),
        ("maybe", "allowed are numbers, true, false"),
    ],
)
def test_a_cell_that_is_no_score_is_told_with_what_to_write(
    tmp_path: Path, cell: str, hint: str
) -> None:
    for text in (f"model,a\nm,1\nn,{cell}\n", f"model,item,score\nm,a,1\nn,a,{cell}\n"):
        with pytest.raises(InputError, match=f"line 3: .* the text '.*'; .*{hint}"):
            read(_file(tmp_path, text))


def test_a_decimal_comma_is_told_where_semicolons_separate(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'0,75'; that is a decimal comma"):
        read(_file(tmp_path, "model;a;b\nm;0,75;0,25\n"))


def test_percents_are_told_as_such_and_marks_are_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="score 96.6 .* looks like percent, so divide by 100"):
        read(_file(tmp_path, "model,a,b\nm,96.6,0.5\n"))
    for marks in ("5,1", "101,3", "50,-1"):
        with pytest.raises(InputError, match="range .*allowed is 0 to 1: choose another metric"):
            read(_file(tmp_path, f"model,a,b\nm,{marks}\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ",model,a\n0,m,1\n1,n,0\n2,o,0\n",
            r"column 1 has no name and looks like row numbers \(0, 1, 2 …\); delete it "
            r"\(in pandas: to_csv\(index=False\)\)\.$",
        ),
        (",model,item,score\n0,m,a,1\n1,m,b,1\n", r"row numbers \(0, 1 …\); delete it"),
        ("Unnamed: 0,model,a\n0,m,1\n1,n,0\n", r"row numbers \(0, 1 …\); delete it"),
        (",a,b\nm,1,0\nn,1,0\n", r"no name; name it 'model' \(each row is a model\) or 'item'"),
        (",model,a\nx,m,1\ny,n,0\n", "column 1 has no name; name it or delete it"),
        ("model,a,\nm,1,\n", "column 3 has no name; name every column, and leave out those"),
    ],
)
def test_a_column_without_a_name_is_told_by_what_it_holds(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=f"table.csv: .*{message}"):
        read(_file(tmp_path, text))


def test_an_index_without_a_name_is_told_in_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 0], "b": [1, 1]}, index=["m", "n"])
    frame.to_parquet(tmp_path / "table.parquet")
    with pytest.raises(InputError, match=r"an index without a name; .*df.index.name = 'model'"):
        read(tmp_path)
    numbered = frame.reset_index(names="model").set_index(pd.Index(["x", "y"]))
    numbered.to_parquet(tmp_path / "table.parquet")
    with pytest.raises(InputError, match=r"beside its column of ids .*in pandas: index=False"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("model_name,a,b", "rename 'model_name' to 'model'"),
        ("Question,m1,m2", "rename 'Question' to 'item'"),
        (
            "model_name,question_id,correct",
            "rename 'model_name' to 'model', 'question_id' to 'item' and 'correct' to 'score'",
        ),
        ("model,question_id,score", "rename 'question_id' to 'item', as in a long table"),
        ("model,doc_id,acc", "rename 'doc_id' to 'item' and 'acc' to 'score', as in a long table"),
        ("doc_id,model,score", "rename 'doc_id' to 'item'"),
    ],
)
def test_a_name_that_is_nearly_right_is_told_with_the_right_one(
    tmp_path: Path, header: str, message: str
) -> None:
    with pytest.raises(InputError, match=f"table.csv: {message}\\.$"):
        read(_file(tmp_path, f"{header}\nx,1,1\n"))


def test_a_first_line_that_is_a_comment_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="first line starts with '#' .'# made by x'., and comment"):
        read(_file(tmp_path, f"# made by x\n{LONG}"))


@pytest.mark.parametrize(
    ("text", "n_read", "n_empty"),
    [
        ("model,a,b\nm1,1,0\n\n,,\n , ,\nm2,0,1\n,\n", 10, 6),
        ("item,m1,m2\na,1,0\n,,\nb,0,1\n", 6, 2),
        (LONG.replace("m2,a", ",,\n,\nm2,a") + ",,\n", 7, 3),
        (LONG.replace(",score", ",score,shots").replace("\n", ",\n") + ",,,\n", 5, 1),
    ],
    ids=["models", "items", "long", "long with a column that is not read"],
)
def test_empty_rows_are_passed_over_and_counted(
    tmp_path: Path, text: str, n_read: int, n_empty: int
) -> None:
    text = text.replace("shots,", "shots")
    matrix, report = read(_file(tmp_path, text))
    expected = {("m1", "a"): 1, ("m1", "b"): 0, ("m2", "a"): 0, ("m2", "b"): 1}
    assert _cells(matrix) == expected
    assert (report.n_read, report.n_kept) == (n_read, 4)
    assert report.dropped == {"row with nothing in it": n_empty}


def test_a_row_that_holds_something_in_a_column_that_is_not_read_is_not_empty(
    tmp_path: Path,
) -> None:
    path = _file(tmp_path, "model,item,score,shots\nm,a,1,5\n,,,5\n")
    with pytest.raises(InputError, match="line 3: the row has no model"):
        read(path)


@pytest.mark.parametrize(
    ("header", "metric", "label"),
    [
        ("model, item, score", None, "score"),
        ("Model,Item,SCORE", None, "score"),
        ("model,item, Score", "score", "score"),
        ("model, item, Acc ", "Acc", "Acc"),
    ],
)
def test_a_metric_is_named_without_the_spaces_around_it(
    tmp_path: Path, header: str, metric: str | None, label: str
) -> None:
    _, report = read(_file(tmp_path, f"{header}\nm,a,1\n"), metric=metric)
    assert report.tasks["metric"].tolist() == [label]


@pytest.mark.parametrize("whole", [True, False], ids=["to the end", "given up"])
def test_nothing_of_a_table_is_held_once_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,item,score\nm,a,1\nm,b,1\n")
    seen = []
    wait = tables_files._wait_until_gone

    def watched(held: weakref.ref[object]) -> None:
        wait(held)
        seen.append(held() is None)

    monkeypatch.setattr(tables_files, "_wait_until_gone", watched)
    blocks = tables_files.csv_blocks(path, ",", ["model", "item", "score"])
    next(blocks)
    if whole:
        list(blocks)
    blocks.close()
    assert seen == [True], "Arrow's thread has let go of the row handler"
