#!/bin/sh
# All tests: what `make test` runs. Stops at the first step that fails; the last line tells.
# With --no-python, which is `make test-c`, those of the C side, and nothing of Python is installed.
#
#   dev      gcc, sanitizers, every check: every test, those of the Python extension too, and the
#            rules about the tree
#   clang    the same code under the second compiler, without the slow tests
#   tsan     the tests that use threads, under the thread sanitizer
#   golden   the golden digests again, with either compiler, unoptimised and optimised
#   release  golden tests as optimised code, the program, the examples, the installed package, a
#            new environment, and Python: torch, training, pip
set -eu
cd "$(dirname "$0")/.."
export JOBS="${JOBS:-2}"
target="test"
without=""
python="python3-dev python3-numpy python3-torch openblas python3-pytest python3-matplotlib
    python3-venv python3-setuptools python3-pip"
release='golden|package|example|program|python'
if [ "${1:-}" = --no-python ]; then
    target=test-c
    without="-LE python"
    python=""
    # For tests of C that go on in Python where they can.
    export COSM_NO_PYTHON=1
fi
began=$(date +%s)
step=bootstrap
trap 'status=$?; if [ $status -ne 0 ]; then echo "make $target: FAILED in step $step"; fi' EXIT

# The sanitizers of Debian 12 cannot start where the kernel spreads addresses over more than 28
# random bits; there the tests run without that randomness, if we may switch it off.
plain=""
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 32)
if [ "$bits" -gt 28 ] && setarch -R true 2>/dev/null; then
    plain="setarch -R"
fi

# check PRESET CTEST-ARGUMENT...
check() {
    preset=$1
    shift
    $plain ctest --test-dir "build/$preset" -j "$JOBS" --output-on-failure --no-tests=ignore --no-label-summary "$@"
}

begin() {
    step=$1
    echo "== $step ($(($(date +%s) - began)) s)"
}

begin bootstrap
# In one go: the packages are fetched together. The names are split into words on purpose.
# shellcheck disable=SC2086
scripts/bootstrap.sh gcc g++ cmake clang clang-rt clang-format pkg-config libclang jansson xxhash \
    zstd-dev spin $python

begin dev
scripts/build.sh dev
# One word with what follows it, or none.
# shellcheck disable=SC2086
check dev $without

begin clang
scripts/build.sh clang
check clang -LE 'slow|rules|package'

begin tsan
scripts/build.sh tsan tests_threads
check tsan -L threads

begin golden
for preset in golden-gcc-O0 golden-gcc-O2 golden-clang-O0 golden-clang-O2; do
    scripts/build.sh $preset test_golden_scenes test_golden_envs test_random test_math
    check $preset -R '^(golden_scenes|golden_envs|random|math)$'
done

begin release
scripts/build.sh release
# shellcheck disable=SC2086
check release -L "$release" $without

echo "make $target: all tests passed in $(($(date +%s) - began)) s"
