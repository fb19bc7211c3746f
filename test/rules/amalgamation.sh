#!/bin/sh
# Rule: the two-file form compiles as C17 without warnings, its header is good C++17, and a
# program links with nothing else.
set -eu
work=${COSM_WORK:-build/amalgamation-test}
rm -rf "$work"
scripts/amalgamate.sh "$work"

cat >"$work/program.c" <<'END'
#include "cosm.h"
#include <stdio.h>
int main(void) {
    return printf("%s\n", cosm_version()) > 0 ? 0 : 1;
}
END
sed 's/stdio\.h/cstdio/' "$work/program.c" >"$work/program.cc"
cd "$work"

status=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    case $compiler in
    gcc) plus=g++ ;;
    clang) plus=clang++ ;;
    esac
    $compiler -std=c17 -O1 -Wall -Wextra -Werror -c cosm.c -o $compiler.o
    $compiler -std=c17 -Wall -Wextra -Werror program.c $compiler.o -pthread -o $compiler-c
    ./$compiler-c >/dev/null || status=1
    if command -v $plus >/dev/null; then
        $plus -std=c++17 -Wall -Wextra -Werror program.cc $compiler.o -pthread -o $compiler-cc
        ./$compiler-cc >/dev/null || status=1
    fi
done
exit $status
