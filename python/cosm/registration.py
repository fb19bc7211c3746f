"""The ids of the built-in environments in Gymnasium: ``cosm/cartpole-v0`` and so on.

``import cosm`` registers them, where Gymnasium is installed.
"""

from __future__ import annotations

from typing import Any

from ._cosm import environments


def register(registration: Any) -> None:
    """Registers in ``gymnasium.envs.registration`` what is not registered yet: ``gymnasium.make``
    gives a ``cosm.Env``, ``gymnasium.make_vec`` a ``cosm.VectorEnv``. Episodes are cut off by the
    simulations themselves: Gymnasium adds no ``TimeLimit`` unless you ask it to."""
    for name in environments():
        if f"cosm/{name}-v0" not in registration.registry:
            registration.register(id=f"cosm/{name}-v0", entry_point="cosm.env:Env",
                                  vector_entry_point="cosm.vector:VectorEnv", kwargs={"sim": name})
