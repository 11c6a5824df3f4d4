"""What each term of a trial's cost costs, in yardsticks; holds nothing else."""

# Written by `python benchmarks/calibrate.py --write`, which measures them; last on
# 2026-11-29, Intel(R) Xeon(R) Processor (family 6, model 167),
# numpy 2.4.6, scikit-learn 1.9.1, kmedoids 0.5.5.
# By selector: rates of a fit and of one selection, for a million of each term of `work`.
RATES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "uniform": ((), (0.215,)),
    "subtask": ((92.5, 0.204), (995.0, 0.268)),
    "confidence": ((10300.0, 10.6, 0.00232), (1640.0,)),
    "diversity": ((3450.0, 0.198, 0.0, 0.00346), (330.0, 0.525, 0.00176, 0.0)),
    "anchor-points": ((1610.0, 0.208, 0.000351), (0.0831, 0.0144, 0.0286)),
    "tinybenchmarks": ((1380.0, 1730.0, 4.77), (21000.0, 15.5, 1.08, 0.0)),
    "bookkeeping": ((31400.0, 40.4, 0.105), (119.0,)),
    "anchor-points, sampled": ((0.0, 0.109), (0.0626, 0.000382, 0.223, 0.00351)),
}
