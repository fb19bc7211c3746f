#!/bin/sh
# `pip install .` offline, into a folder of its own, and a program that uses what came of it:
#   pip.sh PYTHON SOURCE WORK
set -eu
python=$1
source=$2
work=$3
if ! "$python" -c 'import importlib.util as u, sys
sys.exit(not all(map(u.find_spec, ("ensurepip", "pip", "setuptools", "wheel"))))'; then
    echo "python3-venv, python3-pip, python3-setuptools or python3-wheel is not there"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work/tree"
# A copy, so that nothing is built into the tree itself.
for part in include src modules scenes tools python setup.py pyproject.toml README.md LICENSE; do
    cp -R "$source/$part" "$work/tree/"
done
"$python" -m venv --system-site-packages "$work/venv"
if ! (cd "$work/tree" && "$work/venv/bin/pip" install --no-index --no-build-isolation --no-deps .) \
    >"$work/pip.log" 2>&1; then
    tail -n 20 "$work/pip.log"
    echo "pip.sh: pip install failed; all it said is in $work/pip.log"
    exit 1
fi
cd "$work"
# The program came with it, and its folders build against the package.
if command -v cmake >/dev/null; then
    "$work/venv/bin/cosm" new walk >new.log
    grep -q "DCMAKE_PREFIX_PATH=" new.log
    grep -q "venv/bin/python[0-9.]* walk/train.py" new.log
    cmake -S walk -B walk/build \
        -DCMAKE_PREFIX_PATH="$("$work/venv/bin/python" -c 'import cosm; print(cosm.get_cmake_dir())')" >cmake.log
    cmake --build walk/build >>cmake.log
    "$work/venv/bin/cosm" run walk/build/libwalk.so --steps 100 >run.log
    ctest --test-dir walk/build >>cmake.log
    "$work/venv/bin/python" walk/train.py --rounds 1 --worlds 16 --steps 50
    echo "cosm new: builds, runs, passes its test and trains"
fi
# An environment of one's own, made with what was installed and nothing else.
include=$("$work/venv/bin/python" -c 'import cosm; print(cosm.get_include())')
"${CC:-cc}" -std=c17 -shared -fPIC -I "$include" "$source/python/test/library/zoo.c" -o zoo.so
"$work/venv/bin/python" - <<'END'
import pathlib, sys
import numpy as np
import cosm

home = pathlib.Path(cosm.__file__).parent
assert str(home).startswith(sys.prefix), home
assert (home / "py.typed").exists() and (home / "_cosm.pyi").exists()
assert [path.name for path in home.glob("_cosm*.so")] == ["_cosm.abi3.so"]
with cosm.Sim("cartpole", num_worlds=16) as sim:
    sim.step(np.ones(16, np.int32))
    assert sim.column("reward").numpy().sum() == 16
    print("hash", sim.hash())
with cosm.Sim("zoo.so", num_worlds=4) as sim:
    for action in (1, 5):
        sim.step(np.full((4, 2), action, np.int32))
    assert sim.name == "zoo" and sim.step_count == 2
    assert sim.column("reward").numpy()[1].tolist() == [5, 5]
    assert sim.column("split_a").numpy()[1].tolist() == [2, 2]
    print("own environment: stepped")
END
