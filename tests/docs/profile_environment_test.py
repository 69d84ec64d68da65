#!/usr/bin/env python3
"""BURN_PROFILE on programs that know nothing of it.

usage: profile_environment_test.py FUSED EAGER [TEST...]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FUSED = EAGER = ""


def run(setting, program=None, **more):
    environment = dict(os.environ, **more)
    environment.pop("BURN_PROFILE", None)
    if setting is not None:
        environment["BURN_PROFILE"] = str(setting)
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([program or FUSED], env=environment, cwd=folder, capture_output=True, text=True, timeout=100)


def fuses(done):
    return not done.stdout.startswith(("no kernels: ", "fusion is off"))


class Profile(unittest.TestCase):
    def test_nothing_is_said_where_nobody_asks(self):
        for setting in (None, "", "0", "off"):
            done = run(setting)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_table_at_the_end(self):
        done = run(1)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^   calls      total       mean   share    GB/s  GFLOP/s\n")
        self.assertRegex(done.stderr, r"(?m)^ +\d+ .*%.*  (run     matmul \[|kernel  rows  matmul \+ )")
        self.assertRegex(done.stderr, r"\n[0-9.]+ .s measured; memory: .*\n$")
        self.assertEqual(done.stdout, run(None).stdout)

    def test_what_compiles_kernels_tells_nothing_of_its_own(self):
        done = run(1, BURN_CACHE_DIR="off")
        self.assertRegex(done.stderr, r"^   calls ")
        self.assertEqual(done.stderr.count(" measured; memory: "), 1)
        self.assertEqual(run("trace.txt", BURN_CACHE_DIR="off").stderr.count("BURN_PROFILE is "), 1)

    def test_the_lines_are_what_ran(self):
        done = run(1)
        if not fuses(done):
            self.skipTest("nothing is fused without LLVM")
        lines = [re.fullmatch(r" *(\d+) .*?%.{17}  (run|kernel|plan|compile) +(.*)", line)
                 for line in done.stderr.splitlines()[1:-1]]
        ran = sorted(line.groups() for line in lines if line[2] != "compile")
        self.assertEqual(ran, [
            ("1", "kernel", "fused [64, 256]: exp; 1 in, 1 out"),
            ("1", "kernel", "fused [64, 256]: mul_scalar; 1 in, 1 out"),
            ("1", "kernel", "rows  matmul + [64, 128]: add gelu max sub exp sum div; 3 in, 1 out"),
            ("1", "kernel", "sums  [64, 128]: sum; 1 in, 1 out"),
            ("1", "plan", "2 operations"),
            ("1", "plan", "8 operations"),
            ("1", "run", "cumsum [64, 256]"),
            ("1", "run", "matmul [64, 256], [256, 128]"),
            ("1", "run", "random [1, 128]"),
            ("1", "run", "random [256, 128]"),
            ("1", "run", "random [64, 256]"),
            ("2", "plan", "3 operations"),
        ])

    def test_a_trace_that_parses_and_nests(self):
        self.check_trace(FUSED, {"run", "plan"} if fuses(run(None)) else {"run"})  # no plan where LLVM is missing
        self.check_trace(EAGER, {"run"})

    def check_trace(self, program, categories):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trace.json"
            done = run(file, program)
            self.assertEqual(done.returncode, 0)
            self.assertIn("measured", done.stderr)
            self.assertEqual(os.listdir(folder), ["trace.json"])
            events = json.loads(file.read_text())["traceEvents"]
        self.assertLessEqual(categories, {event["cat"] for event in events})
        for event in events:
            self.assertEqual(event["ph"], "X")
            self.assertGreaterEqual(event["ts"], 0)
        for thread in {event["tid"] for event in events}:
            ends = []  # of the spans that an event lies in
            for event in sorted((e for e in events if e["tid"] == thread), key=lambda e: (e["ts"], -e["dur"])):
                begin, end = event["ts"], event["ts"] + event["dur"]
                while ends and ends[-1] <= begin + 0.0015:  # times are rounded to a nanosecond
                    ends.pop()
                if ends:
                    self.assertLessEqual(end, ends[-1] + 0.0015, event)
                ends.append(end)

    def test_a_file_that_cannot_be_written_is_no_failure(self):
        done = run("/no such folder/trace.json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("burn: BURN_PROFILE: profile: the trace cannot be written to /no such folder/trace.json: "
                      "No such file or directory\n", done.stderr)

    def test_a_wrong_setting_is_named(self):
        done = run("trace.txt")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, 'burn: BURN_PROFILE is "trace.txt"; expected on, off, or the name of a trace that ends in .json\n')


if __name__ == "__main__":
    FUSED, EAGER = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
