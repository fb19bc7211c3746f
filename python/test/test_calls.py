"""Steps, resets and parameters, and what is said about wrong ones."""

import array as plain
import ctypes
import os
import pickle

import numpy as np
import pytest

import cosm
from conftest import library


def test_a_step_copies_actions(zoo):
    actions = np.array([[1, 0], [2, 3], [4, 0], [5, 6]], np.int32)
    assert zoo.step(actions) is None
    reward = zoo.column("reward").numpy()
    assert reward[:, 0].tolist() == [1, 2, 4, 5] and reward[[1, 3], 1].tolist() == [3, 6]
    assert zoo.step_count == 1
    zoo.step(None)
    zoo.step()
    assert zoo.column("action").numpy().tolist() == actions.tolist()


def test_dimensions_of_one_may_be_left_out(cartpole):
    for shape in ((8, 1), (8,), (8, 1, 1)):
        cartpole.step(np.ones(shape, np.int32))
    assert cartpole.column("action").numpy().tolist() == [[1]] * 8


def test_anything_with_a_buffer_is_an_action(cartpole):
    cartpole.step(plain.array("i", [1] * 8))
    cartpole.step(memoryview(np.ones(8, np.int32)))
    cartpole.step(cartpole.column("action"))
    assert cartpole.step_count == 3


def test_arrays_of_ctypes_are_arrays(cartpole, zoo):
    cartpole.step((ctypes.c_int * 1 * 8)(*[(1,)] * 8))
    assert cartpole.column("action").numpy().tolist() == [[1]] * 8
    zoo.step((ctypes.c_int * 2 * 4)((1, 2), (3, 4), (5, 6), (7, 8)))
    assert zoo.column("action").numpy().tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    zoo.set("appetite", (ctypes.c_double * 4)(1, 2, 3, 4))
    assert zoo.column("appetite").numpy().tolist() == [1, 2, 3, 4]
    zoo.reset(mask=(ctypes.c_uint8 * 4)(1, 0, 1, 0))
    assert zoo.column("episode_number").numpy().tolist() == [2, 1, 2, 1]
    zoo.reset(seeds=(ctypes.c_uint64 * 4)(1, 2, 3, 4))
    with pytest.raises(cosm.ArgumentError, match=r"shape \(\)"):
        zoo.step(ctypes.c_int(1))


def test_tensors_are_seeds_and_masks(cartpole, torch):
    cartpole.reset(seeds=list(range(8)))
    each = cartpole.hash()
    cartpole.reset(seeds=torch.arange(8))
    assert cartpole.hash() == each
    cartpole.reset(seeds=0)
    one = cartpole.hash()
    cartpole.reset(seeds=torch.tensor(0))
    assert cartpole.hash() == one != each
    cartpole.reset(seeds=np.array(0))
    assert cartpole.hash() == one
    cartpole.reset(mask=torch.tensor([True, False] * 4))
    cartpole.reset(mask=torch.tensor([1, 0] * 4, dtype=torch.uint8))
    assert cartpole.column("episode_number").numpy().tolist() == [3, 1] * 4
    with pytest.raises(cosm.ArgumentError, match="seeds have type int32"):
        cartpole.reset(seeds=torch.arange(8, dtype=torch.int32))


def test_tensors_that_cannot_be_read_say_why(cartpole, torch):
    for tensor, words in ((torch.zeros(8, requires_grad=True), "gradient"),
                          (torch.zeros(8, dtype=torch.int32, device="meta"), "meta"),
                          (torch.zeros(8, dtype=torch.int32).to_sparse(), "layout")):
        for call in (cartpole.step, cartpole.reset):
            with pytest.raises(cosm.ArgumentError, match=words) as told:
                call(tensor)
            assert "cannot be read" in str(told.value) and "tensor.detach().cpu()" in str(told.value)
            assert isinstance(told.value.__cause__, Exception)
    assert cartpole.step_count == 0


class Shown:
    """Something with a __dlpack__ of its own."""

    def __init__(self, show):
        self.show = show

    def __dlpack__(self):
        return self.show()


