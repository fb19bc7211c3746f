"""The compiled half of the package: simulations, their columns and snapshots."""

from typing import Any, Optional, Sequence, Union

class Error(Exception):
    """A call of the library failed; str() says what was wrong and what to do.

    ``code`` is the name of the C result, such as ``"COSM_ERROR_FULL"``.
    """

    code: str

class ArgumentError(Error, ValueError):
    """A name, value, shape or library is wrong (COSM_ERROR_ARGUMENT, _CONFLICT, _LIMIT)."""

class CapacityError(Error):
    """A fixed table or a tensor has no row left (COSM_ERROR_FULL)."""

class FormatError(Error, ValueError):
    """A file does not say what it should (COSM_ERROR_FORMAT)."""

class BusyError(Error):
    """In use: something made from it lives, or it runs (COSM_ERROR_BUSY, _WALKED)."""

class ClosedError(Error, ValueError):
    """The simulation was closed."""

# COSM_ERROR_MEMORY is MemoryError, COSM_ERROR_IO is OSError; all others are Error.

class Column:
    """A slot of a simulation: memory of its worlds, seen as an array. Nothing is copied.

    Supports the buffer protocol, ``__array_interface__`` and DLPack. Arrays made of it keep the
    memory alive, also after ``close``; the column itself raises ``ClosedError`` from then on.
    Of a growing archetype the number of rows changes from step to step: ask for the array anew.
    """

    @property
    def name(self) -> str: ...
    @property
    def slot(self) -> int: ...
    @property
    def role(self) -> str:
        """``"observation"``, ``"action"``, ``"reward"``, ``"terminated"``, ``"truncated"``,
        ``"action_mask"``, ``"agent_mask"``, ``"reset"``, ``"parameter"``, ``"info"`` or ``""``."""
    @property
    def direction(self) -> str:
        """``"out"``, ``"in"`` or ``"both"``. Arrays of ``"out"`` columns are read-only in numpy."""
    @property
    def kind(self) -> str:
        """``"worlds"`` ([worlds, ...]), ``"fixed"`` ([worlds, max, ...]) or ``"rows"``
        ([rows, ...])."""
    @property
    def is_gathered(self) -> bool: ...
    @property
    def is_entities(self) -> bool:
        """Whether it shows handles of entities: two uint32 each, the generation and the id."""
    @property
    def mask_of(self) -> Optional[str]:
        """Of an action mask: the name of the action that it belongs to."""
    @property
    def dtype(self) -> str:
        """As numpy names it: ``"float32"``, ``"int64"``, ``"bool"``, ..."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]:
        """In bytes."""
    @property
    def counts(self) -> Optional["Column"]:
        """Of a ``"fixed"`` column: [worlds] uint32, the rows that live."""
    @property
    def offsets(self) -> Optional["Column"]:
        """Of a ``"rows"`` column: [worlds + 1] int64, where each world's rows begin."""
    @property
    def address(self) -> int:
        """Of the first scalar. Changes only where ``Sim.final`` gave it, of kind ``"rows"``."""
    @property
    def space(self) -> dict[str, Any]:
        """``{"choices": n or 0, "low": float, "high": float}`` of one scalar; ``"lows"`` and
        ``"highs"``, of all scalars of a row, where they have ranges of their own."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Any = None, copy: Optional[bool] = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def numpy(self) -> Any:
        """A numpy array of the memory itself."""
    def torch(self) -> Any:
        """A torch tensor of the memory itself. bool comes as uint8, uint16/32/64 as the signed
        type."""

class Snapshot:
    """The state of all worlds at one moment. Cheap: it shares what has not changed.

    A pickled or deep-copied one belongs to no simulation, and can be restored into any with the same
    environment and number of worlds.
    """

    @property
    def num_worlds(self) -> int: ...
    def close(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class Sim:
    """An environment under way in many worlds.

    ``name`` is that of a built-in environment (see ``environments()``) or the path of a library.
    ``autoreset`` is ``"next_step"``, ``"same_step"`` or ``"disabled"``. Further keywords are
    parameters of the environment: a number, or one for each world. ``seed=None`` draws one from the
    system. ``max_episode_steps=0`` never cuts an episode off; ``None``: as the environment says.
    ``world_first`` and ``step_first`` are the numbers of the first world and the first step, for a
    part of a larger run: with one seed, worlds 16 to 31 are those of ``world_first=16``.
    A library whose file has changed since it was loaded is loaded anew.

    Can be pickled and deep-copied: as what it was made with, and its state.
    """

    def __init__(self, name: str, num_worlds: int = 1, seed: Optional[int] = None, workers: int = 0,
                 autoreset: str = "next_step", max_episode_steps: Optional[int] = None,
                 world_first: int = 0, step_first: int = 0,
                 **params: Union[float, Sequence[float]]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def num_worlds(self) -> int: ...
    @property
    def max_agents(self) -> int:
        """Agents that a world has at most; 0 where they are without bound."""
    @property
    def seed(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def autoreset(self) -> str: ...
    @property
    def max_episode_steps(self) -> int:
        """0: episodes are not cut off."""
    @property
    def world_first(self) -> int:
        """The number of world 0; the others follow."""
    @property
    def step_seconds(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in the order of their slots."""
    @property
    def can_render(self) -> bool: ...
    def column(self, name: str) -> Column: ...
    def with_role(self, role: str) -> tuple[Column, ...]:
        """The columns with that role, in the order in which the environment lists them."""
    def final(self, name: str) -> Optional[Column]:
        """With ``autoreset="same_step"``: an observation as it was before worlds began anew; where
        a world can have several agents also their rewards, flags, masks and handles."""
    def step(self, actions: Any = None, /) -> None:
        """Takes a step in all worlds. ``actions``, an array of the shape and type of the one action
        column (or anything with a buffer), is copied into it first. The GIL is released."""
    def reset(self, mask: Any = None, seeds: Any = None) -> None:
        """Begins a new episode in all worlds, or where ``mask`` (bool or uint8, [worlds]) is true.
        ``seeds``: one int for all worlds, which begin as those of a new Sim of that seed; or uint64
        or int64, [worlds], or a sequence of ints: each world begins as the only one of a Sim of its
        seed."""
    def set(self, name: str, value: Union[float, Sequence[float]]) -> None:
        """Sets a parameter in all worlds."""
    def refresh(self) -> None:
        """Brings columns up to date with worlds that were changed from outside of Python."""
    def hash(self, world: Optional[int] = None, kind: str = "exact") -> int:
        """Of all worlds, or of one. ``kind``: ``"exact"``, ``"stored"`` or ``"content"``."""
    def save(self, path: str) -> None: ...
    def load(self, path: str) -> None: ...
    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    def fork(self, source: int, targets: Union[int, Sequence[int]]) -> None:
        """Makes the target worlds copies of world ``source``."""
    def stats(self) -> dict[str, Any]:
        """``steps``, ``entities``, ``memory_used``, ``memory_peak``, ``memory_live``, ``worlds``,
        ``workers``."""
    def render(self, world: int = 0) -> Any:
        """A picture: a bytearray-like object with shape [height, width, 3] of uint8 (a Column)."""
    def close(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[bytes, Any], /) -> None: ...
    def __enter__(self) -> "Sim": ...
    def __exit__(self, *details: Any) -> None: ...

def environments() -> tuple[str, ...]:
    """The names of the built-in environments."""

__version__: str
