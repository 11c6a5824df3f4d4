"""The micro-benchmark book's package: the names that chapters, commands and readers use.

Each name is imported when it is first used, so that a command or a worker does not wait for
libraries that it does not need. The groups are those of the reference page.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    # Data
    "mbnb.data.errors": "InputError",
    "mbnb.data.responses": "ResponseMatrix",
    "mbnb.data.datasets": "available load prepare",
    "mbnb.data.families": "with_families",
    "mbnb.data.figures": "measured reported real_leaderboards",
    "mbnb.data.folder": "write_folder",
    "mbnb.data.groups": "group_members",
    "mbnb.data.policies": "drop_duplicate_models resolve_missing",
    "mbnb.data.profiles": "read_profile",
    "mbnb.data.simulate": "simulate",
    # Logs
    "mbnb.logs": "read",
    # Judging
    "mbnb.judge.agreement": "RECOMMENDED Reading agreement format_interval mdad pair_gaps",
    "mbnb.judge.comparison": "mdad_difference",
    "mbnb.judge.measures": "estimation_error kendall_tau",
    "mbnb.judge.pairs": "compare_pairs disagreement typical_pair uniform_floor",
    "mbnb.judge.resampled": "resampled_mdad",
    "mbnb.judge.summary": "agreement_counts counts_from_table summarise",
    "mbnb.judge.table": "Trials",
    # Theory and planning
    "mbnb.judge.exact": "exact_agreement",
    "mbnb.judge.normal": "expected_mdad",
    "mbnb.judge.plan_table": "plan_table",
    "mbnb.judge.planning": "needed_sizes",
    "mbnb.judge.power": "plan",
    "mbnb.run.derivation": "derive_agreement",
    # Methods
    "mbnb.methods.selectors": "KNOWN_SELECTORS SELECTORS make_selector",
    "mbnb.methods.selector": "Selection Selector",
    "mbnb.methods.estimators": "ESTIMATORS estimate",
    "mbnb.methods.close_pairs": "ClosePairsSelector",
    "mbnb.methods.irt": "fit_2pl",
    # Trials
    "mbnb.run.splits": "make_split possible_counts possible_sizes",
    "mbnb.run.store": "ResultStore",
    "mbnb.run.trials": "run_trials",
    # Frozen micro-benchmarks
    "mbnb.frozen.freeze": "freeze",
    "mbnb.frozen.micro_benchmark": "MicroBenchmark read_micro_benchmark",
    "mbnb.frozen.scoring": "score",
    # Chapters
    "mbnb.book.opening": "open_study",
    "mbnb.plots": "INK LOOKS THRESHOLD TINTS draw_gain draw_lines draw_matrix "
    "draw_mdad draw_selection explore_agreement figure in_points label mdad_table percent "
    "points_axis setup_charts show size_axis",
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'mbnb' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
