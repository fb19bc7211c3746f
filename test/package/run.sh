#!/bin/sh
# Installs a build, moves the tree, and builds consumer.c against it in every way we promise:
# package/run.sh BUILD-FOLDER WORK-FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$2
cc=${CC:-cc}
cmake=${CMAKE:-cmake}

fail() {
    echo "package: $*" >&2
    exit 1
}

# Runs quietly; shows the output where it fails.
quiet() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "failed: $*"
    }
}

# expect_version PROGRAM
expect_version() {
    said=$("$@") || fail "does not run: $*"
    said=$(printf '%s\n' "$said" | head -n 1)
    [ "$said" = "$COSM_VERSION" ] || fail "$* says '$said', expected '$COSM_VERSION'"
}

rm -rf "$work"
mkdir -p "$work"
quiet "$cmake" --install "$build" --prefix "$work/first"
# An installed tree may be moved: nothing in it knows where it was.
mv "$work/first" "$work/tree"
if grep -rlI "$work/first" "$work/tree"; then
    fail "these files name the folder they were installed to"
fi

quiet "$cmake" -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/tree" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release
quiet "$cmake" --build "$work/cmake"
for kind in cosm static shared; do
    expect_version "$work/cmake/consumer_$kind"
done
echo "package: find_package works (cosm::cosm, cosm::static, cosm::shared)"

pc=$(find "$work/tree" -name cosm.pc)
[ -n "$pc" ] || fail "cosm.pc is not installed"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion cosm)" = "$COSM_VERSION" ] || fail "cosm.pc has the wrong version"
libdir=$(pkg-config --variable=libdir cosm)
# The flags are split into words on purpose.
# shellcheck disable=SC2046
quiet "$cc" -std=c17 "$here/consumer.c" $(pkg-config --cflags --libs cosm) -o "$work/dynamic"
expect_version env LD_LIBRARY_PATH="$libdir" "$work/dynamic"
# Without the shared library in sight the same flags with --static take the archive.
mkdir "$work/archive"
cp "$libdir/libcosm.a" "$work/archive"
# shellcheck disable=SC2046
quiet "$cc" -std=c17 "$here/consumer.c" -L"$work/archive" \
    $(pkg-config --static --cflags --libs cosm) -o "$work/archived"
expect_version "$work/archived"
echo "package: pkg-config works, shared and static"

# Inside another project the library must configure with nothing else switched on.
mkdir "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(parent LANGUAGES C)
add_subdirectory($here/../.. cosm)
add_executable(consumer $here/consumer.c)
target_link_libraries(consumer PRIVATE cosm::cosm)
foreach(name cosm_program cosm_bench cosm_harness cosm_scenes)
    if(TARGET \${name})
        message(FATAL_ERROR "add_subdirectory brought \${name} along")
    endif()
endforeach()
END
quiet "$cmake" -S "$work/parent" -B "$work/parent/build" -DCMAKE_C_COMPILER="$cc"
echo "package: add_subdirectory configures"
