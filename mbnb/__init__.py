"""The micro-benchmark book's package: the names that chapters and their readers use.

Each name is imported when it is first used, so that a command or a worker that needs the study
does not wait for the plotting libraries.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "mbnb.data.datasets": "available catalogue load prepare",
    "mbnb.data.downloads": "download",
    "mbnb.data.figures": "measured reported",
    "mbnb.data.folder": "write_folder",
    "mbnb.data.groups": "group_members middle_models",
    "mbnb.data.hub.fetch": "fetch_details",
    "mbnb.data.readers": "ReadOptions ReadReport read",
    "mbnb.data.logs.values": "option_probabilities",
    "mbnb.data.micro_benchmark": "MicroBenchmark read_micro_benchmark",
    "mbnb.data.policies": "drop_duplicate_models resolve_missing",
    "mbnb.data.responses": "ResponseMatrix",
    "mbnb.data.store": "ResultStore",
    "mbnb.errors": "InputError",
    "mbnb.publish.comparison": "compare_error compare_mdad comparison_table cost_table "
    "draw_comparison",
    "mbnb.publish.costs": "bounds_table compare_steps draw_growth draw_large duration growth_table "
    "machine_label paper_costs planning_table reported_trial show_steps",
    "mbnb.publish.opening": "open_study",
    "mbnb.publish.parameters": "parameters",
    "mbnb.publish.explore": "explore_agreement explore_pairs explore_selections",
    "mbnb.publish.doubts": "doubts first_names",
    "mbnb.publish.report": "best_rows bullets counted draw_own_mdad gains_table "
    "gap_seen glance_table named needed_table next_steps plain sampling_table some sure_gains",
    "mbnb.publish.plots": "draw_agreement draw_gain draw_matrix draw_mdad draw_selection size_axis",
    "mbnb.publish.rankings": "draw_gap_shares draw_ranking",
    "mbnb.publish.style": "INK LOOKS THRESHOLD TINTS label setup_charts",
    "mbnb.publish.tables": "data_label footer in_points listed mdad_table percent points say show",
    "mbnb.publish.tied": "explore_ties ranking_table",
    "mbnb.study.agreement": "agreement format_mdad mdad pair_gaps",
    "mbnb.study.measures": "estimation_error kendall_tau",
    "mbnb.study.costs": "expected_seconds measure_yardstick time_judging time_selector",
    "mbnb.study.comparison": "mdad_difference pair_agreement",
    "mbnb.study.estimators": "estimate",
    "mbnb.study.freeze": "freeze",
    "mbnb.study.glance": "describe",
    "mbnb.study.normalised": "check_same_scale normalised_score raw_score",
    "mbnb.study.own": "plan_trials",
    "mbnb.study.planning": "expected_gap needed_sizes noisy_pairs sampling_floor",
    "mbnb.study.pairs": "compare_pairs disagreement typical_pair uniform_floor",
    "mbnb.study.scoring": "score",
    "mbnb.study.selectors": "SELECTORS make_selector singleton_share",
    "mbnb.study.splits": "make_split possible_counts possible_sizes",
    "mbnb.study.strata": "between_share",
    "mbnb.study.theory": "expected_mdad",
    "mbnb.study.table": "Trials",
    "mbnb.study.ties": "rank_models tie_ranges",
    "mbnb.study.trials": "run_trials",
    "mbnb.study.verdict": "advise judge_trials mdads_on_whole",
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'mbnb' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
