#!/usr/bin/env python3
"""Tests of layers.py: every kind of violation, planted in a small tree, is found, and a clean tree passes."""

import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import layers  # noqa: E402  (after the switch above)

TABLE = types.SimpleNamespace(
    FLOORS={"base": [], "core": ["base"], "ops": ["core"], "backends/a": ["ops"], "backends/b": ["ops"],
            "tensor": ["ops"], "store": ["tensor"]},
    FLOORS_THAT_SEE_TAGS=["tensor"],
    THIRD_PARTY={"json/": "store"},
    PLATFORM=["unistd.h", "sys/"],
    DEAR_IN_HEADERS=["iostream"],
    FREESTANDING=["core"],
    HOSTED_HEADERS=["iostream", "string"],
    HOSTED_FILES={"core/files.cpp": "reads files"},
    DEAR_EXCEPTIONS={},
)

CLEAN = {
    "base/error.h": "#include <cstdint>",
    "base/CMakeLists.txt": "burn_library(base HEADERS error.h)",
    "core/shape.h": "#include <burn/base/error.h>",
    "core/files.cpp": "#include <string>\n#include <unistd.h>",
    "core/guarded.cpp": "#if BURN_HOSTED\n#include <string>\n#endif",
    "core/CMakeLists.txt": "burn_library(core HEADERS shape.h DEPS burn::base)",
    "ops/op.h": "#include <burn/core/shape.h>\n#include <burn/base/error.h>",
    "ops/CMakeLists.txt": "burn_library(ops HEADERS op.h DEPS burn::core)",
    "backends/a/a.h": "#include <burn/ops/op.h>",
    "backends/a/kernels/matmul.h": "#include <burn/backends/a/a.h>",
    "backends/a/CMakeLists.txt": "burn_library(backends/a HEADERS a.h DEPS burn::ops)",
    "tensor/tensor.h": "#include <burn/backends/a/a.h>",
    "tensor/CMakeLists.txt": "burn_library(tensor HEADERS tensor.h DEPS burn::ops)",
    "store/json.cpp": "#include <json/json.hpp>",
    "store/CMakeLists.txt": "burn_library(store SOURCES json.cpp DEPS burn::tensor)",
    "burn.h": "#include <burn/tensor/tensor.h>",
}


def faults(changes=None):
    """The faults of the clean tree after replacing or adding files."""
    files = dict(CLEAN)
    files.update(changes or {})
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root) / "burn" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return layers.check(root, TABLE)


class Layers(unittest.TestCase):
    def expect(self, words, changes):
        found = faults(changes)
        self.assertTrue(any(words in fault for fault in found), f"expected '{words}' in {found}")

    def test_clean_tree_passes(self):
        self.assertEqual(faults(), [])

    def test_lower_floor_includes_higher(self):
        self.expect("burn/core/bad.h:1: includes <burn/ops/op.h>", {"core/bad.h": "#include <burn/ops/op.h>"})

    def test_include_with_spaces_counts(self):
        self.expect("burn/core/bad.h:2:", {"core/bad.h": "\n  #  include <burn/ops/op.h>"})

    def test_rooms_of_one_floor(self):
        self.expect("includes <burn/backends/a/a.h>", {"backends/b/b.h": "#include <burn/backends/a/a.h>",
                    "backends/b/CMakeLists.txt": "burn_library(backends/b HEADERS b.h DEPS burn::ops)"})

    def test_tensor_sees_only_the_tag(self):
        self.expect("includes <burn/backends/a/kernels/matmul.h>",
                    {"tensor/bad.cpp": "#include <burn/backends/a/kernels/matmul.h>"})

    def test_unknown_folder(self):
        self.expect("is not in tests/style/floors.py", {"helpers/bits.h": ""})

    def test_missing_header(self):
        self.expect("<burn/base/none.h> does not exist", {"core/bad.h": "#include <burn/base/none.h>"})

    def test_relative_include(self):
        self.expect('includes "shape.h"', {"core/bad.h": '#include "shape.h"'})

    def test_third_party_elsewhere(self):
        self.expect("only store may", {"ops/bad.cpp": "#include <json/json.hpp>"})

    def test_unknown_third_party(self):
        self.expect("unknown third-party header", {"ops/bad.cpp": "#include <boost/any.hpp>"})

    def test_dear_header(self):
        self.expect("too dear for a header", {"ops/bad.h": "#include <iostream>"})

    def test_hosted_header_in_freestanding_folder(self):
        self.expect("without an operating system", {"core/bad.cpp": "#include <string>"})
        self.expect("without an operating system", {"core/bad.cpp": "#include <sys/mman.h>"})

    def test_guard_ends_and_turns(self):
        self.expect("without an operating system", {"core/bad.cpp": "#if BURN_HOSTED\n#endif\n#include <string>"})
        self.expect("without an operating system",
                    {"core/bad.cpp": "#if BURN_HOSTED\n#else\n#include <string>\n#endif"})
        self.expect("without an operating system", {"core/bad.cpp": "#if !BURN_HOSTED\n#include <string>\n#endif"})

    def test_cmake_forgets_a_dependency(self):
        self.expect("its files include core, its DEPS do not",
                    {"ops/CMakeLists.txt": "burn_library(ops HEADERS op.h DEPS burn::base)"})

    def test_cmake_names_the_room_whose_door_a_source_file_opens(self):
        opens = {"tensor/tensor.cpp": "#include <burn/backends/a/a.h>"}
        self.expect("its files include backends/a, its DEPS do not", opens)
        named = "burn_library(tensor HEADERS tensor.h SOURCES tensor.cpp DEPS burn::ops burn::a)"
        self.assertEqual(faults(opens | {"tensor/CMakeLists.txt": named}), [])
        self.expect("depends on backends/a, which tensor may not use", {"tensor/CMakeLists.txt": named})

    def test_cmake_depends_upwards(self):
        self.expect("depends on ops, which core may not use",
                    {"core/CMakeLists.txt": "burn_library(core HEADERS shape.h DEPS burn::base burn::ops)"})

    def test_cmake_names_nothing_we_have(self):
        self.expect("burn::soup is no folder", {"ops/CMakeLists.txt": "burn_library(ops DEPS burn::core burn::soup)"})

    def test_real_table_has_no_cycle(self):
        import floors
        for folder in floors.FLOORS:
            for arrow in floors.FLOORS[folder]:
                self.assertNotIn(folder, layers.reachable(arrow, floors.FLOORS), f"{folder} -> {arrow}")


if __name__ == "__main__":
    unittest.main()
