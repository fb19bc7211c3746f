"""VectorEnv: a simulation with the vector interface of Gymnasium.

Where Gymnasium 1.x is installed, ``VectorEnv`` is a ``gymnasium.vector.VectorEnv`` and its spaces
are Gymnasium's; where it is not, the same class works on spaces of our own (``cosm.spaces``).
"""

from __future__ import annotations

import enum
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import spaces
from ._agents import Agents, Part, torch_for, wrong
from ._cosm import Sim

try:
    from gymnasium.vector import VectorEnv as _Base
except ImportError:

    class _Base:  # type: ignore[no-redef]
        """What Gymnasium's class would have brought."""

        spec = None
        closed = False

        @property
        def unwrapped(self) -> Any:
            """The environment itself."""
            return self


try:
    from gymnasium.vector import AutoresetMode
except ImportError:

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When a world whose episode is over begins the next one; Gymnasium's names and values."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


_MODES = {"next_step": "NextStep", "same_step": "SameStep", "disabled": "Disabled"}


def _mode(mode: Any) -> str:
    """A mode in any spelling, as ``Sim`` spells it."""
    value = getattr(mode, "value", mode)
    for name, known in _MODES.items():
        if value in (name, known):
            return name
    raise wrong("VectorEnv", f"autoreset_mode is {mode!r}: pass one of {', '.join(_MODES)}")


