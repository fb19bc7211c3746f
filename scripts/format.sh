#!/bin/sh
# Formats every C file of ours, or with --check says which ones are not as they should be.
#
# What cosm-gen writes, and what it is tested with, is left as it is; so is examples/hello.c, whose
# structs of one field stand on one line each.
#
# Versions of clang-format differ in details, so only the one of Debian 12 is asked to check
# (another one exits with 77, "skipped").
set -eu
cd "$(dirname "$0")/.."
version=14
found=$(clang-format --version 2>/dev/null | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$found" != "$version" ]; then
    echo "clang-format $version is needed, found ${found:-none}" >&2
    exit 77
fi

rooms=""
for room in include src scenes tools bench examples modules python test; do
    [ ! -d "$room" ] || rooms="$rooms $room"
done
mode="-i"
[ "${1:-}" != --check ] || mode="--dry-run -Werror -ferror-limit=3"
# shellcheck disable=SC2086
find $rooms \( -name '*.[ch]' -o -name '*.[ch]pp' \) ! -path 'test/gen/*' ! -path '*/generated/*' ! -path examples/hello.c -print0 |
    xargs -0 -r clang-format $mode
