#!/bin/sh
# Writes anew what golden.sh and hostile.sh compare with: update.sh COSM-GEN
#
# Look at the difference before you keep it. A hostile header that is refused for the first time
# gets its file by `touch hostile/NAME.txt` first.
set -eu
gen=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)

for header in "$here"/golden/*.h; do
    case $header in *.cosm.h) continue ;; esac
    "$gen" -I "$source/include" -o "$here/golden" "$header"
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$here/hostile"
for text in *.txt; do
    "$gen" -I "$source/include" -o "$out" "${text%.txt}.h" >"$text" 2>&1 || true
done
