#!/bin/sh
# Rules about the tutorial: a block below <!-- from FILE --> stands in that file line by line, lines
# that the pages show of an example's output are in it, and pictures are what their script writes.
set -eu
status=0
scripts/pictures.sh --check || status=1
for page in docs/tutorial/*.md; do
    awk -v page="$page" '
        function whole(path, line, text) {
            text = "\n"
            while ((getline line <path) > 0) {
                text = text line "\n"
            }
            close(path)
            return text
        }
        /^<!-- from .* -->$/ { file = $3; next }
        file != "" && /^```/ && !is_code { is_code = 1; start = NR; text = "\n"; next }
        is_code && /^```$/ {
            blocks++
            if (index(whole(file), text) == 0) {
                printf "%s:%d: this block is not in %s\n", page, start, file
                failed = 1
            }
            is_code = 0
            file = ""
            next
        }
        is_code { text = text $0 "\n" }
        /^step [0-9]+: .* hash / && index(whole("examples/expected/asteroids.txt"), $0 "\n") == 0 {
            printf "%s:%d: examples/expected/asteroids.txt has no such line\n", page, NR
            failed = 1
        }
        END {
            printf "%s: %d blocks from files\n", page, blocks
            exit failed
        }' "$page" || status=1
done
exit $status
