#!/usr/bin/env bash
# Plants each fault of this folder in a copy of the tree and checks that burn-program-fuzz finds it. Takes minutes; by hand:
#
#   tests/fuzz/programs/faults/check.sh [--programs N] [--seed S] [FAULT...]
#   tests/fuzz/programs/faults/check.sh --applies     # only whether each patch fits the tree, in a second; a test runs it
#
# A fault is a patch: what it plants in a line, then the difference. N (1000) programs are drawn at most. Ends with one line,
# "N found, N missed"; a patch that no longer applies counts as missed.
set -euo pipefail
faults=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$faults/../../../.." && pwd)
applies() {  # TREE PATCH
    patch -d "$1" -p1 -s --no-backup-if-mismatch --dry-run <"$2" >/dev/null
}
if [[ ${1:-} == --applies ]]; then
    status=0
    for fault in "$faults"/*.patch; do
        applies "$root" "$fault" || { echo "$(basename "$fault") no longer applies"; status=1; }
    done
    exit "$status"
fi
programs=1000 seed=1 wanted=()
while [[ $# -gt 0 ]]; do
    case $1 in
        --programs) programs=$2; shift 2 ;;
        --seed) seed=$2; shift 2 ;;
        *) wanted+=("$1"); shift ;;
    esac
done
[[ ${#wanted[@]} -gt 0 ]] || mapfile -t wanted < <(cd "$faults" && ls -- *.patch)

copy=${BURN_FAULTS_COPY:-$(mktemp -d)}  # keep the copy between runs by naming it
[[ -n ${BURN_FAULTS_COPY:-} ]] || trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy"
(cd "$root" && git ls-files --cached --others --exclude-standard -z |
    while IFS= read -rd '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done |
    tar --null -T - -c | tar -x -C "$copy")
# In a kept copy objects may be newer than these and hold a fault.
(cd "$copy" && sed -n 's|^+++ b/||p' "$faults"/*.patch | sort -u | xargs touch)
export BURN_CACHE_DIR=$copy/build/kernels
fuzzer=$copy/build/dev/tests/fuzz/programs/burn-program-fuzz
log=$copy/build/faults.log
build() { (cd "$copy" && ./dev build dev burn-program-fuzz) >"$log" 2>&1 || { tail -20 "$log" >&2; return 1; }; }

mkdir -p "$copy/build"
build
cd "$copy/build"
"$fuzzer" --programs 20 --seed "$seed" --backends cpu >"$log" || { echo "fails without any fault:"; cat "$log"; exit 2; }

found=0 missed=0
for name in "${wanted[@]}"; do
    fault=$faults/$(basename "$name" .patch).patch
    result=missed
    if applies "$copy" "$fault"; then
        patch -d "$copy" -p1 -s --no-backup-if-mismatch <"$fault"
        build || result="does not build"
        if [[ $result == missed ]]; then
            timeout 600 "$fuzzer" --programs "$programs" --seed "$seed" --backends cpu --no-shrink >"$log" 2>&1 ||
                case $? in 124) result="ran out of time" ;; *) result=found ;; esac
        fi
        patch -d "$copy" -p1 -s --no-backup-if-mismatch -R <"$fault"
    else
        result="no longer applies"
    fi
    [[ $result == found ]] && found=$((found + 1)) || missed=$((missed + 1))
    printf '%-32s %s\n' "$(basename "$fault" .patch)" "$result: $(grep -m1 -Eo 'program [0-9]+ of seed.*' "$log" || tail -1 "$log")"
done
echo "$found found, $missed missed"
[[ $missed -eq 0 ]]
