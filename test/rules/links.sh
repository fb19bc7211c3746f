#!/bin/sh
# Rule: every relative link in a page leads to a file or a folder that is there, and the part after
# a # to a heading of that page.
#
# Looked at: [text](target) and "[name]: target" outside of code, in every *.md that is not built.
# A heading's anchor is its text in small letters without punctuation, with - for blanks.
set -eu

find . -name '*.md' -not -path './build/*' -not -path './.*' | sed 's|^\./||' | LC_ALL=C sort | awk '
    # The path with "x/.." and "." taken out.
    function plain(path, parts, n, i, out, kept) {
        n = split(path, parts, "/")
        kept = 0
        for (i = 1; i <= n; i++) {
            if (parts[i] == ".." && kept > 0 && out[kept] != "..") {
                kept--
            } else if (parts[i] != "." && parts[i] != "") {
                out[++kept] = parts[i]
            }
        }
        path = ""
        for (i = 1; i <= kept; i++) {
            path = path (i > 1 ? "/" : "") out[i]
        }
        return path == "" ? "." : path
    }
    function exists(path) {
        if (!(path in known)) {
            quoted = path
            gsub(/\047/, "\047\\\047\047", quoted)
            known[path] = system("test -e \047" quoted "\047") == 0
        }
        return known[path]
    }
    function anchor(text) {
        text = tolower(text)
        gsub(/[^a-z0-9 _-]/, "", text)
        gsub(/ /, "-", text)
        return text
    }
    function read_headings(path, line, is_code, text) {
        if (path in was_read) {
            return
        }
        was_read[path] = 1
        is_code = 0
        while ((getline line <path) > 0) {
            if (line ~ /^ *```/) {
                is_code = !is_code
            } else if (!is_code && line ~ /^#+ /) {
                text = line
                sub(/^#+ +/, "", text)
                sub(/ +#* *$/, "", text)
                headings[path, anchor(text)] = 1
            }
        }
        close(path)
    }
    function look_at(page, number, target, folder, path, mark) {
        sub(/^</, "", target)
        sub(/>$/, "", target)
        if (target ~ /^[A-Za-z][A-Za-z0-9+.-]*:/ || target ~ /^\/\//) {
            return
        }
        links++
        mark = ""
        if (index(target, "#") > 0) {
            mark = substr(target, index(target, "#") + 1)
            target = substr(target, 1, index(target, "#") - 1)
        }
        folder = page
        if (!sub(/\/[^\/]*$/, "", folder)) {
            folder = "."
        }
        path = target == "" ? page : plain(target ~ /^\// ? target : folder "/" target)
        if (path ~ /^\.\.(\/|$)/ || !exists(path)) {
            printf "%s:%d: nothing is at %s\n", page, number, target
            failed = 1
        } else if (mark != "" && path ~ /\.md$/) {
            read_headings(path)
            if (!((path, mark) in headings)) {
                printf "%s:%d: %s has no heading #%s\n", page, number, path, mark
                failed = 1
            }
        }
    }
    # The text without `code`, which may go on over the end of a line.
    function without_code(text, parts, n, i, out) {
        n = split(text, parts, "`")
        out = ""
        for (i = 1; i <= n; i++) {
            is_span = i > 1 ? !is_span : is_span
            out = out (is_span ? "code" : parts[i])
        }
        return out
    }
    function look_through(page, number, text, target) {
        if (text ~ /^[ \t]*$/) {
            is_span = 0
        }
        text = without_code(text)
        while (match(text, /\]\([^() ]+( "[^"]*")?\)/)) {
            target = substr(text, RSTART + 2, RLENGTH - 3)
            sub(/ ".*/, "", target)
            look_at(page, number, target)
            text = substr(text, RSTART + RLENGTH)
        }
    }
    {
        page = $0
        pages++
        # Whole, before any link is followed: one may lead to a heading of this very page.
        count = 0
        while ((getline line <page) > 0) {
            lines[++count] = line
        }
        close(page)
        is_code = 0
        is_span = 0
        for (number = 1; number <= count; number++) {
            line = lines[number]
            if (line ~ /^ *```/) {
                is_code = !is_code
            } else if (!is_code) {
                look_through(page, number, line)
                if (match(line, /^ *\[[^]]+\]: +/)) {
                    target = substr(line, RLENGTH + 1)
                    sub(/ .*/, "", target)
                    look_at(page, number, target)
                }
            }
        }
    }
    END {
        if (links == 0) {
            print "no links found"
            failed = 1
        }
        printf "%d pages, %d links\n", pages, links
        exit failed
    }'
