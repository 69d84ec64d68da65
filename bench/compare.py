"""Divides measured times: how many times faster the first file's program is than the best of the others.

usage: compare.py OURS.json THEIRS.json... [--below [SUBSTRING=]RATIO]...

The files are those that burn-bench and yardstick/torch_cases.py write with --json. Of several times of a case (eager and
compiled, several files) the best counts. Prints the cases by rising ratio and the geometric mean. Cases below a threshold are
marked; of several thresholds, the last one whose SUBSTRING is in the name holds. Exits with 1 when a case is below its
threshold, or failed, in OURS; with 2 when a file cannot be read.
"""

import argparse
import json
import math
import pathlib
import sys


def best_time(row):
    times = [row.get(key) for key in ("us", "eager_us", "compiled_us")]
    times = [time for time in times if time]
    return min(times) if times else None


def load(path):
    """A file's document; ValueError where it is none with a time, or an error, of each case."""
    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        rows = document["rows"]
        known = all("case" in row and ("error" in row or best_time(row)) for row in rows)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path}: {error}") from error
    if not known:
        raise ValueError(f"{path}: rows without a time; expected a file of burn-bench or yardstick/torch_cases.py "
                         "(./dev bench yardstick has divided its own)")
    return document


def threshold(text):
    substring, _, ratio = text.rpartition("=")
    return substring, float(ratio)


def compare(ours, theirs, thresholds):
    """Lines to print, and whether every case of ours is good."""
    reference = {}
    for document in theirs:
        for row in document["rows"]:
            time = best_time(row)
            if time:
                reference[row["case"]] = min(time, reference.get(row["case"], time))
    lines, compared, alone, good = [], [], [], True
    for row in ours["rows"]:
        name, time = row["case"], best_time(row)
        if time is None:
            good = False
            alone.append(f"{name:40} FAILED: {row.get('error', 'no time')}")
        elif name not in reference:
            alone.append(f"{name:40} {time:12.1f} us, only here")
        else:
            compared.append((reference[name] / time, name, time, row.get("floor_us")))
    for ratio, name, time, floor in sorted(compared):
        limits = [limit for substring, limit in thresholds if substring in name]
        below = bool(limits) and ratio < limits[-1]
        good = good and not below
        lines.append(f"{name:40} {time:12.1f} {reference[name]:12.1f} {ratio:8.2f} "
                     + (f"{100 * floor / time:8.0f}%" if floor else " " * 9) + (f"  below {limits[-1]:g}" if below else ""))
    if lines:
        mean = math.exp(sum(math.log(ratio) for ratio, *_ in compared) / len(compared))
        lines.insert(0, f"{'case':40} {'ours us':>12} {'theirs us':>12} {'ratio':>8} {'of floor':>9}")
        lines.append(f"geometric mean of {len(compared)} cases: {mean:.3f}")
    have = {row["case"] for row in ours["rows"]} | {row["case"] for row in ours.get("missing", [])}
    alone += [f"{row['case']:40} missing: {row['reason']}" for row in ours.get("missing", [])]
    alone += [f"{name:40} only there" for name in reference if name not in have]
    return lines + alone, good


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("ours")
    options.add_argument("theirs", nargs="+")
    options.add_argument("--below", type=threshold, action="append", default=[])
    options = options.parse_args()
    try:
        lines, good = compare(load(options.ours), [load(path) for path in options.theirs], options.below)
    except ValueError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
