"""How far the selector `close-pairs` trusted its sources; finds out from trials, and runs none."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.table import Trials

EVERY = "all"


def chosen_pools(trials: Trials, fixed: Mapping[int | None, Trials]) -> pd.DataFrame:
    """Of each trial and size, how many items to choose from left-out sources bore out.

    The selector draws the same items at random whatever it makes of them. So its estimates are
    those of the same selector with one c alone, and of the smallest where several agree.

    Parameters
    ----------
    trials : Trials
        Of `close-pairs`.
    fixed : mapping of int or None to Trials
        By c, trials on the same splits of ``ClosePairsSelector(pools=(c,))``, c rising.

    Returns
    -------
    DataFrame
        Columns size, trial and pool: c as text, None as “all”.

    Raises
    ------
    InputError
        If the estimates of a trial are those of no c.
    """
    own = _estimates(trials)
    found = pd.Series(pd.NA, index=own.groupby(level=["size", "trial"]).size().index, dtype=object)
    for pool, others in fixed.items():
        alike = own.eq(_estimates(others).reindex(own.index))
        same = alike.groupby(level=["size", "trial"]).all()
        found = found.mask(found.isna() & same, pool_name(pool))
    if found.isna().any():
        size, trial = found.index[found.isna()][0]
        raise InputError(
            f"the choice of {size} items in trial {trial} is none of those of "
            f"c = {', '.join(map(pool_name, fixed))}; give trials of every c, on the same splits."
        )
    return found.rename("pool").reset_index()


def pool_name(pool: int | None) -> str:
    """How charts and tables call a c."""
    return EVERY if pool is None else str(pool)


def _estimates(trials: Trials) -> pd.Series:
    return trials.table.set_index(["size", "trial", "model"])["estimate"]
