#!/bin/sh
# Does what a user of `cosm new` does, in a folder of its own: installs a build, writes an
# environment, builds and tests it against the installed tree, runs it with the program, and trains
# on it from Python: package/new.sh BUILD-FOLDER WORK-FOLDER
#
# COSM_PYTHON and COSM_PYTHONPATH say where the extension was built; without them, and where
# COSM_NO_PYTHON is set, nothing is trained.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$2
cc=${CC:-cc}
cmake=${CMAKE:-cmake}

fail() {
    echo "new: $*" >&2
    exit 1
}

# Runs quietly; shows the output where it fails.
quiet() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "failed: $*"
    }
}

# expect TEXT: the last quiet command has said this.
expect() {
    grep -q -e "$1" "$work/log" || {
        cat "$work/log" >&2
        fail "this was not said: $1"
    }
}

rm -rf "$work"
mkdir -p "$work"
quiet "$cmake" --install "$build" --prefix "$work/tree"
cosm=$work/tree/bin/cosm

quiet "$cosm" new walk --dir "$work"
walk=$work/walk
quiet "$cmake" -S "$walk" -B "$walk/build" -DCMAKE_PREFIX_PATH="$work/tree" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror"
quiet "$cmake" --build "$walk/build"
quiet "$cmake" -E chdir "$walk/build" ctest --output-on-failure --no-tests=error
expect '100% tests passed'
echo "new: an environment builds against the installed tree and passes its test"

library=$walk/build/libwalk.so
shown=$(nm -D --defined-only "$library" | awk '$2 == "T" || $2 == "D" { print $3 }')
[ "$shown" = cosm_env_entry ] || fail "libwalk.so shows these names:" $shown
if objdump -p "$library" | grep 'NEEDED.*cosm'; then
    fail "libwalk.so is linked with Cosm"
fi
# The host has every public call, also those that it does not need itself.
cat "$root"/include/cosm/*.h "$root"/modules/sim/include/cosm_sim/*.h |
    sed -n 's/^COSM_API.*[ *]\(cosm_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$work/promised"
nm -D --defined-only "$cosm" | awk '{ print $3 }' | sort -u >"$work/shown"
lacking=$(comm -23 "$work/promised" "$work/shown")
[ -s "$work/promised" ] && [ -z "$lacking" ] || fail "the program does not show" $lacking
quiet "$cosm" run "$library" --worlds 64 --steps 500 --workers 1
expect '^env        walk$'
expect '^episodes   .*mean return'
hash=$(grep '^hash' "$work/log")
quiet "$cosm" run "$library" --worlds 64 --steps 500 --workers 2
expect "^$hash\$"
echo "new: the installed program runs it, the same way on one and on two workers"

PKG_CONFIG_PATH=$(dirname "$(find "$work/tree" -name cosm-sim.pc)")
export PKG_CONFIG_PATH
# The flags are split into words on purpose.
# shellcheck disable=SC2046
quiet "$cc" -std=c17 "$walk/test.c" "$walk/walk.c" $(pkg-config --cflags --libs cosm-sim) \
    -o "$work/walk_test"
quiet env LD_LIBRARY_PATH="$(pkg-config --variable=libdir cosm)" "$work/walk_test"
echo "new: pkg-config finds the module sim"

# With the source tree instead. The library alone needs nothing of Cosm but its headers.
quiet "$cmake" -S "$walk" -B "$walk/source" -DCOSM_SOURCE_DIR="$root" -DCMAKE_C_COMPILER="$cc"
quiet "$cmake" --build "$walk/source" --target walk_library
quiet "$cosm" run "$walk/source/libwalk.so" --worlds 64 --steps 500
expect "^$hash\$"
echo "new: it builds with a source tree, too, and is the same"

# Without either, one sentence says what to do.
if "$cmake" -S "$walk" -B "$walk/none" -DCMAKE_DISABLE_FIND_PACKAGE_cosm=ON \
    -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1; then
    fail "it configures without Cosm"
fi
expect 'COSM_SOURCE_DIR'

if [ -z "${COSM_PYTHON:-}" ] || [ -n "${COSM_NO_PYTHON:-}" ]; then
    echo "new: without the Python extension nothing is trained"
    exit 0
fi
if ! "$COSM_PYTHON" -c 'import numpy' 2>/dev/null; then
    echo "new: without numpy nothing is trained"
    exit 0
fi
# Any seed will do; two are enough to see that it is no luck.
for seed in 1 2; do
    quiet env PYTHONPATH="$COSM_PYTHONPATH" PYTHONDONTWRITEBYTECODE=1 "$COSM_PYTHON" \
        "$walk/train.py" --rounds 25 --worlds 256 --seed $seed
    tail -n 1 "$work/log"
    awk '/mean return went from/ { better = $NF > $(NF - 2) + 1 && $NF > 0 } END { exit !better }' \
        "$work/log" || fail "with seed $seed training does not improve the agent"
done
echo "new: train.py trains an agent"
