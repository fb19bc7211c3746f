#!/bin/sh
# The project of docs/manual/generator.md, as it stands there, builds from outside and prints what
# the page says: newcomer.sh BUILD-OR-PREFIX WORK-FOLDER
#
# The first is a build of Cosm, which is then installed, or a folder it is installed in.
set -eu
cosm=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/manual/generator.md
cmake=${CMAKE:-cmake}

fail() {
    echo "newcomer: $*"
    exit 1
}

quiet() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "failed: $*"
    }
}

rm -rf "$work"
mkdir -p "$work/project"
prefix=$cosm
if [ -f "$cosm/CMakeCache.txt" ]; then
    prefix=$work/prefix
    quiet "$cmake" --install "$cosm" --prefix "$prefix"
fi

# Blocks whose fence names a file are that file; the block "text output" is what is printed.
awk -v folder="$work" '
    file != "" && /^```$/ { close(file); file = ""; next }
    file != "" { print >file; next }
    /^```(c|cmake) [A-Za-z.]+$/ { file = folder "/project/" $2; next }
    /^```text output$/ { file = folder "/expected"; next }
' "$page"
for file in project/bodies.h project/CMakeLists.txt project/main.c expected; do
    [ -s "$work/$file" ] || fail "the page has no $file"
done

quiet "$cmake" -S "$work/project" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Werror ${CFLAGS:-}" ${CC:+-DCMAKE_C_COMPILER="$CC"}
quiet "$cmake" --build "$work/build"
"$work/build/birds" >"$work/printed" || fail "the program fails"
diff -u "$work/expected" "$work/printed" || fail "it prints something else"
lines=$(awk '/^int main/ { on = 1; next } /^}/ { on = 0 } on' "$work/project/main.c" | wc -l)
[ "$lines" -le 11 ] || fail "main has $lines lines"
echo "newcomer: built and run, $lines lines of main"
