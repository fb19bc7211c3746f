"""Spaces of our own: what stands in where Gymnasium is not installed."""

import numpy as np
import pytest

from cosm import spaces
from cosm.spaces import Box, Dict, Discrete, MultiDiscrete


@pytest.mark.parametrize("space", [
    Box(-1, 1, (3,)), Box(-np.inf, np.inf, (2, 2)), Box(0, np.inf, (4,)), Box(-np.inf, 0, (4,)),
    Box(0, 255, (2,), np.uint8), Box(-2**63, 2**63 - 1, (2,), np.int64), Discrete(5),
    Discrete(3, start=-1), MultiDiscrete([2, 3, 4]), MultiDiscrete(np.full((2, 3), 7)),
    Dict({"a": Discrete(2), "b": Box(0, 1, (1,))})], ids=str)
def test_samples_are_in_their_space_and_a_seed_repeats_them(space):
    space.seed(7)
    first = [space.sample() for _ in range(20)]
    assert all(space.contains(value) and value in space for value in first)
    space.seed(7)
    again = [space.sample() for _ in range(20)]
    assert repr(first) == repr(again)
    space.seed(8)
    assert repr(first) != repr([space.sample() for _ in range(20)])


def test_numbers_of_a_box_fill_it():
    box = Box(np.array([-1, 2], np.float32), np.array([1, 3], np.float32))
    box.seed(3)
    drawn = np.array([box.sample() for _ in range(400)])
    assert all(value in box for value in drawn)
    assert np.all(drawn.min(0) < box.low + 0.05) and np.all(drawn.max(0) > box.high - 0.05)


def test_a_box_knows_what_is_not_in_it():
    box = Box(-1, 1, (2,))
    assert box.contains(np.zeros(2, np.float32)) and box.contains([0, 1])
    assert not box.contains(np.zeros(3, np.float32))
    assert not box.contains(np.full(2, 1.5, np.float32))
    assert not box.contains(np.full(2, np.nan, np.float32))
    assert not box.contains(np.zeros(2, np.float64))
    assert not box.contains("ab")
    assert box.shape == (2,) and box.dtype == np.float32 and box.is_bounded()
    assert not Box(0, np.inf, (1,)).is_bounded("above") and Box(0, np.inf, (1,)).is_bounded("below")
    with pytest.raises(ValueError, match="above high"):
        Box(1, 0, (1,))


def test_integers_of_a_box_reach_both_ends():
    assert set(Box(0, 3, (200,), np.uint8, seed=1).sample().tolist()) == {0, 1, 2, 3}


def test_discrete_spaces_know_what_is_not_in_them():
    assert np.int32(2) in Discrete(3) and 3 not in Discrete(3) and -1 not in Discrete(3)
    assert 1.0 not in Discrete(3) and np.float32(1) not in Discrete(3)
    assert np.array([1]) not in Discrete(3)
    many = MultiDiscrete([2, 3])
    assert [1, 2] in many and [2, 2] not in many and [-1, 0] not in many and [1] not in many
    assert np.array([1.0, 1.0]) not in many
    with pytest.raises(ValueError, match="choice"):
        Discrete(0)
    with pytest.raises(ValueError, match="choice"):
        MultiDiscrete([2, 0])


def test_a_mask_says_which_choices_are_drawn():
    space = Discrete(5, seed=3)
    assert {int(space.sample(mask=np.array([0, 1, 0, 1, 0], np.int8))) for _ in range(50)} == {1, 3}


def test_masks_reach_each_place_and_each_part():
    space = MultiDiscrete([[3, 2], [4, 3]], seed=3)
    mask = (([0, 0, 1], [1, 0]), (np.array([0, 1, 0, 1], np.int8), [0, 0, 0]))
    drawn = [space.sample(mask=mask) for _ in range(50)]
    assert all(value in space for value in drawn)
    assert {tuple(value.ravel().tolist()) for value in drawn} == {(2, 0, 1, 0), (2, 0, 3, 0)}
    assert MultiDiscrete([3, 3], seed=1).sample(mask=np.eye(3)[[1, 2]]).tolist() == [1, 2]
    both = Dict({"a": Discrete(3), "b": Box(0, 1, (1,)), "c": MultiDiscrete([3])}, seed=5)
    for _ in range(20):
        value = both.sample(mask={"a": [0, 1, 0], "c": [[0, 0, 1]]})
        assert value["a"] == 1 and value["c"].tolist() == [2] and value in both
    for wrong, mask in ((Discrete(3), [1, 1]), (MultiDiscrete([3]), [[1, 1]])):
        with pytest.raises(ValueError, match=r"shape \(2,\): pass one of 3 bytes"):
            wrong.sample(mask=mask)


