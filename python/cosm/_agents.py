"""Shared by the adapters: the columns of a simulation by role, checked actions, seeds, and copies."""

from __future__ import annotations

import importlib
import operator
from typing import Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np

from . import spaces
from ._cosm import ArgumentError, ClosedError, Sim

_UNSIGNED = {np.dtype(f"int{bits}"): np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)}


def wrong(call: str, text: str) -> ArgumentError:
    """The exception for an argument of ``call`` that cannot be used."""
    error = ArgumentError(f"{call}: {text}")
    error.code = "COSM_ERROR_ARGUMENT"
    return error


def as_array(values: Any, call: str = "numpy", what: str = "it") -> np.ndarray:
    """An array of numbers from anything that holds some: arrays, tensors, sequences."""
    if hasattr(values, "detach"):  # a torch tensor, which may be part of a graph
        values = values.detach().cpu()
    if isinstance(values, Mapping):
        raise wrong(call, f"{what} is a {type(values).__name__}, but there is only one: pass an array")
    try:
        return np.asarray(values)
    except ValueError:  # numpy of a list whose parts differ in length
        raise wrong(call, f"{what} is a {type(values).__name__} whose parts differ in length: pass "
                          "an array") from None


def shut(call: str) -> ClosedError:
    """The exception for a call on a closed environment."""
    return ClosedError(f"{call}: the environment is closed; create a new one")


def as_flags(array: np.ndarray) -> np.ndarray:
    """Bytes that are 0 or 1 as booleans, in the same memory."""
    return array if array.dtype == np.bool_ else array.view(np.bool_)


def is_sim(sim: Any) -> bool:
    """Whether it is a simulation; anything else is a name or a path, which ``Sim`` checks."""
    return hasattr(sim, "with_role")


class _UnsaidInt(int):
    """A default that the caller did not pass."""


class _UnsaidStr(str):
    """The same for strings."""


def unsaid(value: Any) -> Any:
    """A default value that differs from the same value passed by the caller."""
    return _UnsaidStr(value) if isinstance(value, str) else _UnsaidInt(value)


def is_said(value: Any) -> bool:
    """Whether the caller passed it."""
    return value is not None and not isinstance(value, (_UnsaidInt, _UnsaidStr))


def refuse_params(call: str, sim: Any, params: Mapping[str, Any], **others: Any) -> None:
    """Raises if keywords were passed that do not apply to an existing simulation, or differ from what
    it has (``others``)."""
    for name in params:
        raise wrong(call, f"{name} is not a keyword, or is a parameter, which an existing Sim "
                          "already has: leave it out, or use Sim.set")
    own = {"num_envs": "num_worlds", "autoreset_mode": "autoreset"}
    for name, value in others.items():
        # Zero workers are one for each core, which is as many as there are.
        if is_said(value) and not (name == "workers" and value == 0):
            there = getattr(sim, own.get(name, name))
            if value != there:
                raise wrong(call, f"{name} is {value!r}, but the Sim has {there!r}: leave it out, or "
                                  "create the Sim with it")


def count_worlds(count: int) -> str:
    """A number of worlds in words."""
    return f"{count} world{'' if count == 1 else 's'}"


def make_sim(call: str, name: Any, words: Mapping[str, str], params: Mapping[str, Any],
             **others: Any) -> Sim:
    """Creates the simulation of an adapter. Errors name the adapter and its keywords. ``words``:
    keywords of other classes with their names here, "" if there is no such keyword."""
    for word in params:
        if word in words:
            raise wrong(call, f"there is no keyword {word!r}; "
                              + (f"here it is called {words[word]}" if words[word] else
                                 "leave it out, or use VectorEnv"))
    try:
        return Sim(name, **others, **params)
    except Exception as error:
        def renamed(text: Any) -> Any:
            if not isinstance(text, str) or not text.startswith("Sim: "):
                return text
            for own in ("num_worlds", "autoreset"):
                if text.startswith(f"Sim: {own} is ") and words.get(own):
                    text = text.replace(own, words[own], 1)
            return call + text[3:]

        error.args = tuple(map(renamed, error.args))
        if isinstance(error, OSError):
            error.strerror = renamed(error.strerror)
        raise


