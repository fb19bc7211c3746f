"""Runs the program ``cosm`` that was built with the package. ``python -m cosm`` does the same."""

from __future__ import annotations

import os
import shutil
import sys


def main() -> None:
    """Replaces this process with the program, with the same arguments."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "cosm")
    if not os.path.exists(program):
        sys.exit(f"cosm: {program} does not exist: the package was built without cmake, or by CMake, "
                 "which leaves the program in its build folder; install cmake, then the package "
                 "again")
    # As what it was called by, for the commands that it prints.
    called = sys.argv[0]
    if os.path.basename(called) != "cosm":
        called = program
    elif shutil.which("cosm") == os.path.abspath(called):
        called = "cosm"
    # The Python that has the package, in the word that finds it: `cosm new` prints how to train.
    beside = os.path.join(os.path.dirname(sys.executable), "python3")
    os.environ["COSM_PYTHON"] = "python3" if shutil.which("python3") == beside else sys.executable
    os.execv(program, [called, *sys.argv[1:]])


if __name__ == "__main__":
    main()
