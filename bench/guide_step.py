"""The guide's training step against PyTorch's: interleaved pairs of runs, and the median of their ratios.

usage: guide_step.py BURN_PROGRAM [--backend cpu|ndarray] [--threads N] [--pairs N] [--steps N]

On cpu it first tells how long the first step takes, without and with the kernels of a run before on disk.

Needs PyTorch for /usr/bin/python3 (Debian: python3-torch libopenblas0-pthread).
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

from openblas import openblas_core  # noqa: E402


def milliseconds(command, environment):
    return float(subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True).stdout)


def tell_first_steps(command, environment):
    with tempfile.TemporaryDirectory() as cache:
        environment = {**environment, "BURN_CACHE_DIR": cache}
        cold, *warm = [milliseconds([*command, "--first"], environment) for _ in range(4)]
    print(f"first step: {cold:.0f} ms, with its kernels on disk {statistics.median(warm):.0f} ms")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--backend", choices=["cpu", "ndarray"], default="ndarray")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--pairs", type=int, default=7)
    options.add_argument("--steps", type=int, default=100)
    options = options.parse_args()
    threads, steps = str(options.threads), str(options.steps)
    command, environment = [options.program, "--backend", options.backend], {"BURN_NUM_THREADS": threads}
    if options.backend == "cpu":
        tell_first_steps(command, environment)
    ratios = []
    print("  burn ms  torch ms   ratio")
    for _ in range(options.pairs):
        ours = milliseconds([*command, "--steps", steps], environment)
        # Without these two the thread pools of PyTorch's parts fight each other, and the comparison is worthless.
        theirs = milliseconds(["/usr/bin/python3", HERE / "guide_step_torch.py", "--threads", threads, "--steps", steps],
                              {"OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads,
                               "OPENBLAS_CORETYPE": openblas_core()})
        ratios.append(ours / theirs)
        print(f"{ours:9.3f} {theirs:9.3f} {ratios[-1]:7.3f}", flush=True)
    print(f"guide step, batch 64, {threads} threads: {statistics.median(ratios):.3f} x PyTorch's time (at most 1.5 wanted)")


if __name__ == "__main__":
    main()
