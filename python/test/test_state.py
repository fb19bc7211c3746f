"""State as a value: hashes, files, snapshots, forks; and the same as C does."""

import errno
import os
import subprocess

import numpy as np
import pytest

import cosm
from conftest import library


def actions(worlds, step, agents=1):
    w = np.arange(worlds, dtype=np.int64)
    one = ((w * 7 + step * 3 + w * step) % 2).astype(np.int32)
    return np.repeat(one[:, None], agents, axis=1)


def hashes_in_c(name, worlds, seed, workers, steps, *world):
    program = [os.environ["COSM_TEST_HASHES"], name, worlds, seed, workers, steps, *world]
    # The program has its own sanitizers; what is put before Python's is not for it.
    clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    done = subprocess.run([str(part) for part in program], env=clean, capture_output=True, text=True,
                          check=True)
    return [int(line) for line in done.stdout.split()]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", cosm.environments())
def test_the_same_actions_give_the_same_hashes_as_in_c(name, workers):
    expected = hashes_in_c(name, 64, 9, 1, 40)
    with cosm.Sim(name, num_worlds=64, seed=9, workers=workers) as sim:
        seen = []
        for step in range(40):
            sim.step(actions(64, step, max(sim.max_agents, 1)))
            seen.append(sim.hash())
    assert seen == expected == hashes_in_c(name, 64, 9, 2, 40)
    assert len(set(seen)) == 40


@pytest.mark.parametrize("world", [0, 1234, 4095])
def test_a_world_alone_goes_the_way_it_goes_among_4096(world):
    with cosm.Sim("cartpole", num_worlds=4096, seed=5, workers=2) as many, \
            cosm.Sim("cartpole", seed=5 + world, workers=1) as one:
        many.reset(seeds=range(5, 5 + 4096))
        for step in range(60):
            many.step(actions(4096, step))
            one.step(actions(4096, step)[world:world + 1])
            for name in ("observation", "reward", "terminated", "episode_return"):
                among = many.column(name).numpy()[world]
                assert np.array_equal(one.column(name).numpy()[0], among)
        assert many.hash(world, "content") == one.hash(0, "content")
        assert many.hash(world) == one.hash(0)


def test_hashes_of_kinds_and_worlds(cartpole):
    whole = {kind: cartpole.hash(kind=kind) for kind in ("exact", "content")}
    assert len(set(whole.values())) == 2 and cartpole.hash() == whole["exact"]
    assert cartpole.hash(0) != cartpole.hash(1)
    for world in (-1, 8, 2**70):
        with pytest.raises(cosm.ArgumentError, match="there are 8"):
            cartpole.hash(world)
    with pytest.raises(TypeError):
        cartpole.hash("first")


def test_what_is_written_into_a_column_counts(zoo):
    for name in ("fixed_f32", "single_i64", "mote"):
        before = zoo.hash()
        zoo.column(name).numpy()[...] += 1
        assert zoo.hash() != before


def test_a_snapshot_brings_everything_back(zoo):
    zoo.set("appetite", 1)
    zoo.step(np.ones((4, 2), np.int32))
    zoo.column("fixed_i32").numpy()[...] = 77
    zoo.column("mote").numpy()[...] = 5
    zoo.column("single_f32").numpy()[...] = 2.5
    snapshot = zoo.snapshot()
    hash_then = zoo.hash()
    motes = zoo.column("mote").numpy().copy()
    for _ in range(3):
        zoo.step()
    zoo.column("single_f32").numpy()[...] = 9
    assert zoo.hash() != hash_then and len(zoo.column("mote")) > len(motes)
    zoo.restore(snapshot)
    assert zoo.hash() == hash_then and zoo.step_count == 1
    assert (zoo.column("fixed_i32").numpy()[0, 0] == 77).all()
    assert np.array_equal(zoo.column("mote").numpy(), motes)
    assert zoo.column("single_f32").numpy().tolist() == [2.5] * 4


def test_what_is_written_after_a_snapshot_is_in_the_next(zoo):
    array = zoo.column("fixed_i32").numpy()
    states = []
    for value in (1, 2, 3):
        array[...] = value
        states.append((zoo.snapshot(), value, zoo.hash()))
    for snapshot, value, hash_then in states + states[::-1]:
        zoo.restore(snapshot)
        assert array[0, 0, 0] == value and zoo.hash() == hash_then


def test_restore_wants_a_snapshot_of_its_own(zoo, cartpole):
    with pytest.raises(cosm.ArgumentError):
        cartpole.restore(zoo.snapshot())
    with pytest.raises(TypeError, match="Sim.snapshot"):
        zoo.restore(3)
    snapshot = zoo.snapshot()
    snapshot.close()
    with pytest.raises(cosm.ClosedError, match="snapshot is closed"):
        zoo.restore(snapshot)


def test_files_bring_everything_back(zoo, tmp_path):
    path = tmp_path / "state.cosm"
    zoo.set("appetite", 2)
    zoo.step(np.ones((4, 2), np.int32))
    zoo.column("fixed_u16").numpy()[...] = 4
    zoo.save(path)
    hash_then = zoo.hash()
    zoo.step()
    with cosm.Sim(library("zoo"), num_worlds=4) as other:
        other.load(str(path))
        assert other.hash() == hash_then
        assert other.column("mote").shape == (15, 2) and other.column("fixed_u16").numpy()[0, 0, 0] == 4
        other.step()
        assert other.hash() == zoo.hash()


