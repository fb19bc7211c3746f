#!/bin/sh
# What cosm-gen makes of golden/*.h is what golden/ holds: golden.sh COSM-GEN WORK-FOLDER
#
# After a change that is meant, write them anew: test/gen/update.sh COSM-GEN
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
status=0

fail() {
    echo "golden: $*"
    status=1
}

rm -rf "$work"
mkdir -p "$work"
count=0
for header in "$here"/golden/*.h; do
    case $header in *.cosm.h) continue ;; esac
    stem=$(basename "$header" .h)
    count=$((count + 1))
    # From another folder: no path of this machine may get into the files.
    (cd "$work" && "$gen" -I "$source/include" -o out "$header") || fail "$stem.h is refused"
    for file in "$stem.cosm.h" "$stem.cosm.c"; do
        diff -u "$here/golden/$file" "$work/out/$file" || fail "$file is not as it was"
    done
    "$gen" -I "$source/include" -o "$here/golden" --check "$header" || fail "--check of $stem.h"
    if grep -nE "$work|$source" "$work/out/$stem".cosm.?; then
        fail "$stem: a generated file names a folder of this machine"
    fi
done
[ "$count" -ge 2 ] || fail "only $count headers found"
echo "golden: $count headers"
exit $status
