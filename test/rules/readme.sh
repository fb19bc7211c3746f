#!/bin/sh
# Rule: the program in README.md is examples/hello.c, line by line, and what README.md says that it
# prints is what the example is expected to print. The program has at most 20 lines of code, not
# counting includes, comments, blank lines and closing braces.
set -eu
work=${COSM_WORK:-build/readme-test}
rm -rf "$work"
mkdir -p "$work"

# The first block whose fence is the given line.
block() {
    awk -v fence="$1" '
        is_inside && /^```$/ { exit }
        is_inside { print }
        $0 == fence { is_inside = 1 }' README.md
}
block '```c' >"$work/hello.c"
block '```text output' >"$work/hello.txt"

status=0
for pair in hello.c:examples/hello.c hello.txt:examples/expected/hello.txt; do
    if ! diff -u "${pair#*:}" "$work/${pair%%:*}"; then
        echo "README.md differs from ${pair#*:}: change both"
        status=1
    fi
done
lines=$(grep -cvE '^(#include .*|//.*|[[:space:]]*\}?)$' examples/hello.c)
if [ "$lines" -gt 20 ]; then
    echo "examples/hello.c has $lines lines of code: at most 20"
    status=1
fi
exit $status
