#!/bin/sh
# The command line of cosm-gen: options, files, exit codes: command.sh COSM-GEN WORK-FOLDER
set -eu
gen=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
include="$source/include"
status=0

fail() {
    echo "command: $*"
    status=1
}

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is said; none means
# that nothing is.
expect() {
    code=$1
    text=$2
    shift 2
    got=0
    "$gen" "$@" >said 2>&1 || got=$?
    [ "$got" -eq "$code" ] || fail "$*: the exit code is $got, not $code"
    if [ -z "$text" ]; then
        [ ! -s said ] || { cat said; fail "$*: says something"; }
    else
        grep -qF -- "$text" said || { cat said; fail "$*: does not say: $text"; }
    fi
}

rm -rf "$work"
mkdir -p "$work/a folder"
cd "$work"
cp "$here/golden/bodies.h" bodies.h

# Wrong command lines.
expect 2 "no header; name one"
expect 2 "--nmae is not an option; did you mean --name?" --nmae x bodies.h
expect 2 "--frobnicate is not an option; see cosm-gen --help" --frobnicate bodies.h
expect 2 "a second header: other.h; run cosm-gen once for each" bodies.h other.h
expect 2 "-o has no value" bodies.h -o
expect 2 "--name needs one that starts with a letter" --name 2d bodies.h
expect 2 "--name needs one that starts with a letter" --name a/b bodies.h
for text in 'a"b.h' '<a"b.h>' '"a"b.h"' '<a.h' '"a.h' '<' 'a>.h' '<>' "a
b.h"; do
    expect 2 "--include needs a path, <path> or" -I "$include" --include "$text" bodies.h
done
expect 2 "--include needs a path, <path> or" -I "$include" --include= bodies.h
expect 1 "nowhere.h cannot be read" nowhere.h
expect 1 "cannot be read" -o out "a folder"
expect 1 "clang cannot parse bodies.h" -I "$include" bodies.h -- -x nonsense
for file in out bodies.cosm.h; do
    [ ! -e $file ] || fail "$file was written all the same"
done
expect 0 "usage: cosm-gen [options] HEADER.h" --help
expect 0 "libclang" --version

# Files: a folder that is not there yet, another name, other ways to include.
expect 0 "" -I"$include" -oout/deep/er bodies.h
[ -f out/deep/er/bodies.cosm.h ] || fail "-o does not make the folders"
expect 0 "" -I "$include" -o out --name my-things.v2 --include "<game/bodies.h>" bodies.h
grep -q '^#include <game/bodies.h>$' out/my-things.v2.cosm.h || fail "--include with <> is lost"
grep -q 'my_things_v2_register_all' out/my-things.v2.cosm.c || fail "the function has no name"
grep -q 'COSM_GEN_MY_THINGS_V2_H' out/my-things.v2.cosm.h || fail "the guard has no name"
expect 0 "" -I "$include" -o out --include=game/bodies.h bodies.h
grep -q '^#include "game/bodies.h"$' out/bodies.cosm.h || fail "--include without quotes is lost"
expect 0 "" -I "$include" -o out --include '"game/bodies.h"' bodies.h
grep -q '^#include "game/bodies.h"$' out/bodies.cosm.h || fail "--include with quotes is lost"
cp bodies.h cosm.h
expect 1 "the function would be called cosm_register_all" -I "$include" -o out cosm.h

# Without -I, the header of the marks is included and not found.
expect 1 "'cosm/mark.h' file not found; link the target to cosm::cosm, or add its folder with -I" \
    -o out bodies.h
! grep -q "does not include" said || fail "an include that stands there is called missing"

# A byte order mark is not part of the header.
{ printf '\357\273\277'; cat bodies.h; } >marked.h
expect 0 "" -I "$include" -o out marked.h

# Definitions and clang's own arguments reach the parser.
cat >conditional.h <<'END'
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Sized {
    int values[SIZE];
    enum { ONE } small;
} Sized;
END
expect 1 "use of undeclared identifier 'SIZE'" -I "$include" -o out conditional.h
expect 0 "" -I "$include" -D SIZE=3 -o out conditional.h
grep -q '{3, 0, 0, 0}' out/conditional.cosm.c || fail "-D does not reach the parser"
expect 0 "" -I "$include" -DSIZE=4 -o out conditional.h -- -fshort-enums
grep -q 'sizeof(Sized) == 20' out/conditional.cosm.c || fail "the layout is not clang's"
grep -q 'COSM_FIELD_U8, offsetof(Sized, small)' out/conditional.cosm.c || fail "-- is lost"

# Files that stay the same are not touched; others are replaced as a whole.
expect 0 "" -I "$include" -o same bodies.h
touch -d '2001-01-01' same/bodies.cosm.h same/bodies.cosm.c
expect 0 "" -I "$include" -o same bodies.h
[ -z "$(find same -name '*.cosm.?' -newermt '2002-01-01')" ] || fail "an equal file was written"
echo "// more" >>same/bodies.cosm.c
expect 1 "same/bodies.cosm.c: error: not what cosm-gen makes of bodies.h" \
    -I "$include" -o same --check bodies.h
grep -q "// more" same/bodies.cosm.c || fail "--check writes"
expect 1 "nothing/bodies.cosm.h: error: not what" -I "$include" -o nothing --check bodies.h
[ ! -e nothing ] || fail "--check makes a folder"
expect 0 "" -I "$include" -o same bodies.h
! grep -q "// more" same/bodies.cosm.c || fail "a changed file was left as it was"
expect 0 "" -I "$include" -o same --check bodies.h
[ "$(find same -type f | wc -l)" -eq 2 ] || fail "something else lies beside the files"
mkdir -p blocked/bodies.cosm.h
expect 1 "cannot write blocked/bodies.cosm.h" -I "$include" -o blocked bodies.h
[ -z "$(find blocked -name '*.tmp')" ] || fail "a temporary file is left"

# The depfile names all headers, and escapes what make would take apart.
mkdir "a folder/more"
cp -R "$here/golden/every.h" "$here/golden/parts" "a folder"
expect 0 "" -I "$include" -o "a folder/out" --depfile "a folder/d" "a folder/every.h"
grep -qF 'a\ folder/out/every.cosm.c a\ folder/out/every.cosm.h:' "a folder/d" ||
    fail "the depfile has other targets"
for file in 'a\ folder/every.h' 'a\ folder/parts/vector.h' "$include/cosm/mark.h"; do
    grep -qF "$file" "a folder/d" || fail "the depfile lacks $file"
done
! grep -q "cosm-gen-main" "a folder/d" || fail "the depfile names a file that is not there"
expect 0 "" -I "$include" -o out --depfile d --stamp stamp bodies.h
grep -q '^stamp:' d || fail "the depfile is not about the stamp"
[ -f stamp ] || fail "no stamp"
rm -f stamp d
expect 1 "nothing is marked" -I "$include" -o out --depfile d --stamp stamp \
    "$here/hostile/no_marks.h"
for file in stamp d; do
    [ ! -e $file ] || fail "a failure leaves $file"
done
exit $status
