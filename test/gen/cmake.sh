#!/bin/sh
# The function cosm_generate: what it refuses, what it does without cosm-gen, where the results can
# be included: cmake.sh COSM-GEN WORK-FOLDER
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
cmake=${CMAKE:-cmake}
status=0

fail() {
    echo "cmake: $*"
    sed 's/^/    /' "$work/log"
    status=1
}

# project LANGUAGE: begins project/CMakeLists.txt; the rest of it comes from stdin.
project() {
    rm -rf "$work/project" "$work/build"
    mkdir -p "$work/project"
    cp "$here/golden/bodies.h" "$work/project"
    {
        echo "cmake_minimum_required(VERSION 3.21)"
        echo "project(using $1)"
        echo "include($source/cmake/cosm-generate.cmake)"
        echo "include_directories($source/include)"
        cat
    } >"$work/project/CMakeLists.txt"
    echo '#include "bodies.cosm.h"' >"$work/project/one.c"
    cp "$work/project/one.c" "$work/project/one.cc"
    cp "$work/project/one.c" "$work/project/two.c"
}

with_gen="add_executable(cosm::gen IMPORTED)
set_target_properties(cosm::gen PROPERTIES IMPORTED_LOCATION $gen)"

configure() {
    "$cmake" -S "$work/project" -B "$work/build" >"$work/log" 2>&1
}

# refused TEXT: the project does not configure, and says so. CMake breaks its lines anywhere.
refused() {
    if configure; then
        fail "is not refused: $1"
    elif ! tr -s ' \n' '  ' <"$work/log" | grep -qF -- "$1"; then
        fail "does not say: $1"
    fi
}

built() {
    { configure && "$cmake" --build "$work/build" >"$work/log" 2>&1; } || fail "$1"
}

rm -rf "$work"
mkdir -p "$work"

echo 'cosm_generate(nothing bodies.h)' | project C
refused "cosm_generate: nothing is not a target; add it first"
printf 'add_library(a STATIC one.c)\ncosm_generate(a)\n' | project C
refused "cosm_generate: no header for a; name the headers with marks"
printf 'add_library(a STATIC one.c)\ncosm_generate(a bodies.h other.h NAME x)\n' | project C
refused "cosm_generate: NAME and INCLUDE are for one header; call it for each"
printf 'add_library(a INTERFACE)\ncosm_generate(a bodies.h)\n' | project C
refused "cosm_generate: a compiles nothing; use a STATIC library"
printf 'add_library(a STATIC one.c)\nadd_subdirectory(sub)\n' | project C
mkdir "$work/project/sub"
echo 'cosm_generate(a ../bodies.h)' >"$work/project/sub/CMakeLists.txt"
refused "call it there"

# Headers that are not there, and words that are none of the function's.
printf 'add_library(a STATIC one.c)\ncosm_generate(a bodys.h)\n' | project C
refused "cosm_generate: a has no header $work/project/bodys.h; check its name"
printf 'add_library(a STATIC one.c)\ncosm_generate(a bodies.h OUTPUT out)\n' | project C
refused "cosm_generate: a has no header $work/project/OUTPUT; check its name"
printf 'add_library(a STATIC one.c)\ncosm_generate(a sub)\n' | project C
mkdir "$work/project/sub"
refused "cosm_generate: $work/project/sub is a folder"

# Two headers with one name, in one call or in two.
project C <<END
$with_gen
add_library(a STATIC one.c)
cosm_generate(a bodies.h $here/golden/bodies.h)
END
refused "cosm_generate: two headers are called bodies in a; use NAME"
project C <<END
$with_gen
add_library(a STATIC one.c)
cosm_generate(a bodies.h)
cosm_generate(a $here/golden/bodies.h)
END
refused "cosm_generate: two headers are called bodies in a; use NAME"

# Without cosm-gen: files that were generated before, or a word about what to install.
printf 'add_library(a STATIC one.c)\ncosm_generate(a bodies.h)\n' | project C
refused "cosm_generate: a needs cosm-gen for bodies.h"
refused "because libclang was not found or COSM_GEN was OFF"
refused "apt install libclang-dev"
for state in ON OFF; do
    printf 'set(COSM_GEN %s)\nadd_library(a STATIC one.c)\ncosm_generate(a bodies.h)\n' $state |
        project C
    case $state in
    ON) refused "has none, because libclang was not found. Install it" ;;
    OFF) refused "has none, because it was switched off. Configure with COSM_GEN=ON, or name" ;;
    esac
done
printf 'add_library(a STATIC one.c)\ncosm_generate(a bodies.h FALLBACK made)\n' | project C
refused "FALLBACK made has no bodies.cosm.h"
mkdir "$work/project/made"
cp "$here"/golden/bodies.cosm.? "$work/project/made"
built "the fallback is not used"

# A library's results can be included by what links to it, from another folder too.
project C <<END
$with_gen
add_library(a STATIC one.c)
cosm_generate(a bodies.h FALLBACK made)
add_subdirectory(sub)
END
mkdir "$work/project/sub"
printf 'add_library(b STATIC ../two.c)\ntarget_link_libraries(b PRIVATE a)\n' \
    >"$work/project/sub/CMakeLists.txt"
built "a library's header is not found by another one"

# C++ alone, another name, and a header that is included by a path.
project CXX <<END
$with_gen
add_library(a STATIC one.cc)
target_include_directories(a PRIVATE include)
target_compile_features(a PRIVATE cxx_std_17)
cosm_generate(a include/game/bodies.h NAME game_bodies INCLUDE <game/bodies.h>
    OPTIONS -DUNUSED "-DSPACED=a b")
END
mkdir -p "$work/project/include/game"
mv "$work/project/bodies.h" "$work/project/include/game"
printf '#include <game_bodies.cosm.h>\nauto *call = game_bodies_register_all;\n' \
    >"$work/project/one.cc"
built "a project in C++ does not build"

# Several headers, and several targets with the same header.
project C <<END
$with_gen
add_library(a STATIC one.c)
add_library(b STATIC two.c)
cosm_generate(a bodies.h $here/golden/every.h)
cosm_generate(b bodies.h)
END
built "several headers do not build"
[ -f "$work/build/cosm-gen/a/every.cosm.h" ] || fail "a second header is lost"
[ ! -e "$work/build/cosm-gen/b/every.cosm.h" ] || fail "targets share what is theirs"

# A header that the build makes first.
project C <<END
$with_gen
add_library(a STATIC one.c)
add_custom_command(OUTPUT made/bodies.h
    COMMAND \${CMAKE_COMMAND} -E copy \${CMAKE_CURRENT_SOURCE_DIR}/bodies.h made/bodies.h)
cosm_generate(a \${CMAKE_CURRENT_BINARY_DIR}/made/bodies.h)
END
built "a header that the build makes is refused"
echo "cmake: done"
exit $status
