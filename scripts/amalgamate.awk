# Writes one half of the two-file form to the output. scripts/amalgamate.sh runs it.
#
#   -v public=1   the public headers; 0: private headers and sources
#   -v all=PATHS  with public=0: every header and source, to know which names meet in one file
#   arguments     the files, in the wanted order
#
# An include of ours is replaced by the file that it names, the first time, and by nothing after
# that. What the files of the library share (cosmi_...) becomes static.
#
# A name that a source has for itself (static, a tag, a macro, a typedef, a constant of an enum) and
# that another file has too gets the source's room, or module, and stem: `clear` of src/api/batch.c
# becomes clear_api_batch. Members of structs are left alone, and macros that their file undefines.

function fail(text) {
    print "amalgamate: " text >"/dev/stderr"
    failed = 1
}

# The file of ours that an include line of a file names, or nothing.
function target(line, path, name, module) {
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) {
        return ""
    }
    name = line
    sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", name)
    sub(/[>"].*/, "", name)
    if (name ~ /^cosm\//) {
        return "include/" name
    }
    if (name ~ /^cosm_[a-z]+\//) {
        module = name
        sub(/^cosm_/, "", module)
        sub(/\/.*/, "", module)
        return "modules/" module "/include/" name
    }
    if (line !~ /"/) {
        return ""
    }
    if (path ~ /^modules\//) {
        sub(/[^\/]*$/, "", path)
        return path name
    }
    return "src/" name
}

# The word before the first of the marks that say what a declaration is of, or nothing.
function declared(text) {
    gsub(/__attribute__\(\([^)]*\)*\)\) /, "", text)
    if (match(text, /[(=;[]/) == 0) {
        return ""
    }
    text = substr(text, 1, RSTART - 1)
    sub(/[ \t]+$/, "", text)
    sub(/.*[^A-Za-z0-9_]/, "", text)
    return text
}

# The file has this name. A tag and another name may be the same word, as in C.
function keep(path, kind, name, space) {
    space = kind == "tag" ? "tag" : "word"
    if (name != "" && !((path, space, name) in kinds)) {
        kinds[path, space, name] = kind
        uses[space, name]++
    }
}

function keep_macro(path, line, name) {
    sub(/^#[ \t]*define[ \t]+/, "", line)
    name = line
    sub(/[^A-Za-z0-9_].*/, "", name)
    gsub(/"([^"\\]|\\.)*"/, "", line)
    if (line ~ /#/) {
        pastes[path] = name
    }
    if (!((path, name) in undefined)) {
        keep(path, "macro", name)
    }
}

function keep_constants(path, body, parts, count, i) {
    sub(/}.*/, "", body)
    count = split(body, parts, ",")
    for (i = 1; i <= count; i++) {
        sub(/^[ \t]+/, "", parts[i])
        sub(/[^A-Za-z0-9_].*/, "", parts[i])
        keep(path, "constant", parts[i])
    }
}

# Looks for the names at the top of a file. A declaration begins in the first column.
function collect(path, line, body, in_enum) {
    while ((getline line <path) > 0) {
        if (line ~ /^#[ \t]*undef /) {
            sub(/^#[ \t]*undef[ \t]+/, "", line)
            undefined[path, line] = 1
        }
    }
    close(path)
    while ((getline line <path) > 0) {
        sub(/\/\/.*/, "", line)
        if (line ~ /^#[ \t]*define /) {
            keep_macro(path, line)
        } else if (in_enum) {
            body = body line
            in_enum = line !~ /}/
            if (!in_enum) {
                keep_constants(path, body)
            }
        } else if (line ~ /^[a-z ]*(struct|union|enum) ([A-Za-z_0-9]+ )?\{/) {
            body = line
            sub(/ ?\{.*/, "", body)
            sub(/.* /, "", body)
            keep(path, "tag", body ~ /^(struct|union|enum)$/ ? "" : body)
            body = substr(line, index(line, "{") + 1)
            in_enum = line ~ /^[a-z ]*enum / && body !~ /}/
            if (line ~ /^[a-z ]*enum / && !in_enum) {
                keep_constants(path, body)
            }
        } else if (line ~ /^typedef /) {
            keep(path, "type", declared(line))
        } else if (line ~ /^([A-Z_]+ )*(_Thread_local )?static /) {
            keep(path, "static", declared(line))
        }
    }
    close(path)
}

# The name that a word of a source has in the one file; `before` is the text before it.
function renamed(path, word, before, in_struct, space, kind) {
    sub(/[ \t]+$/, "", before)
    if (before ~ /\.$|->$/) {
        return word
    }
    space = before ~ /(^|[^A-Za-z0-9_])(struct|union|enum)$/ ? "tag" : "word"
    if (!((path, space, word) in kinds) || uses[space, word] < 2) {
        return word
    }
    kind = kinds[path, space, word]
    if (in_struct && kind == "static") {
        return word
    }
    if (path in pastes && !((path, word) in refused)) {
        refused[path, word] = 1
        fail(path ": " word " is in another file too, and has to be renamed by hand: the macro " \
            pastes[path] " makes text or names (#, ##) of what it is given")
    }
    return word suffix
}

# A line of a source with its names as they are in the one file.
function rewritten(path, line, in_struct, done, word) {
    done = ""
    # Comments, text and characters are looked at in one piece, so that words in them stay.
    while (match(line, /\/\/.*|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|[A-Za-z_0-9]+/)) {
        word = substr(line, RSTART, RLENGTH)
        done = done substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        done = done (word ~ /^[A-Za-z_]/ ? renamed(path, word, done, in_struct) : word)
    }
    return done line
}

# How many more braces a line opens than it closes.
function opened(line, closing) {
    sub(/\/\/.*/, "", line)
    closing = line
    return gsub(/\{/, "", line) - gsub(/}/, "", closing)
}

function expand(path, line, status, inner, depth, own, parts, count) {
    if (path in done) {
        return
    }
    done[path] = 1
    if (!public && path ~ /^(modules\/[a-z]+\/)?include\//) {
        return
    }
    own = path ~ /\.c$/
    depth = 0
    while ((status = (getline line <path)) > 0) {
        inner = target(line, path)
        if (inner != "") {
            expand(inner)
            continue
        }
        if (line ~ /^[ \t]*#[ \t]*pragma[ \t]+once/) {
            continue
        }
        if (own) {
            count = split(path, parts, "/")
            suffix = "_" parts[path ~ /^modules\// ? 2 : count - 1] "_" parts[count]
            sub(/\.c$/, "", suffix)
            inner = line
            line = rewritten(path, line, depth > 0)
            # Inside of braces that a struct opens, words are members.
            if (depth > 0 || inner ~ /(struct|union)( [A-Za-z_0-9]+)? \{$/) {
                depth += opened(inner)
            }
        }
        if (line ~ /^(extern )?[A-Za-z_][A-Za-z_0-9 *]*[ *]cosmi_/ && line !~ /^(static|typedef|return) /) {
            sub(/^extern /, "", line)
            line = "static " line
        }
        print line
    }
    if (status < 0) {
        fail("cannot read " path)
    }
    close(path)
    print ""
}

BEGIN {
    count = split(all, paths, " ")
    for (i = 1; i <= count; i++) {
        collect(paths[i])
    }
    for (i = 1; i < ARGC; i++) {
        expand(ARGV[i])
    }
    exit failed
}
