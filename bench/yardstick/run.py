"""The yardstick's cases here and in PyTorch, side by side on one machine: times, and how many times faster we are.

usage: run.py BURN_BENCH [--backend cpu,ndarray] [--filter SUBSTRING,..] [--threads N] [--rounds N] [--seconds S]
              [--python PATH] [--json FILE] [--below RATIO]

All programs run at the same time, but measure in turn: one case on each backend and in PyTorch, --rounds times, so that what
else the machine does meets all of them alike. "ratio" is the median over the rounds of (PyTorch's median time / ours), "best"
that of the best times of all rounds, which a busy machine disturbs least; "of floor" is how near the best time of ours is to
what the machine can do. PyTorch's time is the better of eager and torch.compile, where the latter exists.

PyTorch is that of --python (default /usr/bin/python3; Debian: python3-torch libopenblas0-pthread).
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from openblas import openblas_core  # noqa: E402


class Server:
    """A program that measures the cases it is told."""

    def __init__(self, command, environment=None):
        self.command = [str(part) for part in command]
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **(environment or {})})

    def measure(self, name):
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"ended while measuring {name}: {' '.join(self.command)}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def names_of(program):
    """The cases a program has, and why it lacks others."""
    names, missing = [], {}
    for line in subprocess.run([program, "--list"], check=True, capture_output=True, text=True).stdout.splitlines():
        name, _, reason = line.partition(" (missing: ")
        if reason:
            missing[name] = reason[:-1]
        else:
            names.append(name)
    return names, missing


def shown(value):
    return f"{value:11.1f}" if value < 1e5 else f"{value:11.0f}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--backend", default="cpu,ndarray")
    options.add_argument("--filter", default="")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=0.15)
    options.add_argument("--python", default="/usr/bin/python3")
    options.add_argument("--json", default="")
    options.add_argument("--below", type=float, default=1.0, help="mark ratios below this")
    options = options.parse_args()
    threads, seconds = str(options.threads), str(options.seconds)
    backends = options.backend.split(",")
    cases = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))["cases"]
    wanted = [case["name"] for case in cases if case["cpu"] and any(part in case["name"] for part in options.filter.split(","))]
    have, missing = names_of(options.program)
    ours = {backend: Server([options.program, "--serve", "--backend", backend, "--threads", threads, "--seconds", seconds])
            for backend in backends}
    # Without these the thread pools of PyTorch's parts fight each other, and the comparison is worthless.
    core = openblas_core()
    theirs = Server([options.python, HERE / "torch_cases.py", "--serve", "--threads", threads, "--seconds", seconds],
                    {"OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads,
                     "OPENBLAS_CORETYPE": core})
    print(f"{threads} threads, {options.rounds} rounds, load {os.getloadavg()[0]:.1f}"
          + (f", OpenBLAS's kernels for {core}" if core else ""))
    print(f"{'case':36}" + "".join(f"{backend + ' us':>12} {'ratio':>6} {'best':>6}" for backend in backends)
          + f"{'torch us':>12} {'of floor':>9}")
    rows, ratios, failed = [], {backend: [] for backend in backends}, False
    for name in wanted:
        if name not in have:
            rows.append({"case": name, "missing": missing.get(name, "the program does not have it")})
            print(f"{name:38} missing: {rows[-1]['missing']}")
            continue
        measured = {backend: [] for backend in backends}
        reference = []
        for _ in range(options.rounds):
            for backend in backends:
                measured[backend].append(ours[backend].measure(name))
            reference.append(theirs.measure(name))
        errors = [f"{who}: {row['error']}" for who, many in [*measured.items(), ("torch", reference)] for row in many[:1]
                  if "error" in row]
        if errors:
            failed = True
            rows.append({"case": name, "error": "; ".join(errors)})
            print(f"{name:38} FAILED: {rows[-1]['error']}")
            continue
        row = {"case": name, "torch_us": statistics.median(r["us"] for r in reference)}
        line = f"{name:36}"
        for backend, many in measured.items():
            row[f"{backend}_us"] = statistics.median(r["us"] for r in many)
            row[f"{backend}_best_us"] = min(r["best_us"] for r in many)
            row[f"{backend}_ratio"] = statistics.median(t["us"] / o["us"] for o, t in zip(many, reference))
            row[f"{backend}_best_ratio"] = min(r["best_us"] for r in reference) / row[f"{backend}_best_us"]
            row["floor_us"] = min(r["floor_us"] for r in [*many, {"floor_us": row.get("floor_us", math.inf)}])
            ratios[backend].append(row[f"{backend}_ratio"])
            mark = "!" if ratios[backend][-1] < options.below else " "
            line += f" {shown(row[f'{backend}_us'])} {ratios[backend][-1]:5.2f}{mark} {row[f'{backend}_best_ratio']:6.2f}"
        row["note"] = measured[backends[0]][0].get("note", "")
        rows.append(row)
        nearness = row["floor_us"] / min(row[f"{backend}_best_us"] for backend in backends)
        print(line + f" {shown(row['torch_us'])} {100 * nearness:8.0f}%", flush=True)
    for server in [*ours.values(), theirs]:
        server.close()
    for backend, values in ratios.items():
        if values:
            mean = math.exp(statistics.fmean(math.log(value) for value in values))
            print(f"{backend}: {mean:.2f} times as fast as PyTorch (geometric mean of {len(values)} cases), "
                  f"{sum(value < options.below for value in values)} below {options.below:g} (marked !)")
    print(f"load {os.getloadavg()[0]:.1f}")
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({"threads": options.threads, "openblas_core": core, "load": os.getloadavg()[0], "rows": rows}, indent=1)
            + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
