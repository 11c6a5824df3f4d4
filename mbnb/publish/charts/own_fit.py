"""A profile fitted to the data of a chapter, and how near it comes; keeps nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.errors import InputError
from mbnb.data.profiles import Profile, profile_names, read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.methods.samples import draw_items, draw_models, scores_alone
from mbnb.publish.charts.draw_trust import draw_fidelity
from mbnb.publish.charts.tables import show
from mbnb.publish.charts.trust import misses
from mbnb.study.simulated.fidelity import fidelity
from mbnb.study.simulated.profile_fit import check_fit, fit_profile
from mbnb.study.simulated.profile_search import BOUNDS

# As many models and items as a page may wait for.
N_MODELS, N_ITEMS = 200, 1200
START, OTHER_START = "mmlu-pro", "mmlu"


@dataclass(frozen=True, eq=False)
class OwnFit:
    """A matrix, a profile fitted to it, and their statistics side by side.

    Attributes
    ----------
    matrix, simulated : ResponseMatrix
        What was fitted to (a part, where there is much), and what the fitted profile gives; both
        without confidences where the matrix has none.
    profile, start, truth : Profile
        Fitted; started from; and the one the matrix was made from, None for a real matrix.
    table : DataFrame
        From `fidelity`, its sides called ``data`` and ``fitted``.
    notes : tuple of str
        What was drawn and taken over.
    """

    matrix: ResponseMatrix
    simulated: ResponseMatrix
    profile: Profile
    start: Profile
    truth: Profile | None
    table: pd.DataFrame
    notes: tuple[str, ...]

    def draw(self) -> Figure:
        """`draw_fidelity` of the two."""
        return draw_fidelity(self.table)

    def settings(self) -> Styler:
        """Settings as the fit found them, beside those it started from and the true ones."""
        profiles = {"start": self.start, "fitted": self.profile}
        if self.truth is not None:
            profiles["true"] = self.truth
        rows = {
            name: [f"{_setting(profile, name):.2g}" for profile in profiles.values()]
            for name in BOUNDS
        }
        return show(pd.DataFrame.from_dict(rows, orient="index", columns=list(profiles)))

    def off(self, statistic: str) -> float:
        """Mean absolute difference from the matrix, in the statistic's unit."""
        return float(misses(self.table).loc[statistic, "fitted"])


def own_fit(matrix: ResponseMatrix, seed: int = 0) -> OwnFit | None:
    """Fit a profile to at most 200 models and about 1,200 items of a complete matrix.

    A simulated matrix is fitted from a profile that is not its own.

    Returns
    -------
    OwnFit or None
        None where the matrix does not allow a fit; `why_no_fit` says why.
    """
    if why_no_fit(matrix):
        return None
    part = _part(matrix, seed)
    name = matrix.name.removeprefix(SIMULATED)
    known = matrix.name.startswith(SIMULATED) and name in profile_names()
    start = read_profile(OTHER_START if known and name == START else START)
    fitted = fit_profile(part, start, name="fitted", seed=seed)
    made = simulate(fitted.profile)
    if part.confidences is None:
        made = scores_alone(made)
    return OwnFit(
        matrix=part,
        simulated=replace(made, name=f"{SIMULATED}fitted"),
        profile=fitted.profile,
        start=start,
        truth=read_profile(name) if known else None,
        # "Real" would be wrong of a simulated matrix.
        table=fidelity(part, made).rename(columns={"real": "data", "simulated": "fitted"}),
        notes=(
            f"{part.n_models:,} models and {part.n_items:,} items of {matrix.name} were drawn.",
            *fitted.notes,
        ),
    )


def why_no_fit(matrix: ResponseMatrix) -> str:
    """Why `own_fit` gives None; nothing where it does not."""
    try:
        check_fit(_part(matrix))
    except InputError as error:
        return str(error)
    return ""


def _part(matrix: ResponseMatrix, seed: int = 0) -> ResponseMatrix:
    return draw_items(draw_models(matrix, N_MODELS, seed), N_ITEMS, seed)


def _setting(profile: Profile, name: str) -> float:
    group, key = name.split(".")
    return float(getattr(getattr(profile, group), key))
