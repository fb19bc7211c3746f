#!/bin/sh
# Rule: every C file is formatted as `make format` leaves it.
set -eu
if ! command -v clang-format >/dev/null; then
    echo "clang-format is not there"
    exit 77
fi
exec scripts/format.sh --check
