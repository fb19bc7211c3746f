#!/bin/sh
# Looks at what the libraries show to the linker: symbols.sh STATIC SHARED
#
# The shared library shows cosm_ names only; the static one may also show cosmi_ names, which are
# shared between its own files.
set -eu
static=$1
shared=$2
status=0

# Coverage and sanitizer builds add names of their own; those are not looked at.
shown() {
    nm --defined-only -g "$@" | awk 'NF == 3 && $3 !~ /^__/ { print $3 }' | sort -u
}

foreign=$(shown -D "$shared" | grep -v '^cosm_' || true)
if [ -n "$foreign" ]; then
    echo "the shared library shows these names:" $foreign
    status=1
fi
foreign=$(shown "$static" | grep -v '^cosmi\{0,1\}_' || true)
if [ -n "$foreign" ]; then
    echo "the static library shows names without cosm_ or cosmi_:" $foreign
    status=1
fi

# What the headers promise is there.
here=$(cd "$(dirname "$0")/../.." && pwd)
promised=$(cat "$here"/include/cosm/*.h | sed -n 's/^COSM_API.*[ *]\(cosm_[a-z0-9_]*\)(.*/\1/p' | sort -u)
there=$(shown -D "$shared")
for name in $promised; do
    if ! printf '%s\n' "$there" | grep -qx "$name"; then
        echo "$name is declared in a header but the shared library does not have it"
        status=1
    fi
done

soname=$(objdump -p "$shared" | awk '$1 == "SONAME" { print $2 }')
expected=libcosm.so.${COSM_VERSION%.*}
if [ "$soname" != "$expected" ]; then
    echo "the soname is '$soname', expected '$expected'"
    status=1
fi
exit $status
