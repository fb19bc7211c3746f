"""Spaces: which values an observation or an action may have.

If Gymnasium is installed its spaces are used, and only ``batch`` and the functions that choose are
used from here. If not, the classes below replace them, with the names, attributes and methods that
training code uses.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

try:
    import gymnasium as _gymnasium
except ImportError:
    _gymnasium = None

__all__ = ["Space", "Box", "Discrete", "MultiDiscrete", "Dict", "batch", "library"]


def check_gymnasium(call: str) -> None:
    """Raises an ImportError if the installed Gymnasium has another interface."""
    version = getattr(_gymnasium, "__version__", "1")
    if version.split(".")[0] == "0":
        raise ImportError(f"{call}: Gymnasium {version} is installed, whose interface differs: "
                          "pip install 'gymnasium>=1.0'")


class Space:
    """The base of all spaces: a shape, a type, and a random generator."""

    def __init__(self, shape: Optional[Sequence[int]] = None, dtype: Any = None,
                 seed: Optional[int] = None) -> None:
        self._shape = None if shape is None else tuple(int(size) for size in shape)
        self.dtype = None if dtype is None else np.dtype(dtype)
        self._np_random: Optional[np.random.Generator] = None
        if seed is not None:
            self.seed(seed)

    @property
    def shape(self) -> Optional[tuple[int, ...]]:
        """The shape of a value; None of a dictionary."""
        return self._shape

    @property
    def np_random(self) -> np.random.Generator:
        """The random generator of ``sample``."""
        if self._np_random is None:
            self.seed()
        assert self._np_random is not None
        return self._np_random

    @property
    def is_np_flattenable(self) -> bool:
        """Whether a value can be one flat array."""
        return True

    def seed(self, seed: Optional[int] = None) -> list[int]:
        """Seeds ``sample`` with this seed, or with one from the system."""
        sequence = np.random.SeedSequence(seed)
        self._np_random = np.random.Generator(np.random.PCG64(sequence))
        return [int(sequence.entropy)]  # type: ignore[arg-type]

    def sample(self, mask: Any = None) -> Any:
        """A random value."""
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a value of this space."""
        raise NotImplementedError

    def to_jsonable(self, sample_n: Sequence[Any]) -> Any:
        """Values of this space as lists and numbers that JSON has."""
        return [np.asarray(value).tolist() for value in sample_n]

    def from_jsonable(self, sample_n: Any) -> list[Any]:
        """The values that ``to_jsonable`` was given."""
        return [np.asarray(value, self.dtype)[()] for value in sample_n]

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


def _array_or_none(x: Any) -> Optional[np.ndarray]:
    """An array of ``x``, or None where there can be none."""
    try:
        return np.asarray(x)
    except Exception:  # whatever an object may raise: it is in no space
        return None


def _draw(random: np.random.Generator, count: int, mask: Any) -> int:
    """One of ``count`` choices of those whose byte in ``mask`` is not 0; 0 where there is none."""
    if np.shape(mask) != (count,):
        raise ValueError(f"sample: the mask has shape {np.shape(mask)}: pass one of {count} bytes")
    allowed = np.flatnonzero(mask)
    return int(random.choice(allowed)) if len(allowed) else 0


