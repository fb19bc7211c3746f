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

# fuses FILE: does product_sum round once?
fuses() {
    objdump -d "$1" | awk '/<product_sum>:/, /^$/' | grep -q fmadd
}

# Nothing to see where a processor cannot, or the compiler does not by itself.
machine=""
[ "$(uname -m)" != x86_64 ] || machine=-mfma

rm -rf "$work"
mkdir -p "$work"
# What is installed needs nothing of tests, benchmarks, examples or Python.
if [ -f "$build/build.ninja" ]; then
    root=$(cd "$here/../.." && pwd)
    (cd "$build" && ninja -t commands cosm_installed) | sed -n "s|.* -c $root/||p" >"$work/compiled"
    if grep -e '^test/' -e '/test/' -e '^bench/' -e '^examples/' -e '^python/' "$work/compiled"; then
        fail "cosm_installed builds these, which are not installed"
    fi
fi
quiet "$here/../../scripts/install.sh" "$build" "$work/first"
if [ "$(wc -l <"$work/log")" -gt 7 ] || ! grep -q "^installed in $work/first:" "$work/log" ||
    ! grep -q '^  programs .* bin/cosm' "$work/log"; then
    fail "install.sh says" "$(cat "$work/log")"
fi
# An installed tree may be moved: nothing in it knows where it was.
mv "$work/first" "$work/tree"
if grep -rlI "$work/first" "$work/tree"; then
    fail "these files name the folder they were installed to"
fi

quiet "$cmake" -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/tree" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$machine"
quiet "$cmake" --build "$work/cmake"
for kind in cosm static shared; do
    expect_version "$work/cmake/consumer_$kind"
    ! fuses "$work/cmake/consumer_$kind" || fail "cosm::$kind does not pass -ffp-contract=off on"
done
if [ -n "${CXX:-}" ]; then
    expect_version "$work/cmake/consumer_cpp"
fi
(cd "$work" && expect_version cmake/consumer_record)
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
# shellcheck disable=SC2046
quiet "$cc" -std=c17 "$here/consumer_record.c" $(pkg-config --cflags --libs cosm-record) \
    -o "$work/record"
(cd "$work" && expect_version env LD_LIBRARY_PATH="$libdir" ./record)
if [ -n "${CXX:-}" ]; then
    # shellcheck disable=SC2046
    quiet "$CXX" -std=c++17 "$here/consumer.cpp" $(pkg-config --cflags --libs cosm) -o "$work/cpp"
    expect_version env LD_LIBRARY_PATH="$libdir" "$work/cpp"
fi
# The control: without the package's flag it rounds once, so that the look above means something.
quiet "$cc" -O2 $machine -I"$work/tree/include" -c "$here/consumer.c" -o "$work/fused.o"
fuses "$work/fused.o" || fail "the compiler does not fuse a product and a sum; see product_sum"
for module in cosm cosm-sim cosm-text; do
    # shellcheck disable=SC2046
    quiet "$cc" -O2 $machine $(pkg-config --cflags $module) -c "$here/consumer.c" -o "$work/plain.o"
    ! fuses "$work/plain.o" || fail "$module.pc does not pass -ffp-contract=off on"
done
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
