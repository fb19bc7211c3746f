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
for part in include src modules scenes python setup.py pyproject.toml README.md LICENSE; do
    cp -R "$source/$part" "$work/tree/"
done
"$python" -m venv --system-site-packages "$work/venv"
(cd "$work/tree" && "$work/venv/bin/pip" install -q --no-index --no-build-isolation --no-deps . 2>&1) |
    tail -n 20
cd "$work"
cat >env.c <<'END'
#include <cosm_sim/env.h>
static cosm_result define(const cosm_env_setup *setup) {
    return cosm_component_find(setup->engine, "none").id == 0 ? COSM_OK : COSM_ERROR_CONFLICT;
}
static const cosm_env_desc desc = {COSM_ENV_BUILT, .name = "own", .define = define};
COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) { return &desc; }
END
include=$("$work/venv/bin/python" -c 'import cosm; print(cosm.get_include())')
"${CC:-cc}" -std=c17 -shared -fPIC -I "$include" env.c -o env.so
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
try:
    cosm.Sim("env.so")
    print("own environment: loaded")
except cosm.Error as told:
    # It has no columns at all, and is told so; that it could be asked shows that it was loaded.
    print("own environment:", told)
    assert "symbol" not in str(told), told
END
