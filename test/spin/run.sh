#!/bin/sh
# Searches a model with spin: run.sh MODEL WORK-FOLDER VARIANT...
#
# The model must hold, and each of its broken variants must be found wrong: else it shows nothing.
# Skipped (77) where spin is not installed.
set -eu
model=$(cd "$(dirname "$0")" && pwd)/$1.pml
work=$2
shift 2
cc=${CC:-cc}
if ! command -v spin >/dev/null 2>&1; then
    echo "spin is not installed"
    exit 77
fi

# check [VARIANT]: how many errors a search of the whole model finds
check() {
    rm -rf "$work"
    mkdir -p "$work"
    cd "$work"
    spin -a ${1:+"-D$1"} "$model" >spin.log 2>&1 || {
        cat spin.log >&2
        exit 1
    }
    "$cc" -O2 -w -DSAFETY -DCOLLAPSE -DMEMLIM=900 -o pan pan.c
    ./pan -m1000000 >pan.log 2>&1
    if grep -Eq 'max search depth too small|out of memory|reached -DMEMLIM' pan.log; then
        echo "the search was not complete:" >&2
        cat pan.log >&2
        exit 1
    fi
    sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log
}

found=$(check)
if [ "$found" != 0 ]; then
    cat "$work/pan.log"
    echo "the model does not hold"
    exit 1
fi
grep 'states, stored' "$work/pan.log"
for variant; do
    if [ "$(check "$variant")" = 0 ]; then
        echo "the variant $variant was not found wrong"
        exit 1
    fi
    echo "$variant: found wrong, as it should be"
done
