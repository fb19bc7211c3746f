"""The ids of the built-in environments in Gymnasium: ``cosm/cartpole-v0`` and so on.

``import cosm`` registers them, where Gymnasium is installed.
"""

from __future__ import annotations

from typing import Any

from ._cosm import environments


def register(registration: Any) -> None:
    """Registers the ids in ``gymnasium.envs.registration``: ``gymnasium.make`` returns a
    ``cosm.Env``, ``gymnasium.make_vec`` a ``cosm.VectorEnv``. The simulations truncate episodes
    themselves: Gymnasium adds no ``TimeLimit`` unless you request it."""
    for name in environments():
        if f"cosm/{name}-v0" not in registration.registry:
            registration.register(id=f"cosm/{name}-v0", entry_point="cosm.env:Env",
                                  vector_entry_point="cosm.vector:VectorEnv", kwargs={"sim": name})
