#!/usr/bin/env python3
"""Tests of bench/compare.py."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench/compare.py"

OURS = {"rows": [{"case": "sum", "us": 20, "floor_us": 10}, {"case": "exp.f32", "us": 10, "floor_us": 9},
                 {"case": "ours.only", "us": 1}],
        "missing": [{"case": "attention", "reason": "no such operation"}]}
EAGER = {"rows": [{"case": "sum", "eager_us": 10, "compiled_us": None}, {"case": "exp.f32", "eager_us": 90},
                  {"case": "attention", "eager_us": 5}, {"case": "theirs.only", "us": 5}]}
COMPILED = {"rows": [{"case": "exp.f32", "eager_us": 95, "compiled_us": 80}]}


class Compare(unittest.TestCase):
    def run_on(self, *documents, options=()):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.json" for i in range(len(documents))]
            for path, document in zip(paths, documents):
                path.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, paths), *options], capture_output=True, text=True)
        self.assertEqual("", done.stderr)
        return done.returncode, done.stdout.splitlines()

    def test_divides_by_the_best_of_theirs_and_sorts(self):
        code, lines = self.run_on(OURS, EAGER, COMPILED)
        self.assertEqual(0, code)
        self.assertEqual(["sum", "20.0", "10.0", "0.50", "50%"], lines[1].split())
        self.assertEqual(["exp.f32", "10.0", "80.0", "8.00", "90%"], lines[2].split())
        self.assertEqual("geometric mean of 2 cases: 2.000", lines[3])

    def test_says_what_cannot_be_divided(self):
        _, lines = self.run_on(OURS, EAGER)
        rest = [" ".join(line.split()) for line in lines[4:]]
        self.assertEqual(["ours.only 1.0 us, only here", "attention missing: no such operation", "theirs.only only there"], rest)

    def test_marks_what_is_below_the_last_threshold_that_fits(self):
        code, lines = self.run_on(OURS, EAGER, options=["--below", "1"])
        self.assertEqual(1, code)
        self.assertTrue(lines[1].endswith("below 1"))
        self.assertFalse(lines[2].endswith("below 1"))
        code, _ = self.run_on(OURS, EAGER, options=["--below", "1", "--below", "sum=0.4"])
        self.assertEqual(0, code)

    def test_a_failed_case_is_not_good(self):
        code, lines = self.run_on({"rows": [{"case": "sum", "error": "wrong"}]}, EAGER)
        self.assertEqual(1, code)
        self.assertIn("FAILED: wrong", lines[0])

    def test_a_file_that_is_none_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "times.json"
            for text in (None, "{", "[]", "{}", '{"rows": [{"case": "sum", "cpu_us": 1, "torch_us": 2}]}'):
                if text is not None:
                    path.write_text(text, encoding="utf-8")
                done = subprocess.run([sys.executable, "-B", str(SCRIPT), str(path), str(path)], capture_output=True, text=True)
                self.assertEqual((2, ""), (done.returncode, done.stdout))
                self.assertTrue(done.stderr.startswith(f"compare.py: {path}: "), done.stderr)


if __name__ == "__main__":
    unittest.main()
