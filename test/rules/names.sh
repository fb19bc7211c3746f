#!/bin/sh
# Rule: a name at file level belongs to one file of the library, because the amalgamation puts all
# files into one. Looked at: functions and variables that are static, macros, and the tags of
# structs, unions and enums. A macro that its file undefines again is free.
set -eu

find include src -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | awk '
    function keep(kind, name) {
        if (name == "" || (kind, name, path) in seen) {
            return
        }
        seen[kind, name, path] = 1
        order[++count] = kind SUBSEP name
        files[kind, name] = files[kind, name] "\n    " path ":" number
        uses[kind, name]++
    }
    function word_before(text, mark) {
        text = substr(text, 1, index(text, mark) - 1)
        sub(/[ \t]+$/, "", text)
        sub(/.*[^A-Za-z0-9_]/, "", text)
        return text
    }
    {
        path = $0
        split("", gone)
        while ((getline line <path) > 0) {
            if (line ~ /^#[ \t]*undef /) {
                sub(/^#[ \t]*undef[ \t]+/, "", line)
                gone[line] = 1
            }
        }
        close(path)
        number = 0
        while ((getline line <path) > 0) {
            number++
            if (line ~ /^#[ \t]*define /) {
                sub(/^#[ \t]*define[ \t]+/, "", line)
                sub(/[^A-Za-z0-9_].*/, "", line)
                if (!(line in gone)) {
                    keep("macro", line)
                }
            } else if (line ~ /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ \{/) {
                sub(/ \{.*/, "", line)
                sub(/.* /, "", line)
                keep("tag", line)
            } else if (line ~ /^(_Thread_local )?static / && line !~ /^static_assert/) {
                sub(/__attribute__\(\([^)]*\)*\)\) /, "", line)
                # Whichever comes first after the name says what it is.
                place = match(line, /[(=;[]/)
                if (place > 0) {
                    mark = substr(line, place, 1)
                    keep("static name", word_before(line, mark))
                }
            }
        }
        close(path)
    }
    END {
        for (i = 1; i <= count; i++) {
            if (uses[order[i]] > 1 && !(order[i] in told)) {
                told[order[i]] = 1
                split(order[i], part, SUBSEP)
                printf "the %s %s is in more than one file:%s\n", part[1], part[2], files[order[i]]
                failed = 1
            }
        }
        exit failed
    }'
