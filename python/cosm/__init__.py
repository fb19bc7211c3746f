"""Cosm: simulations written in C, stepped and trained on from Python.

``Sim`` runs an environment in many worlds, and its columns are the memory of these worlds.
``Env``, ``VectorEnv``, ``ParallelEnv``, ``PufferEnv`` and ``sb3.VecEnv`` adapt it to Gymnasium,
PettingZoo, PufferLib and Stable-Baselines3. ``import cosm`` and ``Sim`` need nothing but Python;
the adapters and ``Column.numpy`` need numpy, which pip installs, and load it when they are used.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):
    raise ImportError("cosm needs Python 3.11 or later, but this is Python "
                      + ".".join(map(str, sys.version_info[:3])))

from ._cosm import (
    ArgumentError,
    BusyError,
    CapacityError,
    ClosedError,
    Column,
    Error,
    FormatError,
    Sim,
    Snapshot,
    __version__,
    environments,
)

if TYPE_CHECKING:
    from . import sb3, spaces
    from .env import Env
    from .parallel import ParallelEnv
    from .puffer import PufferEnv
    from .vector import AutoresetMode, VectorEnv

__all__ = [
    "ArgumentError", "AutoresetMode", "BusyError", "CapacityError", "ClosedError", "Column", "Env",
    "Error", "FormatError", "ParallelEnv", "PufferEnv", "Sim", "Snapshot", "VectorEnv",
    "__version__", "environments", "get_cmake_dir", "get_include", "sb3", "spaces",
]

# What is loaded when it is asked for, and the module that has it.
_LATER = {"AutoresetMode": "vector", "Env": "env", "ParallelEnv": "parallel", "PufferEnv": "puffer",
          "VectorEnv": "vector", "sb3": "sb3", "spaces": "spaces"}


def get_include() -> str:
    """The folder to pass to a compiler with -I, to build libraries of environments."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")
    if not os.path.exists(os.path.join(path, "cosm_sim", "env.h")):
        raise Error(f"get_include: {path} has no headers; install the package again")
    return path


def get_cmake_dir() -> str:
    """The folder of the package itself, which has ``include``: for CMake's search paths."""
    return os.path.dirname(os.path.abspath(__file__))


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'cosm' has no attribute {name!r}")
    module = importlib.import_module("." + _LATER[name], __name__)
    value = module if name in ("sb3", "spaces") else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LATER))


def _register() -> None:
    """Registers our ids with Gymnasium, which since 1.0 does not look for them itself. The order of
    the two imports does not matter."""
    try:
        from gymnasium.envs import registration
    except Exception:  # it is not there, or broken, which its users hear of
        return
    from .registration import register

    register(registration)


_register()
