"""Cosm: simulations written in C, stepped and trained on from Python.

``Sim`` is an environment under way in many worlds, and its columns are the memory of these worlds.
``VectorEnv``, ``ParallelEnv`` and ``PufferEnv`` dress it as Gymnasium, PettingZoo and PufferLib
expect. ``import cosm`` and ``Sim`` need nothing but Python; the adapters and ``Column.numpy`` need
numpy, which pip brings along, and load it when they are used.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

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
    from . import spaces
    from .parallel import ParallelEnv
    from .puffer import PufferEnv
    from .vector import AutoresetMode, VectorEnv

__all__ = [
    "ArgumentError", "AutoresetMode", "BusyError", "CapacityError", "ClosedError", "Column",
    "Error", "FormatError", "ParallelEnv", "PufferEnv", "Sim", "Snapshot", "VectorEnv",
    "__version__", "environments", "get_cmake_dir", "get_include", "spaces",
]

_LATER = {"AutoresetMode": "vector", "ParallelEnv": "parallel", "PufferEnv": "puffer",
          "VectorEnv": "vector", "spaces": "spaces"}


def get_include() -> str:
    """The folder to give a compiler with -I, to build libraries of environments."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")


def get_cmake_dir() -> str:
    """The folder of the package itself, which has ``include``: for CMake's search paths."""
    return os.path.dirname(os.path.abspath(__file__))


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'cosm' has no attribute {name!r}")
    module = importlib.import_module("." + _LATER[name], __name__)
    value = module if name == "spaces" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LATER))
