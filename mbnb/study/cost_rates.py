"""What each term of a trial's cost costs, in yardsticks; holds nothing else."""

# Written by `python benchmarks/calibrate.py --write`, which measures them; last on
# 2026-11-29, Intel(R) Xeon(R) Processor (family 6, model 167),
# numpy 2.4.6, scikit-learn 1.9.1, kmedoids 0.5.5.
# By selector: rates of a fit and of one selection, for a million of each term of `work`.
RATES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "uniform": ((), (0.243,)),
    "subtask": ((74.4, 0.257), (1420.0, 0.275)),
    "confidence": ((13400.0, 11.6, 0.0), (2150.0,)),
    "diversity": ((4390.0, 0.208, 0.0, 0.00348), (409.0, 0.564, 0.00179, 0.0)),
    "anchor-points": ((2100.0, 0.251, 0.000264), (0.0793, 0.015, 0.0318)),
    "tinybenchmarks": ((1500.0, 2070.0, 4.73), (28800.0, 17.4, 1.23, 0.0)),
    "bookkeeping": ((36000.0, 51.7, 0.0671), (122.0,)),
    "anchor-points, sampled": ((0.0, 0.111), (0.0217, 0.000867, 0.204, 0.00327)),
}