def test_capsules_that_are_none_are_told_with_the_call(cartpole):
    taken = cartpole.column("action").__dlpack__()
    cartpole.step(Shown(lambda: taken))
    for show in (lambda: taken, lambda: 3, lambda: cartpole.column("action").__dlpack__(
            max_version=(1, 0))):
        with pytest.raises(cosm.ArgumentError, match="Sim.step: __dlpack__ of actions returned"):
            cartpole.step(Shown(show))


def test_an_attribute_that_raises_is_not_taken_for_none(cartpole):
    class Hidden:
        @property
        def __dlpack__(self):
            raise KeyboardInterrupt

    for call in (cartpole.step, cartpole.reset, lambda a: cartpole.reset(None, a),
                 lambda a: cartpole.fork(0, a)):
        with pytest.raises(KeyboardInterrupt):
            call(Hidden())

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cartpole.step(Shown(interrupt))


def test_the_other_byte_order_is_named(zoo):
    with pytest.raises(cosm.ArgumentError, match="float64 of the other byte order, expected float64"):
        zoo.set("appetite", np.zeros(4, ">f8"))
    with pytest.raises(cosm.ArgumentError, match="uint64 of the other byte order, expected uint64 or"):
        zoo.reset(seeds=np.zeros(4, ">u8"))


def test_texts_that_are_no_utf_8_and_pictures_without_memory():
    with cosm.Sim(library("more"), workers=1) as sim:
        assert sim.summary == "weather of -5 \ufffd"
        with pytest.raises(MemoryError, match="Sim.render: .* a picture of 4294967295 x 4294967295"):
            sim.render()


def test_names_with_a_zero_inside_are_refused(zoo):
    for call in (lambda: zoo.set("appetite\0x", 1), lambda: zoo.column("mote\0x"),
                 lambda: zoo.final("mote\0x"),
                 lambda: cosm.Sim(library("zoo"), **{"appetite\0x": 1})):
        with pytest.raises(cosm.ArgumentError, match="contains a zero character"):
            call()


def test_a_begin_that_fails_leaves_an_empty_world_that_the_next_step_begins(zoo):
    zoo.set("appetite", [0, 999, 0, 0])
    with pytest.raises(cosm.Error, match="world 1 .*the world is empty, and the next step tries"):
        zoo.reset()
    assert zoo.column("episode_number").numpy().tolist() == [2, 1, 2, 2]
    assert zoo.column("reward").counts.numpy().tolist() == [1, 0, 1, 2]
    zoo.set("appetite", 0)
    zoo.step()
    assert zoo.column("reward").counts.numpy().tolist() == [1, 2, 1, 2]
    with pytest.raises(cosm.Error, match="world 1 .*have it fill the world") as told:
        cosm.Sim(library("zoo"), num_worlds=4, appetite=[0, 999, 0, 0])
    assert "next step" not in str(told.value)


def test_a_limit_of_zero_cuts_no_episode_off():
    with cosm.Sim("cartpole", max_episode_steps=0) as never, cosm.Sim("cartpole") as own, \
            cosm.Sim("cartpole", max_episode_steps=2**32 - 2) as far:
        assert never.max_episode_steps == 0 and own.max_episode_steps == 500
        assert far.max_episode_steps == 2**32 - 2
        for sim in (never, far):
            sim.column("episode_length").numpy()
            sim.step()
            assert not sim.column("episode_truncated").numpy().any()
    with pytest.raises(cosm.ArgumentError, match="it must be from 0 to 4294967294"):
        cosm.Sim("cartpole", max_episode_steps=2**32 - 1)


def test_ints_that_no_number_of_c_holds_are_overflow_errors(zoo):
    for call in (lambda: zoo.render(10**30), lambda: zoo.set("appetite", 10**400)):
        with pytest.raises(OverflowError):
            call()


def test_torch_tensors_are_actions(cartpole, torch):
    cartpole.step(torch.ones(8, dtype=torch.int32))
    assert cartpole.column("action").numpy().tolist() == [[1]] * 8
    with pytest.raises(cosm.ArgumentError, match="int64"):
        cartpole.step(torch.ones(8, dtype=torch.int64))


