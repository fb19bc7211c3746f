#!/bin/sh
# Checks the model of concurrent sectors with spin: run.sh WORK-FOLDER
#
# The model must hold, and each of its broken variants must be found wrong: else it shows nothing.
# Skipped (77) where spin is not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
cc=${CC:-cc}
if ! command -v spin >/dev/null 2>&1; then
    echo "spin is not installed"
    exit 77
fi

# check VARIANT-FLAG: how many errors a search of the whole model finds
check() {
    rm -rf "$work/model"
    mkdir -p "$work/model"
    cd "$work/model"
    # shellcheck disable=SC2086
    spin -a $1 "$here/sectors.pml" >spin.log 2>&1 || {
        cat spin.log >&2
        exit 1
    }
    "$cc" -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM=900 -o pan pan.c
    ./pan -m200000 >pan.log 2>&1
    if grep -Eq 'max search depth too small|out of memory|reached -DMEMLIM' pan.log; then
        echo "the search was not complete:" >&2
        cat pan.log >&2
        exit 1
    fi
    sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log
}

found=$(check "")
if [ "$found" != 0 ]; then
    cat "$work/model/pan.log"
    echo "the model of concurrent sectors does not hold"
    exit 1
fi
grep 'states, stored' "$work/model/pan.log"
for variant in NO_EPOCH NO_PIN NO_MARK OLD_STAMP; do
    if [ "$(check "-D$variant")" = 0 ]; then
        echo "the variant $variant was not found wrong"
        exit 1
    fi
    echo "$variant: found wrong, as it should be"
done
