"""PufferEnv: a simulation in the form that PufferLib trains on: flat rows of agents, in fixed
buffers.

Where PufferLib is installed, ``PufferEnv`` is a ``pufferlib.PufferEnv``.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Optional, Union

import numpy as np

from . import spaces
from ._agents import Agents, Copied, Finals, Seeds, as_seed, check_render, is_sim, make_sim
from ._agents import refuse_params, shut, torch_for, unsaid, wrong
from ._cosm import Sim

try:
    from pufferlib import PufferEnv as _Base
except ImportError:
    try:  # where versions before 3 have it
        from pufferlib.environment import PufferEnv as _Base
    except ImportError:
        _Base = object  # type: ignore[assignment,misc]


def _check_pufferlib() -> None:
    """Raises if the installed PufferLib does not pass ``buf`` to the constructor. Such a version
    assigns it later, when our arrays are already in use, and would read only zeros."""
    if _Base is not object and "buf" not in inspect.signature(_Base.__init__).parameters:
        version = getattr(importlib.import_module("pufferlib"), "__version__", "1")
        raise ImportError(f"PufferEnv: PufferLib {version} is installed, which passes its buffers "
                          "after an environment was created: pip install 'pufferlib>=2'")


# What a keyword of other classes is called here.
_WORDS = {"num_envs": "num_worlds", "n_envs": "num_worlds", "num_workers": "workers", "name": "sim",
          "autoreset": "", "autoreset_mode": ""}

_NAMES = ("observations", "rewards", "terminals", "truncations", "masks", "actions")


class PufferEnv(Copied, _Base):  # type: ignore[misc,valid-type]
    """The agents of all worlds as rows: world w's are ``w * max`` to ``w * max + max - 1``.

    ``observations``, ``rewards``, ``terminals``, ``truncations``, ``masks`` and ``actions`` are
    arrays that ``step`` fills and returns; they are the same objects for as long as the environment
    lives. If a column can be viewed as rows, ``observations`` is the memory of the worlds itself,
    and rows without an agent are undefined. Several observation columns are flattened
    into one row of float32; ``observation_slices`` says where each of them is. Worlds are reset
    in the same step in which their episode ends. ``infos`` is a list with at most one dictionary:
    means over the episodes that have ended, each ``log_interval`` steps.

    ``masks`` shows which rows are agents now and must act. ``acted`` shows which rows rewards and
    flags belong to: the same rows, except where an episode ended: there they are the rows of its
    agents, while ``observations`` and ``masks`` belong to the next episode. Rewards and flags of other rows are zero. No
    row is both terminal and truncated: termination is reported.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours with
        ``autoreset="same_step"``, which you then close yourself. ``env.sim`` is the simulation.
    num_worlds, seed, workers, max_episode_steps, **params: as for ``Sim``. ``env.seed`` shows the
        seed; ``infos`` does not, since PufferLib averages its values.
    buf: PufferLib's buffers, a dictionary or an object with those names; None: buffers of our own.
        A copy that pickle or deepcopy makes has its own.
    output: ``"numpy"`` or ``"torch"``, for what ``reset``, ``step`` and ``recv`` return: tensors of
        the same memory. The attributes stay numpy, as PufferLib expects. Nothing is
        copied: the buffers are reused, so copy what you keep.
    """

    _was_reset = False
    emulated = False
    done = False
    _KEPT = ("_was_reset", "_seeds", "_steps", "_ended", "_returns", "_lengths", "infos",
             "single_observation_space", "single_action_space", "observation_space", "action_space")
    _FILLED = ("rewards", "terminals", "truncations", "masks", "acted", "actions")

    def __init__(self, sim: Any, num_worlds: int = unsaid(1), seed: Optional[int] = None,
                 workers: int = 0, max_episode_steps: Optional[int] = None, buf: Any = None,
                 log_interval: int = 128, validate_actions: bool = True, render_mode: Optional[str] = None,
                 output: str = "numpy", **params: Any) -> None:
        _check_pufferlib()
        self._torch = torch_for("PufferEnv", output)
        check_render("PufferEnv", render_mode)
        if not isinstance(log_interval, (int, np.integer)) or log_interval < 1:
            raise wrong("PufferEnv", f"log_interval is {log_interval!r}: pass a number of steps")
        owns_sim = not is_sim(sim)
        if not owns_sim:
            refuse_params("PufferEnv", sim, params, num_worlds=num_worlds, seed=seed,
                          workers=workers, max_episode_steps=max_episode_steps)
        else:
            sim = make_sim("PufferEnv", sim, _WORDS, params, num_worlds=num_worlds, seed=seed,
                           workers=workers, autoreset="same_step",
                           max_episode_steps=max_episode_steps)
        try:
            check_render("PufferEnv", render_mode, sim)
            self._prepare(sim, buf)
        except BaseException:
            if owns_sim:
                sim.close()
            raise
        self._owns_sim = owns_sim
        self.render_mode = render_mode
        self._look = validate_actions
        self._log_interval = int(log_interval)
        self._steps, self._ended, self._returns, self._lengths = 0, 0, 0.0, 0.0
        self.infos: list[dict[str, float]] = []
        self._note({"num_worlds": sim.num_worlds, "log_interval": log_interval, "output": output,
                    "validate_actions": validate_actions, "render_mode": render_mode}, sim)

    def __reduce__(self) -> Any:
        make, (kind, arguments, kept) = super().__reduce__()
        return make, (kind, arguments, {**kept, "_filled": [
            getattr(self, name).copy() for name in self._FILLED]})

    def _take_back(self, kept: dict[str, Any]) -> None:
        filled = kept.pop("_filled")
        super()._take_back(kept)
        self._fill(is_reset=True)
        for name, array in zip(self._FILLED, filled):
            getattr(self, name)[...] = array

    def _prepare(self, sim: Sim, buf: Any) -> None:
        if sim.autoreset != "same_step":
            raise wrong("PufferEnv", f"autoreset is {sim.autoreset!r}: create the simulation with "
                                     "autoreset='same_step'")
        self.sim = sim
        self._name = sim.name
        self._seeds = Seeds(sim.seed, sim.num_worlds)
        self._agents = agents = Agents(sim, "PufferEnv")
        if len(agents.actions) > 1:
            raise wrong("PufferEnv", f"{sim.name} has several action columns, but a buffer is one "
                                     "array: export them as fields of one component, or use "
                                     "VectorEnv")
        self._action = agents.actions[0]
        if self._action.is_shared:
            raise wrong("PufferEnv", f"{self._action.name} is one for each world: use VectorEnv")
        self._max = agents.max_agents
        self.num_agents = agents.num_worlds * self._max
        self.observation_slices: dict[str, slice] = {}
        end = 0
        for part in agents.observations:
            begin, end = end, end + int(np.prod(part.tail))
            self.observation_slices[part.name] = slice(begin, end)
        self.single_observation_space = agents.observation_space(0)
        if len(agents.observations) > 1:
            self.single_observation_space = spaces.library().Box(
                *agents.flat_bounds(), (end,), np.float32)
        self.single_action_space = agents.action_space(0)
        self.observation_space = spaces.batch(self.single_observation_space, self.num_agents)
        self.action_space = spaces.batch(self.single_action_space, self.num_agents)
        self.agent_ids = np.arange(self.num_agents)
        self._finals = Finals(agents) if self._max > 1 else None
        self.acted = np.ones(self.num_agents, np.bool_)
        self._make_buffers(buf)

    def _make_buffers(self, buf: Any) -> None:
        parts, rows = self._agents.observations, self.num_agents
        space = self.single_observation_space
        self._copies_observations = True
        shape = (rows, *space.shape)
        if buf is not None:
            self._take_buffers(buf, {
                "observations": (shape, (space.dtype,)), "rewards": ((rows,), (np.float32,)),
                "terminals": ((rows,), (np.bool_, np.uint8)),
                "truncations": ((rows,), (np.bool_, np.uint8)),
                "masks": ((rows,), (np.bool_, np.uint8)),
                "actions": ((rows, *self._action.tail), self._action_types())})
        else:
            self.rewards = np.zeros(rows, np.float32)
            self.terminals = np.zeros(rows, np.bool_)
            self.truncations = np.zeros(rows, np.bool_)
            self.masks = np.ones(rows, np.bool_)
            self.actions = np.zeros((rows, *self._action.tail), self._action.array.dtype)
            self._copies_observations = len(parts) > 1 or parts[0].is_shared \
                or not parts[0].array.flags.c_contiguous
            self.observations = np.zeros(shape, space.dtype) \
                if self._copies_observations else parts[0].array.reshape(shape)
        given = (self.observations, self.rewards, self.terminals, self.truncations)
        if self._torch is not None:
            # The memory of the worlds is read-only in numpy, which torch does not know.
            seen = given[0] if self._copies_observations \
                else parts[0].column.torch().reshape(shape)
            given = tuple(self._torch.as_tensor(array) for array in (seen, *given[1:]))
        self._given: tuple[Any, ...] = given

    def _action_types(self) -> tuple[Any, ...]:
        """The types that a buffer of actions may have: ours first, then others of its kind."""
        own = self._action.array.dtype
        others = (np.float32, np.float64) if own.kind == "f" else (np.int32, np.int64)
        return (own, *(np.dtype(other) for other in others if other != own))

    def _take_buffers(self, buf: Any, asks: dict[str, tuple[tuple[int, ...], tuple[Any, ...]]]
                      ) -> None:
        """Keeps the arrays of ``buf`` after checking their shapes and types."""
        for name in _NAMES:
            array = buf.get(name) if isinstance(buf, dict) else getattr(buf, name, None)
            shape, kinds = asks[name]
            kind = np.dtype(kinds[0])
            if not isinstance(array, np.ndarray):
                what = "no" if array is None else f"a {type(array).__name__} for"
                raise wrong("PufferEnv", f"buf has {what} {name}: pass an array of {kind} of shape "
                                         f"{shape}")
            if array.shape != shape:
                raise wrong("PufferEnv", f"buf has {name} of shape {array.shape}: make them "
                                         f"{shape}")
            if array.dtype not in kinds:
                raise wrong("PufferEnv", f"buf has {name} of {array.dtype}: make them {kind}")
            if not array.flags.writeable:
                raise wrong("PufferEnv", f"buf has {name} that are read-only: pass others")
            flat = array.reshape(self._agents.num_worlds, self._max, -1)
            if array.size and not np.may_share_memory(flat, array):
                raise wrong("PufferEnv", f"buf has {name} whose scalars are not contiguous: pass "
                                         "np.ascontiguousarray of them")
            setattr(self, name, array)

    def _fill(self, is_reset: bool) -> None:
        """Updates the buffers from the worlds."""
        agents, grid = self._agents, (self._agents.num_worlds, self._max)
        if self._copies_observations:
            rows = self.observations.reshape(*grid, -1)
            for part in agents.observations:
                count = 1 if part.is_shared else grid[1]
                rows[:, :, self.observation_slices[part.name]] = \
                    part.array.reshape(grid[0], count, -1)
        # With one agent per world, who was there before a world began anew does not matter.
        is_full = self._max == 1 and agents.is_full()
        present = None if is_full else agents.present()
        self.masks.reshape(grid)[...] = True if present is None else present
        rewards, terminals, truncations = (rows.reshape(grid) for rows in (
            self.rewards, self.terminals, self.truncations))
        if is_reset:
            self.acted[:] = self.masks
            for rows in (rewards, terminals, truncations):
                rows[...] = 0
            return
        rewards[...] = agents.reward.array.reshape(grid[0], -1)
        terminals[...] = agents.episode_terminated[:, None]
        truncations[...] = agents.episode_truncated[:, None]
        if self._max > 1:
            for rows, part in ((terminals, agents.terminated), (truncations, agents.truncated)):
                if part is not None:
                    rows |= part.array.reshape(grid[0], -1) != 0
            assert present is not None
            self._tell_last(present, rewards, terminals, truncations)
            truncations &= terminals == 0
        self.acted.reshape(grid)[...] = True if present is None else present
        if present is None:
            return
        absent = (~present).ravel().nonzero()[0]
        if absent.size:
            for rows in (self.rewards, self.terminals, self.truncations):
                rows[absent] = 0

    def _tell_last(self, present: np.ndarray, rewards: np.ndarray, terminals: np.ndarray,
                   truncations: np.ndarray) -> None:
        """Where an episode ended, sets rewards, flags and ``present`` to those of its agents."""
        agents, finals = self._agents, self._finals
        where = (agents.episode_terminated | agents.episode_truncated).nonzero()[0]
        if finals is None or not where.size:
            return
        present[where] = finals.present(where)
        if "reward" in finals.parts:
            rewards[where] = finals.parts["reward"][where]
        for rows, name, episode in (
                (terminals, "agent_terminations", agents.episode_terminated),
                (truncations, "agent_truncations", agents.episode_truncated)):
            if name in finals.parts:
                rows[where] = episode[where, None] | (finals.parts[name][where] != 0)

    def reset(self, seed: Optional[int] = None) -> tuple[Any, list[dict[str, float]]]:
        """Starts an episode in all worlds and returns observations and infos, as in a new environment
        with that seed. The first reset without a seed keeps the episodes that the simulation started
        when it was created."""
        if self.sim.closed:
            raise shut("PufferEnv.reset")
        if seed is not None:
            number = as_seed("PufferEnv.reset", seed)
            self.sim.reset(seeds=number)
            self._seeds.put(None, number)
        else:
            self._agents.begin(self._was_reset, self._owns_sim)
        self._was_reset = True
        self._fill(is_reset=True)
        self.infos = []
        return self._given[0], self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[dict[str, float]]]:
        """Takes a step: observations, rewards, terminals, truncations, infos."""
        if self.sim.closed:
            raise shut("PufferEnv.step")
        action = self._action
        if actions is not self.actions:
            self.actions[...] = action.check("PufferEnv.step", actions, self.actions.shape,
                                             self._look)
        elif self._look:
            action.check("PufferEnv.step", actions, self.actions.shape, True)
        np.copyto(action.array, self.actions.reshape(action.array.shape), casting="unsafe")
        self.sim.step()
        self._fill(is_reset=False)
        self.infos = self._log()
        return (*self._given, self.infos)

    def _log(self) -> list[dict[str, float]]:
        agents = self._agents
        self._steps += 1
        ended = (agents.episode_terminated | agents.episode_truncated).nonzero()[0]
        if ended.size:
            self._ended += ended.size
            self._returns += float(agents.last_return[ended].sum(dtype=np.float64))
            self._lengths += float(agents.last_length[ended].sum(dtype=np.float64))
        if self._steps % self._log_interval or not self._ended:
            return []
        info = {"episode_return": self._returns / self._ended,
                "episode_length": self._lengths / self._ended, "episodes": float(self._ended)}
        self._ended, self._returns, self._lengths = 0, 0.0, 0.0
        return [info]

    @property
    def seed(self) -> Union[int, list[int]]:
        """The last seeds of the worlds."""
        return self._seeds.seed

    @property
    def agent_per_batch(self) -> int:
        """Rows of a batch: all of them."""
        return self.num_agents

    @property
    def driver_env(self) -> "PufferEnv":
        """The environment itself."""
        return self

    def async_reset(self, seed: Optional[int] = None) -> None:
        """``reset``, whose results ``recv`` returns."""
        self.reset(seed)

    def send(self, actions: Any) -> None:
        """``step``, whose results ``recv`` returns."""
        self.step(actions)

    def recv(self) -> tuple[Any, ...]:
        """Observations, rewards, terminals, truncations, infos, agent ids and masks."""
        masks = self.masks if self._torch is None else self._torch.as_tensor(self.masks)
        return (*self._given, self.infos, self.agent_ids, masks)

    def render(self, world: int = 0) -> np.ndarray:
        """A picture of a world: [height, width, 3] of uint8."""
        if self.sim.closed:
            raise shut("PufferEnv.render")
        return np.array(self.sim.render(world))

    def close(self) -> None:
        """Closes the simulation, unless you passed it. May be called twice."""
        if self._owns_sim:
            self.sim.close()

    def __enter__(self) -> "PufferEnv":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        text = f"cosm.PufferEnv({self._name!r}, num_agents={self.num_agents})"
        return f"<{text}: closed>" if self.sim.closed else text
