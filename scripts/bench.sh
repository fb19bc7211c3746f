#!/bin/sh
# Runs the benchmark, once it is built: bench.sh [ROW]. What `make bench` calls.
#
# Rows of C are those of cosm_bench, rows of Python those of bench/python.py, where the package was
# built and its Python has numpy. The table is printed, and written to build/bench.csv.
set -eu
cd "$(dirname "$0")/.."
row=${1:-}
csv=build/bench.csv
built=build/bench
python=$(sed -n 's/^COSM_PYTHON_EXECUTABLE:FILEPATH=//p' "$built/CMakeCache.txt")

has_python() {
    [ -n "$python" ] && [ -f "$built/python/cosm/_cosm.abi3.so" ] &&
        "$python" -c 'import numpy' 2>/dev/null
}

# python_rows ARGUMENT...
python_rows() {
    PYTHONPATH="$built/python" "$python" bench/python.py "$@"
}

case $row in
"")
    "$built/bin/cosm_bench" --csv "$csv"
    if has_python; then
        python_rows --csv "$csv"
    else
        echo "the rows of Python are left out (Debian: apt install python3-dev python3-numpy)"
    fi
    ;;
cartpole_?* | py_call)
    if ! has_python; then
        echo "this row wants Python (Debian: apt install python3-dev python3-numpy)" >&2
        exit 1
    fi
    printf '%-14s %8s %10s %10s %7s %6s  %s\n' row n cosm limit ratio bar unit
    echo row,n,cosm,limit,ratio,bar,unit >"$csv"
    python_rows --row "$row" --csv "$csv"
    ;;
*) "$built/bin/cosm_bench" --csv "$csv" --row "$row" ;;
esac
