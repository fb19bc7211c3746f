#!/bin/sh
# cosm_generate in a build: what is generated and compiled again after which change, with every
# generator of CMake that is there: incremental.sh COSM-GEN WORK-FOLDER
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
cmake=${CMAKE:-cmake}
status=0

fail() {
    echo "incremental ($generator): $*"
    sed 's/^/    /' "$work/log"
    status=1
}

# build [fails]
build() {
    code=0
    "$cmake" --build "$work/build" >"$work/log" 2>&1 || code=$?
    if [ "${1:-}" = fails ]; then
        [ $code -ne 0 ] || fail "the build should have failed"
    else
        [ $code -eq 0 ] || fail "the build has failed"
    fi
}

# said GENERATED COMPILED...: which steps the last build took. Compiled: stems of sources, sorted.
said() {
    generated=$(grep -c 'Generating parts.cosm.h' "$work/log" || true)
    compiled=$(sed -n 's/.*Building C object .*[/]\([a-z_.]*\)\.c\.o.*/\1/p' "$work/log" |
        LC_ALL=C sort | tr '\n' ' ')
    [ "$generated" -eq "$1" ] || fail "$2: generated $generated times, not $1"
    [ "$compiled" = "$3" ] || fail "$2: compiled '$compiled', not '$3'"
}

write_project() {
    mkdir -p "$work/project"
    cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(incremental C)
add_executable(cosm::gen IMPORTED)
set_target_properties(cosm::gen PROPERTIES IMPORTED_LOCATION $work/cosm-gen)
include($source/cmake/cosm-generate.cmake)
add_library(things STATIC uses.c apart.c)
target_include_directories(things PRIVATE $source/include)
target_compile_definitions(things PRIVATE SIZE=2 "TEXT=\"a b\"")
cosm_generate(things parts.h)
END
    cat >"$work/project/parts.h" <<'END'
#include <cosm/mark.h>
#include "inner.h"
typedef struct COSM_COMPONENT() Part {
    Inner inner[SIZE];
    char text[sizeof(TEXT)];
} Part;
END
    echo 'typedef struct Inner { float x; } Inner;' >"$work/project/inner.h"
    cat >"$work/project/uses.c" <<'END'
#include "parts.cosm.h"
int uses(void);
int uses(void) { return Part_field_inner_1_x; }
END
    printf 'int apart(void);\nint apart(void) { return 1; }\n' >"$work/project/apart.c"
}

run() {
    rm -rf "$work"
    mkdir -p "$work"
    cp "$gen" "$work/cosm-gen"
    write_project
    "$cmake" -S "$work/project" -B "$work/build" -G "$generator" >"$work/log" 2>&1 ||
        { fail "CMake fails"; return; }
    build
    said 1 "the first build" "apart parts.cosm uses "
    build
    said 0 "nothing changed" ""
    touch "$work/cosm-gen"
    build
    said 1 "cosm-gen is newer, its output the same" ""
    build
    said 0 "the build after that" ""
    touch "$work/project/inner.h"
    build
    said 1 "an included header was touched" "parts.cosm uses "
    build
    said 0 "the build after the touch" ""
    echo 'typedef struct Inner { float x, y; } Inner;' >"$work/project/inner.h"
    build
    said 1 "an included struct has a field more" "parts.cosm uses "
    grep -q 'inner\[1\].y' "$work/build/cosm-gen/things/parts.cosm.c" || fail "the field is missing"
    echo 'typedef struct Inner { float *x; } Inner;' >"$work/project/inner.h"
    build fails
    grep -q "inner.h:1:31: error: 'x' is a pointer" "$work/log" || fail "the error is not shown"
    build fails
    echo 'typedef struct Inner { double x; } Inner;' >"$work/project/inner.h"
    build
    grep -q 'F64, offsetof(Part, inner\[1\].x)' "$work/build/cosm-gen/things/parts.cosm.c" ||
        fail "the build does not recover"
    rm "$work/build/cosm-gen/things/parts.cosm.h"
    build
    [ -f "$work/build/cosm-gen/things/parts.cosm.h" ] || fail "a deleted file does not come back"
    echo "incremental: $generator done"
}

for generator in "Unix Makefiles" Ninja; do
    tool="make"
    [ "$generator" != Ninja ] || tool="ninja"
    command -v $tool >/dev/null || { echo "incremental: no $tool"; continue; }
    run
done
exit $status
