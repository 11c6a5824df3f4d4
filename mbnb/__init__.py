"""The micro-benchmark book's package: the names that chapters and their readers use.

Each name is imported when it is first used, so that a command or a worker that needs the study
does not wait for the plotting libraries.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "mbnb.data.errors": "InputError",
    "mbnb.data.arena": "simulate_arena",
    "mbnb.data.battles": "Battles battles_of read_battles",
    "mbnb.data.datasets": "available catalogue load prepare",
    "mbnb.data.downloads": "download",
    "mbnb.data.families": "with_families",
    "mbnb.data.figures": "measured reported",
    "mbnb.data.folder": "write_folder",
    "mbnb.data.groups": "group_members middle_models",
    "mbnb.data.hub.fetch": "fetch_details",
    "mbnb.logs.values": "option_probabilities",
    "mbnb.frozen.micro_benchmark": "MicroBenchmark read_micro_benchmark",
    "mbnb.data.policies": "drop_duplicate_models resolve_missing",
    "mbnb.data.profile_text": "profile_text",
    "mbnb.data.profiles": "profile_names read_profile",
    "mbnb.logs": "ReadOptions ReadReport read",
    "mbnb.data.responses": "ResponseMatrix",
    "mbnb.data.simulate": "simulate",
    "mbnb.run.store": "ResultStore",
    "mbnb.data.training_runs": "simulate_runs",
    "mbnb.judge.agreement": "RECOMMENDED_RULE agreement format_interval format_mdad mdad pair_gaps",
    "mbnb.study.beyond.battle_trials": "run_battles",
    "mbnb.study.beyond.checkpoints": "neighbour_agreement neighbour_disagreement progress_calls "
    "smoothed",
    "mbnb.study.beyond.graded": "expected_graded_mdad graded judged_by pair_noise sampled_once "
    "size_shares spread tied_share",
    "mbnb.study.beyond.normalised": "check_same_scale normalised_score raw_score",
    "mbnb.study.beyond.ratings": "expected_rating_mdad fit_ratings win_probability",
    "mbnb.judge.comparison": "mdad_difference pair_agreement",
    "mbnb.study.costs.timing": "expected_seconds measure_yardstick time_judging time_selector",
    "mbnb.judge.enough_trials": "spread_over_trials",
    "mbnb.methods.estimators": "estimate",
    "mbnb.frozen.freeze": "freeze",
    "mbnb.frozen.item_fit": "item_fit",
    "mbnb.frozen.scoring": "score typical_interval",
    "mbnb.frozen.wear": "chosen_items estimate_shape wear",
    "mbnb.study.heldout": "expected_on_halves half_difference whole_half",
    "mbnb.methods.irt": "fit_2pl",
    "mbnb.judge.isotonic": "isotonic_curve",
    "mbnb.judge.leads": "check_findings leading_selectors level_sizes",
    "mbnb.judge.measures": "estimation_error kendall_tau",
    "mbnb.study.own.glance": "describe",
    "mbnb.study.own.planned": "run_plan",
    "mbnb.study.own.possible": "plan_trials",
    "mbnb.study.own.verdict": "advise advise_fewer judge_trials mdads_on_whole plain_mdads",
    "mbnb.judge.pairs": "compare_pairs disagreement typical_pair uniform_floor",
    "mbnb.study.rankings.concordance": "clustered_correlation same_tau tau_and_mdad tau_by_gap "
    "tau_by_spread tau_mdad_correlation tau_verdicts",
    "mbnb.study.rankings.crowding": "crowded_top",
    "mbnb.study.rankings.ranks": "rank_ranges told_apart",
    "mbnb.study.rankings.ties": "rank_models tie_ranges",
    "mbnb.study.rankings.top": "top_table",
    "mbnb.study.reasons.chosen_pools": "chosen_pools",
    "mbnb.study.reasons.covariance": "covariance_trials item_coefficients",
    "mbnb.study.reasons.difference_noise": "difference_noise score_lean",
    "mbnb.study.reasons.strata": "between_share",
    "mbnb.study.reasons.tied_example": "tied_example",
    "mbnb.judge.resampled": "resampled_mdad",
    "mbnb.methods.samples": "scores_alone",
    "mbnb.methods.selectors": "KNOWN_SELECTORS SELECTORS make_selector singleton_share",
    "mbnb.methods.close_pairs": "ClosePairsSelector",
    "mbnb.study.simulated.answer_statistics": "matrix_statistics",
    "mbnb.study.simulated.fidelity": "fidelity",
    "mbnb.study.simulated.profile_fit": "fit_profile",
    "mbnb.study.sources.fading": "by_accuracy by_date distances distant_pools edges run_recipes",
    "mbnb.study.sources.numbers": "correlation_noise enough_sources join_trials lot_gains "
    "source_gains",
    "mbnb.study.sources.pools": "draw_pools run_pools sources_apart",
    "mbnb.run.splits": "make_split possible_counts possible_sizes",
    "mbnb.study.subtask_study": "run_subtasks",
    "mbnb.judge.summary": "agreement_counts summarise",
    "mbnb.judge.table": "Trials",
    "mbnb.run.derivation": "derive_agreement",
    "mbnb.judge.exact": "exact_agreement",
    "mbnb.judge.normal": "expected_mdad normal_agreement",
    "mbnb.judge.plan_table": "plan_for_others plan_table",
    "mbnb.judge.planning": "expected_gap needed_sizes noisy_pairs sampling_floor",
    "mbnb.judge.power": "plan",
    "mbnb.run.trials": "run_trials",
    "mbnb.publish.charts.beside_real": "beside_real facts_beside_real",
    "mbnb.publish.charts.better_rules": "better_mdads choice_gains draw_choice_gains "
    "draw_past_uniform draw_planned past_uniform_table plans_and_trials",
    "mbnb.publish.charts.beyond": "draw_calls draw_rating_agreement draw_run",
    "mbnb.publish.charts.concordance": "cell_name draw_curves draw_leaderboards_tau draw_spread "
    "draw_tau_by_gap draw_tau_mdad signed",
    "mbnb.publish.charts.costs": "bounds_table compare_steps draw_growth draw_large duration "
    "growth_table machine_label paper_costs planning_table reported_trial show_steps",
    "mbnb.publish.charts.definitions": "choices_table coverage_table doubling interval_widths "
    "kept_counts moved_by read_by_rules rule_errors spread_of",
    "mbnb.publish.charts.doubts": "doubts first_names",
    "mbnb.publish.charts.draw_close_pairs": "draw_asked draw_chosen_pools draw_fewer_sources "
    "draw_shortfalls draw_variants",
    "mbnb.publish.charts.draw_definitions": "draw_rule_errors draw_rules draw_trials_needed",
    "mbnb.publish.charts.draw_estimators": "draw_coefficients draw_few_sources draw_headline "
    "draw_lean draw_steps",
    "mbnb.publish.charts.draw_fading": "draw_chosen draw_edges draw_edges_elsewhere",
    "mbnb.publish.charts.draw_leaderboards": "draw_leaderboards draw_leads",
    "mbnb.publish.charts.draw_pairs": "draw_pairs",
    "mbnb.publish.charts.draw_sources": "draw_lots draw_noise draw_sources draw_sources_elsewhere",
    "mbnb.publish.charts.draw_trust": "draw_fidelity draw_selectors",
    "mbnb.publish.charts.elsewhere": "draw_elsewhere elsewhere_table place_simulation",
    "mbnb.publish.charts.estimators": "better_figures estimator_figures estimator_gains gain_table "
    "mean_ratio",
    "mbnb.publish.charts.explore": "explore_agreement explore_selections",
    "mbnb.publish.charts.explore_leaderboards": "explore_leaderboards",
    "mbnb.publish.charts.explore_pairs": "explore_pairs",
    "mbnb.publish.charts.explore_plan": "explore_plan",
    "mbnb.publish.charts.explore_ranks": "explore_ranks",
    "mbnb.publish.charts.explore_rules": "explore_rules",
    "mbnb.publish.charts.explore_tau": "explore_tau",
    "mbnb.publish.charts.fading": "distance_labels edges_elsewhere edges_table families_elsewhere "
    "recipe_name surviving_table",
    "mbnb.publish.charts.heldout": "draw_half_difference draw_half_ratio draw_subtasks one_decimal",
    "mbnb.publish.charts.leaderboards": "beside_expected every_mdad_table expected_table "
    "findings_sentences findings_table is_real leaderboards_table leads_table losses_table "
    "selector_table with_this_run",
    "mbnb.publish.charts.own_fit": "own_fit why_no_fit",
    "mbnb.publish.charts.planning": "draw_derived draw_luck draw_needed draw_normal_error "
    "draw_one_pair",
    "mbnb.publish.charts.plots": "draw_agreement draw_gain draw_matrix draw_mdad draw_selection "
    "size_axis",
    "mbnb.publish.charts.rankings": "draw_gap_shares draw_ranking",
    "mbnb.publish.charts.report": "best_rows bullets counted draw_own_mdad gains_table gap_seen "
    "glance_table how_chosen named needed_table next_steps plain same_items sampling_table some "
    "sure_gains way_label",
    "mbnb.publish.charts.reported": "beside_reported draw_reported groups_table reported_table "
    "say_differences",
    "mbnb.publish.charts.rules": "draw_best_gains draw_seen_gaps draw_small_sizes "
    "draw_sources_needed draw_tau_hides draw_top_kept draw_within real_mdads",
    "mbnb.publish.charts.shortfall": "shortfall_table shortfalls",
    "mbnb.publish.charts.sources": "apart_elsewhere apart_table enough_elsewhere "
    "enough_elsewhere_table enough_table hungriest say_gains say_lots sources_elsewhere",
    "mbnb.publish.charts.style": "INK LOOKS THRESHOLD TINTS label setup_charts",
    "mbnb.publish.charts.tables": "data_label footer in_points listed mdad_table percent points "
    "say show",
    "mbnb.publish.charts.tied": "explore_ties ranking_table",
    "mbnb.publish.charts.top": "draw_best_kept draw_crowding draw_curse draw_kept draw_rank_ranges "
    "draw_regret draw_room top_table_shown",
    "mbnb.publish.charts.trust": "counterpart counterparts_table fidelity_of fidelity_table "
    "misses_table settings_table",
    "mbnb.book.opening": "open_study",
    "mbnb.book.parameters": "parameters",
    "mbnb.book.scorings": "scorings",
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'mbnb' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
