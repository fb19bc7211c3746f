#!/bin/sh
# Does what a user of `cosm new` does, in folders of its own. First with an installed tree, then, as
# README.md has it, with the program of the build folder and nothing installed. Both times it runs the
# commands that the program prints: package/new.sh BUILD-FOLDER WORK-FOLDER
#
# COSM_PYTHON and COSM_PYTHONPATH say where the extension was built. Where it was not, or numpy is not
# there, the test counts as skipped (77) once all the rest has passed. Where COSM_NO_PYTHON is set
# nobody wants to hear of it.
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

# printed: the commands that the last quiet command has printed, without those of Python.
printed() {
    sed -n 's/^  //p' "$work/log" | grep -v -e 'train\.py' -e '--target cosm_python$'
}

# follow FOLDER: runs them there, as a user does who copies them.
follow() {
    printed >"$work/commands"
    [ "$(wc -l <"$work/commands")" -eq 4 ] || fail "the commands are" "$(cat "$work/commands")"
    quiet env -C "$1" CC="$cc" CFLAGS="-Wall -Wextra -Wpedantic -Werror" sh -eu "$work/commands"
    expect '100% tests passed'
}

if strings -a "$cosm" | grep -F -e "$root"; then
    fail "the installed program has a path of the source tree in it"
fi
quiet "$cosm" new walk --dir "$work"
walk=$work/walk
expect "-DCMAKE_PREFIX_PATH=$work/tree\$"
follow "$work"
echo "new: the commands that the installed program prints build an environment and pass its test"

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

# With the program of the build folder, from which nothing is installed. The library alone needs
# nothing of Cosm but its headers, so that no more is built before the test is.
mkdir "$work/own"
quiet env -C "$work/own" "$build/bin/cosm" new walk
expect "^  cmake -S walk -B walk/build -DCOSM_SOURCE_DIR=$root\$"
cp "$work/log" "$work/said"
quiet "$cmake" -S "$work/own/walk" -B "$work/own/alone" -DCOSM_SOURCE_DIR="$root" \
    -DCMAKE_C_COMPILER="$cc"
quiet "$cmake" --build "$work/own/alone"
[ -z "$(find "$work/own/alone/cosm" -name '*.o')" ] || fail "the library builds Cosm itself"
cp "$work/said" "$work/log"
follow "$work/own"
quiet "$cosm" run "$work/own/walk/build/libwalk.so" --worlds 64 --steps 500
expect "^$hash\$"
echo "new: so do those that the program of the build folder prints, and it is the same"

# A game: with the installed program, and with that of the build folder.
quiet "$cosm" new stones --game --dir "$work"
expect "-DCMAKE_PREFIX_PATH=$work/tree\$"
printed | sed '$d' >"$work/commands"
[ "$(wc -l <"$work/commands")" -eq 3 ] || fail "the commands are" "$(cat "$work/commands")"
quiet env -C "$work" CC="$cc" CFLAGS="-Wall -Wextra -Wpedantic -Werror" sh -eu "$work/commands"
expect '100% tests passed'
quiet "$work/stones/build/stones" aaaaaaaaaaaaaaaaaaaa
expect '^=*\.*$'
ended=$(tail -n 1 "$work/log")
quiet env -C "$work/own" "$build/bin/cosm" new stones --game
expect "^  stones/build/stones\$"
quiet "$cmake" -S "$work/own/stones" -B "$work/own/game" -DCOSM_SOURCE_DIR="$root" \
    -DCMAKE_C_COMPILER="$cc"
quiet "$cmake" --build "$work/own/game" --parallel 4
quiet "$work/own/game/stones" aaaaaaaaaaaaaaaaaaaa
expect "^$ended\$"
quiet "$work/own/game/stones_test"
echo "new: a game builds and passes its test, with an installed Cosm and with the source tree"

# Without either, one sentence says what to do.
if "$cmake" -S "$walk" -B "$walk/none" -DCMAKE_DISABLE_FIND_PACKAGE_cosm=ON \
    -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1; then
    fail "it configures without Cosm"
fi
expect 'COSM_SOURCE_DIR'

if [ -n "${COSM_NO_PYTHON:-}" ]; then
    echo "new: nothing is trained: COSM_NO_PYTHON is set"
    exit 0
fi
if [ -z "${COSM_PYTHON:-}" ] || ! "$COSM_PYTHON" -c 'import numpy' 2>/dev/null; then
    echo "new: skipped, though all else passed: without the Python extension and numpy nothing is trained"
    exit 77
fi
# What was printed of Python names one that has all it needs, whichever comes first in PATH.
sed -n 's/^  //p' "$work/said" | grep -e 'train\.py' -e '--target cosm_python$' >"$work/commands"
if ! grep -q 'needs numpy' "$work/commands"; then
    quiet env -C "$work/own" PYTHONDONTWRITEBYTECODE=1 sh -eu "$work/commands"
    expect 'mean return went from'
    echo "new: the printed commands train"
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