class Box(Space):
    """Arrays of numbers, each between its ``low`` and its ``high``."""

    def __init__(self, low: Any, high: Any, shape: Optional[Sequence[int]] = None,
                 dtype: Any = np.float32, seed: Optional[int] = None) -> None:
        if shape is None:
            shape = np.broadcast_shapes(np.shape(low), np.shape(high))
        super().__init__(shape, dtype, seed)
        if self.dtype.kind in "iu":
            kind = np.iinfo(self.dtype)
            for name, bound in (("low", low), ("high", high)):
                bound = np.asarray(bound)
                # As numbers of Python: a float64 cannot tell the last ones of 64-bit integers.
                if bound.size and not (kind.min <= bound.min().item()
                                       and bound.max().item() <= kind.max):
                    raise ValueError(f"Box: {name} ({bound}) is not a {self.dtype}: pass {kind.min} "
                                     f"to {kind.max}, or another dtype")
        self.low = np.broadcast_to(np.asarray(low, self.dtype), self._shape).copy()
        self.high = np.broadcast_to(np.asarray(high, self.dtype), self._shape).copy()
        if not np.all(self.low <= self.high):
            raise ValueError(f"Box: low ({low}) is above high ({high}): swap them")
        self.bounded_below = self.low > -np.inf
        self.bounded_above = self.high < np.inf

    def is_bounded(self, manner: str = "both") -> bool:
        """Whether all numbers have bounds: ``"below"``, ``"above"`` or ``"both"``."""
        below, above = bool(np.all(self.bounded_below)), bool(np.all(self.bounded_above))
        return {"below": below, "above": above, "both": below and above}[manner]

    def sample(self, mask: Any = None) -> np.ndarray:
        """Uniform between two bounds, exponential with one, normal without."""
        random = self.np_random
        if self.dtype.kind in "iu":
            return random.integers(self.low, self.high, size=self._shape, dtype=self.dtype.type,
                                   endpoint=True)
        both = self.bounded_below & self.bounded_above
        low = np.where(self.bounded_below, self.low, 0).astype(np.float64)
        high = np.where(self.bounded_above, self.high, 0).astype(np.float64)
        beside = random.exponential(size=self._shape)
        value = np.where(both, low + (high - low) * random.random(self._shape),
                         random.normal(size=self._shape))
        value = np.where(self.bounded_below & ~both, low + beside, value)
        value = np.where(self.bounded_above & ~both, high - beside, value)
        return value.astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the shape, a type that fits, and is within the bounds."""
        array = _array_or_none(x)
        if array is None or array.shape != self._shape:
            return False
        # Numbers of Python have no type that is to fit.
        fits = np.can_cast(array.dtype, self.dtype) if isinstance(x, (np.ndarray, np.generic)) \
            else not array.size or array.dtype.kind in ("biuf" if self.dtype.kind == "f" else "biu")
        return bool(fits and np.all(array >= self.low) and np.all(array <= self.high))

    def __eq__(self, other: Any) -> bool:
        return (isinstance(other, Box) and self._shape == other._shape
                and self.dtype == other.dtype and np.array_equal(self.low, other.low)
                and np.array_equal(self.high, other.high))

    def __repr__(self) -> str:
        low, high = self._shown(self.low, np.min), self._shown(self.high, np.max)
        return f"Box({low}, {high}, {self._shape}, {self.dtype})"

    @staticmethod
    def _shown(bound: np.ndarray, extreme: Any) -> str:
        """A bound in short: one number where all are the same, or where they are many."""
        if not bound.size:
            return "None"
        if bound.ndim == 1 and bound.size <= 8 and np.any(bound != bound[0]):
            return "[" + " ".join(f"{number:g}" for number in bound) + "]"
        return str(extreme(bound))


class Discrete(Space):
    """One of ``n`` choices: ``start`` to ``start + n - 1``."""

    def __init__(self, n: int, seed: Optional[int] = None, start: int = 0) -> None:
        if n < 1:
            raise ValueError(f"Discrete: n is {n}: there must be a choice")
        super().__init__((), np.int64, seed)
        self.n = np.int64(n)
        self.start = np.int64(start)

    def sample(self, mask: Any = None) -> np.int64:
        """A choice; with ``mask``, only of those whose byte is 1."""
        if mask is None:
            return self.start + self.np_random.integers(self.n)
        return self.start + _draw(self.np_random, int(self.n), mask)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is an integer among the choices."""
        if isinstance(x, (np.generic, np.ndarray)):
            if np.shape(x) != () or np.asarray(x).dtype.kind not in "iu":
                return False
        elif not isinstance(x, int):
            return False
        return bool(self.start <= x < self.start + self.n)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Discrete) and self.n == other.n and self.start == other.start

    def __repr__(self) -> str:
        return f"Discrete({self.n}, start={self.start})" if self.start else f"Discrete({self.n})"


