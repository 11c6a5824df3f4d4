"""What the leaderboards' answers say without a trial, kept as figures that the book shows.

    MBNB_DATA=folder python benchmarks/leaderboard_facts.py [--write]

For each leaderboard of `leaderboards.py` that is at hand: the MDAD that uniform sampling must have
by the closed form (``leaderboards-expected.csv``), and how well each model's answers go with the
difficulty of the items, the sign of answers that belong to other questions
(``leaderboards-related.csv``, with no model left out by name).
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import pandas as pd
from leaderboards import FOLDER, LEADERBOARDS, Leaderboard

import mbnb
from mbnb.run.paper import SIZES


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    there = set(mbnb.available()["name"])
    expected, related = [], []
    for board in LEADERBOARDS:
        if board.name in there:
            print(board.name, flush=True)
            expected.append(expected_rows(board))
            related.append(related_row(board))
    tables = {
        "leaderboards-expected": pd.concat(expected, ignore_index=True),
        "leaderboards-related": pd.concat(related, ignore_index=True),
    }
    for name, table in tables.items():
        print(table.to_string(index=False, float_format="{:.4g}".format))
        if arguments.write:
            path = FOLDER / f"{name}.csv"
            table.to_csv(path, index=False, float_format="{:.4g}".format)


def expected_rows(board: Leaderboard) -> pd.DataFrame:
    """The closed form at the study's sizes, for the half of the items that trials draw from."""
    matrix, _ = board.matrix()
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    split = mbnb.make_split(matrix, seed=0, trial=0, n_source=1, n_target=2)
    expected = mbnb.expected_mdad(mbnb.compare_pairs(matrix), sizes, split.train.size)
    return (
        expected.rename_axis("size")
        .reset_index()
        .assign(dataset=board.name)[["dataset", "size", "expected"]]
    )


def related_row(board: Leaderboard) -> pd.DataFrame:
    """The least and the median correlation of a model's answers with the others' mean answer."""
    matrix, _ = replace(board, without=()).matrix()
    values = mbnb.item_fit(matrix).sort_values()
    return pd.DataFrame(
        [
            {
                "dataset": board.name,
                "n_models": len(values),
                "model": values.index[0],
                "accuracy": 100
                * matrix.accuracies()[list(matrix.model_ids).index(values.index[0])],
                "least": values.iloc[0],
                "second": values.iloc[1],
                "median": values.median(),
            }
        ]
    )


if __name__ == "__main__":
    main()
