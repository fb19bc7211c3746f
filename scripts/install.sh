#!/bin/sh
# Installs a build folder, once its target cosm_installed is built, and says in a few lines what went
# where and what was left out: install.sh FOLDER PREFIX [DESTDIR]. What `make install` calls.
set -eu
folder=$1
case $2 in
/*) prefix=$2 ;;
*) prefix=$(pwd)/$2 ;;
esac
DESTDIR=${3:-}
export DESTDIR
if ! cmake --install "$folder" --prefix "$prefix" >"$folder/install.log" 2>&1; then
    grep -v '^-- ' "$folder/install.log" >&2
    echo "installing to $DESTDIR$prefix failed; run it as a user who may write there, or choose" \
        "another place: make install PREFIX=FOLDER" >&2
    exit 1
fi

echo "installed in $DESTDIR$prefix:"
awk -v prefix="$prefix/" '
    # Paths inside the prefix; of headers and packages, their folders.
    { path = index($0, prefix) == 1 ? substr($0, length(prefix) + 1) : $0 }
    path ~ /\.h$/ { kind = "headers"; sub(/\/[^\/]*$/, "", path) }
    path ~ /\.(cmake|pc)$/ { kind = "packages"; sub(/\/[^\/]*$/, "", path) }
    path ~ /\.(a|so)$/ { kind = "libraries" }
    path ~ /^bin\// { kind = "programs" }
    kind != "" && !(path in seen) { seen[path] = 1; list[kind] = list[kind] " " path }
    { kind = "" }
    END {
        count = split("programs libraries headers packages", kinds, " ")
        for (i = 1; i <= count; i++) {
            printf "  %-10s%s\n", kinds[i], list[kinds[i]]
        }
    }' "$folder/install_manifest.txt"
# As CMake said when it looked; a folder that scripts/build.sh did not configure has no such log.
[ -f "$folder/configure.log" ] || exit 0
sed -n 's/^-- \(\(cosm-gen\|the module [a-z]*\) is left out: .*\))$/\1, then make install again)/p' \
    "$folder/configure.log"
