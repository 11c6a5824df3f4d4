"""The micro-benchmark book's helper package: the names that chapters use."""

from mbnb.data.datasets import available, load, prepare
from mbnb.data.folder import write_folder
from mbnb.data.groups import group_members, middle_models
from mbnb.data.reported import reported
from mbnb.data.responses import ResponseMatrix, drop_duplicate_models, resolve_missing
from mbnb.data.store import ResultStore
from mbnb.errors import InputError
from mbnb.publish.parameters import parameters
from mbnb.publish.plots import (
    draw_agreement,
    draw_gap_shares,
    draw_matrix,
    draw_mdad,
    draw_selection,
    explore_agreement,
    size_axis,
)
from mbnb.publish.style import LOOKS, label, setup_charts
from mbnb.publish.tables import data_label, footer, listed, mdad_table, say, show
from mbnb.study.agreement import (
    agreement,
    estimation_error,
    format_mdad,
    kendall_tau,
    mdad,
    pair_gaps,
)
from mbnb.study.estimators import estimate
from mbnb.study.irt import fit_2pl
from mbnb.study.selectors import SELECTORS, make_selector, singleton_share
from mbnb.study.splits import make_split, possible_counts, possible_sizes
from mbnb.study.trials import Trials, run_trials

__all__ = [
    "LOOKS",
    "SELECTORS",
    "InputError",
    "ResponseMatrix",
    "ResultStore",
    "Trials",
    "agreement",
    "available",
    "data_label",
    "draw_agreement",
    "draw_gap_shares",
    "draw_matrix",
    "draw_mdad",
    "draw_selection",
    "drop_duplicate_models",
    "estimate",
    "estimation_error",
    "explore_agreement",
    "fit_2pl",
    "footer",
    "format_mdad",
    "group_members",
    "kendall_tau",
    "label",
    "listed",
    "load",
    "make_selector",
    "make_split",
    "mdad",
    "mdad_table",
    "middle_models",
    "pair_gaps",
    "parameters",
    "possible_counts",
    "possible_sizes",
    "prepare",
    "reported",
    "resolve_missing",
    "run_trials",
    "say",
    "setup_charts",
    "show",
    "singleton_share",
    "size_axis",
    "write_folder",
]
