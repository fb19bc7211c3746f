"""What the adapters share: the columns of a simulation by what they are to agents, and actions that
are looked at before they are written."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import spaces
from ._cosm import ArgumentError

_UNSIGNED = {np.dtype(f"int{bits}"): np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)}


def wrong(call: str, text: str) -> ArgumentError:
    """The exception for an argument of ``call`` that cannot be used."""
    error = ArgumentError(f"{call}: {text}")
    error.code = "COSM_ERROR_ARGUMENT"
    return error


def as_array(values: Any) -> np.ndarray:
    """An array of numbers from anything that holds some: arrays, tensors, sequences."""
    if hasattr(values, "detach"):  # a torch tensor, which may be part of a graph
        values = values.detach().cpu()
    return np.asarray(values)


def as_flags(array: np.ndarray) -> np.ndarray:
    """Bytes that are 0 or 1 as booleans, in the same place."""
    return array if array.dtype == np.bool_ else array.view(np.bool_)


def torch_for(call: str, output: str) -> Any:
    """The module torch where ``output`` asks for it, None where it asks for numpy."""
    if output not in ("numpy", "torch"):
        raise wrong(call, f"output is {output!r}: pass 'numpy' or 'torch'")
    return importlib.import_module("torch") if output == "torch" else None


class Part:
    """One column as agents see it: [worlds, agents, ...], [worlds, ...] where there is one agent,
    or one value for all agents of a world (``is_shared``)."""

    def __init__(self, column: Any, max_agents: int) -> None:
        self.column = column
        self.name: str = column.name
        shape = tuple(column.shape)
        self.is_shared = column.kind == "worlds" or shape[1] != max_agents
        self.is_only = not self.is_shared and max_agents == 1
        self.array = self.trim(column.numpy())
        self.tail = self.array.shape[1 if self.is_shared or self.is_only else 2:]

    def trim(self, whole: Any) -> Any:
        """Drops the dimension of agents where there is only one. Booleans come as bytes: that is
        what boxes and torch can hold."""
        if isinstance(whole, np.ndarray) and whole.dtype == np.bool_:
            whole = whole.view(np.uint8)
        return whole[:, 0] if self.is_only else whole

    def space(self, agents: int, action: bool = False) -> Any:
        """The space of one world with that many agents; 0: of one agent alone."""
        shape = self.tail if self.is_shared or self.is_only or not agents \
            else (agents, *self.tail)
        return spaces.of_scalars(self.column.space, self.array.dtype, shape, action)


class ActionPart(Part):
    """A column that actions are written into."""

    def __init__(self, column: Any, max_agents: int) -> None:
        super().__init__(column, max_agents)
        space = column.space
        self.choices = int(space["choices"])
        self.low, self.high = float(space["low"]), float(space["high"])
        if self.choices:
            self.low, self.high = 0.0, float(self.choices - 1)
        self.is_bounded = bool(self.choices) or self.array.dtype.kind == "f"

    def check(self, call: str, array: np.ndarray, shape: tuple[int, ...], look: bool) -> None:
        """Raises where ``array`` cannot be this action; ``look``: also at each number."""
        if array.shape != shape:
            raise wrong(call, f"{self.name} has shape {array.shape}: pass one of shape {shape}")
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
            # Not a number is neither above nor below.
            if low >= self.low and high <= self.high:
                return
        bad = ~((array >= self.low) & (array <= self.high))
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        at = "[" + ", ".join(map(str, place)) + "]" if place else ""
        remedy = f"it is one of {self.choices} choices, 0 to {self.choices - 1}" if self.choices \
            else f"clip it to {self.low:g} to {self.high:g}"
        raise wrong(call, f"{self.name}{at} is {array[place]}: {remedy}")

    def put(self, call: str, values: Any, look: bool) -> None:
        """Writes the actions of all worlds, or raises and writes nothing."""
        array = values if type(values) is np.ndarray else as_array(values)
        self.check(call, array, self.array.shape, look)
        np.copyto(self.array, array, casting="unsafe")


class Agents:
    """The columns of a simulation whose agents are bounded in number."""

    def __init__(self, sim: Any, call: str) -> None:
        self.sim = sim
        self.call = call
        self.num_worlds: int = sim.num_worlds
        self.max_agents: int = sim.max_agents
        if self.max_agents == 0:
            raise wrong(call, f"agents of {sim.name} are without bound, and arrays of all worlds "
                              "have a shape: give their archetype max_per_world, or use cosm.Sim")
        self.observations = [self._part(Part, column) for column in sim.with_role("observation")]
        self.actions = [self._part(ActionPart, column) for column in sim.with_role("action")]
        rewards = [self._part(Part, column) for column in sim.with_role("reward")]
        if not self.observations or not self.actions or not rewards:
            lacks = "an observation" if not self.observations else \
                "an action" if not self.actions else "a reward"
            raise wrong(call, f"{sim.name} has no column that is {lacks}: give a slot that role in "
                              "its cosm_env_desc")
        self.reward = rewards[0]
        self.terminated = self._first("terminated")
        self.truncated = self._first("truncated")
        # By action; the first one where an action has several.
        self.action_masks: dict[str, Part] = {}
        for column in sim.with_role("action_mask"):
            self.action_masks.setdefault(column.mask_of, self._part(Part, column))
        self._agent_mask = self._first("agent_mask")
        self._counts: Optional[np.ndarray] = None
        for part in (*self.observations, *self.actions, self.reward):
            if not part.is_shared and self._counts is None:
                counts = part.column.counts
                self._counts = None if counts is None else counts.numpy()
        self._rows = np.arange(self.max_agents, dtype=np.uint32)
        self.ids: Optional[np.ndarray] = None  # [worlds, agents, 2]: generation and id
        shape = (self.num_worlds, self.max_agents, 2)
        for column in sim.with_role("info"):
            if self.ids is None and column.is_entities and tuple(column.shape) == shape:
                self.ids = column.numpy()
        self.episode_terminated = as_flags(sim.column("episode_terminated").numpy())
        self.episode_truncated = as_flags(sim.column("episode_truncated").numpy())
        self.last_return = sim.column("last_return").numpy()
        self.last_length = sim.column("last_length").numpy()

    def _part(self, kind: Any, column: Any) -> Any:
        if column.kind == "rows":
            raise wrong(self.call, f"column {column.name} of {self.sim.name} has as many rows as "
                                   "there are: give its archetype max_per_world, or use cosm.Sim")
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

    def present(self) -> np.ndarray:
        """[worlds, agents]: which rows are agents now. A new array."""
        if self._counts is None:
            present = np.ones((self.num_worlds, self.max_agents), np.bool_)
        else:
            present = self._rows < self._counts[:, None]
        if self._agent_mask is not None:
            present &= self._agent_mask.array.reshape(present.shape) != 0
        return present

    def observation_space(self, agents: int) -> Any:
        """Of one world with that many agents (0: of one agent): one space, or a dictionary."""
        if len(self.observations) == 1:
            return self.observations[0].space(agents)
        return spaces.library().Dict({part.name: part.space(agents) for part in self.observations})

    def action_space(self, agents: int) -> Any:
        """Of one world with that many agents (0: of one agent): one space, or a dictionary."""
        if len(self.actions) == 1:
            return self.actions[0].space(agents, action=True)
        return spaces.library().Dict({part.name: part.space(agents, action=True)
                                      for part in self.actions})

    def put(self, actions: Any, look: bool) -> None:
        """Writes the actions of all agents of all worlds."""
        call = f"{self.call}.step"
        if len(self.actions) == 1:
            self.actions[0].put(call, actions, look)
            return
        names = [part.name for part in self.actions]
        if not isinstance(actions, Mapping) or set(actions) != set(names):
            raise wrong(call, f"actions are to be a dictionary with {', '.join(names)}")
        arrays = [as_array(actions[name]) for name in names]
        for part, array in zip(self.actions, arrays):
            part.check(call, array, part.array.shape, look)
        for part, array in zip(self.actions, arrays):
            np.copyto(part.array, array, casting="unsafe")
