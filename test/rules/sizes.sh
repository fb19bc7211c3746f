#!/bin/sh
# Rule: in include and src a file has at most 800 lines, a function at most 70 and a line at most 100
# columns. Elsewhere what is longer is only reported.
#
# A function is counted from the line that starts in the first column to its closing brace there,
# which is how clang-format lays it out.
set -eu

find include src scenes tools bench examples modules \( -name '*.[ch]' -o -name '*.[ch]pp' \) 2>/dev/null |
    LC_ALL=C sort | awk '
    {
        path = $0
        number = 0
        start = 0
        while ((getline line <path) > 0) {
            number++
            if (length(line) > 100 && path !~ /generated/) {
                printf "%s:%d: %d columns, at most 100 are allowed in include and src\n",
                    path, number, length(line)
                if (path ~ /^(src|include)\//) {
                    failed = 1
                }
            }
            if (line ~ /^[A-Za-z_]/) {
                start = number
                head = line
            } else if (line ~ /^}/ && start > 0) {
                if (line == "}" && head ~ /\(/) {
                    functions++
                    if (number - start + 1 > 70) {
                        name = head
                        sub(/\(.*/, "", name)
                        sub(/.*[ *]/, "", name)
                        printf "%s:%d: %s has %d lines, at most 70 are allowed in include and src\n",
                            path, start, name, number - start + 1
                        long++
                        if (path ~ /^(src|include)\//) {
                            failed = 1
                        }
                    }
                }
                start = 0
            }
        }
        close(path)
        if (number > 800) {
            printf "%s: %d lines, at most 800 are allowed in include and src\n", path, number
            if (path ~ /^(src|include)\//) {
                failed = 1
            }
        }
        files++
    }
    END {
        printf "%d files, %d functions, %d of them over 70 lines\n", files, functions, long
        exit failed
    }'
