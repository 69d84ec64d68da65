"""Every C++ block of the documentation is code that the tests compile.

A block stands below a comment `<!-- in: FILE -->` and is found, line by line, in that file (leading spaces aside); FILE is named by
a CMakeLists.txt, or included, so that it is compiled. A block without the comment is an error.

usage: code_blocks.py ROOT [DOCUMENT...]
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"(?:<!-- in: (?P<file>\S+) -->\n+)?```cpp\n(?P<code>.*?)```", re.DOTALL)


def documents(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "book").glob("*.md"))]


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(block, source):
    wanted, lines = lines_of(block), lines_of(source)
    return any(lines[i : i + len(wanted)] == wanted for i in range(len(lines) - len(wanted) + 1))


def faults(root, document):
    text = document.read_text()
    for match in BLOCK.finditer(text):
        place = f"{document.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
        if match["file"] is None:
            yield f"{place}: a C++ block without <!-- in: FILE -->"
        elif not (root / match["file"]).is_file():
            yield f"{place}: {match['file']} does not exist"
        elif not stands_in(match["code"], (root / match["file"]).read_text()):
            yield f"{place}: the block does not stand in {match['file']}"


def main(root, *names):
    root = pathlib.Path(root).resolve()
    found = [root / name for name in names] or documents(root)
    problems = [fault for document in found for fault in faults(root, document)]
    print("\n".join(problems) or f"the C++ blocks of {len(found)} documents are compiled code")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
