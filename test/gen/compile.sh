#!/bin/sh
# Generated files compile as C17 and as C++17, with gcc and with clang, without a warning:
# compile.sh WORK-FOLDER
set -eu
work=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
warnings="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
status=0
compilers=0
mkdir -p "$work"

# try COMPILER LANGUAGE FILE
try() {
    # shellcheck disable=SC2086
    if ! "$1" -x "$2" -std="${2}17" $warnings -I"$source/include" -I"$here/golden" -c "$3" \
        -o "$work/object.o"; then
        echo "compile: $3 does not compile as ${2}17 with $1"
        status=1
    fi
}

# refuse COMPILER LANGUAGE FILE [FLAG...]: must not compile, and must say why.
refuse() {
    compiler=$1
    language=$2
    file=$3
    shift 3
    if "$compiler" -x "$language" -std="${language}17" "$@" -I"$source/include" -fsyntax-only \
        "$file" 2>"$work/said"; then
        echo "compile: $compiler takes $file for a struct that is not the same ($*)"
        status=1
    elif ! grep -q "is not as cosm-gen saw it; run cosm-gen again" "$work/said"; then
        cat "$work/said"
        echo "compile: the reason is missing ($compiler, $file)"
        status=1
    fi
}

mkdir -p "$work/stale"
cp "$here"/golden/bodies.cosm.? "$work/stale"
sed 's/float x, y, z; /float x, y, z, w; /' "$here/golden/bodies.h" >"$work/stale/bodies.h"
for pair in "gcc c" "clang c" "g++ c++" "clang++ c++"; do
    compiler=${pair% *}
    language=${pair#* }
    command -v "$compiler" >/dev/null || continue
    compilers=$((compilers + 1))
    for file in "$here"/golden/*.cosm.c "$here/use.c"; do
        try "$compiler" "$language" "$file"
    done
    # The checks in a generated file find a header that has changed since, and another ABI.
    refuse "$compiler" "$language" "$work/stale/bodies.cosm.c"
    refuse "$compiler" "$language" "$here/golden/every.cosm.c" -fpack-struct=1
done
[ "$compilers" -gt 0 ] || { echo "compile: no compiler is there"; status=1; }
echo "compile: $compilers compilers"
exit $status
