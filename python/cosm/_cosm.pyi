"""The compiled half of the package: simulations, their columns and snapshots."""

from typing import Any, Optional, Sequence, Union

class Error(Exception):
    """A call of the library failed; str() says what is wrong and what to do.

    ``code`` is the name of the C result, such as ``"COSM_ERROR_FULL"``.
    """

    code: str

class ArgumentError(Error, ValueError):
    """A name, value, shape or library is wrong (COSM_ERROR_ARGUMENT, _CONFLICT, _LIMIT)."""

class CapacityError(Error):
    """A fixed table or a tensor is full (COSM_ERROR_FULL)."""

class FormatError(Error, ValueError):
    """A file is malformed (COSM_ERROR_FORMAT)."""

class BusyError(Error):
    """The object is in use: something created from it exists, or it is running (COSM_ERROR_BUSY,
    _WALKED)."""

class ClosedError(Error, ValueError):
    """The simulation was closed."""

# COSM_ERROR_MEMORY is MemoryError, COSM_ERROR_IO is OSError; all others are Error.

class Column:
    """A slot of a simulation: memory of its worlds as an array. Nothing is copied.

    Supports the buffer protocol, ``__array_interface__`` and DLPack. Arrays made from it keep the
    memory alive, even after ``close``; the column itself then raises ``ClosedError``.
    For a growing archetype the number of rows changes from step to step: get the array again.
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
        """Whether it holds entity handles: two uint32 each, the generation and the id."""
    @property
    def mask_of(self) -> Optional[str]:
        """For an action mask: the name of its action. Otherwise None."""
    @property
    def dtype(self) -> str:
        """The name of the numpy type: ``"float32"``, ``"int64"``, ``"bool"``, ..."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]:
        """In bytes."""
    @property
    def counts(self) -> Optional["Column"]:
        """For a ``"fixed"`` column: [worlds] uint32, the number of living rows."""
    @property
    def offsets(self) -> Optional["Column"]:
        """For a ``"rows"`` column: [worlds + 1] int64, the first row of each world."""
    @property
    def address(self) -> int:
        """The address of the first scalar. It changes only for columns of kind ``"rows"`` from
        ``Sim.final``."""
    @property
    def space(self) -> dict[str, Any]:
        """``{"choices": n or 0, "low": float, "high": float}`` for one scalar; also ``"lows"`` and
        ``"highs"`` for all scalars of a row if their ranges differ."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Any = None, copy: Optional[bool] = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __len__(self) -> int:
        """Its first dimension."""
    def __getitem__(self, key: Any, /) -> Any:
        """As of the array of numpy; one number of a column of one dimension needs no numpy."""
    def __iter__(self) -> Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def numpy(self) -> Any:
        """A numpy array of the memory itself."""
    def torch(self) -> Any:
        """A torch tensor of the memory itself. bool is shown as uint8, uint16/32/64 as the signed
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
    """A simulation of an environment in many worlds.

    ``name`` is that of a built-in environment (see ``environments()``) or the path of a library.
    ``autoreset`` is ``"next_step"``, ``"same_step"`` or ``"disabled"``. Further keywords are
    parameters of the environment: a number, or one for each world. ``seed=None`` takes one from the
    system. ``max_episode_steps=0``: no limit; ``None``: the default of the environment.
    ``world_first`` and ``step_first`` are the numbers of the first world and the first step, for a
    part of a larger run: with one seed, worlds 16 to 31 are those of ``world_first=16``.
    A library whose file has changed since it was loaded is loaded again.

    Can be pickled and deep-copied, with its arguments and its state. A copy runs the code that the
    original runs. Unpickling loads the library at its path, and raises ``FormatError`` if its columns
    are different now.
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
        """The maximum number of agents of a world; 0 if there is no limit."""
    @property
    def seed(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def autoreset(self) -> str: ...
    @property
    def max_episode_steps(self) -> int:
        """The limit of steps per episode; 0: no limit."""
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
    @property
    def _change_count(self) -> int:
        """For adapters: another number after each step, reset, restore, load and fork."""
    @property
    def _has_new_params(self) -> bool:
        """For adapters: whether ``set`` was called since all worlds began last."""
    def column(self, name: str) -> Column: ...
    def with_role(self, role: str) -> tuple[Column, ...]:
        """The columns with that role, in the order in which the environment lists them."""
    def final(self, name: str) -> Column:
        """With ``autoreset="same_step"``: an observation as it was before worlds were reset; if
        a world can have several agents also their rewards, flags, masks and handles. Only rows of
        worlds whose episode ended in the last step are valid. ``ArgumentError``: nothing is kept of
        that column."""
    def step(self, actions: Any = None) -> None:
        """Takes a step in all worlds. ``actions``, an array with the shape and type of the action
        column (or anything with a buffer), is copied into it first. The GIL is released."""
    def reset(self, mask: Any = None, seeds: Any = None) -> None:
        """Starts a new episode in all worlds, or where ``mask`` (bool or uint8, [worlds]) is true.
        ``seeds``: one int for all worlds, which start as in a new Sim with that seed; or uint64 or
        int64, [worlds], or a sequence of ints: each world starts as the only one of a Sim with its
        seed."""
    def set(self, name: str, value: Union[float, Sequence[float]]) -> None:
        """Sets a parameter in all worlds. Most environments read it when an episode starts."""
    def refresh(self) -> None:
        """Updates the columns after worlds were changed from outside of Python."""
    def hash(self, world: Optional[int] = None, kind: str = "exact") -> int:
        """The hash of all worlds, or of one. ``kind``: ``"exact"`` or ``"content"``."""
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
    def __copy__(self) -> "Sim": ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> "Sim": ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...], /) -> None: ...
    def __enter__(self) -> "Sim": ...
    def __exit__(self, *details: Any) -> None: ...

def environments() -> tuple[str, ...]:
    """The names of the built-in environments."""

__version__: str