class MultiDiscrete(Space):
    """Arrays of choices; ``nvec`` is the number of choices of each element."""

    def __init__(self, nvec: Any, dtype: Any = np.int64, seed: Optional[int] = None) -> None:
        self.nvec = np.array(nvec, dtype=dtype)
        if np.any(self.nvec < 1):
            raise ValueError("MultiDiscrete: each element must have a choice: pass a positive nvec")
        super().__init__(self.nvec.shape, dtype, seed)

    def sample(self, mask: Any = None) -> np.ndarray:
        """A choice for each element; ``mask`` has bytes as for ``Discrete`` for each element, in an
        array or in sequences."""
        if mask is None:
            return self.np_random.integers(self.nvec).astype(self.dtype)
        value = np.zeros(self._shape, self.dtype)
        for place in np.ndindex(*self._shape):
            part = mask
            for index in place:
                part = part[index]
            value[place] = _draw(self.np_random, int(self.nvec[place]), part)
        return value

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the shape and each number is one of its choices."""
        x = _array_or_none(x)
        return bool(x is not None and x.shape == self._shape and x.dtype.kind in "iu"
                    and np.all(x >= 0) and np.all(x < self.nvec))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

    def __repr__(self) -> str:
        few = set(self.nvec.ravel().tolist())
        text = f"full({self._shape}, {few.pop()})" if len(few) == 1 else str(self.nvec.tolist())
        return f"MultiDiscrete({text})"


class Dict(Space):
    """Several spaces by name; a value is a dictionary with the same names."""

    def __init__(self, spaces: Union[Mapping[str, Any], Iterable[tuple[str, Any]]] = (),
                 seed: Optional[int] = None) -> None:
        self.spaces: dict[str, Any] = dict(spaces)
        for key, part in self.spaces.items():
            if not hasattr(part, "contains"):
                raise TypeError(f"Dict: {key!r} is a {type(part).__name__}: pass a space")
        super().__init__(None, None, seed)

    def seed(self, seed: Optional[int] = None) -> list[int]:
        """Seeds each part, by numbers drawn from ``seed``."""
        parts = np.random.SeedSequence(seed).generate_state(max(len(self.spaces), 1))
        for part, number in zip(self.spaces.values(), parts):
            part.seed(int(number))
        return super().seed(seed)

    def sample(self, mask: Any = None) -> dict[str, Any]:
        """A random value of each part; ``mask``: a dictionary with masks of some of them."""
        masks = mask or {}
        return {key: part.sample(masks.get(key)) for key, part in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the same names and each value is one of its space."""
        return (isinstance(x, Mapping) and x.keys() == self.spaces.keys()
                and all(part.contains(x[key]) for key, part in self.spaces.items()))

    def to_jsonable(self, sample_n: Sequence[Any]) -> Any:
        """Values of each part, by name."""
        return {key: part.to_jsonable([value[key] for value in sample_n])
                for key, part in self.spaces.items()}

    def from_jsonable(self, sample_n: Any) -> list[Any]:
        """The values that ``to_jsonable`` was given."""
        parts = {key: part.from_jsonable(sample_n[key]) for key, part in self.spaces.items()}
        count = min((len(values) for values in parts.values()), default=0)
        return [{key: values[i] for key, values in parts.items()} for i in range(count)]

    def __getitem__(self, key: str) -> Any:
        return self.spaces[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.spaces)

    def __len__(self) -> int:
        return len(self.spaces)

    def keys(self) -> Any:
        """The names."""
        return self.spaces.keys()

    def values(self) -> Any:
        """The spaces."""
        return self.spaces.values()

    def items(self) -> Any:
        """Names with spaces."""
        return self.spaces.items()

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Dict) and self.spaces == other.spaces

    def __repr__(self) -> str:
        return "Dict(" + ", ".join(f"{key!r}: {part}" for key, part in self.spaces.items()) + ")"


class _Own:
    """The classes of this file, where Gymnasium's module would be."""

    Space, Box, Discrete, MultiDiscrete, Dict = Space, Box, Discrete, MultiDiscrete, Dict


def library() -> Any:
    """The module of spaces: ``gymnasium.spaces`` if it is installed, else this one."""
    return _gymnasium.spaces if _gymnasium is not None else _Own


def batch(space: Any, count: int) -> Any:
    """The space of ``count`` values of ``space`` as one array, as ``gymnasium.vector`` makes it."""
    if _gymnasium is not None:
        from gymnasium.vector.utils import batch_space

        return batch_space(space, count)
    if isinstance(space, Discrete):
        if space.start:
            low = np.full(count, space.start)
            return Box(low, low + space.n - 1, dtype=np.int64)
        return MultiDiscrete(np.full(count, space.n))
    if isinstance(space, MultiDiscrete):
        # As Gymnasium does it: one array of many choices each is a box of integers.
        high = np.broadcast_to(space.nvec - 1, (count, *space.nvec.shape))
        return Box(np.zeros_like(high), high, dtype=space.dtype)
    if isinstance(space, Box):
        shape = (count, *space.low.shape)
        return Box(np.broadcast_to(space.low, shape), np.broadcast_to(space.high, shape),
                   dtype=space.dtype)
    return Dict({key: batch(part, count) for key, part in space.items()})


def of_scalars(space: Mapping[str, Any], dtype: Any, shape: Sequence[int], action: bool) -> Any:
    """The space of an array of scalars that all have the range or the choices in ``space``, the
    property of a column. Actions that are choices are discrete; all else is a box, which
    keeps the type of the column."""
    made = library()
    choices = int(space["choices"])
    if action and choices:
        return made.MultiDiscrete(np.full(shape, choices)) if shape else made.Discrete(choices)
    dtype = np.dtype(dtype)
    if choices:
        low, high = 0, choices - 1
    elif dtype.kind == "f":
        low, high = space["low"], space["high"]
    else:
        # A float64 cannot tell the last numbers of 64-bit integers.
        kind = np.iinfo(dtype)
        low, high = max(int(space["low"]), kind.min), min(int(space["high"]), kind.max)
    bounds = (np.full(shape, low, dtype), np.full(shape, high, dtype))
    if dtype.kind == "f" and "lows" in space:  # each scalar of a row has its own
        for bound, name in zip(bounds, ("lows", "highs")):
            rows = bound.reshape(-1, len(space[name]))
            rows[...] = np.asarray(space[name], dtype)
    return made.Box(*bounds, tuple(shape), dtype)
