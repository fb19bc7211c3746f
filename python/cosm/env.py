"""Env: one world of a simulation with the interface of Gymnasium's environments.

Where Gymnasium 1.x is installed, ``Env`` is a ``gymnasium.Env`` and its spaces are Gymnasium's;
where it is not, the same class works on spaces of our own (``cosm.spaces``).
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from . import spaces
from ._agents import Copied, count_worlds, is_said, is_sim, shut, unsaid, wrong
from .vector import VectorEnv

try:
    spaces.check_gymnasium("Env")
    from gymnasium import Env as _Base
except ImportError:

    class _Base:  # type: ignore[no-redef]
        """Replaces Gymnasium's base class."""

        spec = None

        @property
        def unwrapped(self) -> Any:
            """The environment itself."""
            return self


def _first(values: Any) -> Any:
    """The value of the one world in a result of a vector environment."""
    if isinstance(values, dict):
        return {name: _first(value) for name, value in values.items()}
    return values[0]


class _OneWorld(VectorEnv):
    """The world of an ``Env``, which error messages name."""

    _CALL = "Env"


class Env(Copied, _Base):
    """One world as one environment; for many use ``VectorEnv``, whose step costs the same.

    With one agent observations and actions are its own. With several they are those of all agents
    of the world, and the reward is their sum, as in ``VectorEnv``. ``infos`` are the same except for
    ``agent_ids``. It does not reset by itself: call ``reset``.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours with one world and
        ``autoreset="disabled"``, which you then close yourself. ``env.sim`` is the simulation.
    render_mode: None or ``"rgb_array"``.
    **others: as for ``VectorEnv``: ``seed``, ``max_episode_steps``, ``validate_actions``,
        ``info_columns``, ``stats_key``, and parameters of the environment.

    Can be pickled and deep-copied: the copy has a copy of the simulation.
    """

    metadata = {"render_modes": ["rgb_array"]}  # of the class; an environment has its own
    _KEPT = ("spec", "_np_random", "_np_random_seed", "action_space",
             "observation_space")

    def __init__(self, sim: Any, render_mode: Optional[str] = None,
                 workers: int = unsaid(1), **others: Any) -> None:
        spaces.check_gymnasium("Env")
        for name in ("num_envs", "num_worlds", "autoreset_mode", "autoreset", "output", "copy"):
            if name in others:
                raise wrong("Env", f"{name} is for many worlds: leave it out, or use VectorEnv")
        if isinstance(sim, VectorEnv):  # of a copy
            self._all = sim
        elif is_sim(sim) and (sim.num_worlds != 1 or sim.autoreset != "disabled"):
            raise wrong("Env", f"the simulation has {count_worlds(sim.num_worlds)} and autoreset "
                               f"{sim.autoreset!r}: create it with num_worlds=1 and "
                               "autoreset='disabled'")
        else:
            if is_said(workers) or not is_sim(sim):
                others["workers"] = workers
            self._all = _OneWorld(sim, num_envs=1, autoreset_mode="disabled",
                                  render_mode=render_mode, **others)
        self.sim = self._all.sim
        self.render_mode = render_mode
        self.metadata = self._all.metadata
        self.observation_space = self._all.single_observation_space
        self.action_space = self._all.single_action_space
        self._note({"render_mode": render_mode}, self._all)

    @property
    def seed(self) -> Any:
        """The last seed of the world."""
        return self._all.seed

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode and returns the observation and infos, which include the seed. The
        first reset without a seed keeps the episode that the simulation started when it was created;
        if a parameter was set since then, it starts again with it. Options are ignored."""
        if self.sim.closed:
            raise shut("Env.reset")
        observation, infos = self._all.reset(seed=seed)
        if seed is not None and hasattr(_Base, "reset"):  # Gymnasium keeps the seed
            super().reset(seed=int(seed))
        return _first(observation), {**self._info(infos), "seed": int(infos["seed"][0])}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step: observation, reward, terminated, truncated, infos."""
        if self.sim.closed:
            raise shut("Env.step")
        self._all._agents.put(action, self._all._look, is_one=True)
        observation, reward, terminated, truncated, infos = self._all.step(None)
        return (_first(observation), float(reward[0]), bool(terminated[0]), bool(truncated[0]),
                self._info(infos))

    @staticmethod
    def _info(infos: dict[str, Any]) -> dict[str, Any]:
        """Infos of the one world, without handles: they differ between episodes, but Gymnasium
        requires equal infos for equal seeds."""
        return {name: _first(value) for name, value in infos.items()
                if not name.startswith("_") and name != "agent_ids"}

    def render(self) -> np.ndarray:
        """A picture of the world: [height, width, 3] of uint8."""
        if self.sim.closed:
            raise shut("Env.render")
        if self.render_mode is None:
            raise wrong("Env.render", "render_mode is None: create the environment with "
                                      "render_mode='rgb_array'")
        return self._all.render()[0]

    def close(self) -> None:
        """Closes the simulation, unless you passed it. May be called twice."""
        self._all.close()

    def __enter__(self) -> "Env":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<cosm.Env {self._all._name!r}{': closed' if self.sim.closed else ''}>"

    __str__ = __repr__  # Gymnasium's shows the class