class VectorEnv(_Base):
    """All worlds of a simulation as one vector environment.

    With one agent per world the dimension of agents is dropped: observations are [worlds, ...],
    actions [worlds]. With several, a world is one environment whose observation has all its agents
    ([worlds, agents, ...], zeros where there is none), whose action has one choice for each, and
    whose reward is the sum; ``infos`` has ``agent_mask``, ``agent_rewards``,
    ``agent_terminations``, ``action_mask`` and, where the simulation exports the handles of its
    agents, ``agent_ids`` (generation and id). Several observation columns make a dictionary, and so
    do several action columns; ``infos["action_mask"]`` is then a dictionary by the name of the
    action.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours, which you then
        close yourself, and whose worlds, seed, workers, modes and parameters are as you made it.
    num_envs, seed, workers, max_episode_steps, **params: as for ``Sim``.
    autoreset_mode: ``"next_step"``, ``"same_step"``, ``"disabled"``, or Gymnasium's
        ``AutoresetMode``.
    output: ``"numpy"`` or ``"torch"``, for all that ``step`` and ``reset`` return but ``infos``.
    copy: True: what is returned is yours. False: it is the memory of the worlds, read-only in
        numpy, and the next step overwrites it; nothing but actions and ``infos`` is copied.
    render_mode: None or ``"rgb_array"``.
    validate_actions: whether each action is looked at before a step. Shapes and types always are.
    info_columns: names of further columns to have in ``infos`` after each step.
    """

    closed = False
    _owns_sim = False
    _was_reset = False

    def __init__(self, sim: Union[str, Sim], num_envs: int = 1, seed: int = 0, workers: int = 0,
                 autoreset_mode: Any = "next_step", max_episode_steps: Optional[int] = None,
                 output: str = "numpy", copy: bool = True, render_mode: Optional[str] = None,
                 validate_actions: bool = True, info_columns: Sequence[str] = (),
                 **params: Any) -> None:
        self._torch = torch_for("VectorEnv", output)
        if render_mode not in (None, "rgb_array"):
            raise wrong("VectorEnv", f"render_mode is {render_mode!r}: pass None or 'rgb_array'")
        owns_sim = isinstance(sim, str)
        if isinstance(sim, str):
            sim = Sim(sim, num_worlds=num_envs, seed=seed, workers=workers,
                      autoreset=_mode(autoreset_mode), max_episode_steps=max_episode_steps,
                      **params)
        try:
            self._prepare(sim, copy, render_mode, info_columns)
        except BaseException:
            if owns_sim:
                sim.close()
            raise
        self._owns_sim = owns_sim
        self._look = validate_actions

    def _prepare(self, sim: Sim, copy: bool, render_mode: Optional[str],
                 info_columns: Sequence[str]) -> None:
        if render_mode is not None and not sim.can_render:
            raise wrong("VectorEnv", f"{sim.name} cannot draw itself: leave render_mode out")
        self.sim = sim
        self._agents = agents = Agents(sim, "VectorEnv")
        self.num_envs = agents.num_worlds
        self.render_mode = render_mode
        self.spec = None
        self.metadata = {
            "autoreset_mode": AutoresetMode(_MODES[sim.autoreset]),
            "render_modes": ["rgb_array"] if sim.can_render else [],
            "render_fps": max(1, round(1 / sim.step_seconds)) if sim.step_seconds else 60,
        }
        count = agents.max_agents
        self.single_observation_space = agents.observation_space(count)
        self.single_action_space = agents.action_space(count)
        self.observation_space = spaces.batch(self.single_observation_space, self.num_envs)
        self.action_space = spaces.batch(self.single_action_space, self.num_envs)
        self._copy = copy
        self._has_many = count > 1
        self._infos = [(name, sim.column(name).numpy()) for name in info_columns]
        self._all = np.ones(self.num_envs, np.bool_)
        self._all.flags.writeable = False
        self._is_dict = len(agents.observations) > 1
        if not copy:
            self._lent = self._lend()
        self._finals: list[tuple[Part, np.ndarray, Optional[np.ndarray]]] = []
        self._returns: Optional[np.ndarray] = None
        if sim.autoreset == "same_step":
            for part in agents.observations:
                final = sim.final(part.name)
                if final is not None:
                    counts = None if part.is_shared or part.is_only or final.counts is None \
                        else final.counts.numpy()
                    self._finals.append((part, part.trim(final.numpy()), counts))
            if self._has_many and not agents.reward.is_shared:
                self._returns = sim.column("episode_return").numpy()

    def _lend(self) -> tuple[Any, Any, Any, Any]:
        """Observations, rewards and flags as the memory of the worlds itself."""
        agents, torch = self._agents, self._torch
        flags = (agents.episode_terminated, agents.episode_truncated)
        reward = agents.reward
        if torch is None:
            parts = {part.name: part.array for part in agents.observations}
            lent = reward.array, *flags
        else:
            parts = {part.name: part.trim(part.column.torch()) for part in agents.observations}
            lent = (reward.trim(reward.column.torch()),
                    *(self.sim.column(name).torch().view(torch.bool)
                      for name in ("episode_terminated", "episode_truncated")))
        return (parts if self._is_dict else next(iter(parts.values())), *lent)

    def _give(self, array: np.ndarray) -> Any:
        """A new array, as the caller wants arrays."""
        return array if self._torch is None else self._torch.from_numpy(array)

    def _observe(self, present: Optional[np.ndarray]) -> Any:
        """Observations; ``present``: which rows are agents, where there may be others."""
        if not self._copy:
            return self._lent[0]
        parts = self._agents.observations
        if not self._is_dict and present is None:
            return self._give(parts[0].array.copy())
        made = {}
        absent = None if present is None else (~present).ravel().nonzero()[0]
        for part in parts:
            array = part.array.copy()
            if absent is not None and not part.is_shared:
                array.reshape(self.num_envs * self._agents.max_agents, -1)[absent] = 0
            made[part.name] = self._give(array)
        return made if self._is_dict else made[parts[0].name]

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[Mapping[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in all worlds, or where ``options["reset_mask"]`` is true.

        ``seed``: one number s (world i gets s + i), or one for each world, None where a world goes
        on drawing as it did. The first reset of a new simulation without a seed keeps the
        episodes that its worlds have begun by the seed that it was made with.
        """
        sim, mask = self.sim, None
        for key, value in (options or {}).items():
            if key != "reset_mask":
                raise wrong("VectorEnv.reset", f"no option is called {key!r}: pass reset_mask")
            mask = np.asarray(value)
            if mask.shape != (self.num_envs,) or mask.dtype.kind not in "bu":
                raise wrong("VectorEnv.reset", f"reset_mask is {mask.dtype} of shape {mask.shape}: "
                                               f"pass bool of shape ({self.num_envs},)")
        if seed is None:
            if mask is not None or sim.step_count or self._was_reset:
                sim.reset(mask)
        elif isinstance(seed, (int, np.integer)):
            sim.reset(mask, int(seed))
        else:
            self._reset_list(mask, list(seed))
        self._was_reset = True
        present = self._agents.present() if self._has_many else None
        infos: dict[str, Any] = {}
        self._tell_agents(present, infos)
        return self._observe(present), infos

    def _reset_list(self, mask: Optional[np.ndarray], seeds: list[Optional[int]]) -> None:
        if len(seeds) != self.num_envs:
            raise wrong("VectorEnv.reset", f"{len(seeds)} seeds for {self.num_envs} environments: "
                                           "pass one for each, or one number")
        known = np.array([number is not None for number in seeds])
        chosen = self._all if mask is None else mask != 0
        numbers = [0 if number is None else int(number) for number in seeds]
        if np.any(chosen & known):
            self.sim.reset(chosen & known, numbers)
        if np.any(chosen & ~known):
            self.sim.reset(chosen & ~known)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Takes a step in all worlds: observations, rewards, terminations, truncations, infos.

        ``actions``: an array, a tensor or a sequence in the shape of ``action_space``; None: what
        you have written into the action column yourself.
        """
        agents = self._agents
        if actions is not None:
            agents.put(actions, self._look)
        before = None if self._returns is None else self._returns.copy()
        self.sim.step()
        infos: dict[str, Any] = {}
        present = agents.present() if self._has_many else None
        rewards = self._tell_agents(present, infos)
        ended = agents.episode_terminated | agents.episode_truncated
        where = ended.nonzero()[0]
        if where.size:
            self._tell_episodes(ended, where, infos)
            if before is not None:
                # The rows are those of the new episode, and there may be fewer of them.
                rewards[ended] = agents.last_return[ended] - before[ended]
        if rewards is not None:
            rewards = self._give(rewards)
        if not self._copy:
            observations, lent, terminated, truncated = self._lent
            return observations, lent if rewards is None else rewards, terminated, truncated, infos
        if rewards is None:
            rewards = self._give(agents.reward.array.copy())
        return (self._observe(present), rewards, self._give(agents.episode_terminated.copy()),
                self._give(agents.episode_truncated.copy()), infos)

    def _tell_agents(self, present: Optional[np.ndarray], infos: dict[str, Any]) -> Any:
        """What is told at each step; returns the sum of rewards where each agent has one."""
        agents, total = self._agents, None
        told: dict[str, Any] = {}
        if present is not None:
            told["agent_mask"] = present
            if not agents.reward.is_shared:
                told["agent_rewards"] = np.where(present, agents.reward.array, np.float32(0))
                total = told["agent_rewards"].sum(axis=1)
            for name, flags in (("agent_terminations", agents.terminated),
                                ("agent_truncations", agents.truncated)):
                if flags is not None and not flags.is_shared:
                    told[name] = present & (flags.array != 0)
            if agents.ids is not None:
                told["agent_ids"] = agents.ids.copy()
        masks = agents.masks(lambda part: part.array != 0)
        if masks is not None:
            told["action_mask"] = masks
        for name, array in self._infos:
            told[name] = array.copy()
        for name, array in told.items():
            infos[name] = array
            infos["_" + name] = self._all
        return total

    def _tell_episodes(self, ended: np.ndarray, where: np.ndarray, infos: dict[str, Any]) -> None:
        agents = self._agents
        returns = np.zeros(self.num_envs, np.float32)
        returns[where] = agents.last_return[where]
        lengths = np.zeros(self.num_envs, np.int32)
        lengths[where] = agents.last_length[where]
        infos["episode"] = {"r": returns, "l": lengths}
        infos["_episode"] = ended
        if not self._finals:
            return
        finals = {}
        for part, array, counts in self._finals:
            final = np.zeros(array.shape, array.dtype)
            final[where] = array[where]
            if counts is not None:
                final[np.arange(array.shape[1], dtype=np.uint32) >= counts[:, None]] = 0
            finals[part.name] = self._give(final)
        if self._is_dict:
            for name in list(finals):
                finals["_" + name] = ended
        infos["final_obs"] = finals if self._is_dict else next(iter(finals.values()))
        infos["_final_obs"] = ended
        infos["final_info"] = {"episode": infos["episode"], "_episode": ended}
        infos["_final_info"] = ended

    def render(self, worlds: Optional[Sequence[int]] = None) -> tuple[np.ndarray, ...]:
        """Pictures, [height, width, 3] of uint8, of all worlds or of the ones that you name."""
        if self.render_mode is None:
            raise wrong("VectorEnv.render", "render_mode is None: make the environment with "
                                            "render_mode='rgb_array'")
        which = range(self.num_envs) if worlds is None else worlds
        return tuple(np.array(self.sim.render(world)) for world in which)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """A parameter of the environment in each world, or an attribute, once for each world."""
        if any(column.name == name for column in self.sim.with_role("parameter")):
            return tuple(self.sim.column(name).numpy().tolist())
        return (getattr(self, name),) * self.num_envs

    def set_attr(self, name: str, values: Any) -> None:
        """Sets a parameter of the environment: a number, or one for each world."""
        self.sim.set(name, values)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method, or asks for an attribute; the result once for each world."""
        if name == "render":
            return self.render(*args, **kwargs)
        value = getattr(self, name)
        return (value(*args, **kwargs) if callable(value) else value,) * self.num_envs

    def close(self, **kwargs: Any) -> None:
        """Closes the simulation, unless you brought it. Closing twice is fine."""
        if not self.closed and self._owns_sim:
            self.sim.close()
        self.closed = True

    def __enter__(self) -> "VectorEnv":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"cosm.VectorEnv({self.sim.name!r}, num_envs={self.num_envs})"
