#!/bin/sh
# Rule: the harness tells failure from success. Builds a test program that must fail and looks at
# what it says; a harness that passes everything would otherwise go unnoticed.
set -eu
work=${COSM_WORK:-build/harness-test}
cc=${CC:-cc}
rm -rf "$work"
mkdir -p "$work"
cat >"$work/sample.c" <<'END'
#include "harness.h"
TEST(the_second_line_is_not_reached) {
    CHECK_INT(2u, -2);
    REQUIRE(1 > 2);
    CHECK_STR("reached", "not reached");
}
TEST(a_good_test_passes) {
    CHECK_INT((uint64_t)1 << 63, UINT64_C(9223372036854775808));
    CHECK_INT(-1, INT64_C(-1));
    CHECK_CONTAINS("haystack", "stack");
    CHECK_MEM("abc", "abd", 2);
}
END
cat >"$work/other.c" <<'END'
#include "harness.h"
TEST(a_second_file_is_part_of_the_program) {
    CHECK(true);
}
END
"$cc" -std=c17 -Itest/harness "$work/sample.c" "$work/other.c" test/harness/harness.c test/harness/main.c \
    -o "$work/sample"

status=0
expect() {
    if ! grep -qF "$1" "$work/out"; then
        echo "the harness does not say: $1"
        status=1
    fi
}
if "$work/sample" >"$work/out"; then
    echo "a failing program returns 0"
    status=1
fi
expect "2u is 2, expected -2"
expect "1 > 2 is false"
expect "a_good_test_passes ... ok"
expect "again: $work/sample --file sample --filter the_second_line_is_not_reached"
if grep -q "not reached\"" "$work/out"; then
    echo "REQUIRE does not return"
    status=1
fi
[ "$(tail -n 1 "$work/out")" = "2 passed, 1 failed" ] || {
    echo "the last line is wrong"
    status=1
}
"$work/sample" --filter good >"$work/out" || status=1
[ "$(tail -n 1 "$work/out")" = "1 passed, 0 failed" ] || status=1
"$work/sample" --file other >"$work/out" || status=1
[ "$(tail -n 1 "$work/out")" = "1 passed, 0 failed" ] || {
    echo "--file does not run just the tests of that file"
    status=1
}
if "$work/sample" --file oth >"$work/out"; then
    echo "--file takes a part of a name for the whole"
    status=1
fi
if "$work/sample" --filter nothing_of_the_kind >"$work/out"; then
    echo "a program that ran no test returns 0"
    status=1
fi
exit $status
