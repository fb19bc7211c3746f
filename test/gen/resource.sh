#!/bin/sh
# clang's own headers are found wherever libclang lies: resource.sh COSM-GEN WORK-FOLDER
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)

fail() {
    echo "resource: $*"
    exit 1
}

rm -rf "$work"
mkdir -p "$work/empty" "$work/own/include"
cd "$work"
found=$("$gen" --print-resource-dir) || fail "not found"
[ -f "$found/include/stddef.h" ] || fail "$found has no include/stddef.h"

# A folder that was named is the only one that counts.
code=0
"$gen" -I "$source/include" --resource-dir "$work/empty" -o out "$here/golden/every.h" 2>said ||
    code=$?
[ $code -eq 1 ] || fail "an empty folder is good enough"
missing="clang's own headers (stddef.h and others) are not in $work/empty"
grep -q "$missing; install libclang-common-" said || {
    cat said
    fail "does not say what to install"
}
[ ! -e out ] || fail "something was written"
cp -R "$found/include/." own/include
[ "$("$gen" --resource-dir "$work/own" --print-resource-dir)" = "$work/own" ] ||
    fail "--resource-dir is not used"
"$gen" -I "$source/include" --resource-dir "$work/own" -o out "$here/golden/every.h" ||
    fail "a copy of the headers does not do"

# A libclang that lies alone still finds them; one with headers beside it takes those.
library=$(ldd "$gen" | awk '/libclang/ { print $3; exit }')
if [ -n "$library" ]; then
    version=$("$gen" --version | sed 's/.*libclang //')
    mkdir alone
    cp "$(readlink -f "$library")" "alone/$(basename "$library")"
    LD_LIBRARY_PATH="$work/alone" "$gen" -I "$source/include" -o out "$here/golden/every.h" ||
        fail "a libclang elsewhere does not find its headers"
    mkdir -p "alone/clang/$version"
    cp -R own/include "alone/clang/$version/include"
    got=$(LD_LIBRARY_PATH="$work/alone" "$gen" --print-resource-dir)
    [ "$got" = "$(readlink -f alone)/clang/$version" ] || fail "headers beside libclang: $got"
    rm -rf alone
fi
echo "resource: $found"
