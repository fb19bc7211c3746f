"""Cosm: simulations of many worlds as arrays and environments.

    import cosm

    sim = cosm.Sim("cartpole", num_worlds=4096)
    observation = sim.column("observation").numpy()   # the memory itself: nothing is copied
    sim.step(actions)                                 # and `observation` shows the next one

``Sim`` is the simulation itself. ``VectorEnv``, ``ParallelEnv`` and ``Puffer`` show one through the
interfaces of Gymnasium, PettingZoo and PufferLib.
"""

import importlib
import os

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

# Where the other names are. They are loaded when they are asked for: a program that steps a Sim
# waits for no library that it does not use.
_LATER = {
    "VectorEnv": ".vector",
    "ParallelEnv": ".parallel",
    "Puffer": ".puffer",
    "PufferEnv": ".puffer",
    "spaces": ".spaces",
}

__all__ = [
    "ArgumentError",
    "BusyError",
    "CapacityError",
    "ClosedError",
    "Column",
    "Error",
    "FormatError",
    "ParallelEnv",
    "PufferEnv",
    "Sim",
    "Snapshot",
    "VectorEnv",
    "__version__",
    "environments",
    "get_cmake_dir",
    "get_include",
]


def get_include() -> str:
    """The folder to give a compiler with -I, to build libraries of environments."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")


def get_cmake_dir() -> str:
    """The folder of the package itself, in which CMake finds ``include``."""
    return os.path.dirname(os.path.abspath(__file__))


def __getattr__(name: str):
    place = _LATER.get(name)
    if place is None:
        raise AttributeError(f"module 'cosm' has no attribute '{name}'")
    module = importlib.import_module(place, __name__)
    value = module if place == "." + name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(__all__))
