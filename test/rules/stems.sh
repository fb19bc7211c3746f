#!/bin/sh
# Rule: one noun, one place. A public header has a manual page and a test with the same stem;
# the exceptions are in stems.txt.
set -eu
here=$(dirname "$0")
status=0

# excused STEM WHAT
excused() {
    awk -v stem="$1" -v what="$2" '
        $1 == stem { for (i = 2; i <= NF && i <= 3; i++) if ($i == what) found = 1 }
        END { exit !found }' "$here/stems.txt"
}

for header in include/cosm/*.h; do
    [ -f "$header" ] || continue
    stem=$(basename "$header" .h)
    if [ ! -f "docs/manual/$stem.md" ] && ! excused "$stem" page; then
        echo "$header has no docs/manual/$stem.md"
        status=1
    fi
    if [ ! -f "test/$stem.c" ] && ! excused "$stem" test; then
        echo "$header has no test/$stem.c"
        status=1
    fi
done
exit $status
