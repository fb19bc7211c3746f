#!/bin/sh
# Rule: the code in README.md, docs/manual and docs/tutorial compiles, and whole programs run.
#
# Blocks fenced as ```c and, where there is a C++ compiler, as ```cpp are looked at. scripts/README.md says how each kind is treated.
set -eu
work=${COSM_WORK:-build/docs-test}
# The libraries that programs are linked with, those of modules first.
library=${COSM_LIBRARY:?names the static library}
modules=${COSM_MODULES:-}
cc=${CC:-cc}
cxx=${CXX-c++}
command -v "$cxx" >/dev/null || cxx=""
here=$(cd "$(dirname "$0")" && pwd)
source=$(pwd)
flags="-Wall -Wextra -Werror -Wno-unused -I$source/include"
for module in physics record sim space text zstd; do
    flags="$flags -I$source/modules/$module/include"
done
rm -rf "$work"
mkdir -p "$work/objects"
work=$(cd "$work" && pwd)

# Writes each block to a file of its own and a line about it to $work/list:
# kind, place in the page, file, file with the expected output (or -).
for page in README.md docs/manual/*.md docs/tutorial/*.md; do
    [ -f "$page" ] || continue
    # The pages of a module that was left out.
    case $page:$modules in
    docs/manual/physics_*:*cosm_physics*) ;;
    docs/manual/record_*:*cosm_record*) ;;
    docs/manual/space_*:*cosm_space*) ;;
    docs/manual/sim_*:*cosm_sim* | docs/tutorial/first_environment.md:*cosm_sim*) ;;
    docs/manual/text_*:*cosm_text*) ;;
    docs/manual/zstd_*:*cosm_zstd*) ;;
    docs/tutorial/first_environment.md | docs/manual/physics_* | docs/manual/space_* | docs/manual/record_* | docs/manual/sim_* | docs/manual/text_* | docs/manual/zstd_*) continue ;;
    esac
    awk -v page="$page" -v work="$work" -v common="$here/docs_prelude.h" '
        function finish(kind) {
            is_next = 0
            if (text ~ /(^|\n)\/\/ snippet\n/ || from) {
                from = 0
                return
            }
            is_next = 1
            stem = page
            gsub(/[^A-Za-z0-9]/, "_", stem)
            file = work "/" stem "_" start "." language
            if (text ~ /(^|\n)int main\(/) {
                kind = "program"
                printf "#line %d \"%s\"\n%s", start + 1, page, text >file
            } else {
                kind = "fragment"
                first = language == "c" ? "\"" common "\"" : "<cosm/cosm.hpp>"
                printf "#include %s\n%s", first, prelude >file
                if (defines) {
                    printf "#line %d \"%s\"\n%s", start + 1, page, text >file
                } else {
                    printf "int fragment(void);\nint fragment(void) {\n" >file
                    printf "#line %d \"%s\"\n%sreturn 0;\n}\n", start + 1, page, text >file
                }
            }
            close(file)
            count++
            kinds[count] = kind
            lines[count] = start
            names[count] = file
            outputs[count] = "-"
        }
        # From a file that is compiled anyway: rule_tutorial compares the two.
        state == "" && /^<!-- from .* -->$/ { from = 1; next }
        state == "" && /^<!-- c-prelude *$/ { state = "prelude"; next }
        state == "prelude" && /^-->/ { state = ""; next }
        state == "prelude" { prelude = prelude $0 "\n"; next }
        state == "" && /^ *```c(pp)? *$/ {
            state = "code"
            start = NR
            text = ""
            defines = 0
            language = /cpp/ ? "cpp" : "c"
            next
        }
        state == "" && /^ *```text output *$/ && kinds[count] == "program" && is_next {
            state = "output"
            is_next = 0
            outputs[count] = names[count] ".expected"
            printf "" >outputs[count]
            next
        }
        state == "" && /^ *```/ { state = "other"; is_next = 0; next }
        state != "" && /^ *``` *$/ {
            if (state == "code") {
                finish()
            }
            if (state == "output") {
                close(outputs[count])
            }
            state = ""
            next
        }
        state == "output" { print >outputs[count] }
        state == "code" {
            text = text $0 "\n"
            # A line like "static void fall(...) {" in the first column defines a function.
            if ($0 ~ /^[a-z_A-Z][A-Za-z0-9_ *]* \**[a-z_0-9]+\(.*\{$/ &&
                $0 !~ /^(if|for|while|switch|do|else|return) /) {
                defines = 1
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                print kinds[i], page ":" lines[i], names[i], outputs[i]
            }
        }' "$page"
done >"$work/list"

# The compiler is called once for all blocks of a kind and language, as what it says of one names the
# page and the line: compile KIND LANGUAGE COMMAND
status=0
compile() {
    files=$(awk -v kind="$1" -v ending="\\.$2\$" '$1 == kind && $3 ~ ending { print $3 }' "$work/list")
    # Words are split on purpose, here and below: names of files have no blanks.
    # shellcheck disable=SC2086
    if [ -n "$files" ] && ! (cd "$work/objects" && $3 $flags $files); then
        echo "a $1 in $2 does not compile"
        status=1
    fi
}
compile fragment c "$cc -std=c17 -fsyntax-only"
compile program c "$cc -std=c17 -c ${COSM_LINK_FLAGS:-}"
if [ -n "$cxx" ]; then
    compile fragment cpp "$cxx -std=c++17 -fsyntax-only"
    compile program cpp "$cxx -std=c++17 -c ${COSM_LINK_FLAGS:-}"
fi

# Linking with the library takes longer than compiling, so all programs in C are linked as one: the
# main of each gets a name of its own, everything else of it is hidden.
link="${COSM_LINK_FLAGS:-} $modules $library -pthread -lm"
number=0
: >"$work/table"
for object in $(awk '$1 == "program" && $3 ~ /\.c$/ { print $3 }' "$work/list"); do
    object=$work/objects/$(basename "$object" .c).o
    [ -f "$object" ] || continue
    number=$((number + 1))
    objcopy --redefine-sym main=page_$number --keep-global-symbol=page_$number "$object"
    echo "PROGRAM($number, \"$(basename "$object" .o)\")" >>"$work/table"
done
cat >"$work/objects/choose.c" <<'END'
#include <string.h>
#define PROGRAM(number, name) int page_##number(int count, char **words);
#include "../table"
#undef PROGRAM
#define PROGRAM(number, name) if (strcmp(words[1], name) == 0) { return page_##number(1, words); }
int main(int count, char **words) {
    if (count == 2) {
#include "../table"
    }
    return 2;
}
END
# shellcheck disable=SC2086
if [ $number -gt 0 ]; then
    (cd "$work/objects" && $cc choose.c $(sed 's/.*"\(.*\)".*/\1.o/' ../table) $link -o ../pages) || {
        echo "the programs in c do not link"
        exit 1
    }
fi

programs=0
while read -r kind place file expected; do
    stem=$(basename "${file%.*}")
    [ "$kind" = program ] && [ -f "$work/objects/$stem.o" ] || continue
    programs=$((programs + 1))
    run="$work/pages $stem"
    if [ "$file" != "${file%.cpp}" ]; then
        run=$work/$stem.program
        # shellcheck disable=SC2086
        $cxx "$work/objects/$stem.o" $link -o "$run"
    fi
    if ! (cd "$work" && $run >"$file.out"); then
        echo "$place: the program fails"
        status=1
    elif [ "$expected" != - ] && ! diff -u "$expected" "$file.out"; then
        echo "$place: the program prints something else than the page says"
        status=1
    fi
done <"$work/list"
echo "$programs programs, $(grep -c '^fragment' "$work/list") fragments"
exit $status
