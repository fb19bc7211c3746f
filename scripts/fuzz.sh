#!/bin/sh
# Runs every fuzz target for a while: fuzz.sh BUILD-FOLDER SECONDS
#
# Found inputs gather in BUILD-FOLDER/corpus/NAME; seeds come from the folders corpus/NAME beside
# the sources of the targets. A crash
# stays in BUILD-FOLDER/crashes and is repeated by running the target with that file as argument.
set -eu
cd "$(dirname "$0")/.."
build=$1
seconds=$2
mkdir -p "$build/crashes"
count=0
for target in "$build"/fuzzers/*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    corpus=$build/corpus/$name
    seeds=""
    for folder in test/fuzz/corpus modules/*/test/fuzz/corpus; do
        [ ! -d "$folder/$name" ] || seeds=$folder/$name
    done
    mkdir -p "$corpus"
    echo "== $name, $seconds s"
    # shellcheck disable=SC2086
    ASAN_OPTIONS=allocator_may_return_null=1 "$target" -max_total_time="$seconds" -timeout=20 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/crashes/$name-" \
        "$corpus" $seeds
    count=$((count + 1))
done
echo "make fuzz: $count targets, nothing found"
