#!/bin/sh
# Makes the two-file form of the library: amalgamate.sh FOLDER writes FOLDER/cosm.h and cosm.c.
#
# Public headers are put one after another in the order in which they need each other; private
# headers and sources follow in cosm.c, room by room. Includes of ours are replaced by the file
# they name, the first time, and by nothing after that; includes of the system are kept.
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out"

public=$(find include/cosm -name '*.h' | LC_ALL=C sort)
sources=""
for room in base schema store query task run state api; do
    [ ! -d "src/$room" ] || sources="$sources $(find "src/$room" -name '*.c' | LC_ALL=C sort)"
done
version=$(sed -n 's/^project(cosm VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# Arguments: files, in the wanted order. "public" says which of the two files is being made.
expand() {
    awk -v public="$1" '
        # The file of ours that an include line names, or nothing.
        function target(line, name) {
            if (line !~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) {
                return ""
            }
            name = line
            sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", name)
            sub(/[>"].*/, "", name)
            if (name ~ /^cosm\//) {
                return "include/" name
            }
            if (line ~ /"/) {
                return "src/" name
            }
            return ""
        }
        function expand(path, line, status, inner) {
            if (path in done) {
                return
            }
            done[path] = 1
            if (!public && path ~ /^include\//) {
                return
            }
            while ((status = (getline line <path)) > 0) {
                inner = target(line)
                if (inner != "") {
                    expand(inner)
                } else if (line !~ /^[ \t]*#[ \t]*pragma[ \t]+once/) {
                    print line
                }
            }
            if (status < 0) {
                print "amalgamate: cannot read " path >"/dev/stderr"
                failed = 1
            }
            close(path)
            print ""
        }
        BEGIN {
            for (i = 1; i < ARGC; i++) {
                expand(ARGV[i])
            }
            exit failed
        }' $2
}

{
    echo "// Cosm $version, all public headers in one. Made by scripts/amalgamate.sh; do not edit."
    echo "//"
    sed 's|^|// |; s| *$||' LICENSE
    echo "#ifndef COSM_AMALGAMATION_H"
    echo "#define COSM_AMALGAMATION_H"
    echo
    expand 1 "include/cosm/cosm.h $public"
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
    expand 0 "$sources"
} >"$out/cosm.c"
echo "$out/cosm.h: $(($(wc -l <"$out/cosm.h"))) lines, $out/cosm.c: $(($(wc -l <"$out/cosm.c"))) lines"
