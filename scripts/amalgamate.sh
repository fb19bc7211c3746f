#!/bin/sh
# Makes the two-file form of the library: amalgamate.sh FOLDER writes FOLDER/cosm.h and cosm.c,
# and beside them cosm.hpp for C++.
#
# Public headers are put one after another in the order in which they need each other; private
# headers and sources follow in cosm.c, room by room. Then come the modules that need nothing but the
# core. Includes of the system are kept; what becomes of ours, and of names that two sources have, is
# in amalgamate.awk.
#
# All of cosm.c is static but the public calls, and those are where COSM_API says so.
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out"

public=$(find include/cosm -name '*.h' | LC_ALL=C sort)
sources=""
for room in base schema store query task export run state api; do
    [ ! -d "src/$room" ] || sources="$sources $(find "src/$room" -name '*.c' | LC_ALL=C sort)"
done
private=$(find src -name '*.h' | LC_ALL=C sort)
for module in record; do
    folder=modules/$module
    [ -d "$folder" ] || continue
    public="$public $(find "$folder/include" -name '*.h' | LC_ALL=C sort)"
    sources="$sources $(find "$folder/src" -name '*.c' | LC_ALL=C sort)"
    private="$private $(find "$folder/src" -name '*.h' | LC_ALL=C sort)"
done
version=$(sed -n 's/^project(cosm VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

{
    echo "// Cosm $version, all public headers in one. Made by scripts/amalgamate.sh; do not edit."
    echo "//"
    sed 's|^|// |; s| *$||' LICENSE
    echo "#ifndef COSM_AMALGAMATION_H"
    echo "#define COSM_AMALGAMATION_H"
    echo
    # The paths are split into words on purpose, here and below.
    # shellcheck disable=SC2086
    awk -v public=1 -f scripts/amalgamate.awk include/cosm/cosm.h $public
    echo "#endif"
} >"$out/cosm.h"

{
    echo "// Cosm $version, all sources in one. Made by scripts/amalgamate.sh; do not edit."
    echo "//"
    sed 's|^|// |; s| *$||' LICENSE
    echo "#ifndef _GNU_SOURCE"
    echo "#define _GNU_SOURCE"
    echo "#endif"
    echo '#include "cosm.h"'
    echo
    # Static, and not all of it used.
    echo "#if defined(__GNUC__)"
    echo "#pragma GCC diagnostic push"
    echo '#pragma GCC diagnostic ignored "-Wunused-function"'
    echo "#endif"
    echo
    # shellcheck disable=SC2086
    awk -v public=0 -v all="$public $private $sources" -f scripts/amalgamate.awk $sources
    echo "#if defined(__GNUC__)"
    echo "#pragma GCC diagnostic pop"
    echo "#endif"
} >"$out/cosm.c"
# The header of C++ is one file already.
[ ! -f include/cosm/cosm.hpp ] ||
    sed 's|#include <cosm/cosm.h>|#include "cosm.h"|' include/cosm/cosm.hpp >"$out/cosm.hpp"
echo "$out/cosm.h: $(($(wc -l <"$out/cosm.h"))) lines, $out/cosm.c: $(($(wc -l <"$out/cosm.c"))) lines"
