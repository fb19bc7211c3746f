#!/bin/sh
# Rule: the first programs that people meet stay short. The game of the tutorial, with save, rollback
# and hash, has at most 150 lines.
set -eu
status=0
while read -r file most; do
    lines=$(wc -l <"$file")
    echo "$file: $lines lines of $most"
    if [ "$lines" -gt "$most" ]; then
        echo "$file has $lines lines, $most are allowed: shorten it, or the calls that it makes"
        status=1
    fi
done <<'END'
examples/asteroids.c 150
END
exit $status