def test_files_that_are_none_say_why(zoo, tmp_path):
    with pytest.raises(OSError, match="nothing.cosm") as told:
        zoo.load(tmp_path / "nothing.cosm")
    assert told.value.code == "COSM_ERROR_IO"
    assert type(told.value) is FileNotFoundError and told.value.errno == errno.ENOENT
    assert told.value.filename == str(tmp_path / "nothing.cosm")
    with pytest.raises(FileNotFoundError):
        zoo.save(tmp_path / "no" / "folder.cosm")
    with pytest.raises(IsADirectoryError):
        zoo.load(tmp_path)
    zoo.save(tmp_path / "good.cosm")
    data = (tmp_path / "good.cosm").read_bytes()
    for cut in (0, 3, len(data) // 2, len(data) - 1):
        (tmp_path / "cut.cosm").write_bytes(data[:cut])
        with pytest.raises(cosm.FormatError):
            zoo.load(tmp_path / "cut.cosm")
    with pytest.raises(TypeError):
        zoo.save(3)


@pytest.mark.parametrize("name, worlds, words", [
    ("zoo", 3, "has 4 worlds, the simulation has 3; load it into a Sim with num_worlds=4"),
    ("more", 4, "has no singleton 'Weather', which environment 'zoo' needs"),
    ("two", 4, "which environment 'two' does not know: it is a file of another environment")])
def test_files_of_other_environments_are_refused_and_nothing_changes(zoo, tmp_path, name, worlds,
                                                                     words):
    path = tmp_path / "zoo.cosm"
    zoo.step()
    zoo.save(path)
    with cosm.Sim(library(name), num_worlds=worlds) as other:
        before = other.hash()
        with pytest.raises(cosm.FormatError) as told:
            other.load(path)
        assert str(told.value).startswith(f"Sim.load: {path} has ") and words in str(told.value)
        assert other.hash() == before
        other.step()


def test_files_of_built_in_environments_are_told_apart(tmp_path):
    sims = {name: cosm.Sim(name, num_worlds=2, workers=1) for name in cosm.environments()}
    for name, sim in sims.items():
        sim.step()
        sim.save(tmp_path / name)
    for name, sim in sims.items():
        for other in sims:
            before = sim.hash()
            if name == other:
                sim.load(tmp_path / other)
            else:
                with pytest.raises(cosm.FormatError):
                    sim.load(tmp_path / other)
            assert sim.hash() == before


def test_forks_are_copies(zoo):
    zoo.set("appetite", [3, 0, 0, 0])
    zoo.step(np.arange(8, dtype=np.int32).reshape(4, 2))
    assert zoo.hash(0) != zoo.hash(2)
    zoo.fork(0, [2, 3])
    assert zoo.hash(0) == zoo.hash(2) == zoo.hash(3) != zoo.hash(1)
    reward = zoo.column("reward")
    assert reward.numpy()[2, 0] == reward.numpy()[0, 0] and reward.counts.numpy()[2] == 1
    sizes = np.diff(zoo.column("mote").offsets.numpy()).tolist()
    assert sizes == [4, 2, 4, 4]
    zoo.fork(1, np.int64(0))
    assert zoo.hash(0) == zoo.hash(1)
    zoo.fork(1, [])
    zoo.fork(source=1, targets=np.array([2]))
    zoo.fork(1, np.array(3))
    assert zoo.hash(1) == zoo.hash(2) == zoo.hash(3)
    zoo.step()


def test_tensors_are_targets_of_forks(zoo, torch):
    zoo.step(np.arange(8, dtype=np.int32).reshape(4, 2))
    zoo.fork(torch.tensor(0), torch.tensor([1, 2]))
    assert zoo.hash(0) == zoo.hash(1) == zoo.hash(2) != zoo.hash(3)
    zoo.fork(0, torch.tensor(3))
    assert zoo.hash(0) == zoo.hash(3)


def test_forks_have_what_was_written_into_columns(zoo):
    zoo.column("mote").numpy()[0] = [3, 4]
    zoo.fork(0, 3)
    first, last = zoo.column("mote").numpy()[[0, -1]]
    assert first.tolist() == last.tolist() == [3, 4]


@pytest.mark.parametrize("source, targets, words", [
    (4, 0, "no world 4"), (-1, 0, "no world -1"), (0, 4, "no world 4"), (0, [1, 9], "no world 9"),
    (0, [1, 1], "")])
def test_forks_of_worlds_that_are_not_there_are_refused(zoo, source, targets, words):
    before = zoo.hash()
    with pytest.raises(cosm.ArgumentError) as told:
        zoo.fork(source, targets)
    assert words in str(told.value) and zoo.hash() == before


def test_refresh_changes_nothing_that_is_up_to_date(zoo):
    before = zoo.hash()
    zoo.refresh()
    assert zoo.hash() == before and zoo.column("mote").shape == (7, 2)
