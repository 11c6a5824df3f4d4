"""What each term of a trial's cost costs, in yardsticks; holds nothing else."""

# Written by `python benchmarks/calibrate.py --write`, which measures them.
# By selector: the rates of a fit and of one selection, for a million of each term of `work`.
RATES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "uniform": ((), (0.313,)),
    "subtask": ((53.2, 0.222), (1750.0, 0.301)),
    "confidence": ((13400.0, 11.9, 0.0), (2480.0,)),
    "diversity": ((4580.0, 0.229, 0.0, 0.00356), (494.0, 0.588, 0.00184, 0.0)),
    "anchor-points": ((1210.0, 0.29, 0.000263), (0.0663, 0.0178, 0.0347)),
    "tinybenchmarks": ((1540.0, 590.0, 6.82), (31100.0, 19.8, 1.4, 0.00111)),
    "bookkeeping": ((20800.0, 31.7, 0.122), (128.0,)),
    "anchor-points, sampled": ((0.0, 0.116), (0.0167, 0.000117, 0.181, 0.0154)),
}
