#!/bin/sh
# Rules about text: every C file opens with its purpose, nothing is left for later or to be filled
# in, README is short.
set -eu
status=0
rooms=""
for room in include src scenes tools bench examples modules python test; do
    [ ! -d "$room" ] || rooms="$rooms $room"
done

# The opening comment must start on the first line and say something: four words at least.
# shellcheck disable=SC2086
for file in $(find $rooms -name '*.[ch]' -o -name '*.[ch]pp' | LC_ALL=C sort); do
    words=$(awk '
        NR == 1 && !/^(\/\/|\/\*)/ { exit }
        /^(\/\/|\/\*| \*)/ { gsub(/[^A-Za-z ]/, " "); count += NF; next }
        { exit }
        END { print count + 0 }' "$file")
    if [ "$words" -lt 4 ]; then
        echo "$file:1: open with a comment that says what the file is for"
        status=1
    fi
done

# The pattern is put together here so that this file does not contain it.
later="TO""DO|FIX""ME|XX""X"
# shellcheck disable=SC2086
if grep -rnwE "$later" $rooms scripts cmake docs ./*.md Makefile CMakeLists.txt 2>/dev/null; then
    echo "nothing is left for later: do it, or open an issue"
    status=1
fi

blank="PERF-""NUMBERS"
# shellcheck disable=SC2086
if grep -rnF -e "$blank" $rooms scripts cmake docs ./*.md Makefile CMakeLists.txt 2>/dev/null; then
    echo "this is where numbers belong: fill them in"
    status=1
fi

if [ -f README.md ] && [ "$(wc -l <README.md)" -gt 120 ]; then
    echo "README.md has $(wc -l <README.md) lines, 120 are allowed"
    status=1
fi
exit $status
