"""What each term of a trial's cost costs, in yardsticks; holds nothing else."""

# Written by `python benchmarks/calibrate.py --write`, which measures them; last on
# 2026-11-29, Intel(R) Xeon(R) Processor (family 6, model 167),
# numpy 2.4.6, scikit-learn 1.9.1, kmedoids 0.5.5.
# By selector: rates of a fit and of one selection, for a million of each term of `work`.
RATES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "uniform": ((), (0.254,)),
    "subtask": ((63.5, 0.259), (1190.0, 0.343)),
    "confidence": ((12600.0, 11.8, 0.0), (2050.0,)),
    "diversity": ((4130.0, 0.216, 0.0, 0.00382), (355.0, 0.579, 0.00186, 0.0)),
    "anchor-points": ((1860.0, 0.226, 0.000506), (0.0831, 0.0139, 0.0332)),
    "tinybenchmarks": ((1400.0, 1960.0, 5.52), (24100.0, 17.7, 1.2, 0.0)),
    "bookkeeping": ((18200.0, 32.8, 0.111), (116.0,)),
    "anchor-points, sampled": ((0.0, 0.117), (0.0389, 0.000511, 0.258, 0.0038)),
}
