#!/usr/bin/env python3
"""Checks that the folders of burn/ include only what the floors table (floors.py) allows.

usage: layers.py [ROOT]      prints one line per violation and exits with 1 if there is any

Checked, for each file below ROOT/burn:
  - its folder is in the table;
  - each <burn/...> it includes exists and belongs to its own folder or to one its arrows reach;
  - our own files are included as <burn/...>, never relatively;
  - third-party headers appear only in the folder the table names;
  - a header includes no dear standard header, a freestanding folder no hosted one outside #if BURN_HOSTED;
  - the DEPS in the folder's CMakeLists.txt are what the includes need, and are allowed.
"""

import re
import sys
from pathlib import Path

import floors as table

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DIRECTIVE = re.compile(r"^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b(.*)")
HOSTED_GUARD = re.compile(r"(?<!!)\b(BURN_HOSTED|BURN_EXCEPTIONS|BURN_THREADS|__linux__|__unix__|__x86_64__|__AVX\w*|"
                          r"__SSE\w*|__aarch64__|__ARM_NEON\w*)\b")
SOURCES = {".h", ".cpp", ".def", ".inc"}


def reachable(folder, floors):
    """The folders that `folder` may include: itself, its arrows, and what those stand on."""
    seen, todo = set(), [folder]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo += floors[current]
    return seen


def folder_of(path, floors):
    """The longest folder of the table that holds `path` (relative to burn/), or None."""
    parts = path.split("/")[:-1]
    while parts:
        if "/".join(parts) in floors:
            return "/".join(parts)
        parts.pop()
    return None


def is_tag_header(path):
    """Whether `path` is the front door of a room: backends/ndarray/ndarray.h."""
    parts = path.split("/")
    return len(parts) == 3 and parts[0] in ("backends", "decorators") and parts[2] == parts[1] + ".h"


def matches(header, names):
    return any(header == name or (name.endswith("/") and header.startswith(name)) for name in names)


def includes(file):
    """(line number, bracket, header, hosted) of each #include in `file`; hosted: inside #if BURN_HOSTED or the like."""
    guards = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        directive = DIRECTIVE.match(line)
        if directive and directive[1].startswith("if"):
            guards.append(bool(HOSTED_GUARD.search(directive[2])))
        elif directive and directive[1] in ("else", "elif") and guards:
            guards[-1] = directive[1] == "elif" and bool(HOSTED_GUARD.search(directive[2]))
        elif directive and directive[1] == "endif" and guards:
            guards.pop()
        found = INCLUDE.match(line)
        if found:
            yield number, found[1], found[2], any(guards)


def check_include(path, folder, header, hosted, burn, t):
    """The fault of `path` (in `folder`) including `header`, or None."""
    if header.startswith("burn/"):
        target = header[len("burn/"):]
        if not (burn / target).is_file():
            return f"<{header}> does not exist"
        target_folder = folder_of(target, t.FLOORS)
        allowed = reachable(folder, t.FLOORS)
        if target_folder in allowed:
            return None
        if is_tag_header(target) and allowed.intersection(t.FLOORS_THAT_SEE_TAGS):
            return None
        return f"includes <{header}>: {folder} may use {', '.join(sorted(allowed - {folder})) or 'nothing'}"
    for prefix, home in t.THIRD_PARTY.items():
        if matches(header, [prefix]) or header.startswith(prefix):
            return None if path.startswith(home + "/") else f"includes <{header}>: only {home} may"
    if path.endswith(".h") and header in t.DEAR_IN_HEADERS and f"{path} {header}" not in t.DEAR_EXCEPTIONS \
            and path not in t.HOSTED_FILES:
        return f"includes <{header}>: too dear for a header; include it in the source file"
    if folder in t.FREESTANDING and not hosted and path not in t.HOSTED_FILES \
            and (header in t.HOSTED_HEADERS or matches(header, t.PLATFORM)):
        return f"includes <{header}>: {folder} also compiles without an operating system"
    if "/" in header and not matches(header, t.PLATFORM) and not header.startswith("experimental/"):
        return f"includes <{header}>: unknown third-party header"
    return None


def check_cmake(folder, used, opened, burn, t):
    """Faults of the DEPS in burn/<folder>/CMakeLists.txt, given the folders that its files include, and the rooms whose front
    door its source files open: these are linked too, though no other file of theirs may be named."""
    lists = burn / folder / "CMakeLists.txt"
    where = f"burn/{folder}/CMakeLists.txt"
    if not lists.is_file():
        return [f"{where}: missing"]
    by_name = {name.split("/")[-1]: name for name in t.FLOORS}
    text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
    named = set(re.findall(r"\bburn::(\w+)", text))
    faults = [f"{where}: burn::{name} is no folder of burn/" for name in sorted(named - by_name.keys())]
    deps = {by_name[name] for name in named & by_name.keys()}
    allowed = reachable(folder, t.FLOORS)
    for dep in sorted(deps - allowed - opened):
        faults.append(f"{where}: depends on {dep}, which {folder} may not use")
    linked = set().union({folder}, *(reachable(dep, t.FLOORS) for dep in deps))
    for missing in sorted((used & allowed | opened) - linked):
        faults.append(f"{where}: its files include {missing}, its DEPS do not")
    return faults


def check(root, t=table):
    """All violations below root/burn, each a line `file:line: fault`."""
    burn = Path(root) / "burn"
    faults, used, opened = [], {}, {}
    for file in sorted(burn.rglob("*")):
        if file.suffix not in SOURCES or not file.is_file():
            continue
        path = file.relative_to(burn).as_posix()
        if "/" not in path:  # burn/burn.h, the umbrella, sees everything
            continue
        folder = folder_of(path, t.FLOORS)
        if folder is None:
            faults.append(f"burn/{path}: its folder is not in tests/style/floors.py")
            continue
        used.setdefault(folder, set())
        opened.setdefault(folder, set())
        for line, bracket, header, hosted in includes(file):
            if bracket == '"':
                faults.append(f'burn/{path}:{line}: includes "{header}": write <burn/...>')
                continue
            fault = check_include(path, folder, header, hosted, burn, t)
            if fault:
                faults.append(f"burn/{path}:{line}: {fault}")
            elif header.startswith("burn/"):
                target = header[len("burn/"):]
                used[folder].add(folder_of(target, t.FLOORS))
                if path.endswith(".cpp") and is_tag_header(target):
                    opened[folder].add(folder_of(target, t.FLOORS))
    for folder in sorted(used):
        faults += check_cmake(folder, used[folder], opened[folder], burn, t)
    return faults


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    faults = check(root)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
