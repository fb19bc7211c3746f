#!/bin/sh
# Rule: the two-file form compiles as C17 without warnings, its headers are good C++17, and a program
# links with nothing else. It shows public calls only, or nothing, where COSM_API is static; so a
# program can have several copies of it. Names that two sources have do not meet.
#
# amalgamation.sh [LEVEL...]: optimisation levels; without one -O0, which takes the least time.
# COSM_COMPILERS says which of gcc and clang are asked; both, if it does not.
set -eu
levels=${*:--O0}
work=${COSM_WORK:-build/amalgamation-test}
here=$(pwd)/test/amalgamation
rm -rf "$work"
scripts/amalgamate.sh "$work" >/dev/null

# A library of its own, made for this: the same as one file and as several.
mkdir -p "$work/small/scripts"
cp scripts/amalgamate.* "$work/small/scripts"
cp CMakeLists.txt LICENSE "$work/small"
cp -R "$here/include" "$here/src" "$here/main.c" "$work/small"
"$work/small/scripts/amalgamate.sh" out >/dev/null
cd "$work"
mkdir -p headers/cosm
cp small/out/cosm.h headers/cosm

status=0
fail() {
    echo "amalgamation: $*"
    status=1
}

# all COMPILER C++-COMPILER LEVEL
all() {
    warn="-Wall -Wextra -Werror"
    # The flags are split into words on purpose.
    # shellcheck disable=SC2086
    {
        $1 -std=c17 $3 $warn -c cosm.c -o one.o
        nm -g --defined-only one.o | awk '$3 !~ /^cosm_/ { print $3 }' >shown
        [ ! -s shown ] || fail "$1 $3: cosm.c shows" "$(cat shown)"
        [ "$3" = -O0 ] || return 0
        for copy in first second; do
            $1 -std=c17 $3 $warn -I. -DCOPY=$copy -c "$here/copy.c" -o $copy.o
        done
        $1 -std=c17 $warn -I. "$here/copies.c" one.o first.o second.o -pthread -o copies
        ./copies >/dev/null || fail "$1: a program with three copies does not run"
        if command -v "$2" >/dev/null; then
            sed 's/^bool .*/extern "C" &/; s/stdio\.h/cstdio/' "$here/copies.c" >copies.cc
            $2 -std=c++17 $warn -I. -include cosm.hpp copies.cc one.o first.o second.o -pthread -o copies
            ./copies >/dev/null || fail "$2: a program of C++ does not run"
        fi
        $1 -std=c17 $warn -Ismall/include -Ismall/src small/main.c small/src/*/*.c -o several
        $1 -std=c17 $warn -Iheaders small/main.c small/out/cosm.c -o joined
        [ "$(./several)" = "$(./joined)" ] || fail "$1: names of two sources meet in cosm.c"
    }
}

# Where a macro makes text of a name, it cannot be given another one in silence.
echo '#define TEXT(name) #name' >>small/src/api/same.c
if small/scripts/amalgamate.sh refused >/dev/null 2>said || ! grep -q 'renamed by hand' said; then
    fail "a name that a macro may make text of is renamed"
fi
sed -i '$d' small/src/api/same.c

for level in $levels; do
    for compiler in ${COSM_COMPILERS:-gcc clang}; do
        ! command -v $compiler >/dev/null || all $compiler ${compiler%cc}++ "$level"
    done
done
exit $status
