"""The cases of gemm_bench in PyTorch, side by side: seconds of both and their ratio, as medians of interleaved rounds.

usage: kernels_torch.py BUILD/bench/gemm_bench [--threads N] [--rounds N] [NAME...]      (Debian: python3-torch)

OpenBLAS 0.3.21 does not know processors that came after it and falls back to SSE3: OPENBLAS_CORETYPE=SkylakeX gives it
AVX-512, Haswell AVX2; the comparison is worthless without one of them where that happens.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

SQUARES = [64, 128, 256, 512, 1024]
LINEAR = [  # name, m, n, k, A transposed, B transposed
    ("linear1.forward", 64, 512, 1024, False, False), ("linear1.dx", 64, 1024, 512, False, True),
    ("linear1.dw", 1024, 512, 64, True, False), ("linear2.forward", 64, 10, 512, False, False),
    ("linear2.dx", 64, 512, 10, False, True), ("linear2.dw", 512, 10, 64, True, False),
    ("vector.row", 1, 1024, 1024, False, False), ("vector.column", 1024, 1, 1024, False, False)]
CONVOLUTIONS = [  # name, batch, in, out, groups, size, kernel, stride, padding
    ("conv1", 64, 1, 8, 1, 28, 3, 1, 0), ("conv2", 64, 8, 16, 1, 26, 3, 1, 0),
    ("conv64x56", 8, 64, 64, 1, 56, 3, 1, 1), ("conv256x14", 8, 256, 256, 1, 14, 3, 1, 1),
    ("conv1x1", 8, 256, 64, 1, 56, 1, 1, 0), ("stem7x7s2", 8, 3, 64, 1, 224, 7, 2, 3),
    ("depthwise", 8, 64, 64, 64, 56, 3, 1, 1)]


def cases(wanted):
    """name -> a call that does the work."""
    import torch
    torch.set_grad_enabled(False)
    every = {}
    for name, m, n, k, at, bt in [(f"square.{s}", s, s, s, False, False) for s in SQUARES] + LINEAR:
        a = torch.rand(k, m).t() if at else torch.rand(m, k)
        b = torch.rand(n, k).t() if bt else torch.rand(k, n)
        c = torch.empty(m, n)
        every[name] = lambda a=a, b=b, c=c: torch.mm(a, b, out=c)
    for name, batch, cin, cout, groups, size, kernel, stride, pad in CONVOLUTIONS:
        x, w = torch.rand(batch, cin, size, size), torch.rand(cout, cin // groups, kernel, kernel)
        forward = lambda x=x, w=w, s=stride, p=pad, g=groups: torch.conv2d(x, w, stride=s, padding=p, groups=g)
        dy = torch.rand_like(forward())
        every[name + ".forward"] = forward
        for which, mask in (("dx", [True, False, False]), ("dw", [False, True, False])):
            every[f"{name}.{which}"] = lambda x=x, w=w, dy=dy, s=stride, p=pad, g=groups, mask=mask: \
                torch.ops.aten.convolution_backward(dy, x, w, None, [s, s], [p, p], [1, 1], False, [0, 0], g, mask)
    return {name: call for name, call in every.items() if not wanted or name.startswith(tuple(wanted))}


def fastest(call, budget=0.15):
    """As in kernel_bench.h."""
    call()
    best, calls, end = 1e9, 0, time.perf_counter() + budget
    while calls < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best, calls = min(best, time.perf_counter() - begin), calls + 1
    return best


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("names", nargs="*")
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--rounds", type=int, default=3)
    options = options.parse_intermixed_args()
    if os.environ.get("OMP_WAIT_POLICY") != "passive" or "OPENBLAS_NUM_THREADS" not in os.environ:
        # Read when the libraries are loaded: start again with them set.
        os.environ.update(OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS=str(options.threads))
        os.execv(sys.executable, [sys.executable] + sys.argv)
    import torch
    torch.set_num_threads(options.threads)
    ours, theirs = {}, {}
    for _ in range(options.rounds):
        lines = subprocess.run([options.program, "--wall", "--seconds", *options.names], check=True, text=True,
                               stdout=subprocess.PIPE,
                               env={**os.environ, "BURN_NUM_THREADS": str(options.threads)}).stdout.splitlines()
        for name, seconds in (line.split() for line in lines):
            ours.setdefault(name, []).append(float(seconds))
        for name, call in cases(options.names).items():
            theirs.setdefault(name, []).append(fastest(call))
    print(f"{options.threads} threads, PyTorch {torch.__version__}, "
          f"OPENBLAS_CORETYPE={os.environ.get('OPENBLAS_CORETYPE', '(unset)')}")
    for name in ours:
        if name not in theirs:
            continue
        ratio = statistics.median(a / b for a, b in zip(ours[name], theirs[name]))
        print(f"{name:20} {statistics.median(ours[name]) * 1e6:10.1f} us   torch "
              f"{statistics.median(theirs[name]) * 1e6:10.1f} us   ours / torch {ratio:5.2f}")


if __name__ == "__main__":
    main()