@pytest.mark.parametrize("actions, words", [
    (np.zeros((8, 2), np.float64), "shape (8, 2) and type float64"),
    (np.zeros(7, np.int32), "shape (7,)"),
    (np.zeros((), np.int32), "shape ()"),
    (np.zeros((1, 8), np.int32), "shape (1, 8)"),
    (np.zeros(8, np.int64), "type int64"),
    (np.zeros(8, np.uint32), "type uint32"),
    (np.zeros(8, np.float32), "type float32"),
    (np.zeros(8, ">i4"), "other byte order"),
    (np.zeros(8, np.complex64), "a type of 8 bytes"),
    (b"12345678", "type uint8"),
])
def test_wrong_actions_are_told_with_what_is_wanted(cartpole, actions, words):
    with pytest.raises(cosm.ArgumentError) as told:
        cartpole.step(actions)
    text = str(told.value)
    assert text.startswith("Sim.step: actions have ") and words in text
    assert "the column 'action' is (8, 1) of int32; convert with" in text and "astype" in text
    assert cartpole.step_count == 0


def test_actions_that_are_not_contiguous_are_refused(cartpole):
    with pytest.raises(cosm.ArgumentError, match="numpy.ascontiguousarray"):
        cartpole.step(np.zeros((8, 2), np.int32)[:, :1])
    with pytest.raises(cosm.ArgumentError, match="numpy.ascontiguousarray"):
        cartpole.step(np.zeros(8, np.int32)[::-1])


def test_what_is_no_array_is_a_type_error(cartpole):
    for actions in ([0] * 8, 1, "12345678"):
        with pytest.raises(TypeError, match="numpy.asarray"):
            cartpole.step(actions)
    with pytest.raises(TypeError, match="Sim.step: takes one argument, 'actions'"):
        cartpole.step(None, None)
    with pytest.raises(TypeError, match="Sim.step: takes one argument, 'actions'"):
        cartpole.step(action=None)


def test_bytes_for_an_action_of_bool_are_0_and_1():
    with cosm.Sim(library("truth"), num_worlds=2, workers=1) as sim:
        for actions in ([[0, 1], [1, 0]], [[1, 1], [0, 0]]):
            sim.step(np.array(actions, np.uint8))
            assert sim.column("other").numpy().tolist() == np.array(actions, bool).tolist()
        with pytest.raises(cosm.ArgumentError) as told:
            sim.step(np.array([[0, 1], [1, 7]], np.uint8))
        assert str(told.value) == ("Sim.step: actions have a 7, but the column 'other' of bool accepts 0 "
                                   "and 1; convert with astype(bool)")
        assert sim.step_count == 2


def test_several_action_columns_are_to_be_written():
    with cosm.Sim(library("pair"), num_worlds=2) as sim:
        with pytest.raises(cosm.ArgumentError, match=r"several action columns.*sim.column"):
            sim.step(np.zeros((2, 2), np.int32))
        sim.column("action").numpy()[...] = 3
        sim.column("other").numpy()[...] = True
        sim.step()
        assert sim.column("reward").numpy()[1].tolist() == [3, 3]
        assert [c.name for c in sim.with_role("action")] == ["action", "other"]


def test_a_failure_of_a_system_is_an_error(zoo):
    with pytest.raises(cosm.Error, match="13 is no number") as told:
        zoo.step(np.full((4, 2), 13, np.int32))
    assert told.value.code == "COSM_ERROR_SYSTEM" and type(told.value) is cosm.Error
    zoo.step(np.zeros((4, 2), np.int32))


def test_a_full_table_is_a_capacity_error(zoo):
    with pytest.raises(cosm.CapacityError) as told:
        zoo.step(np.full((4, 2), 99, np.int32))
    assert told.value.code == "COSM_ERROR_FULL"


