"""The studies of one data set's answers scored in three ways; draws nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from myst_nb import glue

from mbnb.book.opening import Study
from mbnb.data.datasets import load
from mbnb.publish.charts.tables import data_label
from mbnb.run.splits import possible_counts, possible_sizes
from mbnb.study.beyond.graded import graded, sampled_once

# Where a data set has no confidences, these answers are graded instead of its own.
STAND_IN = "simulated:bbh"


@dataclass(frozen=True)
class Scorings:
    """The same answers scored in three ways.

    Attributes
    ----------
    studies : dict of str to Study
        By the name of the scoring: “right or wrong”, “sampled once”, “graded”.
    note : str
        A sentence where the answers are not those of the chapter's data, else "".
    """

    studies: dict[str, Study]
    note: str


def scorings(study: Study) -> Scorings:
    """The chapter's answers as right or wrong, as one random sample each, and as their grades.

    The page can name the data from then on, by the role ``glue:text`` with ``graded-data``.
    """
    own, note = study, ""
    if study.matrix.confidences is None or not study.matrix.binary:
        matrix = load(STAND_IN)
        n_source, n_target, _ = possible_counts(matrix)
        sizes, _ = possible_sizes(matrix, study.sizes)
        own = replace(study, matrix=matrix, n_source=n_source, n_target=n_target, sizes=sizes)
        note = (
            f"{study.matrix.name} lacks confidences, or answers that are right or wrong, so "
            f"this part looks at {matrix.name}."
        )
    label = data_label(own.matrix, own.parameters.get("n_trials"))
    glue("graded-data", label, display=False)
    matrices = {
        "right or wrong": own.matrix,
        "sampled once": sampled_once(own.matrix, own.parameters["seed"]),
        "graded": graded(own.matrix),
    }
    return Scorings({kind: replace(own, matrix=m) for kind, m in matrices.items()}, note)
