"""VecEnv: a simulation with the interface of Stable-Baselines3's vector environments.

``VecEnv`` needs stable_baselines3, which is loaded with this module where it is installed.
"""

from __future__ import annotations

import os
import time
from typing import Any, Optional, Sequence

import numpy as np

from ._agents import as_seed, is_sim, unsaid, wrong
from .vector import VectorEnv

_missing: Optional[ImportError] = None  # why there is no Stable-Baselines3
try:
    from stable_baselines3.common.vec_env import VecEnv as _Base
except ImportError as _error:
    _missing = _error
    _Base = object


class _Worlds(VectorEnv):
    """The worlds of a ``VecEnv``, which error messages name."""

    _CALL = "VecEnv"


class VecEnv(_Base):  # type: ignore[misc,valid-type]
    """All worlds of a simulation, for the algorithms of Stable-Baselines3.

        model = PPO("MlpPolicy", cosm.sb3.VecEnv("cartpole", num_envs=16))

    Where an episode ended, ``infos[i]`` has ``terminal_observation``, ``TimeLimit.truncated`` and
    ``episode``, with its return, its length and the seconds since the environment was created: no
    ``VecMonitor`` is needed. ``env_method("action_masks")`` returns the masks for MaskablePPO.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours with
        ``autoreset="same_step"``, which you then close yourself.
    **others: as for ``VectorEnv``, which is ``env.vector``; ``env.vector.sim`` is the simulation.
    """

    def __init__(self, sim: Any, num_envs: int = unsaid(1), render_mode: Optional[str] = None,
                 **others: Any) -> None:
        if _missing is not None:
            raise ImportError(f"VecEnv: Stable-Baselines3 cannot be loaded ({_missing}): pip install "
                              "'stable-baselines3>=2'") from _missing
        for name in ("autoreset_mode", "autoreset", "output", "copy", "stats_key"):
            if name in others:
                raise wrong("VecEnv", f"{name} is fixed for Stable-Baselines3: leave it "
                                      "out, or use VectorEnv")
        if is_sim(sim) and sim.autoreset != "same_step":
            raise wrong("VecEnv", f"autoreset is {sim.autoreset!r}: create the simulation with "
                                  "autoreset='same_step'")
        self.vector = _Worlds(sim, num_envs=num_envs, autoreset_mode="same_step",
                              render_mode=render_mode, **others)
        self.metadata = self.vector.metadata
        self._actions: Any = None
        self._masks: Any = None
        self._began = time.perf_counter()
        super().__init__(self.vector.num_envs, self.vector.single_observation_space,
                         self.vector.single_action_space)

    def seed(self, seed: Optional[int] = None) -> Sequence[Optional[int]]:
        """Seeds all worlds at the next ``reset`` with one number, as ``VectorEnv.reset`` does:
        different seeds share no world. None: a number from the system. Returns that number once for
        each world."""
        number = int.from_bytes(os.urandom(8), "little") >> 11 if seed is None \
            else as_seed("VecEnv.seed", seed)
        self._seeds = [number] * self.num_envs
        return self._seeds

    def reset(self) -> Any:
        """Starts an episode in all worlds, with the seed passed to ``seed``, and returns the
        observations. ``reset_infos`` has a dictionary for each world."""
        observations, infos = self.vector.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._split(infos)
        self._masks = infos.get("action_mask")
        return observations

    def step_async(self, actions: Any) -> None:
        """Stores the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Takes the step: observations, rewards, dones and infos."""
        observations, rewards, terminated, truncated, infos = self.vector.step(self._actions)
        self._masks = infos.get("action_mask")
        dones = terminated | truncated
        split = self._split(infos)
        if dones.any():
            final, stats = infos["final_obs"], infos["episode_stats"]
            seconds = round(time.perf_counter() - self._began, 6)
            for world in dones.nonzero()[0].tolist():
                split[world]["terminal_observation"] = {
                    name: part[world] for name, part in final.items() if not name.startswith("_")
                } if isinstance(final, dict) else final[world]
                split[world]["episode"] = {"r": float(stats["r"][world]),
                                           "l": int(stats["l"][world]), "t": seconds}
                split[world]["TimeLimit.truncated"] = bool(truncated[world])
        return observations, rewards, dones, split

    def _split(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """What each step reports, world by world."""
        told = [name for name in infos if not name.startswith("_") and name not in (
            "final_obs", "final_info", "episode_stats")]
        split: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for name in told:
            value = infos[name]
            for world, info in enumerate(split):
                info[name] = {key: part[world] for key, part in value.items()} \
                    if isinstance(value, dict) else value[world]
        return split

    def __repr__(self) -> str:
        text = repr(self.vector) if hasattr(self, "vector") else "VectorEnv"
        return text.replace("VectorEnv", "sb3.VecEnv", 1)

    def close(self) -> None:
        """Closes the simulation, unless you passed it."""
        self.vector.close()

    def _indices(self, call: str, indices: Any) -> list[int]:
        found = list(self._get_indices(indices))
        for index in found:
            if not 0 <= index < self.num_envs:
                raise wrong(f"VecEnv.{call}", f"there is no world {index!r}: there are "
                                              f"{self.num_envs}, from 0 on")
        return found

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """A parameter of the environment in each world, or an attribute, once for each world."""
        values = self.vector.get_attr(attr_name)
        return [values[index] for index in self._indices("get_attr", indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets a parameter of the environment to a number, in some worlds or in all."""
        values = np.array(self.vector.get_attr(attr_name), np.float64)
        values[self._indices("set_attr", indices)] = value
        self.vector.set_attr(attr_name, values)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None,
                   **method_kwargs: Any) -> list[Any]:
        """``"action_masks"``, or a method of ``VectorEnv``, whose result is returned once for each world."""
        if method_name == "action_masks":
            if self._masks is None:
                raise wrong("VecEnv.env_method", f"{self.vector!r} has no action mask, or was not "
                                                 "reset yet: use an algorithm without masks")
            return [self._masks[index].ravel() for index in self._indices("env_method", indices)]
        values = self.vector.call(method_name, *method_args, **method_kwargs)
        return [values[index] for index in self._indices("env_method", indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether ``get_attr`` or ``env_method`` accepts it."""
        if attr_name == "action_masks":
            return bool(self.vector.sim.with_role("action_mask"))
        return hasattr(self.vector, attr_name) or any(
            column.name == attr_name for column in self.vector.sim.with_role("parameter"))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No world has a wrapper of its own."""
        return [False for _ in self._indices("env_is_wrapped", indices)]

    def get_images(self) -> Sequence[Optional[np.ndarray]]:
        """A picture of each world."""
        return list(self.vector.render())