def test_reset_takes_masks(zoo):
    length = zoo.column("episode_length").numpy()
    number = zoo.column("episode_number").numpy()
    zoo.step()
    zoo.step()
    zoo.reset(np.array([1, 0, 0, 1], np.uint8))
    assert length.tolist() == [0, 2, 2, 0] and number.tolist() == [2, 1, 1, 2]
    zoo.reset(mask=np.array([False, True, False, False]))
    zoo.reset([False, False, True, False])
    assert number.tolist() == [2, 2, 2, 2]
    zoo.reset()
    assert number.tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("mask, error, words", [
    (np.zeros(3, bool), cosm.ArgumentError, "shape (3,), expected (4,); pass one for each world"),
    (np.zeros((4, 1), bool), cosm.ArgumentError, "shape (4, 1), expected (4,); pass one for each world"),
    (np.zeros(4, np.int64), cosm.ArgumentError, "type int64, expected bool or uint8"),
    (np.zeros(8, bool)[::2], cosm.ArgumentError, "ascontiguousarray"),
    ([True], cosm.ArgumentError, "shape (1,), expected (4,); pass one for each world"),
    (True, TypeError, "array or a sequence"),
    ("abcd", TypeError, "array or a sequence"),
])
def test_wrong_masks_are_refused(zoo, mask, error, words):
    with pytest.raises(error) as told:
        zoo.reset(mask)
    assert words in str(told.value)
    assert zoo.column("episode_number").numpy().tolist() == [1] * 4


def test_reset_takes_seeds(cartpole):
    def start(seeds):
        cartpole.reset(seeds=seeds)
        return cartpole.column("observation").numpy().tolist()

    one = start(100)
    each = start(range(100, 108))
    assert start(np.arange(100, 108)) == each == start(list(range(100, 108)))
    assert start(np.arange(100, 108, dtype=np.uint64)) == each
    assert one[0] == each[0] and start(101)[0] == each[1]
    with cosm.Sim("cartpole", num_worlds=8, seed=100) as other:
        assert other.column("observation").numpy().tolist() == one
    with cosm.Sim("cartpole", seed=107) as alone:
        assert alone.column("observation").numpy().tolist() == each[7:]


def test_worlds_of_neighbouring_seeds_are_all_distinct(cartpole):
    starts = set()
    for seed in range(100, 116):
        cartpole.reset(seeds=seed)
        starts.update(map(tuple, cartpole.column("observation").numpy().reshape(8, 4).tolist()))
    assert len(starts) == 16 * 8


@pytest.mark.parametrize("seeds, error, words", [
    (-1, cosm.ArgumentError, "seed -1 is out of range"),
    (2**64, cosm.ArgumentError, "out of range"),
    ([1, 2], cosm.ArgumentError, "shape (2,), expected (8,); pass one for each world"),
    ([-1] * 8, cosm.ArgumentError, "seed -1 is out of range"),
    (np.full(8, -2), cosm.ArgumentError, "seed -2 of world 0"),
    (np.zeros(8, np.int32), cosm.ArgumentError, "type int32, expected uint64 or int64"),
    (np.zeros(16, np.int64)[::2], cosm.ArgumentError, "ascontiguousarray"),
    (1.5, TypeError, "Sim.reset: seeds are 1.5; pass one int, or"),
    (["a"] * 8, TypeError, "Sim.reset: seed is 'a'; pass an int from 0 to 2**64 - 1"),
])
def test_wrong_seeds_are_refused(cartpole, seeds, error, words):
    with pytest.raises(error) as told:
        cartpole.reset(seeds=seeds)
    assert words in str(told.value)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), np.array(2), True + 1,
                                   [2] * 4, (2,) * 4, np.full(4, 2), np.full(4, 2, np.uint8),
                                   np.full(8, 2.0)[::2]])
def test_parameters_are_numbers_or_one_for_each_world(value):
    with cosm.Sim(library("zoo"), num_worlds=4, appetite=value) as sim:
        assert sim.column("appetite").numpy().tolist() == [2] * 4
        sim.set("appetite", 0)
        sim.set("appetite", value)
        assert sim.column("appetite").numpy().tolist() == [2] * 4


@pytest.mark.parametrize("value, error, words", [
    ([1, 2], cosm.ArgumentError, "values of 'appetite' have shape (2,), expected (4,); pass one for each world"),
    (np.ones((4, 1)), cosm.ArgumentError, "shape (4, 1)"),
    (np.ones(4, np.complex128), cosm.ArgumentError, "expected float64"),
    ("much", TypeError, "array or a sequence"),
    (None, TypeError, "array or a sequence"),
    (["a"] * 4, TypeError, "real number"),
])
def test_wrong_values_of_parameters_are_refused(zoo, value, error, words):
    with pytest.raises(error) as told:
        zoo.set("appetite", value)
    assert words in str(told.value)
    with pytest.raises(error):
        cosm.Sim(library("zoo"), num_worlds=4, appetite=value)


