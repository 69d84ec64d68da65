#!/usr/bin/env bash
# Tests of the commands around the build: the closing lines of ./dev test and .ci/run, and what ./dev would install.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

expect() {  # WHAT EXPECTED ACTUAL
    [[ $2 == "$3" ]] || { printf '%s:\n  expected %s\n  got      %s\n' "$1" "$2" "$3"; failed=1; }
}

# ./dev test sums what ctest reports
junit() {  # TESTS FAILURES DISABLED SKIPPED
    printf '<?xml version="1.0"?>\n<testsuite name="x"\n\ttests="%s"\n\tfailures="%s"\n\tdisabled="%s"\n\tskipped="%s">\n' "$@"
    printf '\t<testcase name="tests=&quot;9&quot;"/>\n</testsuite>\n'
}
summary_of() { junit "$@" >"$work/tests.xml" && bash -c '. "$0/dev" help >/dev/null; summary "$1"' "$root" "$work/tests.xml"; }
expect "all pass" "12 passed, 0 failed" "$(summary_of 12 0 0 0)"
expect "some fail or are skipped" "7 passed, 2 failed, 3 skipped" "$(summary_of 12 2 1 2)"

# .ci/run sums its steps: a step that dies without a result is a failure
mkdir "$work/.ci" && cp "$root/.ci/run" "$work/.ci/"
ci_with() {  # what the step with g++ and the step with sanitizers do
    printf '#!/bin/sh\ncase "$*" in\n"test --slow") %s ;;\n*asan*) %s ;;\n*) true ;;\nesac\n' "$1" "$2" >"$work/dev"
    chmod +x "$work/dev"
    "$work/.ci/run" 2>/dev/null | tail -1
    echo "exit ${PIPESTATUS[0]}"
}
expect "everything passes" "13 passed, 0 failed
exit 0" "$(ci_with 'echo 8 passed, 0 failed' 'echo 3 passed, 0 failed')"
expect "tests fail" "11 passed, 2 failed, 1 skipped
exit 1" "$(ci_with 'echo 6 passed, 2 failed, 1 skipped; exit 8' 'echo 3 passed, 0 failed')"
expect "a build fails" "10 passed, 1 failed
exit 1" "$(ci_with 'echo 8 passed, 0 failed' 'echo error: no such file; exit 1')"
expect "tests pass and the command fails all the same" "11 passed, 1 failed
exit 1" "$(ci_with 'echo 8 passed, 0 failed; exit 3' 'true')"

# what a command installs: the packages of its groups that are missing, and nothing when all are there
installs() {  # HAS GROUP...
    HAS=$1 bash -c '
        . "$0/dev" help >/dev/null
        dpkg-query() { printf "installed=%s " $HAS; }
        id() { echo 0; }
        apt-get() { true; }
        env() { [[ $3 != install ]] || echo "${@:6}"; }  # env DEBIAN_FRONTEND=... apt-get install -qy --no-... PACKAGE...
        need "$@" 2>/dev/null' "$root" "${@:2}"
}
build="g++ cmake ninja-build ccache mold nlohmann-json3-dev zlib1g-dev llvm-19-dev"
expect "nothing is missing" "" "$(installs "$build" build)"
expect "the data set is missing" "dataset-fashion-mnist" "$(installs "$build" build data)"

# a program whose build fails is not run, even if an old one is there
mkdir -p "$work/tree/build/release" "$work/bin" && cp "$root/dev" "$root/CMakePresets.json" "$work/tree/"
touch "$work/tree/build/release/build.ninja" "$work/tree/build/release/CMakeCache.txt"
printf '#!/bin/sh\necho stale\n' >"$work/tree/build/release/old" && chmod +x "$work/tree/build/release/old"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/cmake" && chmod +x "$work/bin/cmake"
expect "a build that fails" "exit 1" "$(cd "$work/tree" && PATH=$work/bin:$PATH bash -c '
    . ./dev help >/dev/null; binary=$(program release old old); "$binary"' 2>/dev/null; echo "exit $?")"
expect "an unknown option" "dev: test: unknown option --bogus" "$("$root/dev" test --bogus 2>&1)"

exit "$failed"
