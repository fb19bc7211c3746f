#!/bin/sh
# Makes sure that commands are there: bootstrap.sh NAME...
#
# Where one is missing, its Debian package is installed if we may (root, or sudo without a
# password); otherwise one line says what to install. Nothing is done where nothing is missing.
# With --missing before the names their packages are printed and nothing is installed.
set -eu

# The first number of clang's version, or the one that Debian 12 brings.
clang_major() {
    if command -v clang >/dev/null 2>&1; then
        clang -dumpversion | sed 's/[^0-9].*//'
    else
        echo 14
    fi
}

# Can clang link a program with sanitizers and with libFuzzer?
clang_has_runtimes() {
    command -v clang >/dev/null 2>&1 || return 1
    dir=$(mktemp -d)
    printf 'int main(void) { return 0; }\n' >"$dir/a.c"
    status=0
    clang -fsanitize=address,undefined "$dir/a.c" -o "$dir/a" >/dev/null 2>&1 || status=1
    rm -rf "$dir"
    return $status
}

# Can this compiler compile and link at all? (A compiler without the C library's headers cannot.)
compiler_works() {
    command -v "$1" >/dev/null 2>&1 || return 1
    dir=$(mktemp -d)
    printf '#include <stdlib.h>\nint main(void) { return 0; }\n' >"$dir/a.$2"
    status=0
    "$1" "$dir/a.$2" -o "$dir/a" >/dev/null 2>&1 || status=1
    rm -rf "$dir"
    return $status
}

# Are the headers of libclang's C interface there?
has_libclang() {
    for header in /usr/lib/llvm-*/include/clang-c/Index.h /usr/include/clang-c/Index.h; do
        [ ! -f "$header" ] || return 0
    done
    return 1
}

# Does Debian's own python have a module? Another one may come first in PATH, so it is named.
python_has() {
    [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "
import importlib.util, sys
sys.exit(importlib.util.find_spec('$1') is None)" >/dev/null 2>&1
}

has_python_headers() {
    for header in /usr/include/python3.*/Python.h; do
        [ ! -f "$header" ] || return 0
    done
    return 1
}

# With another BLAS than this one torch is several times slower.
has_openblas() {
    for library in /usr/lib/*/openblas-pthread/libblas.so.3; do
        [ ! -e "$library" ] || return 0
    done
    return 1
}

# Prints the packages that NAME still needs, nothing where it is there.
packages_for() {
    case $1 in
    cc | gcc) compiler_works "$1" c || echo gcc libc6-dev ;;
    g++) compiler_works g++ cc || echo g++ ;;
    aarch64-linux-gnu-gcc) compiler_works "$1" c || echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    qemu-aarch64) command -v "$1" >/dev/null 2>&1 || echo qemu-user ;;
    clang) command -v clang >/dev/null 2>&1 || echo clang ;;
    libclang) has_libclang || echo libclang-dev ;;
    xxhash) [ -f /usr/include/xxhash.h ] || echo libxxhash-dev ;;
    jansson) [ -f /usr/include/jansson.h ] || echo libjansson-dev ;;
    zstd-dev) [ -f /usr/include/zstd.h ] || echo libzstd-dev ;;
    python3-dev) has_python_headers || echo python3-dev ;;
    # What python3-venv brings, besides what is there already.
    python3-venv) python_has ensurepip || echo python3-venv ;;
    python3-*) python_has "${1#python3-}" || echo "$1" ;;
    openblas) has_openblas || echo libopenblas0-pthread ;;
    clang-rt) clang_has_runtimes || echo "libclang-rt-$(clang_major)-dev" ;;
    *) command -v "$1" >/dev/null 2>&1 || echo "$1" ;;
    esac
}

missing() {
    for name in "$@"; do
        packages_for "$name"
    done | tr '\n' ' ' | sed 's/ *$//'
}

if [ "${1:-}" = --missing ]; then
    shift
    echo "missing: $(missing "$@")"
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true >/dev/null 2>&1; then
    as_root="sudo -n"
else
    as_root=none
fi

needed=$(missing "$@")
[ -n "$needed" ] || exit 0
if [ "$as_root" != none ] && command -v apt-get >/dev/null 2>&1; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    # Twice at most: which runtimes clang wants is only known once clang is there.
    for round in 1 2; do
        echo "installing: $needed"
        # The names are split into words on purpose.
        # shellcheck disable=SC2086
        if ! { $as_root apt-get update -q &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
                --no-install-recommends $needed; } >"$log" 2>&1; then
            tail -n 5 "$log" >&2
            break
        fi
        needed=$(missing "$@")
        [ -n "$needed" ] || exit 0
    done
fi
echo "cosm: please install these packages: $needed" >&2
exit 1
