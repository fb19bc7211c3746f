#!/bin/sh
# Configures a build folder where that is due and builds in it, without a word where all goes well
# and fast: build.sh PRESET [TARGET...]
#
# A build that takes longer than a second prints one line. One that fails prints what the compiler
# said; the whole log is build/PRESET/build.log. Without a target everything is built; with
# --configure in place of the targets nothing is. JOBS says how many files are compiled at a time.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build/$preset
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

# What CMake would find if it looked now. It is kept in the stamp build/PRESET/configured: where it
# differs, libclang, say, has come since CMake looked, or the presets have changed.
surroundings() {
    scripts/bootstrap.sh --missing g++ libclang zstd-dev jansson xxhash python3-dev
    cksum CMakePresets.json
}

configure() {
    now=$(surroundings)
    if [ -f "$folder/configured" ] && [ "$(cat "$folder/configured")" = "$now" ]; then
        return
    fi
    generator=""
    if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null 2>&1; then
        generator="-G Ninja"
    fi
    mkdir -p "$folder"
    # Two words or none.
    # shellcheck disable=SC2086
    if ! cmake --preset "$preset" $generator >"$folder/configure.log" 2>&1; then
        cat "$folder/configure.log" >&2
        exit 1
    fi
    printf '%s\n' "$now" >"$folder/configured"
}

if [ "${1:-}" = --configure ]; then
    configure
    exit 0
fi

what=${*:-everything}
# The one who sleeps has none of our outputs, so that whoever reads those need not wait for it.
(
    sleep 1 >/dev/null 2>&1
    echo "building $what in $folder ..." >&2
) &
timer=$!
trap 'kill $timer 2>/dev/null || true' EXIT
configure
if ! cmake --build "$folder" -j "$jobs" ${1:+--target "$@"} >"$folder/build.log" 2>&1; then
    # Lines of progress, as ninja and make print them, are not what one wants to read.
    grep -v '^\[' "$folder/build.log" | head -n 80 >&2
    # A target may be unknown because of these.
    grep -h 'left out' "$folder/configure.log" >&2 || true
    echo "building $what in $folder failed; $folder/build.log has all of it" >&2
    exit 1
fi