def as_seed(call: str, seed: Any) -> int:
    """A seed as an int. Any integer type is accepted, and nothing is rounded."""
    try:
        number = operator.index(seed)
    except Exception:
        number = -1
    if not 0 <= number < 2**64:
        raise wrong(call, f"seed is {seed!r}: pass an integer from 0 to 2**64 - 1")
    return number


def check_render(call: str, render_mode: Any, sim: Any = None) -> None:
    """Raises if the mode is unknown or, with ``sim``, if the simulation cannot be drawn."""
    if render_mode is not None and render_mode != "rgb_array":
        raise wrong(call, f"render_mode is {render_mode!r}: pass None or 'rgb_array'")
    if render_mode is not None and sim is not None and not sim.can_render:
        raise wrong(call, f"{sim.name} cannot be drawn: leave render_mode out")


def torch_for(call: str, output: str) -> Any:
    """The module torch for output "torch", None for "numpy"."""
    if output not in ("numpy", "torch"):
        raise wrong(call, f"output is {output!r}: pass 'numpy' or 'torch'")
    return importlib.import_module("torch") if output == "torch" else None


def check_words(call: str, copy: Any, stats_key: Any, info_columns: Any) -> None:
    """Raises if a keyword has a value of the wrong type."""
    if not isinstance(copy, (bool, np.bool_)):
        raise wrong(call, f"copy is {copy!r}: pass True or False")
    if stats_key is not None and not isinstance(stats_key, str):
        raise wrong(call, f"stats_key is {stats_key!r}: pass a str, or None")
    if isinstance(info_columns, str):
        raise wrong(call, f"info_columns is {info_columns!r}: pass a list of names")


class Seeds:
    """The last seeds of the worlds, from ``reset`` or from their creation."""

    def __init__(self, seed: int, num_worlds: int) -> None:
        self.numbers = np.full(num_worlds, seed, np.uint64)
        self._one: Optional[int] = seed  # None: worlds were given seeds of their own

    def put(self, mask: Optional[np.ndarray], numbers: Any) -> None:
        """Stores a number, or one for each world, where the mask is true (None: everywhere)."""
        values = np.broadcast_to(np.array(numbers, np.uint64), self.numbers.shape)
        np.copyto(self.numbers, values, where=True if mask is None else mask != 0)
        self._one = int(numbers) if mask is None and np.ndim(numbers) == 0 else None

    @property
    def seed(self) -> Union[int, list[int]]:
        """The seed of all worlds; a list if they have different ones."""
        return self.numbers.tolist() if self._one is None else self._one


def remade(kind: Any, arguments: dict[str, Any], kept: dict[str, Any]) -> Any:
    """Recreates an adapter from a pickle: its constructor arguments and kept attributes."""
    made = kind(**arguments)
    made._take_back(kept)
    return made


class Copied:
    """An adapter that can be pickled and deep-copied: with a copy of its simulation, and the
    attributes in ``_KEPT``."""

    _KEPT: Iterable[str] = ()
    _owns_sim = False

    def _note(self, arguments: Mapping[str, Any], sim: Any) -> None:
        """Stores the constructor arguments; the simulation replaces those for ``Sim``."""
        self._arguments = {**arguments, "sim": sim}

    def __reduce__(self) -> Any:
        kept = {name: getattr(self, name) for name in (*self._KEPT, "_owns_sim")
                if hasattr(self, name)}
        return remade, (type(self), self._arguments, kept)

    def _take_back(self, kept: dict[str, Any]) -> None:
        for name, value in kept.items():
            setattr(self, name, value)


class Part:
    """One column as agents see it: [worlds, agents, ...], [worlds, ...] where there is one agent,
    or one value for all agents of a world (``is_shared``). ``is_box``: a single number has the shape
    (1,), as boxes of Gymnasium have it."""

    is_box = False

    def __init__(self, column: Any, max_agents: int) -> None:
        self.column = column
        self.name: str = column.name
        shape = tuple(column.shape)
        self.is_shared = column.kind == "worlds" or shape[1] != max_agents
        self.is_only = not self.is_shared and max_agents == 1
        self._is_number = self.is_box and len(shape) == (1 if column.kind == "worlds" else 2)
        self.array = self.trim(column.numpy())
        self.tail = self.array.shape[1 if self.is_shared or self.is_only else 2:]

    def trim(self, whole: Any) -> Any:
        """Drops the dimension of agents where there is only one. Booleans are shown as bytes,
        which boxes and torch can hold."""
        if isinstance(whole, np.ndarray) and whole.dtype == np.bool_:
            whole = whole.view(np.uint8)
        if self.is_only:
            whole = whole[:, 0]
        return whole[..., None] if self._is_number else whole

    def space(self, agents: int, action: bool = False) -> Any:
        """The space of one world with that many agents; 0: of one agent alone."""
        shape = self.tail if self.is_shared or self.is_only or not agents \
            else (agents, *self.tail)
        return spaces.of_scalars(self.column.space, self.array.dtype, shape, action)


