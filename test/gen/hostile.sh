#!/bin/sh
# Headers that are wrong or unusual, one file each: hostile.sh COSM-GEN WORK-FOLDER
#
# hostile/NAME.h with hostile/NAME.txt: cosm-gen must fail with exactly that text, and write
# nothing. Without: it must succeed, and what it writes must compile, as C++17 too unless the
# header's first line says "(c only" or "(not compiled".
#
# Some of the texts are clang's own, in the words of version 14; with another one only the places of
# errors are compared.
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
warnings="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
status=0
good=0
bad=0

fail() {
    echo "hostile: $*"
    status=1
}

version=$("$gen" --version | sed 's/.*libclang \([0-9]*\).*/\1/')

# The text that is compared.
essence() {
    if [ "$version" = 14 ]; then
        cat "$1"
    else
        sed -n 's/^\([^ ]*:[0-9]*:[0-9]*: error\):.*/\1/p' "$1"
    fi
}

# try_compile STEM: with each compiler that is there.
try_compile() {
    for pair in "gcc c" "clang c" "g++ c++" "clang++ c++"; do
        compiler=${pair% *}
        language=${pair#* }
        command -v "$compiler" >/dev/null || continue
        if [ "$language" = c++ ] && head -n 1 "$1.h" | grep -q '(c only'; then
            continue
        fi
        # shellcheck disable=SC2086
        "$compiler" -x "$language" -std="${language}17" $warnings -I"$source/include" -I. \
            -fsyntax-only "$work/out/$1.cosm.c" || fail "$1 does not compile with $compiler"
    done
}

rm -rf "$work"
mkdir -p "$work"
cd "$here/hostile"
for header in *.h; do
    stem=${header%.h}
    rm -rf "$work/out"
    code=0
    "$gen" -I "$source/include" -o "$work/out" "$header" >"$work/said" 2>&1 || code=$?
    if [ -f "$stem.txt" ]; then
        bad=$((bad + 1))
        [ $code -eq 1 ] || fail "$header: the exit code is $code, not 1"
        essence "$stem.txt" >"$work/expected"
        essence "$work/said" >"$work/got"
        diff -u "$work/expected" "$work/got" || fail "$header: something else is said"
        [ ! -e "$work/out" ] || fail "$header: something was written"
    else
        good=$((good + 1))
        [ $code -eq 0 ] || fail "$header: the exit code is $code, not 0"
        [ ! -s "$work/said" ] || { cat "$work/said"; fail "$header: something is said"; }
        if [ $code -eq 0 ] && ! head -n 1 "$header" | grep -q '(not compiled'; then
            try_compile "$stem"
        fi
    fi
done
[ $((good + bad)) -ge 30 ] || fail "only $((good + bad)) headers found"
echo "hostile: $good unusual headers, $bad wrong ones"
exit $status
