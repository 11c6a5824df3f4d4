"""The trials that a plan allows, run as one; plans and judges none."""

from __future__ import annotations

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.table import Trials
from mbnb.run.store import ResultStore
from mbnb.run.trials import make_grid, run_grids
from mbnb.study.own.possible import BASELINE, LEARNT, PLAIN, TrialPlan
from mbnb.study.sources.numbers import join_trials


def run_plan(
    matrix: ResponseMatrix,
    plan: TrialPlan,
    *,
    n_trials: int = 50,
    seed: int = 0,
    n_jobs: int | None = None,
    store: ResultStore | None = None,
) -> Trials:
    """Every selector of a plan with its own estimator, and uniform sampling with what is learnt.

    Parameters
    ----------
    matrix : ResponseMatrix
        That the plan was made for.
    plan : TrialPlan
    n_trials, seed
        See `make_grid`.
    n_jobs, store
        See `run_grids`.

    Returns
    -------
    Trials
        Uniform sampling read with the plain mean first, and where the plan says so, the same items
        read with `corrected-mean`; then the other selectors.

    Raises
    ------
    InputError
        If the plan allows no trial.
    """
    if plan.why_not:
        raise InputError(f"{matrix.name}: no trial is possible, since {plan.why_not}.")
    lots: list[tuple[list[str], list[str] | None]] = [
        ([BASELINE], [PLAIN, LEARNT] if plan.learnt else [PLAIN]),
        ([name for name in plan.selectors if name != BASELINE], None),
    ]
    grids = [
        make_grid(
            matrix,
            selectors,
            plan.sizes,
            n_trials=n_trials,
            n_source=plan.n_source,
            n_target=plan.n_target,
            estimators=estimators,
            seed=seed,
        )
        for selectors, estimators in lots
        if selectors
    ]
    return join_trials(run_grids(grids, n_jobs=n_jobs, store=store))
