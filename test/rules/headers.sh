#!/bin/sh
# Rule: every header stands alone. Public ones compile as C17 and as C++17, private ones as C17,
# each included twice, with warnings as errors, under every compiler that is there.
set -eu
warnings="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
status=0

# try COMPILER LANGUAGE INCLUDE-LINE WHAT
try() {
    if ! printf '%s\n%s\nint cosm_header_test;\n' "$3" "$3" |
        "$1" -x "$2" -std="${2}17" $warnings $flags -Iinclude -Isrc -fsyntax-only - 2>&1; then
        echo "$4 does not compile alone as ${2}17 with $1"
        status=1
    fi
}

for checks in "" "-DCOSM_CHECKS=1"; do
    flags=$checks
    for header in include/cosm/*.h; do
        [ -f "$header" ] || continue
        line="#include <cosm/$(basename "$header")>"
        for compiler in gcc clang; do
            ! command -v $compiler >/dev/null || try $compiler c "$line" "$header"
        done
        for compiler in g++ clang++; do
            ! command -v $compiler >/dev/null || try $compiler c++ "$line" "$header"
        done
    done
done
flags=""
for header in $(find src -name '*.h' 2>/dev/null | LC_ALL=C sort); do
    try "${CC:-cc}" c "#include \"${header#src/}\"" "$header"
done
exit $status
