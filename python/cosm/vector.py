"""VectorEnv: a simulation with the vector interface of Gymnasium.

Where Gymnasium 1.x is installed, ``VectorEnv`` is a ``gymnasium.vector.VectorEnv`` and its spaces
are Gymnasium's; where it is not, the same class works on spaces of our own (``cosm.spaces``).
"""

from __future__ import annotations

import enum
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import spaces
from ._agents import Agents, Copied, Finals, Part, Seeds, as_array, as_seed, check_render, check_words
from ._agents import final_of, is_said, is_sim, make_sim, refuse_params, shut, torch_for, unsaid, wrong
from ._cosm import Sim

try:
    spaces.check_gymnasium("VectorEnv")
    from gymnasium.vector import VectorEnv as _Base
except ImportError:

    class _Base:  # type: ignore[no-redef]
        """Replaces Gymnasium's base class."""

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
        """When a world whose episode ended starts the next one; Gymnasium's names and values."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


_MODES = {"next_step": "NextStep", "same_step": "SameStep", "disabled": "Disabled"}


# What a keyword of other classes is called here.
_WORDS = {"num_worlds": "num_envs", "n_envs": "num_envs", "autoreset": "autoreset_mode",
          "num_workers": "workers", "name": "sim"}


def _mode(call: str, mode: Any) -> str:
    """A mode in any spelling, as ``Sim`` spells it."""
    value = getattr(mode, "value", mode)
    for name, known in _MODES.items():
        if value in (name, known):
            return name
    raise wrong(call, f"autoreset_mode is {mode!r}: pass one of {', '.join(_MODES)}")


def _part_ends(told: dict[str, np.ndarray]) -> None:
    """A terminated agent is not truncated."""
    if "agent_terminations" in told and "agent_truncations" in told:
        told["agent_truncations"] &= ~told["agent_terminations"]


def _allowed(part: Part, present: Optional[np.ndarray]) -> np.ndarray:
    """A mask as booleans; nothing is allowed where there is no agent."""
    allowed = part.array != 0
    if present is not None and not part.is_shared:
        allowed[~present] = False
    return allowed


class VectorEnv(Copied, _Base):
    """All worlds of a simulation as one vector environment.

    With one agent per world the dimension of agents is dropped: observations are [worlds, ...],
    actions [worlds]. With several, a world is one environment whose observation has all its agents
    ([worlds, agents, ...], zeros where there is none), whose action has one choice for each, and
    whose reward is the sum; ``infos`` has ``agent_mask``, ``agent_rewards``,
    ``agent_terminations``, ``action_mask`` and, where the simulation exports the handles of its
    agents, ``agent_ids`` (generation and id). With ``"same_step"`` all these belong to the new
    episode where one has started, without rewards and ends yet; the last step's are in
    ``infos["final_info"]``. Several observation columns make a dictionary, and so do several action
    columns; ``infos["action_mask"]`` is then a dictionary by the name of the action.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours, which you then
        close yourself, and whose worlds, seed, workers, modes and parameters are as you made it:
        others are refused. ``env.sim`` is the simulation.
    num_envs, workers, max_episode_steps, **params: as for ``Sim``.
    seed: None takes one from the system; ``env.seed`` and ``infos["seed"]`` of ``reset`` show it.
    autoreset_mode: ``"next_step"``, ``"same_step"``, ``"disabled"``, or Gymnasium's
        ``AutoresetMode``.
    output: ``"numpy"`` or ``"torch"``, for everything that ``step`` and ``reset`` return except ``infos``.
    copy: True: what is returned is yours. False: it is the memory of the worlds, read-only in
        numpy, and the next step overwrites it; nothing but actions and ``infos`` is copied.
    render_mode: None or ``"rgb_array"``.
    validate_actions: whether each action is checked before a step. Shapes and types always are.
    info_columns: names of further columns to have in ``infos`` after each step.
    stats_key: where ``infos`` has returns and lengths of episodes that ended; None: nowhere.
        Gymnasium's ``RecordEpisodeStatistics`` writes ``infos["episode"]``, and refuses
        environments that do so themselves.

    Can be pickled and deep-copied: the copy has a copy of the simulation.
    """

    metadata = {"render_modes": ["rgb_array"]}  # of the class; an environment has its own
    closed = False
    _was_reset = False
    _CALL = "VectorEnv"  # what messages name
    _KEPT = ("_was_reset", "_seeds", "action_space", "observation_space", "closed", "spec",
             "single_action_space", "single_observation_space", "_np_random", "_np_random_seed")

    def __init__(self, sim: Any, num_envs: int = unsaid(1), seed: Optional[int] = None,
                 workers: int = 0, autoreset_mode: Any = unsaid("next_step"), max_episode_steps: Optional[int] = None,
                 output: str = "numpy", copy: bool = True, render_mode: Optional[str] = None,
                 validate_actions: bool = True, info_columns: Sequence[str] = (),
                 stats_key: Optional[str] = "episode_stats", **params: Any) -> None:
        call = self._CALL
        spaces.check_gymnasium(call)
        self._torch = torch_for(call, output)
        check_render(call, render_mode)
        check_words(call, copy, stats_key, info_columns)
        mode = _mode(call, autoreset_mode)
        owns_sim = not is_sim(sim)
        if not owns_sim:
            refuse_params(call, sim, params, num_envs=num_envs, seed=seed, workers=workers,
                          autoreset_mode=mode if is_said(autoreset_mode) else None,
                          max_episode_steps=max_episode_steps)
        else:
            sim = make_sim(call, sim, _WORDS, params, num_worlds=num_envs, seed=seed,
                           workers=workers, autoreset=mode, max_episode_steps=max_episode_steps)
        try:
            self._prepare(sim, copy, render_mode, info_columns)
        except BaseException:
            if owns_sim:
                sim.close()
            raise
        self._owns_sim = owns_sim
        self._look = validate_actions
        self._stats_key = stats_key
        self._note({"num_envs": self.num_envs, "output": output, "copy": copy,
                    "render_mode": render_mode, "validate_actions": validate_actions,
                    "info_columns": tuple(info_columns), "stats_key": stats_key}, sim)

    def _prepare(self, sim: Sim, copy: bool, render_mode: Optional[str],
                 info_columns: Sequence[str]) -> None:
        check_render(self._CALL, render_mode, sim)
        self.sim = sim
        self._name = sim.name
        self._agents = agents = Agents(sim, self._CALL)
        self.num_envs = agents.num_worlds
        self._seeds = Seeds(sim.seed, self.num_envs)
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
        self._is_disabled = sim.autoreset == "disabled"
        if not copy:
            self._lent = self._lend()
        self._final_parts: list[tuple[Part, np.ndarray]] = []
        self._finals: Optional[Finals] = None  # of several agents
        if sim.autoreset == "same_step":
            for part in agents.observations:
                final = final_of(sim, part.name)
                if final is not None:
                    self._final_parts.append((part, part.trim(final.numpy())))
            if self._has_many:
                self._finals = Finals(agents)

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
        """A new array in the requested output type."""
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
        """Starts an episode in all worlds, or where ``options["reset_mask"]`` is true.

        ``seed``: one number for all worlds, which start as in a new environment with that seed; or
        one for each world, which starts as the only one with its seed, or None for a world that
        continues its random numbers. The first reset of a new simulation without a seed keeps the
        episodes that it started when it was created; if a parameter was set since then, they start
        again with it. ``infos["seed"]`` is the last seed of each world. Other options are ignored.
        Spaces have seeds of their own: ``action_space.seed``.
        """
        if self.closed or self.sim.closed:
            raise shut(f"{self._CALL}.reset")
        sim, mask = self.sim, self._mask_of(options)
        if seed is None:
            if mask is not None:
                sim.reset(mask)
            else:
                self._agents.begin(self._was_reset, self._owns_sim)
        elif isinstance(seed, (str, bytes)) or not np.ndim(seed):
            number = as_seed(f"{self._CALL}.reset", seed)
            sim.reset(mask, number)
            self._seeds.put(mask, number)
            if hasattr(_Base, "reset"):  # Gymnasium keeps the seed, and draws by it
                super().reset(seed=number)
        else:
            self._reset_list(mask, list(seed))
        self._was_reset = True
        present = self._agents.present() if self._has_many else None
        infos: dict[str, Any] = {"seed": self._seeds.numbers.copy(), "_seed": self._all}
        self._tell_agents(present, infos)
        return self._observe(present), infos

    @property
    def seed(self) -> Union[int, list[int]]:
        """The last seed of the worlds; a list if ``reset`` set different ones."""
        return self._seeds.seed

    def _mask_of(self, options: Optional[Mapping[str, Any]]) -> Optional[np.ndarray]:
        if options is not None and not isinstance(options, Mapping):
            raise wrong(f"{self._CALL}.reset", f"options is {options!r}: pass a dictionary, or None")
        if not options or options.get("reset_mask") is None:
            return None
        mask = as_array(options["reset_mask"], f"{self._CALL}.reset", "reset_mask")
        if mask.shape != (self.num_envs,) or mask.dtype not in (np.bool_, np.uint8):
            raise wrong(f"{self._CALL}.reset", f"reset_mask is {mask.dtype} of shape {mask.shape}: "
                                           f"pass bool of shape ({self.num_envs},)")
        return np.ascontiguousarray(mask)

    def _reset_list(self, mask: Optional[np.ndarray], seeds: list[Optional[int]]) -> None:
        if len(seeds) != self.num_envs:
            raise wrong(f"{self._CALL}.reset", f"{len(seeds)} seeds for {self.num_envs} environments: "
                                           "pass one for each, or one number")
        known = np.array([number is not None for number in seeds])
        chosen = self._all if mask is None else mask != 0
        numbers = [0 if number is None else as_seed(f"{self._CALL}.reset", number) for number in seeds]
        if np.any(chosen & known):
            self.sim.reset(chosen & known, numbers)
            self._seeds.put(chosen & known, numbers)
        if np.any(chosen & ~known):
            self.sim.reset(chosen & ~known)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Takes a step in all worlds: observations, rewards, terminations, truncations, infos.

        ``actions``: an array, a tensor or a sequence in the shape of ``action_space``; None: what
        you have written into the action column yourself.
        """
        agents = self._agents
        if self.closed or self.sim.closed:
            raise shut(f"{self._CALL}.step")
        if actions is not None:
            agents.put(actions, self._look)
        # Without autoreset flags stay until a reset, and an end is reported once.
        over = agents.episode_terminated | agents.episode_truncated if self._is_disabled else None
        self.sim.step()
        infos: dict[str, Any] = {}
        present = agents.present() if self._has_many else None
        rewards = self._tell_agents(present, infos)
        ended = agents.episode_terminated | agents.episode_truncated
        if over is not None:
            ended &= ~over
        where = ended.nonzero()[0]
        if where.size:
            self._tell_episodes(ended, where, infos, rewards)
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
        """Fills the infos of each step; returns the sum of rewards if each agent has one."""
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
            _part_ends(told)
            if agents.ids is not None:
                told["agent_ids"] = np.where(present[..., None], agents.ids, np.uint32(0))
        masks = agents.masks(lambda part: _allowed(part, present))
        if masks is not None:
            told["action_mask"] = masks
        for name, array in self._infos:
            told[name] = array.copy()
        for name, array in told.items():
            infos[name] = array
            infos["_" + name] = self._all
        return total

    def _tell_episodes(self, ended: np.ndarray, where: np.ndarray, infos: dict[str, Any],
                       rewards: Optional[np.ndarray]) -> None:
        agents = self._agents
        last: dict[str, Any] = {}
        key = self._stats_key
        if key is not None:
            returns = np.zeros(self.num_envs, np.float32)
            returns[where] = agents.last_return[where]
            lengths = np.zeros(self.num_envs, np.int32)
            lengths[where] = agents.last_length[where]
            last[key] = infos[key] = {"r": returns, "l": lengths}
            last["_" + key] = infos["_" + key] = ended
        if not self._final_parts:
            return
        absent = None
        if self._finals is not None:
            present = self._finals.present(where)
            absent = ~present
            self._tell_last(self._finals, ended, where, present, infos, last, rewards)
        finals = {}
        for part, array in self._final_parts:
            rows = array[where]
            if absent is not None and not part.is_shared:
                rows[absent] = 0
            final = np.zeros(array.shape, array.dtype)
            final[where] = rows
            finals[part.name] = self._give(final)
        if self._is_dict:
            for name in list(finals):
                finals["_" + name] = ended
        infos["final_obs"] = finals if self._is_dict else next(iter(finals.values()))
        infos["_final_obs"] = ended
        infos["final_info"] = last
        infos["_final_info"] = ended

    def _tell_last(self, finals: Finals, ended: np.ndarray, where: np.ndarray, present: np.ndarray,
                   infos: dict[str, Any], last: dict[str, Any],
                   rewards: Optional[np.ndarray]) -> None:
        """Moves the last step's data of agents whose episodes ended to ``last``; the agents of the
        new episodes have none yet."""
        told: dict[str, np.ndarray] = {"agent_mask": present}
        if "reward" in finals.parts:
            told["agent_rewards"] = np.where(present, finals.parts["reward"][where], np.float32(0))
            assert rewards is not None
            rewards[where] = told["agent_rewards"].sum(axis=1)
        for name in ("agent_terminations", "agent_truncations"):
            if name in finals.parts:
                told[name] = present & (finals.parts[name][where] != 0)
        _part_ends(told)
        if "agent_ids" in finals.parts:
            told["agent_ids"] = np.where(present[..., None], finals.parts["agent_ids"][where],
                                         np.uint32(0))
        for name, rows in told.items():
            last[name] = np.zeros((self.num_envs, *rows.shape[1:]), rows.dtype)
            last[name][where] = rows
            last["_" + name] = ended
            if name not in ("agent_mask", "agent_ids"):
                infos[name][where] = 0

    def render(self, worlds: Optional[Sequence[int]] = None) -> tuple[np.ndarray, ...]:
        """Pictures, [height, width, 3] of uint8, of all worlds or of the ones that you name."""
        if self.closed or self.sim.closed:
            raise shut(f"{self._CALL}.render")
        if self.render_mode is None:
            raise wrong(f"{self._CALL}.render", "render_mode is None: create the environment with "
                                            "render_mode='rgb_array'")
        which = range(self.num_envs) if worlds is None else worlds
        return tuple(np.array(self.sim.render(world)) for world in which)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """A parameter of the environment in each world, or an attribute, once for each world."""
        if any(column.name == name for column in self.sim.with_role("parameter")):
            return tuple(self.sim.column(name).numpy().tolist())
        return (self._attribute("get_attr", name),) * self.num_envs

    def _attribute(self, call: str, name: str) -> Any:
        if not hasattr(self, name):
            params = ", ".join(column.name for column in self.sim.with_role("parameter"))
            raise AttributeError(f"{self._CALL}.{call}: there is no attribute and no parameter "
                                 f"{name!r}; the parameters are: {params or 'none'}")
        return getattr(self, name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets a parameter of the environment: a number, or one for each world."""
        self.sim.set(name, values)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method, or reads an attribute; returns the result once for each world."""
        if name == "render":
            return self.render(*args, **kwargs)
        value = self._attribute("call", name)
        return (value(*args, **kwargs) if callable(value) else value,) * self.num_envs

    def close(self, **kwargs: Any) -> None:
        """Closes the simulation, unless you passed it. May be called twice."""
        if not self.closed and self._owns_sim:
            self.sim.close()
        self.closed = True

    def __enter__(self) -> "VectorEnv":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        text = f"cosm.VectorEnv({self._name!r}, num_envs={self.num_envs})"
        return f"<{text}: closed>" if self.closed or self.sim.closed else text
