#!/usr/bin/env python3
"""Checks that the tree of tests mirrors burn/, that every source file is part of the build, and that files of tests go together.

usage: orphans.py [ROOT]     prints one line per fault and exits with 1 if there is any

  - tests/<path>_test.cpp belongs to burn/<path>.h, .cpp or .def, unless orphans.txt says otherwise;
  - every source file below burn/, tests/, examples/ and bench/ is named in the CMakeLists.txt of its folder or of
    one above it (no globs: a forgotten file would be a test that never runs);
  - what <name>_test.cpp defines for itself lies in a namespace ..::<name>_test, for several such files are compiled as one.
"""

import re
import sys
from pathlib import Path


def exceptions(root):
    """path prefix -> reason, from tests/style/orphans.txt."""
    listed = {}
    file = root / "tests/style/orphans.txt"
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else []:
        if line.strip() and not line.startswith("#"):
            path, _, reason = line.partition(" ")
            listed[path] = reason.strip()
    return listed


def orphan_tests(root):
    """Tests without a subject, exceptions without a reason or without a file."""
    listed = exceptions(root)
    faults = [f"tests/style/orphans.txt: {path} has no reason" for path, why in listed.items() if not why]
    faults += [f"tests/style/orphans.txt: {path} does not exist" for path in listed if not (root / path).exists()]
    for file in sorted((root / "tests").rglob("*_test.cpp")):
        path = file.relative_to(root).as_posix()
        if any(path == prefix or (prefix.endswith("/") and path.startswith(prefix)) for prefix in listed):
            continue
        subject = "burn/" + path[len("tests/"):-len("_test.cpp")]
        if not any((root / (subject + suffix)).is_file() for suffix in (".h", ".cpp", ".def")):
            faults.append(f"{path}: there is no {subject}.h, .cpp or .def")
    return faults


def unlisted_files(root):
    """Source files that no CMakeLists.txt of their folder, or of a folder above, names."""
    faults = []
    for top in ("burn", "tests", "examples", "bench"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".def") or not file.is_file():
                continue
            folder, named = file.parent, False
            while folder != root and not named:
                lists = folder / "CMakeLists.txt"
                if lists.is_file():
                    words = lists.read_text(encoding="utf-8").replace("(", " ").replace(")", " ").split()
                    name = file.relative_to(folder).as_posix()
                    named = name in words or name[:-len(file.suffix)] in words or (top != "burn" and file.suffix == ".h")
                folder = folder.parent
            if not named:
                faults.append(f"{file.relative_to(root).as_posix()}: no CMakeLists.txt names it")
    return faults


def shared_namespaces(root):
    """Files of tests with an unnamed namespace that is not in one of their own."""
    faults = []
    for file in sorted((root / "tests").rglob("*_test.cpp")):
        above = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line == "namespace {" and not re.fullmatch(rf"namespace ([a-z_:]+::)?{file.stem} \{{", above):
                faults.append(f"{file.relative_to(root).as_posix()}: its unnamed namespace is not in a namespace ..::{file.stem}")
            above = line
    return faults


def check(root):
    root = Path(root)
    return orphan_tests(root) + unlisted_files(root) + shared_namespaces(root)


def main():
    faults = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
