"""What to doubt about a study of one's own benchmark: sentences computed from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.judge.planning import noise_at, sampling_floor
from mbnb.methods.selector import STAND_IN
from mbnb.publish.charts.report import counted, some
from mbnb.publish.charts.style import label
from mbnb.publish.charts.tables import in_points, listed, percent
from mbnb.study.own.glance import Glance
from mbnb.study.own.possible import SMALL_GROUP, TrialPlan
from mbnb.study.own.verdict import ENOUGH_TRIALS, WIDTHS, Measured, plain_mdads

# Two models that differ on so few of the items, in per cent, are near copies.
NEAR_COPY = 2.0
# An interval wider than this many points, and than half of its MDAD, leaves much open.
WIDE = 1.0
FEW_TARGETS = 15


def doubts(
    facts: Glance,
    plan: TrialPlan,
    measured: Measured,
    pairs: pd.DataFrame,
    *,
    gap: float,
    missing_note: str = "",
    duplicates: str = "drop",
) -> list[str]:
    """Sentences in Markdown, the gravest first; what always holds comes last.

    Parameters
    ----------
    facts : Glance
    plan : TrialPlan
    measured : Measured
    pairs : DataFrame
        From `noisy_pairs`.
    gap : float
        The gap that the reader must see, in points.
    missing_note : str
        What became of missing answers; empty where none was missing.
    duplicates : str
        What happened to exact copies.
    """
    found = [
        *_of_trials(plan, measured),
        *_of_impossible(facts, plan, measured),
        *_of_models(facts, pairs, duplicates),
        *_of_items(facts, missing_note),
        *_of_theory(facts, pairs, gap),
    ]
    return [text for text in [*found, *_always(plan, measured)] if text]


def _of_trials(plan: TrialPlan, measured: Measured) -> list[str]:
    trials = measured.trials
    if trials is None:
        return [
            f"**No trial was run**: {plan.why_not}. What this page says of sizes is theory, for "
            "items drawn at random; it says nothing of selectors."
        ]
    told = []
    if trials.n_trials < ENOUGH_TRIALS:
        told.append(
            f"**Few trials**: {counted(trials.n_trials, 'trial')}, where the study has 50. "
            + (
                "With one there are no intervals."
                if trials.n_trials == 1
                else "Intervals over so few are too narrow as often as not."
            )
        )
    n_pairs = trials.n_target * (trials.n_target - 1) // 2
    if trials.n_target < FEW_TARGETS:
        told.append(
            f"**Few models to rank**: a trial compares {trials.n_target} models, "
            f"{counted(n_pairs, 'pair')}"
            + (
                ", and other models might be ordered more or less easily."
                if measured.weighs_bins
                else f", so a bin of gaps had to hold only {measured.min_pairs:,} pairs from all "
                f"{trials.n_trials} trials to decide an MDAD."
            )
        )
    if plan.n_source < SMALL_GROUP:
        told.append(
            f"**Few models to learn from**: selectors chose by the answers of "
            f"{counted(plan.n_source, 'model')}; with more they may do better."
        )
    if measured.width > WIDTHS[0]:
        told.append(
            f"**Coarse steps**: so few pairs do not fill bins of half a point. Here they are "
            f"{in_points(measured.width)} wide, and an MDAD is known no closer than that."
        )
    if measured.n_thin:
        told.append(
            f"**Thin bins**: {measured.n_thin:,} of the {measured.n_bins:,} bins of gaps hold "
            f"fewer than {measured.min_pairs:,} pairs and "
            f"{'weigh little' if measured.weighs_bins else 'decide nothing'}."
        )
    wide = measured.mdad[
        (measured.mdad["high"] - measured.mdad["low"]).gt(
            np.maximum(WIDE, measured.mdad["mdad"] / 2)
        )
        | (measured.mdad["high"].isna() & measured.mdad["low"].notna())
    ]
    if len(wide):
        told.append(
            f"**Wide intervals**: those of {len(wide)} of the {len(measured.mdad)} MDADs span more "
            f"than {WIDE:g} point and half the MDAD, or are open above."
        )
    n_intervals = int(measured.gains["low"].notna().sum())
    if n_intervals > 10:
        told.append(
            f"**Many comparisons**: of {n_intervals} intervals at 95 %, one or two "
            f"{'or more ' if n_intervals > 60 else ''}would lie clear of zero by luck alone; trust "
            "a lead that several sizes in a row show."
        )
    told += [f"**From the trials**: {note}" for note in trials.notes if note != STAND_IN]
    return told


def _of_impossible(facts: Glance, plan: TrialPlan, measured: Measured) -> list[str]:
    """Uniform sampling measured where no sample can be: the plainest sign of luck."""
    if measured.trials is None or not facts.binary:
        return []
    floor = sampling_floor(plan.sizes, plan.n_train, measured.threshold)
    uniform = plain_mdads(measured)
    below = [f"{size:,}" for size in floor.index if uniform[size] < floor[size] - measured.width]
    if not below:
        return []
    return [
        f"**Too good to be true**: at {listed(below)} items the MDAD measured of uniform sampling "
        "lies below the floor, where none can. A bin of few pairs got there by luck; the theory's "
        "number is the better one, and the other selectors' numbers are no surer. Run more trials."
    ]


def _of_models(facts: Glance, pairs: pd.DataFrame, duplicates: str) -> list[str]:
    told = []
    near = float((pairs["disagreement"] < NEAR_COPY).mean())
    if near > 0:
        share = percent(near) if near >= 0.005 else "under 1 %"
        told.append(
            f"**Near copies**: {share} of the pairs of models differ on fewer than {NEAR_COPY:g} % "
            "of the items, such as fine-tunes of one model. On both sides of the line between "
            "sources and targets they make selectors look better than they will be on a new model."
        )
    if duplicates == "keep":
        told.append("**Exact copies** of models, where there are any, were kept, and count twice.")
    if facts.zero_models:
        told.append(
            f"**Models without one right answer**: {some(facts.zero_models)}. A broken run or an "
            "unread answer format looks like this; if so, leave them out."
        )
    if facts.far_models:
        told.append(
            f"**Models far from all others** in accuracy: {some(facts.far_models)}. Pairs with "
            "them are easy and say little about the rest."
        )
    return told


def _of_items(facts: Glance, missing_note: str) -> list[str]:
    told = []
    if missing_note:
        told.append(f"**Missing answers**: {missing_note}")
    if not facts.has_confidences:
        told.append(
            f"**No confidences**: {label('confidence')}, {label('diversity')} and "
            f"{label('anchor-points')} read scores in their place, which tell them less."
        )
    if not facts.binary:
        told.append(
            "**Graded scores**: gaps are binned as they are, and the theory takes it that "
            "estimates never tie."
        )
    same = facts.all_right + facts.all_wrong
    if same:
        told.append(
            f"**Items that tell nothing**: {counted(same, 'item')} "
            f"({percent(same / facts.n_items)}) {'is' if same == 1 else 'are'} answered alike by "
            "all models, right or wrong. A wrong key or a leaked answer looks like this too."
        )
    if facts.turned_pairs:
        told.append(
            f"**Two averages**: the mean over subtasks orders {percent_of(facts)} of the pairs "
            "otherwise than the mean over items, which this page goes by."
        )
    if facts.counted_tasks:
        told.append(
            f"**A cut log?** The items of {some(facts.counted_tasks)} are numbered from 0 without "
            "a hole, and are a round number. If a limit cut the run short, they are the first "
            "items of the file and no random sample."
        )
    return told


def percent_of(facts: Glance) -> str:
    """The share of pairs that the two averages order differently."""
    share = facts.turned_pairs / facts.n_pairs
    return percent(share) if share >= 0.005 else "under 1 %"


def _of_theory(facts: Glance, pairs: pd.DataFrame, gap: float) -> list[str]:
    told = []
    item = 100 / facts.n_items
    if facts.binary and gap < item - 1e-9:
        told.append(
            f"**Less than one item**: one of {facts.n_items:,} items is worth "
            f"{in_points(round(item, 2))}, so no two models can lie {in_points(gap)} apart on them."
        )
    nearest = float((pairs["gap"] - gap).abs().min())
    if nearest > 1:
        rate = float(noise_at(pairs, np.array([gap]))[0])
        told.append(
            f"**No pair of that gap**: no two of these models lie within a point of "
            f"{in_points(gap)} apart. That such models would differ on about {rate:.0f} % of the "
            "items is read off pairs with other gaps."
        )
    return told


def _always(plan: TrialPlan, measured: Measured) -> Sequence[str]:
    told = []
    if measured.trials is not None:
        heldout = measured.heldout.merge(
            measured.mdad, on=["selector", "size"], suffixes=("_heldout", "")
        )
        worse = (heldout["mdad_heldout"] - heldout["mdad"]).dropna()
        lost = heldout["mdad_heldout"].isna() & heldout["mdad"].notna()
        told.append(
            f"**Half of the items**: trials choose from {plan.n_train:,} items, half of each "
            "subtask (rounded down), so that the other half can test the choice. The same size is "
            "a smaller part of the whole, and sees a little less there."
        )
        if len(worse):
            change, n_lost = float(worse.mean()), int(lost.sum())
            also = f", and {n_lost} more {'is' if n_lost == 1 else 'are'} not reached there"
            told.append(
                "**New items**: judged on the half that no selector saw, MDADs are "
                f"{'higher' if change >= 0 else 'lower'} by {abs(change):.1f} points on "
                f"average{also if n_lost else ''}."
            )
    told.append(
        "**Models of tomorrow**: sources and targets come from the same pool here. A new model "
        "that errs in ways of its own may be judged worse than this page says."
    )
    told.append(
        "**What is not asked**: whether the benchmark measures what you care about, and how much a "
        "model's answers change from run to run."
    )
    return told


def first_names(texts: Sequence[str], most: int = 3) -> str:
    """The bold beginnings of the first few doubts, as a list in a sentence."""
    names = [text.split("**")[1].rstrip("?").lower() for text in texts[:most] if "**" in text]
    return listed(names)
