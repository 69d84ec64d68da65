"""Which of its kernels PyTorch's OpenBLAS should use."""

import pathlib


def openblas_core():
    """Debian's OpenBLAS does not know newer processors and falls back to slow kernels; the best ones they run, or none.

    What the environment says does not count: it may name slower ones for another purpose.
    """
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return "SkylakeX" if "avx512vl" in flags else "Haswell" if "avx2" in flags else ""
