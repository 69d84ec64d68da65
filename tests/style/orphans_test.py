#!/usr/bin/env python3
"""Tests of orphans.py: a test without a subject and a file that is not built are found."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import orphans  # noqa: E402  (after the switch above)

CLEAN = {
    "burn/core/shape.h": "",
    "burn/core/shape.cpp": "",
    "burn/core/CMakeLists.txt": "burn_library(core HEADERS shape.h SOURCES shape.cpp)",
    "tests/core/shape_test.cpp": "",
    "tests/core/CMakeLists.txt": "burn_test(core SOURCES shape_test.cpp)",
    "tests/whole/all_test.cpp": "",
    "tests/whole/CMakeLists.txt": "burn_test(whole SOURCES all_test.cpp)",
    "tests/style/orphans.txt": "# comment\ntests/whole/ looks at everything\n",
}


def faults(changes=None):
    files = dict(CLEAN)
    files.update(changes or {})
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return orphans.check(root)


class Orphans(unittest.TestCase):
    def test_clean_tree_passes(self):
        self.assertEqual(faults(), [])

    def test_test_without_subject(self):
        found = faults({"tests/core/strides_test.cpp": "",
                       "tests/core/CMakeLists.txt": "burn_test(core SOURCES shape_test.cpp strides_test.cpp)"})
        self.assertEqual(found, ["tests/core/strides_test.cpp: there is no burn/core/strides.h, .cpp or .def"])

    def test_file_outside_the_build(self):
        self.assertEqual(faults({"burn/core/slice.cpp": ""}), ["burn/core/slice.cpp: no CMakeLists.txt names it"])
        self.assertEqual(faults({"tests/core/shape_more.cpp": ""}),
                         ["tests/core/shape_more.cpp: no CMakeLists.txt names it"])

    def test_names_that_other_tests_would_see(self):
        own = "namespace burn::shape_test {\nnamespace {\n}  // namespace\n}  // namespace burn::shape_test\n"
        self.assertEqual(faults({"tests/core/shape_test.cpp": own}), [])
        for shared in ("namespace burn {\nnamespace {\n", "\nnamespace {\n", "namespace burn::other_shape_test {\nnamespace {\n"):
            self.assertEqual(faults({"tests/core/shape_test.cpp": shared}),
                             ["tests/core/shape_test.cpp: its unnamed namespace is not in a namespace ..::shape_test"])

    def test_exceptions_need_a_reason_and_a_file(self):
        found = faults({"tests/style/orphans.txt": "tests/whole/ reason\ntests/gone/ reason\ntests/core/\n"})
        self.assertEqual(found, ["tests/style/orphans.txt: tests/core/ has no reason",
                                 "tests/style/orphans.txt: tests/gone/ does not exist"])


if __name__ == "__main__":
    unittest.main()