class ObservationPart(Part):
    """A column that agents see."""

    is_box = True


class ActionPart(Part):
    """A column that actions are written into."""

    def __init__(self, column: Any, max_agents: int) -> None:
        space = column.space
        self.choices = int(space["choices"])
        self.is_box = not self.choices
        super().__init__(column, max_agents)
        self.low, self.high = float(space["low"]), float(space["high"])
        # What each number of an action may be, where they have ranges of their own.
        self.lows: Any = self.low
        self.highs: Any = self.high
        if self.choices:
            self.low, self.high = 0.0, float(self.choices - 1)
            self.lows, self.highs = self.low, self.high
        elif "lows" in space:
            self.lows, self.highs = (np.asarray(space[name], np.float64).reshape(self.tail)
                                     for name in ("lows", "highs"))
        self._has_ranges = np.ndim(self.lows) > 0
        # Above it floats of more bytes become infinite.
        self.largest = float(np.finfo(self.array.dtype).max) if self.array.dtype.kind == "f" \
            else np.inf

    def check(self, call: str, values: Any, shape: tuple[int, ...], look: bool) -> np.ndarray:
        """An array of that shape; raises where ``values`` cannot be this action. ``look``: also at
        each number. Of a single number the last dimension may be left out."""
        array = values if type(values) is np.ndarray else as_array(values, call, self.name)
        if array.shape != shape:
            if not self._is_number or array.shape != shape[:-1]:
                raise wrong(call, f"{self.name} has shape {array.shape}: pass one of shape {shape}")
            array = array[..., None]
        self._check_numbers(call, array, look)
        return array

    def _check_numbers(self, call: str, array: np.ndarray, look: bool) -> None:
        kind = array.dtype.kind
        if kind not in ("iub" if self.array.dtype.kind in "iu" else "iufb"):
            raise wrong(call, f"{self.name} has type {array.dtype}: pass {self.array.dtype}, or "
                              "another type of its kind")
        if not look or not array.size:
            return
        if self.choices:
            # Seen as unsigned, negative numbers are large: one look finds both kinds.
            twin = _UNSIGNED.get(array.dtype)
            if twin is None and kind == "i":  # not in the byte order of this machine
                array, twin = array.astype(np.int64), np.dtype(np.uint64)
            largest = int((array if twin is None else array.view(twin)).max())
            if largest < self.choices:
                return
        else:
            low, high = array.min(), array.max()
            # Not a number is neither above nor below. What is finite is to stay so.
            if low >= self.low and high <= self.high and (
                    kind != "f" or array.itemsize <= self.array.itemsize
                    or max(-low, high) <= self.largest or self._stays(array)) and not (
                    self._has_ranges and self._leaves(array)):
                return
        bad = ~((array >= self.lows) & (array <= self.highs))
        if not self.choices and kind == "f" and not bad.any():
            bad = np.isfinite(array) & (np.abs(array) > self.largest)
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        at = "[" + ", ".join(map(str, place)) + "]" if place else ""
        low, high = (float(np.broadcast_to(bound, array.shape)[place])
                     for bound in (self.lows, self.highs))
        low, high = max(low, -self.largest), min(high, self.largest)
        remedy = f"it is one of {self.choices} choices, 0 to {self.choices - 1}" if self.choices \
            else "it is not a number; check where it comes from" if np.isnan(array[place]) \
            else f"clip it to {low:g} to {high:g}"
        raise wrong(call, f"{self.name}{at} is {array[place]}: {remedy}")

    def _leaves(self, array: np.ndarray) -> bool:
        return not bool(np.all((array >= self.lows) & (array <= self.highs)))

    def _stays(self, array: np.ndarray) -> bool:
        return not np.any(np.isfinite(array) & (np.abs(array) > self.largest))

    def put(self, call: str, values: Any, look: bool, is_one: bool = False) -> None:
        """Writes the actions of all worlds, or raises and writes nothing. ``is_one``: those of the
        only world, without its dimension."""
        np.copyto(self.array, self.check(call, values, self.array.shape[is_one:], look),
                  casting="unsafe")


