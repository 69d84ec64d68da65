#!/usr/bin/env python3
"""burn-bench has every case of cases.json, or says what it lacks; and its JSON and its conversation are what others read.

usage: yardstick_test.py BURN_BENCH
"""

import ast
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2] / "bench/yardstick"
PROGRAM = sys.argv.pop() if len(sys.argv) > 1 else None


def output(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True, **options).stdout


class Cases(unittest.TestCase):
    def setUp(self):
        self.cases = json.loads((ROOT / "cases.json").read_text(encoding="utf-8"))["cases"]

    def test_every_case_of_the_list_is_there_or_missing_with_a_reason(self):
        listed = [case["name"] for case in self.cases if case["cpu"]]
        have = [line.partition(" (missing: ")[0] for line in output("--list").splitlines()]
        self.assertEqual(sorted(listed), sorted(have))

    def test_torch_has_every_case(self):
        # Read, not run: PyTorch may not be here.
        names = set()
        for node in ast.walk(ast.parse((ROOT / "torch_cases.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
        squares = {f"matmul.{t}.{s}" for t, s in [*(("f32", s) for s in (64, 256, 1024, 2048)),
                                                 *(("bf16", s) for s in (1024, 4096, 8192))]}
        for case in self.cases:
            name = case["name"]
            short = name.rpartition(".")[0] if name.startswith("conv2d.") else name
            self.assertTrue(short in names or name in squares, f"torch_cases.py does not have {name}")

    def test_json(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.json"
            output("--quick", "--backend", "ndarray", "--threads", "1", "--seconds", "0.001", "--filter", "softmax,argmax",
                   "--json", str(path))
            document = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(("ndarray", 1, True), (document["device"], document["threads"], document["quick"]))
        self.assertEqual({case["name"] for case in self.cases if "softmax" in case["name"] or "argmax" in case["name"]},
                         {row["case"] for row in document["rows"]})
        for row in document["rows"]:
            self.assertGreater(row["us"], 0)
            self.assertGreaterEqual(row["us"], row["best_us"])
            self.assertGreater(row["floor_us"], 0)
            self.assertGreater(row["bytes"], 0)

    def test_serve(self):
        lines = output("--serve", "--quick", "--backend", "ndarray", "--seconds", "0.001",
                       input="reduce.sum.all.f32\nno.such.case\n").splitlines()
        first, second = (json.loads(line) for line in lines)
        self.assertEqual("reduce.sum.all.f32", first["case"])
        self.assertGreater(first["us"], 0)
        self.assertEqual("no such case", second["error"])
        self.assertNotIn("us", second)


if __name__ == "__main__":
    unittest.main()
