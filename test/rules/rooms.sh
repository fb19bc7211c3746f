#!/bin/sh
# Rule: who may include whom. The table is the one in src/README.md, as awk reads it.
#
# Every room may include itself, the system and <cosm/*.h>. Rooms outside src/ see public headers
# only; tests may look anywhere. Environments among the scenes include <cosm_sim/env.h>, the contract.
set -eu

find include src scenes bench examples modules python tools -name '*.[ch]' 2>/dev/null |
    LC_ALL=C sort | awk '
    BEGIN {
        may["base"] = " "
        may["schema"] = " base "
        may["task"] = " base "
        may["store"] = " base schema "
        may["query"] = " base schema store "
        may["export"] = " base schema store query task "
        may["run"] = " base schema store query task export "
        may["state"] = " base schema store "
        may["api"] = " base schema store query task export run state "
    }
    function complain(text) {
        printf "%s:%d: %s\n", path, number, text
        failed = 1
    }
    function check_private(room, name, other) {
        other = name
        if (!sub(/\/.*/, "", other)) {
            complain("write the room too: \"" room "/" name "\"")
        } else if (!(other in may)) {
            complain("\"" name "\" is in no room")
        } else if (!(room in may)) {
            complain("src/" room " is not a room; add it to the table in test/rules/rooms.sh")
        } else if (other != room && index(may[room], " " other " ") == 0) {
            complain(room " may not include " other " (\"" name "\")")
        }
    }
    # Outside the library an include in quotes is a neighbour, never a private header.
    function check_outside(top, name, first) {
        first = name
        sub(/\/.*/, "", first)
        if (name ~ /\.\./) {
            complain("do not climb out of " top " with \"" name "\"")
        } else if (first in may && name ~ /\//) {
            complain(top " may include <cosm/*.h> only, not \"" name "\"")
        } else if (name ~ /scenes\.h$/ && top ~ /^(modules|python)$/) {
            complain(top " may not include scenes.h")
        }
    }
    {
        path = $0
        number = 0
        split(path, part, "/")
        while ((getline line <path) > 0) {
            number++
            if (line !~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) {
                continue
            }
            is_quoted = line ~ /include[ \t]*"/
            name = line
            sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", name)
            sub(/[>"].*/, "", name)
            if (name ~ /^cosm\//) {
                if (is_quoted && part[1] != "include") {
                    complain("write <" name ">")
                }
                if (part[1] == "src" && name == "cosm/cosm.h") {
                    complain("include the headers you need, not <cosm/cosm.h>")
                }
            } else if (part[1] == "include") {
                if (is_quoted) {
                    complain("a public header includes only <cosm/*.h> and the system")
                }
            } else if (is_quoted && part[1] == "src") {
                check_private(part[2], name)
            } else if (is_quoted) {
                check_outside(part[1], name)
            }
        }
        close(path)
    }
    END { exit failed }'
