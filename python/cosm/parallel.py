"""ParallelEnv: one world of a simulation with the parallel interface of PettingZoo.

Where PettingZoo is installed, ``ParallelEnv`` is a ``pettingzoo.ParallelEnv``. Spaces are
Gymnasium's where that is installed, and our own (``cosm.spaces``) where it is not.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

import numpy as np

from . import spaces
from ._agents import Agents, Copied, Part, Seeds, as_seed, check_render, count_worlds, is_sim, make_sim
from ._agents import refuse_params, shut, torch_for, unsaid, wrong
from ._cosm import Sim

try:
    from pettingzoo import ParallelEnv as _Base
except ImportError:

    class _Base:  # type: ignore[no-redef]
        """Replaces PettingZoo's base class."""

        @property
        def num_agents(self) -> int:
            """The current number of agents."""
            return len(self.agents)  # type: ignore[attr-defined]

        @property
        def unwrapped(self) -> Any:
            """The environment itself."""
            return self


# What a keyword of other classes is called here.
_WORDS = {"num_envs": "", "num_worlds": "", "n_envs": "", "autoreset": "", "autoreset_mode": "",
          "num_workers": "workers", "name": "sim"}


class ParallelEnv(Copied, _Base):
    """One world, whose agents act at the same time and are identified by name.

    Names are ``agent_0``, ``agent_1``, ... An agent keeps its name while it lives, even when its
    row moves, if the simulation exports the handles of its agents (a column with role info that
    holds entities); otherwise the name belongs to the row. An agent that terminates is reported once
    and then leaves ``agents``. Within an episode names are not reused: a new agent gets the next
    one. No agent is both terminated and truncated: termination is reported. Worlds do not reset by
    themselves: call ``reset``. ``infos`` has the ``action_mask`` of each agent;
    with several action columns that is a dictionary by the name of the action.

    ``possible_agents`` never changes. If agents can be born it would be endless, so, as PettingZoo
    requires, it does not exist; ``max_num_agents`` is how many there can be at a time. ``max_names``
    decides. ``observation_space`` and ``action_space`` accept every name. Spaces, also of new
    agents, sample with the environment's seed; ``reset`` with a seed seeds them.

    If the world is changed by other calls than ``step`` and ``reset``, such as ``env.sim.restore``,
    ``agents`` follows: agents that had a name in this episode get it back; if there are none, names
    start at ``agent_0``.

    Everything returned is a copy: an observation is a row, and rows move.

    sim: the name of an environment, the path of a library, or a ``Sim`` of yours with one world and
        ``autoreset="disabled"``, which you then close yourself. ``env.sim`` is the simulation.
    seed, workers, max_episode_steps, **params: as for ``Sim``. ``env.seed`` and
        ``infos[agent]["seed"]`` of ``reset`` show the seed.
    max_names: the maximum number of names in an episode, which are ``possible_agents``; one agent
        too many is an error. 0: no limit, and no ``possible_agents``. None: 0 if the simulation
        exports the handles of its agents and can have several, else as many as there can be at a
        time.
    validate_actions: whether each action is checked before a step.
    output: ``"numpy"`` or ``"torch"``, for observations and ``state``. Rewards and flags are
        Python numbers, and ``infos`` stays numpy.
    """

    metadata = {"render_modes": ["rgb_array"]}  # of the class; an environment has its own
    _was_reset = False
    _KEPT = ("_was_reset", "_seeds", "_names", "observation_spaces", "action_spaces", "_names_used",
             "_seat_of", "_row_of", "_gone", "_named", "_left")

    def __init__(self, sim: Any, seed: Optional[int] = None, workers: int = unsaid(1),
                 max_episode_steps: Optional[int] = None, render_mode: Optional[str] = None,
                 validate_actions: bool = True, output: str = "numpy",
                 max_names: Optional[int] = None, **params: Any) -> None:
        self._torch = torch_for("ParallelEnv", output)
        check_render("ParallelEnv", render_mode)
        owns_sim = not is_sim(sim)
        if not owns_sim:
            refuse_params("ParallelEnv", sim, params, seed=seed, workers=workers,
                          max_episode_steps=max_episode_steps)
        else:
            sim = make_sim("ParallelEnv", sim, _WORDS, params, num_worlds=1, seed=seed,
                           workers=workers, autoreset="disabled",
                           max_episode_steps=max_episode_steps)
        try:
            self._prepare(sim, render_mode, max_names)
        except BaseException:
            if owns_sim:
                sim.close()
            raise
        self._owns_sim = owns_sim
        self._look = validate_actions
        self._note({"render_mode": render_mode, "validate_actions": validate_actions,
                    "output": output, "max_names": max_names}, sim)

    def _prepare(self, sim: Sim, render_mode: Optional[str], max_names: Optional[int]) -> None:
        if sim.num_worlds != 1 or sim.autoreset != "disabled":
            raise wrong("ParallelEnv", f"the simulation has {count_worlds(sim.num_worlds)} and "
                                       f"autoreset {sim.autoreset!r}: create it with num_worlds=1 and "
                                       "autoreset='disabled'")
        check_render("ParallelEnv", render_mode, sim)
        self.sim = sim
        self._name = sim.name
        self._seeds = Seeds(sim.seed, 1)
        self.render_mode = render_mode
        self._agents = agents = Agents(sim, "ParallelEnv")
        self.metadata = {
            "name": sim.name,
            "render_modes": ["rgb_array"] if sim.can_render else [],
            "render_fps": max(1, round(1 / sim.step_seconds)) if sim.step_seconds else 60,
            "is_parallelizable": True,
        }
        if max_names is None:
            max_names = 0 if agents.ids is not None and agents.max_agents > 1 else agents.max_agents
        elif not isinstance(max_names, (int, np.integer)) or 0 < max_names < agents.max_agents \
                or max_names < 0:
            raise wrong("ParallelEnv", f"max_names is {max_names!r}: pass 0, for no limit, or a "
                                       f"number from {agents.max_agents} on")
        self._max_names = int(max_names)
        self._names: list[str] = []
        self._named: dict[Any, str] = {}  # by handle: all of this episode
        self._left: set[Any] = set()  # of these, who left since the world was changed by others
        self._seen = sim._change_count  # when names were given last
        self.observation_spaces: dict[str, Any] = {}
        self.action_spaces: dict[str, Any] = {}
        names = [f"agent_{number}" for number in range(self._max_names or agents.max_agents)]
        if self._max_names:
            self.possible_agents = names
        for name in names:
            self._make_spaces("ParallelEnv", name)
        self._names_used = 0  # in this episode
        self._ids = None if agents.ids is None else agents.ids[0]
        self._seat_of: dict[Any, str] = {}
        self._row_of: dict[str, int] = {}
        self._gone: set[Any] = set()

    def __reduce__(self) -> Any:
        self._sync()
        return super().__reduce__()

    def _take_back(self, kept: dict[str, Any]) -> None:
        super()._take_back(kept)
        self._seen = self.sim._change_count

    @property
    def agents(self) -> list[str]:
        """The names of the current agents."""
        self._sync()
        return self._names

    @agents.setter
    def agents(self, names: list[str]) -> None:
        self._names = names

    def _sync(self) -> None:
        """Names the agents again if the world was changed by others."""
        if not self._was_reset or self.sim.closed or self.sim._change_count == self._seen:
            return
        agents, present = self._agents, self._present()
        is_over = bool(agents.episode_terminated[0] or agents.episode_truncated[0])
        self._gone = {key for key, row in present.items() if is_over or self._flag(
            agents.terminated, row) or self._flag(agents.truncated, row)}
        there = {key: row for key, row in present.items() if key not in self._gone}
        known = [key for key in there if key in self._named]
        if not known:
            self._named, self._names_used = {}, 0
        self._left, self._seen = set(), self.sim._change_count
        known.sort(key=lambda key: int(self._named[key].removeprefix("agent_")))
        self._seat_of, self._row_of = {key: self._named[key] for key in known}, {}
        self._seat(there)
        self._names = list(self._seat_of.values())

    def _make_spaces(self, call: str, name: str) -> None:
        """Spaces of an agent, seeded with the environment's seed and its name."""
        number = name.removeprefix("agent_") if isinstance(name, str) else ""
        if not number.isdecimal() or name != f"agent_{int(number)}" \
                or (self._max_names and int(number) >= self._max_names):
            raise wrong(call, f"{name!r} is not the name of an agent: pass one of agent_0, agent_1, "
                              "...")
        self.observation_spaces[name] = self._agents.observation_space(0)
        self.action_spaces[name] = self._agents.action_space(0)
        self._seed_spaces(name)

    def _seed_spaces(self, name: str) -> None:
        number = int(name.removeprefix("agent_"))
        seeds = np.random.SeedSequence([int(self._seeds.numbers[0]), number]).generate_state(2)
        self.observation_spaces[name].seed(int(seeds[0]))
        self.action_spaces[name].seed(int(seeds[1]))

    def observation_space(self, agent: str) -> Any:
        """The space of the agent's observations."""
        if not isinstance(agent, str) or agent not in self.observation_spaces:
            self._make_spaces("ParallelEnv.observation_space", agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the agent's actions."""
        if not isinstance(agent, str) or agent not in self.action_spaces:
            self._make_spaces("ParallelEnv.action_space", agent)
        return self.action_spaces[agent]

    @property
    def max_num_agents(self) -> int:
        """The maximum number of agents at a time."""
        return self._agents.max_agents

    @property
    def seed(self) -> Union[int, list[int]]:
        """The last seed of the world."""
        return self._seeds.seed

    @staticmethod
    def _row(part: Part, row: int) -> Any:
        """One agent's value of a column of one world."""
        return part.array[0] if part.is_shared or part.is_only else part.array[0, row]

    def _flag(self, part: Optional[Part], row: int) -> bool:
        return part is not None and bool(self._row(part, row))

    def _present(self) -> dict[Any, int]:
        """The rows of agents by their key: a handle, or the row itself."""
        rows = np.flatnonzero(self._agents.present()[0]).tolist()
        if self._ids is None:
            return {row: row for row in rows}
        return {tuple(self._ids[row].tolist()): row for row in rows}

    def _give(self, array: np.ndarray) -> Any:
        """A new array in the requested output type."""
        return array if self._torch is None else self._torch.from_numpy(array)

    def _look_at(self, row: int) -> Any:
        """A copy of what the agent in a row sees."""
        seen = {part.name: self._give(np.array(self._row(part, row)))
                for part in self._agents.observations}
        return seen if len(seen) > 1 else next(iter(seen.values()))

    def _nothing(self) -> Any:
        """The observation of an agent whose row was removed before its last observation."""
        seen = {part.name: self._give(np.zeros(part.tail, part.array.dtype))
                for part in self._agents.observations}
        return seen if len(seen) > 1 else next(iter(seen.values()))

    def _info(self, row: int) -> dict[str, Any]:
        info: dict[str, Any] = {}
        masks = self._agents.masks(lambda part: np.array(self._row(part, row)).astype(np.int8))
        if masks is not None:
            info["action_mask"] = masks
        if self._ids is not None:
            info["entity"] = tuple(self._ids[row].tolist())
        return info

    def reset(self, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts an episode and returns observations and infos by agent. The first reset without a
        seed keeps the episode that the simulation started when it was created; if a parameter was
        set since then, it starts again with it. Options are ignored."""
        if self.sim.closed:
            raise shut("ParallelEnv.reset")
        if seed is not None:
            number = as_seed("ParallelEnv.reset", seed)
            self.sim.reset(seeds=number)
            self._seeds.put(None, number)
            for name in self.action_spaces:
                self._seed_spaces(name)
        else:
            self._agents.begin(self._was_reset, self._owns_sim)
        self._was_reset = True
        self._seat_of, self._row_of, self._gone, self._names_used = {}, {}, set(), 0
        self._named, self._left, self._seen = {}, set(), self.sim._change_count
        self._seat(self._present())
        self._names = list(self._seat_of.values())
        return ({name: self._look_at(self._row_of[name]) for name in self._names},
                {name: {**self._info(self._row_of[name]), "seed": self.seed}
                 for name in self._names})

    def _seat(self, present: dict[Any, int]) -> None:
        """Gives new agents unused names of this episode, in the order of their rows."""
        for key, row in present.items():
            if key not in self._seat_of and key not in self._gone:
                # Born before, on another way from a state that was restored.
                is_back = key in self._named and key not in self._left
                if self._names_used == self._max_names and self._max_names and not is_back:
                    raise wrong("ParallelEnv.step", f"an agent was born, and all {self._max_names} "
                                                    "names of this episode are used: create the "
                                                    "environment with a larger max_names, or 0")
                self._seat_of[key] = self._named[key] if is_back else f"agent_{self._names_used}"
                self._names_used += not is_back
                if self._ids is not None:
                    self._named[key] = self._seat_of[key]
            if key in self._seat_of:
                self._row_of[self._seat_of[key]] = row

    def _put(self, actions: Mapping[str, Any]) -> None:
        """Writes the actions of all agents, or raises and writes none."""
        call = "ParallelEnv.step"
        if not isinstance(actions, Mapping):
            raise wrong(call, f"actions are a {type(actions).__name__}: pass a dictionary by agent")
        if not self.agents:
            raise wrong(call, "the episode is over: call reset")
        strange = [name for name in actions if name not in self._row_of or name not in self.agents]
        missing = [name for name in self.agents if name not in actions]
        if strange or missing:
            text = f"{strange[0]!r} is not among the agents" if strange \
                else f"no action of {missing[0]!r}"
            raise wrong(call, f"{text}: pass one for each of {', '.join(self.agents)}")
        parts = self._agents.actions
        writes = []
        for name in self.agents:
            action = actions[name]
            if len(parts) > 1 and (not isinstance(action, Mapping)
                                   or set(action) != {part.name for part in parts}):
                raise wrong(call, f"the action of {name!r} must be a dictionary with "
                                  + ", ".join(part.name for part in parts))
            for part in parts:
                values = action[part.name] if len(parts) > 1 else action
                array = part.check(f"{call}: {name}", values, part.tail, self._look)
                writes.append((part, self._row_of[name], array))
        for part, row, array in writes:
            place = (0,) if part.is_shared or part.is_only else (0, row)
            part.array[place] = array

    def step(self, actions: Mapping[str, Any]) -> tuple[
            dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool],
            dict[str, dict[str, Any]]]:
        """Takes a step: observations, rewards, terminations, truncations and infos by agent. When
        no agent is left, nothing happens until you call ``reset``."""
        if self.sim.closed:
            raise shut("ParallelEnv.step")
        if not self._was_reset:
            raise wrong("ParallelEnv.step", "no episode has started: call reset first")
        if not self.agents and not actions:
            return {}, {}, {}, {}, {}
        self._put(actions)
        self.sim.step()
        self._seen = self.sim._change_count
        agents = self._agents
        over = bool(agents.episode_terminated[0])
        cut = bool(agents.episode_truncated[0])
        present = self._present()
        self._forget(present)
        before = set(self._seat_of)
        if not over and not cut:
            # A newcomer whose flags are set already is a body that nobody has played.
            self._gone |= {key for key, row in present.items() if key not in before and (
                self._flag(agents.terminated, row) or self._flag(agents.truncated, row))}
            self._seat(present)
        else:
            self._row_of.update((name, present[key]) for key, name in self._seat_of.items()
                                if key in present)
        observations, rewards, ends, cuts, infos = {}, {}, {}, {}, {}
        for key, name in self._seat_of.items():  # in the order of names
            row = present.get(key)
            if row is None:
                observations[name], rewards[name], infos[name] = self._nothing(), 0.0, {}
                ends[name], cuts[name] = True, False
                continue
            observations[name] = self._look_at(row)
            rewards[name] = float(self._row(agents.reward, row)) if key in before else 0.0
            ends[name] = over or self._flag(agents.terminated, row)
            cuts[name] = not ends[name] and (cut or self._flag(agents.truncated, row))
            infos[name] = self._info(row)
        for key in [key for key, name in self._seat_of.items() if ends[name] or cuts[name]]:
            del self._seat_of[key]
            self._gone.add(key)
            self._left.add(key)
        self._names = list(self._seat_of.values())
        return observations, rewards, ends, cuts, infos

    def _forget(self, present: dict[Any, int]) -> None:
        """Keeps agents that left out of ``agents`` while their row remains: it is not a new
        agent."""
        flags = (self._agents.terminated, self._agents.truncated)
        self._gone = {key for key in self._gone if key in present
                      and any(self._flag(flag, present[key]) for flag in flags)}

    def state(self) -> Any:
        """The observations of all agents as one flat array in the order of ``agents``, with zeros
        for agents that do not exist. Several observations are concatenated, in float32."""
        parts, low = self._agents.observations, self._agents.flat_bounds()[0]
        whole = np.zeros((self._agents.max_agents, low.size), low.dtype)
        for place, name in enumerate(self.agents):
            row = self._row_of[name]
            whole[place] = np.concatenate([np.ravel(self._row(part, row)) for part in parts])
        return self._give(whole.ravel())

    @property
    def state_space(self) -> Any:
        """The space of ``state``."""
        count = self._agents.max_agents
        low, high = (np.tile(bound, count) for bound in self._agents.flat_bounds())
        return spaces.library().Box(np.minimum(low, 0), np.maximum(high, 0), low.shape, low.dtype)

    def render(self) -> np.ndarray:
        """A picture of the world: [height, width, 3] of uint8."""
        if self.sim.closed:
            raise shut("ParallelEnv.render")
        if self.render_mode is None:
            raise wrong("ParallelEnv.render", "render_mode is None: create the environment with "
                                              "render_mode='rgb_array'")
        return np.array(self.sim.render(0))

    def close(self) -> None:
        """Closes the simulation, unless you passed it. May be called twice."""
        if self._owns_sim:
            self.sim.close()

    def __enter__(self) -> "ParallelEnv":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        text = f"cosm.ParallelEnv({self._name!r})"
        return f"<{text}: closed>" if self.sim.closed else text

    __str__ = __repr__  # PettingZoo's asks metadata
