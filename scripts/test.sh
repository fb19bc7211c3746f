#!/bin/sh
# All tests: what `make test` runs. Stops at the first step that fails; the last line tells.
#
#   dev      gcc, sanitizers, every check: every test and the rules about the tree
#   clang    the same code under the second compiler, without the slow tests
#   tsan     the tests that use threads, under the thread sanitizer
#   golden   the golden digests again, with either compiler, unoptimised and optimised
#   release  golden tests as optimised code, the program, the examples and the installed package
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
began=$(date +%s)
step=bootstrap
trap 'status=$?; if [ $status -ne 0 ]; then echo "make test: FAILED in step $step"; fi' EXIT

# The sanitizers of Debian 12 cannot start where the kernel spreads addresses over more than 28
# random bits; there the tests run without that randomness, if we may switch it off.
plain=""
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 32)
if [ "$bits" -gt 28 ] && setarch -R true 2>/dev/null; then
    plain="setarch -R"
fi

# build PRESET [TARGET...]
build() {
    preset=$1
    shift
    log=build/$preset.log
    ${MAKE:-make} --no-print-directory -s "build/$preset/configured"
    targets=""
    [ $# -eq 0 ] || targets="--target $*"
    # shellcheck disable=SC2086
    if ! cmake --build "build/$preset" -j "$jobs" $targets >"$log" 2>&1; then
        grep -v '^\[' "$log" | head -n 80
        exit 1
    fi
    rm -f "$log"
}

# check PRESET CTEST-ARGUMENT...
check() {
    preset=$1
    shift
    $plain ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=ignore --no-label-summary "$@"
}

begin() {
    step=$1
    echo "== $step ($(($(date +%s) - began)) s)"
}

begin bootstrap
scripts/bootstrap.sh gcc g++ cmake clang clang-rt clang-format pkg-config libclang jansson xxhash \
    zstd-dev spin

begin dev
build dev
check dev

begin clang
build clang
check clang -LE 'slow|rules|package'

begin tsan
build tsan tests_threads
check tsan -L threads

begin golden
for preset in golden-gcc-O0 golden-gcc-O2 golden-clang-O0 golden-clang-O2; do
    build $preset test_golden_scenes test_golden_envs test_random
    check $preset -R '^(golden_scenes|golden_envs|random)$'
done

begin release
build release
check release -L 'golden|package|example|program'

echo "make test: all tests passed in $(($(date +%s) - began)) s"