class Odd:
    """What no array can be made of."""

    def __array__(self, *_):
        raise RuntimeError("no")


@pytest.mark.parametrize("x", [[[1], [1, 2]], "ab", None, Odd(), {}, {"a": Odd()}, object(), [None],
                               2**70, [2**70, 0], [300, 0], [0.5, 0.5], b"ab", [1j, 0]], ids=repr)
def test_no_value_makes_a_space_raise(x):
    for space in (Box(0, 9, (2,), np.uint8), Discrete(3), MultiDiscrete([2, 2]),
                  Dict({"a": Box(0, 1, (2,))})):
        assert not space.contains(x)


def test_bounds_that_the_type_cannot_hold_are_refused():
    for low, high, kind in ((0, 300, np.uint8), (-1, 1, np.uint8), (0, 2**63, np.int64),
                            (-np.inf, 0, np.int32)):
        with pytest.raises(ValueError, match=f"is not a {np.dtype(kind)}"):
            Box(low, high, (2,), kind)
    with pytest.raises(TypeError, match="'a' is a int: pass a space"):
        Dict({"a": 1})


def test_spaces_are_equal_by_value_and_print_what_they_are():
    assert Box(0, 1, (2,)) == Box(0, 1, (2,)) and Box(0, 1, (2,)) != Box(0, 2, (2,))
    assert Box(0, 1, (2,)) != Box(0, 1, (2,), np.float64) and Box(0, 1, (2,)) != Discrete(2)
    assert Discrete(2) == Discrete(2) and Discrete(2) != Discrete(2, start=1)
    assert MultiDiscrete([2, 2]) == MultiDiscrete([2, 2]) != MultiDiscrete([2, 3])
    assert Dict({"a": Discrete(2)}) == Dict({"a": Discrete(2)}) != Dict({"b": Discrete(2)})
    assert repr(Box(0, 1, (2,))) == "Box(0.0, 1.0, (2,), float32)"
    assert repr(Discrete(2)) == "Discrete(2)"
    assert repr(MultiDiscrete([2, 3])) == "MultiDiscrete([2, 3])"
    assert repr(MultiDiscrete(np.full(4096, 2))) == "MultiDiscrete(full((4096,), 2))"
    assert repr(Dict({"a": Discrete(2)})) == "Dict('a': Discrete(2))"


def test_a_batch_of_a_space_has_one_value_for_each():
    assert spaces.batch(Discrete(2), 3) == MultiDiscrete([2, 2, 2])
    assert spaces.batch(Discrete(2, start=5), 3) == Box(5, 6, (3,), np.int64)
    assert spaces.batch(MultiDiscrete([2, 3]), 2) == \
        Box(np.zeros((2, 2)), [[1, 2], [1, 2]], dtype=np.int64)  # as Gymnasium does it
    assert spaces.batch(Box(0, 1, (4,)), 3) == Box(0, 1, (3, 4))
    batched = spaces.batch(Dict({"a": Discrete(2), "b": Box(0, 1, (1,))}), 3)
    assert batched == Dict({"a": MultiDiscrete([2, 2, 2]), "b": Box(0, 1, (3, 1))})
    assert list(batched) == ["a", "b"] and len(batched) == 2 and batched["a"].shape == (3,)


def test_scalars_of_a_column_make_the_space_that_holds_them():
    free = {"choices": 0, "low": -np.inf, "high": np.inf}
    assert spaces.of_scalars(free, "float32", (4,), False) == Box(-np.inf, np.inf, (4,))
    two = {"choices": 2, "low": 0.0, "high": 1.0}
    assert spaces.of_scalars(two, "int32", (), True) == Discrete(2)
    assert spaces.of_scalars(two, "int32", (8,), True) == MultiDiscrete([2] * 8)
    assert spaces.of_scalars(two, "int32", (), False) == Box(0, 1, (), np.int32)
    whole = {"choices": 0, "low": -9.223372036854775808e18, "high": 9.223372036854775807e18}
    assert spaces.of_scalars(whole, "int64", (1,), False) == Box(-2**63, 2**63 - 1, (1,), np.int64)
