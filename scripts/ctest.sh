#!/bin/sh
# Runs tests of a build folder: ctest.sh PRESET [CTEST-ARGUMENT...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift

# A test that hangs is cut; a machine that is slow is no failure. The longest takes a minute on two
# quiet cores.
limit=1800

# The sanitizers of Debian 12 cannot start where the kernel spreads addresses over more than 28
# random bits; there the tests run without that randomness, if we may switch it off.
plain=""
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 32)
if [ "$bits" -gt 28 ] && setarch -R true 2>/dev/null; then
    plain="setarch -R"
fi
# Two words or none.
# shellcheck disable=SC2086
exec $plain ctest --test-dir "build/$preset" -j "${JOBS:-2}" --timeout $limit --output-on-failure \
    --no-tests=error --no-label-summary "$@"
