#!/bin/sh
# The tests: test.sh TARGET, where TARGET is one of make. Stops at the first step that fails; the last
# line tells.
#
#   test     dev      gcc, sanitizers, every check: every test but the long ones, those of the Python
#                     extension too, and the rules about the tree
#   check    long     the long tests, in the same build
#            clang    the same code under the second compiler, without the slow tests
#            tsan     the tests that use threads, under the thread sanitizer
#            golden   the golden tests with either compiler, unoptimised and optimised
#            arm64    the golden tests compiled for arm64, run by qemu
#            release  golden tests as optimised code, the program, the examples, the installed
#                     package, a new environment, and Python: torch, training, pip
#            soak     20 s of the soak test
#   test-c, check-c   those of the C side, and nothing of Python is installed
set -eu
cd "$(dirname "$0")/.."
export JOBS="${JOBS:-2}"
target=${1:?names a target: test, test-c, check or check-c}
began=$(date +%s)
step=bootstrap
trap 'status=$?; if [ $status -ne 0 ]; then echo "make $target: FAILED in step $step"; fi' EXIT
without=""
case $target in
*-c)
    without="-LE python"
    # For tests of C that go on in Python where they can.
    export COSM_NO_PYTHON=1
    ;;
esac

begin() {
    step=$1
    echo "== $step ($(($(date +%s) - began)) s)"
}

test_all() {
    begin dev
    scripts/build.sh dev
    scripts/ctest.sh dev -LE "long${without:+|python}"
}

# The words of $without are split on purpose, here and below.
# shellcheck disable=SC2086
check_all() {
    begin long
    scripts/build.sh dev
    scripts/ctest.sh dev -L long $without

    # What a golden test finds under the second compiler it finds below.
    begin clang
    scripts/build.sh clang
    scripts/ctest.sh clang -LE 'golden|slow|long|rules'

    begin tsan
    scripts/build.sh tsan test_threads test_golden test_record test_physics
    scripts/ctest.sh tsan -L threads

    begin golden
    for preset in golden-gcc-O0 golden-gcc-O2 golden-clang-O0 golden-clang-O2; do
        scripts/build.sh $preset test_golden test_physics
        scripts/ctest.sh $preset -L golden
    done

    begin arm64
    if scripts/bootstrap.sh aarch64-linux-gnu-gcc qemu-aarch64; then
        scripts/build.sh arm64 test_golden test_physics
        scripts/ctest.sh arm64 -L golden
    else
        echo "nothing is tested on arm64: its compiler or qemu is not there"
    fi

    begin release
    python_targets=""
    [ -n "$without" ] || python_targets=tests_python
    scripts/build.sh release cosm_installed cosm_program bench_targets examples test_golden test_physics $python_targets
    scripts/ctest.sh release -L 'golden|package|example|program|python' $without

    begin soak
    scripts/build.sh release soak
    build/release/bin/soak --seconds 20
}

begin bootstrap
# In one go: the packages are fetched together. The names are split into words on purpose.
packages="gcc g++ cmake clang-format pkg-config libclang jansson zstd-dev"
[ -n "$without" ] || packages="$packages python3-dev python3-numpy python3-pytest"
case $target in
check*)
    packages="$packages clang clang-rt xxhash spin"
    [ -n "$without" ] || packages="$packages python3-torch openblas python3-matplotlib python3-venv
        python3-setuptools python3-pip"
    ;;
esac
# shellcheck disable=SC2086
scripts/bootstrap.sh $packages
"${target%-c}_all"

echo "make $target: all tests passed in $(($(date +%s) - began)) s"