def test_unknown_names_are_told_with_those_there_are(zoo):
    with pytest.raises(cosm.ArgumentError, match=r"no column is called 'moat'; there are: fixed_i8, "):
        zoo.column("moat")
    with pytest.raises(cosm.ArgumentError, match="no role is called 'actor'; there are: observation"):
        zoo.with_role("actor")
    with pytest.raises(cosm.ArgumentError, match="hunger"):
        zoo.set("hunger", 1)
    with pytest.raises(cosm.ArgumentError, match="hunger"):
        cosm.Sim(library("zoo"), hunger=1)
    with pytest.raises(cosm.ArgumentError, match="'cartpool'.*cartpole"):
        cosm.Sim("cartpool")
    with pytest.raises(cosm.ArgumentError, match="'sha'; there are: exact, content"):
        zoo.hash(kind="sha")
    with pytest.raises(TypeError):
        zoo.column(3)


@pytest.mark.parametrize("more, words", [
    ({"num_worlds": 0}, "num_worlds is 0; it must be from 1"),
    ({"num_worlds": 2**24 + 1}, "num_worlds is 16777217"),
    ({"workers": -1}, "workers is -1"),
    ({"workers": 257}, "workers is 257"),
    ({"seed": -1}, "seed -1 is out of range"),
    ({"seed": 2**64}, "out of range"),
    ({"autoreset": "never"}, "autoreset is 'never'; there are: next_step, same_step, disabled"),
    ({"max_episode_steps": -1}, "max_episode_steps is -1"),
    ({"world_first": -1}, "world_first is -1; it must be from 0"),
    ({"world_first": 2**64}, "world_first is 18446744073709551616"),
])
def test_wrong_arguments_of_sim_are_refused(more, words):
    with pytest.raises(cosm.ArgumentError) as told:
        cosm.Sim("cartpole", **more)
    assert words in str(told.value) and told.value.code == "COSM_ERROR_ARGUMENT"


def test_arguments_are_what_properties_say():
    sim = cosm.Sim("cartpole", 5, 2**63, 2, "disabled", 17)
    assert (sim.name, sim.num_worlds, sim.seed, sim.workers) == ("cartpole", 5, 2**63, 2)
    assert (sim.autoreset, sim.max_episode_steps, sim.max_agents) == ("disabled", 17, 1)
    assert sim.can_render and sim.summary and abs(sim.step_seconds - 0.02) < 1e-8
    assert cosm.Sim("cartpole").max_episode_steps == 500
    assert not sim.closed and "cartpole" in repr(sim)
    stats = sim.stats()
    assert stats["worlds"] == 5 and stats["entities"] == 5 and stats["workers"] == 2
    assert stats["memory_used"] >= stats["memory_live"] > 0 and stats["steps"] == 0


def test_the_parts_of_a_run_are_what_the_whole_is():
    with cosm.Sim("cartpole", num_worlds=4, seed=3) as whole, \
            cosm.Sim("cartpole", num_worlds=2, seed=3, world_first=2) as part:
        assert (whole.world_first, part.world_first) == (0, 2)
        for seed in (None, 9):
            if seed is not None:
                part.reset(seeds=seed)
                whole.reset(seeds=seed)
            assert [part.hash(world=i) for i in (0, 1)] == [whole.hash(world=i) for i in (2, 3)]
        again = pickle.loads(pickle.dumps(part))
        assert (again.world_first, again.hash()) == (2, part.hash())
        part.reset(seeds=1)
        again.reset(seeds=1)
        assert again.hash() == part.hash()
        again.close()
    with cosm.Sim("cartpole", seed=3, step_first=5) as late, cosm.Sim("cartpole", seed=3) as soon:
        assert (late.step_count, soon.step_count) == (5, 0)
        assert late.hash() != soon.hash()
        late.step()
        assert late.step_count == 6
    env = cosm.VectorEnv("cartpole", num_envs=2, seed=3, world_first=2)
    assert env.sim.world_first == 2
    env.close()
    with pytest.raises(cosm.ArgumentError, match="leaves too few numbers for 2 worlds"):
        cosm.Sim("cartpole", num_worlds=2, world_first=2**64 - 1)
    with pytest.raises(cosm.ArgumentError, match=r"use one below 2\^40"):
        cosm.Sim("cartpole", step_first=2**40)


