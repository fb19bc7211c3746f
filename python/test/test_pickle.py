"""Pickle and deepcopy: a copy has the state of the original, and goes on as it does."""

import copy
import pickle

import numpy as np
import pytest

import cosm
from conftest import library

WAYS = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy}


@pytest.fixture(params=WAYS)
def again(request):
    return WAYS[request.param]


def step(sim, number):
    shape = sim.column("action").shape
    sim.step((np.indices(shape).sum(0) * 7 + number * 3).astype(np.int32) % 2)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("name", cosm.environments())
def test_a_simulation_goes_on_as_the_original(name, mode, again):
    with cosm.Sim(name, num_worlds=8, autoreset=mode, workers=1, max_episode_steps=30) as sim:
        for number in range(40):
            step(sim, number)
        other = again(sim)
        assert (other.name, other.seed, other.autoreset) == (name, sim.seed, mode)
        assert other.max_episode_steps == 30 and other.step_count == 40 and other.workers == 1
        for number in range(60):
            assert other.hash() == sim.hash()
            for column in ("episode_return", "episode_length", "last_return", "episode_terminated"):
                assert np.array_equal(other.column(column).numpy(), sim.column(column).numpy())
            step(sim, number)
            step(other, number)
        other.close()


def test_what_is_written_into_columns_and_set_goes_along(again):
    with cosm.Sim(library("zoo"), num_worlds=4, appetite=[1, 2, 3, 4]) as sim:
        sim.column("fixed_i32").numpy()[...] = 77
        sim.column("mote").numpy()[...] = 5
        with again(sim) as other:
            assert other.hash() == sim.hash()
            assert (other.column("fixed_i32").numpy()[:, 0] == 77).all()
            assert other.column("appetite").numpy().ravel().tolist() == [1, 2, 3, 4]


class Named(cosm.Sim):
    """A class of one's own, with an attribute."""

    nickname = None


def test_a_subclass_keeps_its_attributes(again):
    with Named("cartpole") as sim:
        sim.nickname = "Bob"
        with again(sim) as other:
            assert type(other) is Named and other.nickname == "Bob"


def test_a_copied_snapshot_belongs_to_no_simulation(again):
    with cosm.Sim("forage", num_worlds=3, seed=1) as sim:
        for number in range(20):
            step(sim, number)
        snapshot = sim.snapshot()
        before = sim.hash()
        step(sim, 0)
        sim_hash = sim.hash()
    other = again(again(snapshot))
    snapshot.close()
    assert other.num_worlds == 3
    with cosm.Sim("forage", num_worlds=3, seed=99) as sim:
        sim.restore(other)
        assert sim.hash() == before
        step(sim, 0)
        assert sim.hash() == sim_hash
        sim.restore(other)
        assert sim.hash() == before
    with cosm.Sim("forage", num_worlds=2) as sim:
        with pytest.raises(cosm.ArgumentError, match="'forage' with 3 worlds, but .* 'forage' with 2"):
            sim.restore(other)
    with cosm.Sim("cartpole", num_worlds=3) as sim:
        with pytest.raises(cosm.ArgumentError, match="of 'forage' with 3 worlds, but .*'cartpole'"):
            sim.restore(other)
    other.close()
    other.close()
    for use in (lambda: other.num_worlds, lambda: pickle.dumps(other)):
        with pytest.raises(cosm.ClosedError, match="Snapshot"):
            use()


def test_bytes_that_are_no_state_are_refused():
    with cosm.Sim("cartpole", num_worlds=2, seed=1) as sim:
        before = sim.hash()
        make, (env, worlds, data) = sim.snapshot().__reduce__()
        for wrong in (b"", data[:100], data[:-1], data[:200] + b"!" + data[201:]):
            with pytest.raises(cosm.FormatError, match="Sim.restore"):
                sim.restore(make(env, worlds, wrong))
        # Bytes of another environment under this one's name.
        with cosm.Sim("forage", num_worlds=2) as forage:
            strange = forage.snapshot().__reduce__()[1][2]
        with pytest.raises(cosm.FormatError, match="does not know"):
            sim.restore(make("cartpole", 2, strange))
        assert sim.hash() == before
        with pytest.raises(TypeError):
            sim.__setstate__(data)
        with pytest.raises(TypeError):
            make("cartpole", "two", data)


def test_what_is_closed_is_not_copied():
    sim = cosm.Sim("cartpole")
    sim.close()
    with pytest.raises(cosm.ClosedError, match="Sim.__reduce__"):
        pickle.dumps(sim)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("name", cosm.environments())
def test_a_vector_environment_goes_on_as_the_original(name, mode, again):
    with cosm.VectorEnv(name, num_envs=4, autoreset_mode=mode, stats_key="episode") as env:
        env.action_space.seed(1)
        env.reset()
        for _ in range(25):
            env.step(env.action_space.sample())
        other = again(env)
        assert other.seed == env.seed and other.sim is not env.sim and other._owns_sim
        for _ in range(40):
            ours, theirs = (each.step(each.action_space.sample()) for each in (env, other))
            assert str(ours) == str(theirs)
        assert np.array_equal(str(env.reset()), str(other.reset()))
        other.close()
        assert other.sim.closed and not env.sim.closed


def test_other_adapters_go_on_as_the_original(again):
    with cosm.Env("cartpole", render_mode="rgb_array") as env:
        env.reset(seed=3)
        env.step(1)
        with again(env) as other:
            assert other.seed == 3 and np.array_equal(other.render(), env.render())
            assert np.array_equal(other.step(1)[0], env.step(1)[0])
            assert np.array_equal(other.reset()[0], env.reset()[0])
    with cosm.ParallelEnv("forage", seed=2) as env:
        env.reset(seed=3)
        for _ in range(15):
            env.step({name: env.action_space(name).sample() for name in env.agents})
        with again(env) as other:
            while env.agents:
                assert other.agents == env.agents
                actions = {name: env.action_space(name).sample() for name in env.agents}
                assert actions == {name: other.action_space(name).sample() for name in env.agents}
                assert str(env.step(actions)) == str(other.step(actions))
    with cosm.PufferEnv("forage", num_worlds=3) as env:
        env.reset()
        for _ in range(30):
            env.step(np.ones(24, np.int32))
        with again(env) as other:
            for name in ("rewards", "terminals", "masks", "acted", "actions"):
                assert np.array_equal(getattr(env, name), getattr(other, name)), name
            for _ in range(30):
                assert np.array_equal(env.observations[env.masks], other.observations[other.masks])
                for ours, theirs in zip(env.step(np.ones(24, np.int32))[1:],
                                        other.step(np.ones(24, np.int32))[1:]):
                    assert np.array_equal(ours, theirs)


def test_a_simulation_that_two_share_is_shared_by_their_copies():
    with cosm.Sim("cartpole", autoreset="disabled") as sim:
        pair = copy.deepcopy({"sim": sim, "env": cosm.VectorEnv(sim)})
        assert pair["env"].sim is pair["sim"] is not sim
        pair["env"].close()
        assert not pair["sim"].closed
        pair["sim"].close()
