#!/usr/bin/env bash
# What including us costs: seconds to compile what a user compiles, with release flags and without ccache, the best
# of three runs. Exits with 1 when a limit is exceeded.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++20 -O3 -DNDEBUG -ffp-contract=off -I.)
over=0

# measure NAME LIMIT FILE
measure() {
    local name=$1 limit=$2 file=$3 best=999999 start milliseconds
    for _ in 1 2 3; do
        start=$(date +%s%N)
        g++ "${flags[@]}" -c "$file" -o "$work/out.o"
        milliseconds=$((($(date +%s%N) - start) / 1000000))
        [[ $milliseconds -ge $best ]] || best=$milliseconds
    done
    local verdict=ok
    [[ $best -le $limit ]] || { verdict=OVER; over=1; }
    printf '%-44s %6d ms   limit %5d ms   %s\n' "$name" "$best" "$limit" "$verdict"
}

# a source file that includes HEADER and nothing else
header() {
    echo "#include <$1>" >"$work/header.cpp"
    measure "#include <$1>" "$2" "$work/header.cpp"
}

header burn/tensor/tensor.h 1500
for file in examples/guide/*.cpp; do
    measure "$file" 5000 "$file"
done
exit "$over"