def test_libraries_that_are_none_say_why(tmp_path):
    with pytest.raises(cosm.FormatError, match="no function cosm_env_entry"):
        cosm.Sim(library("empty"))
    with pytest.raises(cosm.FormatError, match="version 42.*rebuild it"):
        cosm.Sim(library("stale"))
    with pytest.raises(cosm.ArgumentError, match="closed on Mondays"):
        cosm.Sim(library("fails"))
    text = tmp_path / "text.so"
    text.write_text("not a library")
    with pytest.raises(OSError, match="text.so"):
        cosm.Sim(str(text))
    with pytest.raises(OSError, match="nowhere.so"):
        cosm.Sim("nowhere.so")
    with pytest.raises(OSError, match="nowhere"):
        cosm.Sim(tmp_path / "nowhere" / "lib.so")


def test_a_library_of_the_folder_is_found_by_its_name(tmp_path, monkeypatch):
    os.symlink(library("zoo"), tmp_path / "beasts.so")
    monkeypatch.chdir(tmp_path)
    with cosm.Sim("beasts.so") as sim:
        assert sim.name == "zoo"


def test_columns_and_roles_are_listed(zoo):
    assert zoo.columns[:2] == ("fixed_i8", "fixed_i16") and "reset" in zoo.columns
    assert "episode_return" in [c.name for c in zoo.with_role("info")]
    assert [c.name for c in zoo.with_role("parameter")] == ["appetite"]
    assert [c.name for c in zoo.with_role("reset")] == ["reset"]
    assert zoo.with_role("action_mask") == ()


def test_arguments_may_be_named(zoo):
    assert zoo.column(name="mote").name == "mote"
    assert [c.name for c in zoo.with_role(role="reward")] == ["reward"]
    zoo.restore(snapshot=zoo.snapshot())
    for wrong in (lambda: zoo.column(), lambda: zoo.column("a", "b"), lambda: zoo.column(slot=1)):
        with pytest.raises(TypeError, match="takes one argument, 'name'"):
            wrong()


def test_final_observations_are_kept_apart():
    with cosm.Sim("cartpole", num_worlds=4, autoreset="same_step", max_episode_steps=3) as sim:
        last = sim.final("observation")
        for _ in range(3):
            sim.step()
        assert sim.column("episode_truncated").numpy().tolist() == [1] * 4
        assert last.shape == (4, 1, 4) and not np.array_equal(last.numpy(), sim.column("observation").numpy())
        assert np.abs(last.numpy()).max() > 0 and last.direction == "out"


def test_pictures_are_arrays(cartpole):
    picture = cartpole.render(2)
    assert picture.shape == (200, 300, 3) and picture.dtype == "uint8"
    assert picture.numpy().std() > 0 and picture.role == "" and picture.name == "picture"
    for world in (-1, 8):
        with pytest.raises(cosm.ArgumentError, match=f"no world {world}; there are 8"):
            cartpole.render(world)


def test_what_cannot_be_drawn_says_so(zoo):
    assert not zoo.can_render
    with pytest.raises(cosm.ArgumentError, match="draw"):
        zoo.render()


def test_errors_are_also_those_of_python():
    assert issubclass(cosm.ArgumentError, ValueError) and issubclass(cosm.ClosedError, ValueError)
    assert issubclass(cosm.FormatError, ValueError)
    for kind in (cosm.ArgumentError, cosm.CapacityError, cosm.FormatError, cosm.BusyError,
                 cosm.ClosedError):
        assert issubclass(kind, cosm.Error) and kind.__module__ == "cosm"


def test_the_package_says_where_its_headers_are():
    folder = cosm.get_include()
    assert os.path.exists(os.path.join(folder, "cosm", "cosm.h"))
    assert os.path.exists(os.path.join(folder, "cosm_sim", "env.h"))
    with pytest.raises(AttributeError):
        cosm.nothing
