#!/usr/bin/env python3
"""BURN_FUSION_LOG: what is said of a program that knows nothing of it.

usage: fusion_log_test.py FUSED [TEST...]
"""

import os
import subprocess
import sys
import tempfile
import unittest

FUSED = ""


def run(**settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BURN_FUSION", "BURN_PLUGIN"))}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([FUSED], env={**environment, **settings}, cwd=folder, capture_output=True, text=True,
                              timeout=100, check=True)
    return done.stdout, done.stderr


class FusionLog(unittest.TestCase):
    def test_nothing_is_said_where_nobody_asks(self):
        self.assertEqual(run()[1], "")
        self.assertEqual(run(BURN_FUSION="off")[1], "")

    def test_what_the_program_prints_itself_is_in_the_log(self):
        printed, log = run(BURN_FUSION_LOG="1")
        self.assertTrue(log.endswith(printed) or printed == 3 * log, log)
        if not printed.startswith("no kernels: "):
            self.assertRegex(log, r"(?m)^run   random\(.*\); nothing is done with the numbers in the same kernel$")

    def test_fusion_that_is_off_says_so_once(self):
        printed, log = run(BURN_FUSION_LOG="1", BURN_FUSION="off")
        self.assertEqual(log, "fusion is off (BURN_FUSION=off)\n")
        self.assertEqual(printed, 3 * log)

    def test_a_missing_compiler_says_so_once(self):
        printed, log = run(BURN_FUSION_LOG="1", BURN_PLUGIN_PATH="/nonexistent")
        self.assertRegex(log, r"^no kernels: there is no /nonexistent/burn_cpu_llvm\.so.*\n$")
        self.assertEqual(printed, 3 * log)


if __name__ == "__main__":
    FUSED = sys.argv.pop(1)
    unittest.main()
