#!/bin/sh
# Rule: docs/manual/error.md lists every message of the library, under its result, and no other.
#
# Looked at in src: the format of every cosmi_fail, and the words that cosmi_refuse_null and
# cosmi_refuse_bundle complete theirs with. In the page, an entry is a line "- `message`" under a
# heading "## RESULT"; where the format has a conversion, the entry has any text without a ";".
set -eu
page=docs/manual/error.md

find src -name '*.c' | LC_ALL=C sort | awk -v page="$page" '
    # Cuts a format into its constant parts: parts[1..n], with something between any two.
    function cut(format, parts, n) {
        n = 1
        parts[1] = ""
        while (match(format, /%[-0-9.]*[lz]*[a-z]/)) {
            parts[n] = parts[n] substr(format, 1, RSTART - 1)
            format = substr(format, RSTART + RLENGTH)
            parts[++n] = ""
        }
        parts[n] = parts[n] format
        return n
    }
    # Is the text the format with its conversions filled in?
    function fits(text, format, parts, n, i, at, gap) {
        n = cut(format, parts)
        if (substr(text, 1, length(parts[1])) != parts[1]) {
            return 0
        }
        text = substr(text, length(parts[1]) + 1)
        for (i = 2; i <= n; i++) {
            at = i == n ? length(text) - length(parts[n]) + 1 : index(text, parts[i])
            if (at < 2 || substr(text, at, length(parts[i])) != parts[i]) {
                return 0
            }
            gap = substr(text, 1, at - 1)
            if (index(gap, ";") > 0) {
                return 0
            }
            text = substr(text, at + length(parts[i]))
        }
        return text == ""
    }
    # A message of the source: some entry under its result must fit.
    function want(result, format, i, found) {
        messages++
        for (i = 1; i <= entries; i++) {
            if (entry_result[i] == result && fits(entry_text[i], format)) {
                entry_used[i] = 1
                found = 1
            }
        }
        if (!found) {
            printf "%s:%d: %s has no entry under %s: %s\n", path, line, page, result, format
            failed = 1
        }
    }
    # The string literals of the call whose arguments begin at `at`, neighbours joined, to
    # literals[1..]; the text between them to plain. Returns their number.
    function read_call(text, at, depth, c, n, apart) {
        n = 0
        apart = 1
        plain = ""
        split("", literals)
        for (depth = 1; depth > 0 && at <= length(text); at++) {
            c = substr(text, at, 1)
            if (c != "\"") {
                depth += c == "(" ? 1 : c == ")" ? -1 : 0
                apart = apart || c !~ /[ \t\n]/
                plain = plain c
                continue
            }
            n += apart
            apart = 0
            while ((c = substr(text, ++at, 1)) != "\"" && c != "") {
                c = c == "\\" ? substr(text, ++at, 1) : c
                literals[n] = literals[n] c
            }
        }
        return n
    }
    function look_at(name, text, call, rest, n, i) {
        call = rest = 0
        while ((i = index(substr(text, rest + 1), name "(")) > 0) {
            call = rest + i
            rest = call + length(name)
            n = read_call(text, rest + 1)
            # A declaration or a definition names types, and has no words of its own.
            if (n == 0) {
                continue
            }
            line = split(substr(text, 1, call), lines_before, "\n")
            if (name == "cosmi_fail" && match(plain, /COSM_[A-Z]+(_[A-Z]+)?/)) {
                want(substr(plain, RSTART, RLENGTH), literals[1])
            }
            for (i = 1; name == "cosmi_refuse_null" && i < n; i++) {
                # The last one is the remedy; a call may choose between several subjects. A name of
                # the call itself may be the first.
                if (literals[i] !~ /^cosm_/) {
                    want("COSM_ERROR_ARGUMENT", "%s: " literals[i] " is NULL; " literals[n])
                }
            }
            if (name == "cosmi_refuse_bundle") {
                want("COSM_ERROR_ARGUMENT", "%s: %s is a bundle; " literals[n])
            }
        }
    }
    BEGIN {
        while ((getline text <page) > 0) {
            number++
            if (text ~ /^## /) {
                result = text
                gsub(/^## *|[` ]/, "", result)
            } else if (text ~ /^- ``?[^`]/ && text ~ /`$/ && result ~ /^COSM_/) {
                sub(/^- ``? ?/, "", text)
                sub(/ ?``?$/, "", text)
                entry_result[++entries] = result
                entry_text[entries] = text
                entry_line[entries] = number
            }
        }
    }
    {
        path = $0
        text = ""
        while ((getline one <path) > 0) {
            text = text one "\n"
        }
        close(path)
        gsub(/COSM_ENTITY_FORMAT/, "\"@%u:%u\"", text)
        look_at("cosmi_fail", text)
        look_at("cosmi_refuse_null", text)
        look_at("cosmi_refuse_bundle", text)
    }
    END {
        for (i = 1; i <= entries; i++) {
            if (!entry_used[i]) {
                printf "%s:%d: no code says this: %s\n", page, entry_line[i], entry_text[i]
                failed = 1
            }
        }
        if (messages == 0) {
            print "no messages found in src"
            failed = 1
        }
        printf "%d messages, %d entries\n", messages, entries
        exit failed
    }'
