#!/bin/sh
# Prints the line coverage of src/ after a test run: coverage.sh BUILD-FOLDER [MINIMUM]
#
# Uses gcov alone. Lines of a header are counted once, and as covered if any file that includes
# it covered them. The lines that no test reached are listed in BUILD-FOLDER/uncovered.txt.
# Fails where the total is under MINIMUM percent.
set -eu
cd "$(dirname "$0")/.."
build=$1
minimum=${2:-0}
source=$(pwd)
work=$build/gcov
rm -rf "$work"
mkdir -p "$work"

find "$build" -path '*cosm_static*' -name '*.gcno' | while read -r note; do
    data=${note%.gcno}.gcda
    if [ -f "$data" ]; then
        gcov -t -s "$source" -r "$data" 2>/dev/null
    else
        # Never run: gcov reads the notes alone and counts every line as missed.
        gcov -t -s "$source" -r "$note" 2>/dev/null
    fi
done >"$work/all.gcov"

awk -v listing="$build/uncovered.txt" -v minimum="$minimum" '
    # Each line of gcov is "count: number: text"; line 0 names the file.
    {
        first = index($0, ":")
        count = substr($0, 1, first - 1)
        rest = substr($0, first + 1)
        second = index(rest, ":")
        number = substr(rest, 1, second - 1) + 0
        text = substr(rest, second + 1)
        gsub(/ /, "", count)
    }
    number == 0 && text ~ /^Source:/ { file = substr(text, 8); next }
    number == 0 || count == "-" || file !~ /^src\// { next }
    {
        key = file SUBSEP number
        if (!(key in seen)) {
            seen[key] = 1
            lines[file]++
            keys[++key_count] = key
        }
        if (count !~ /^[#=]/ && !(key in hit)) {
            hit[key] = 1
            hits[file]++
        }
    }
    END {
        printf "" >listing
        for (i = 1; i <= key_count; i++) {
            if (!(keys[i] in hit)) {
                split(keys[i], part, SUBSEP)
                printf "%s:%d\n", part[1], part[2] | ("sort -t: -k1,1 -k2,2n >>" listing)
            }
        }
        close("sort -t: -k1,1 -k2,2n >>" listing)
        for (file in lines) {
            all += lines[file]
            covered += hits[file]
            printf "%6.1f %%  %5d of %5d  %s\n", 100 * hits[file] / lines[file], hits[file],
                lines[file], file | "sort -k6"
        }
        close("sort -k6")
        if (all == 0) {
            print "no line of src/ was compiled for coverage"
            exit 1
        }
        total = 100 * covered / all
        printf "%6.1f %%  %5d of %5d  total (missed lines: %s)\n", total, covered, all, listing
        if (total < minimum) {
            printf "line coverage is under %s %%\n", minimum
            exit 1
        }
    }' "$work/all.gcov"