class Agents:
    """The columns of a simulation with a limited number of agents."""

    def __init__(self, sim: Any, call: str) -> None:
        self.sim = sim
        self.call = call
        self.num_worlds: int = sim.num_worlds
        self.max_agents: int = sim.max_agents
        if self.max_agents == 0:
            raise wrong(call, f"agents of {sim.name} have no limit, but arrays of all worlds have a "
                              "fixed shape: set max_per_world of their archetype, or use cosm.Sim")
        self.observations = [self._part(ObservationPart, column)
                             for column in sim.with_role("observation")]
        self.actions = [self._part(ActionPart, column) for column in sim.with_role("action")]
        rewards = [self._part(Part, column) for column in sim.with_role("reward")]
        if not self.observations or not self.actions or not rewards:
            lacks = "an observation" if not self.observations else \
                "an action" if not self.actions else "a reward"
            raise wrong(call, f"{sim.name} has no column that is {lacks}: set that role for a slot "
                              "in its cosm_env_desc")
        self.reward = rewards[0]
        self.terminated = self._first("terminated")
        self.truncated = self._first("truncated")
        # By action; the first one where an action has several.
        self.action_masks: dict[str, Part] = {}
        for column in sim.with_role("action_mask"):
            self.action_masks.setdefault(column.mask_of, self._part(Part, column))
        self.agent_mask = self._first("agent_mask")
        self._counts: Optional[np.ndarray] = None
        for part in (*self.observations, *self.actions, self.reward):
            if not part.is_shared and self._counts is None:
                counts = part.column.counts
                self._counts = None if counts is None else counts.numpy()
        self._rows = np.arange(self.max_agents, dtype=np.uint32)
        self.ids: Optional[np.ndarray] = None  # [worlds, agents, 2]: generation and id
        self.ids_name: Optional[str] = None
        shape = (self.num_worlds, self.max_agents, 2)
        for column in sim.with_role("info"):
            if self.ids is None and column.is_entities and tuple(column.shape) == shape:
                self.ids, self.ids_name = column.numpy(), column.name
        self.episode_terminated = as_flags(sim.column("episode_terminated").numpy())
        self.episode_truncated = as_flags(sim.column("episode_truncated").numpy())
        # Parameters, with what they were when the adapter was made.
        self._params = [(column.numpy(), column.numpy().copy())
                        for column in sim.with_role("parameter")]
        self.last_return = sim.column("last_return").numpy()
        self.last_length = sim.column("last_length").numpy()

    def begin(self, was_reset: bool, owns_sim: bool) -> None:
        """Resets without a seed. The first reset keeps the episodes that the simulation started when
        it was created; if a parameter was set since then, they start again with it."""
        sim = self.sim
        if was_reset or sim.step_count:
            sim.reset()
        elif sim._has_new_params or any(not np.array_equal(array, made)
                                        for array, made in self._params):
            sim.reset(seeds=sim.seed if owns_sim else None)

    def _part(self, kind: Any, column: Any) -> Any:
        if column.kind == "rows":
            raise wrong(self.call, f"column {column.name} of {self.sim.name} has a variable "
                                   "number of rows: set max_per_world of its archetype, or use "
                                   "cosm.Sim")
        return kind(column, self.max_agents)

    def _first(self, role: str) -> Optional[Part]:
        columns = self.sim.with_role(role)
        return self._part(Part, columns[0]) if columns else None

    def masks(self, look: Callable[[Part], np.ndarray]) -> Any:
        """What ``look`` makes of the mask of the one action, or of each mask, by action, where
        there are several actions; None: there is no mask."""
        if len(self.actions) > 1 and self.action_masks:
            return {name: look(part) for name, part in self.action_masks.items()}
        return next(map(look, self.action_masks.values()), None)

    def is_full(self) -> bool:
        """Whether all rows are agents now. Faster than ``present``, and False if it is not
        known."""
        most = self.max_agents
        return self.agent_mask is None and (
            self._counts is None or int(self._counts.min(initial=most)) == most)

    def present(self) -> np.ndarray:
        """[worlds, agents]: which rows are agents now. A new array."""
        if self._counts is None:
            present = np.ones((self.num_worlds, self.max_agents), np.bool_)
        elif self.max_agents == 1:
            present = (self._counts != 0)[:, None]
        else:
            present = self._rows < self._counts[:, None]
        if self.agent_mask is not None:
            present &= self.agent_mask.array.reshape(present.shape) != 0
        return present

    def observation_space(self, agents: int) -> Any:
        """Of one world with that many agents (0: of one agent): one space, or a dictionary."""
        if len(self.observations) == 1:
            return self.observations[0].space(agents)
        return spaces.library().Dict({part.name: part.space(agents) for part in self.observations})

    def flat_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest of what one agent sees, in one row: float32 where there are
        several columns. In the order of the columns, which dictionaries of spaces do not keep."""
        parts = [part.space(0) for part in self.observations]
        kind = np.float32 if len(parts) > 1 else parts[0].dtype
        low, high = (np.concatenate([getattr(part, name).ravel().astype(kind) for part in parts])
                     for name in ("low", "high"))
        return low, high

    def action_space(self, agents: int) -> Any:
        """Of one world with that many agents (0: of one agent): one space, or a dictionary."""
        if len(self.actions) == 1:
            return self.actions[0].space(agents, action=True)
        return spaces.library().Dict({part.name: part.space(agents, action=True)
                                      for part in self.actions})

    def put(self, actions: Any, look: bool, is_one: bool = False) -> None:
        """Writes the actions of all agents of all worlds; ``is_one``: of the only world, without its
        dimension."""
        call = f"{self.call}.step"
        if len(self.actions) == 1:
            self.actions[0].put(call, actions, look, is_one)
            return
        names = [part.name for part in self.actions]
        if not isinstance(actions, Mapping) or set(actions) != set(names):
            raise wrong(call, f"actions are a {type(actions).__name__}: pass a dictionary with "
                              f"{', '.join(names)}")
        arrays = [part.check(call, actions[part.name], part.array.shape[is_one:], look)
                  for part in self.actions]
        for part, array in zip(self.actions, arrays):
            np.copyto(part.array, array, casting="unsafe")


def final_of(sim: Any, name: str) -> Any:
    """``sim.final``, or None if nothing is kept of that column."""
    try:
        return sim.final(name)
    except ArgumentError:
        return None


class Finals:
    """The last step's data of agents whose episode ended, for worlds that reset in the same step and
    may then have other or fewer agents. Rows of other worlds are undefined."""

    def __init__(self, agents: Agents) -> None:
        self.max_agents = agents.max_agents
        self.parts: dict[str, np.ndarray] = {}  # by role; ids: [worlds, agents, 2]
        self._counts: Optional[np.ndarray] = None
        columns = {"reward": agents.reward, "agent_terminations": agents.terminated,
                   "agent_truncations": agents.truncated, "agent_mask": agents.agent_mask}
        for part in agents.observations:
            self._find(agents.sim, part.name, part.is_shared)
        for name, part in columns.items():
            if part is not None and not part.is_shared:
                final = self._find(agents.sim, part.name, False)
                if final is not None:
                    shape = (agents.num_worlds, agents.max_agents)
                    self.parts[name] = final.numpy().reshape(shape)
        if agents.ids_name is not None:
            final = self._find(agents.sim, agents.ids_name, False)
            if final is not None:
                self.parts["agent_ids"] = final.numpy()

    def _find(self, sim: Any, name: str, is_shared: bool) -> Any:
        final = final_of(sim, name)
        if final is not None and not is_shared and self._counts is None \
                and final.counts is not None:
            self._counts = final.counts.numpy()
        return final

    def present(self, where: np.ndarray) -> np.ndarray:
        """[worlds that ended, agents]: which rows were agents."""
        present = np.ones((len(where), self.max_agents), np.bool_)
        if self._counts is not None:
            present &= np.arange(self.max_agents, dtype=np.uint32) < self._counts[where, None]
        if "agent_mask" in self.parts:
            present &= self.parts["agent_mask"][where] != 0
        return present
