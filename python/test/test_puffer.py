"""PufferEnv: flat agents in buffers that stay in place."""

import importlib
import sys
import types

import numpy as np
import pytest

import cosm
from fake import FakeSim


def make(**keywords):
    return cosm.PufferEnv(FakeSim(**{"autoreset": "same_step", **keywords}), log_interval=2)


def test_agents_of_all_worlds_are_rows():
    env = make(num_worlds=2, agents=3)
    assert env.num_agents == 6 and env.agent_per_batch == 6 and env.driver_env is env
    assert env.single_observation_space.shape == (4,) and env.observation_space.shape == (6, 4)
    assert env.single_action_space == cosm.spaces.library().Discrete(3)
    assert env.action_space == cosm.spaces.library().MultiDiscrete([3] * 6)
    observations, infos = env.reset(seed=1)
    assert observations[:, :2].tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert infos == []
    env.sim.counts[1] = 2
    _, rewards, terminals, truncations, _ = env.step(np.array([0, 1, 2, 2, 1, 0]))
    assert rewards.tolist() == [0, 1, 2, 2, 1, 0] and not terminals.any() and not truncations.any()
    assert env.masks.tolist() == [True] * 5 + [False]
    assert env.actions.tolist() == [0, 1, 2, 2, 1, 0]


def test_buffers_stay_in_place_and_observations_are_the_worlds():
    env = make(num_worlds=2)
    env.reset()
    names = ("observations", "rewards", "terminals", "truncations", "masks", "actions")
    before = [getattr(env, name) for name in names]
    for number in (1, 2, 0):
        got = env.step([number, number])
        assert all(now is was for now, was in zip(got[:4], before))
    assert all(getattr(env, name) is was for name, was in zip(names, before))
    assert np.shares_memory(env.observations, env.sim.observation)


def test_buffers_of_yours_are_filled():
    rows = 4
    buf = {"observations": np.zeros((rows, 4), np.float32), "rewards": np.zeros(rows, np.float32),
           "terminals": np.zeros(rows, np.uint8), "truncations": np.zeros(rows, np.uint8),
           "masks": np.zeros(rows, np.uint8), "actions": np.zeros(rows, np.int64)}
    for given in (buf, types.SimpleNamespace(**buf)):
        env = cosm.PufferEnv(FakeSim(num_worlds=2, agents=2, length=1, autoreset="same_step"),
                             buf=given)
        env.reset()
        env.step([1, 2, 0, 1])
        assert env.observations is buf["observations"] and buf["observations"][3, :2].tolist() == [1, 1]
        assert buf["rewards"].tolist() == [1, 2, 0, 1] and buf["terminals"].all()
        assert buf["masks"].all() and buf["actions"].tolist() == [1, 2, 0, 1]
    buf["observations"] = np.zeros((rows, 3), np.float32)
    with pytest.raises(cosm.ArgumentError, match=r"shape \(4, 3\): make them \(4, 4\)"):
        cosm.PufferEnv(FakeSim(num_worlds=2, agents=2, autoreset="same_step"), buf=buf)


def test_actions_written_into_the_buffer_are_taken():
    env = make(num_worlds=2)
    env.reset()
    env.actions[:] = [2, 1]
    assert env.step(env.actions)[1].tolist() == [2, 1]
    env.actions[1] = 3
    with pytest.raises(cosm.ArgumentError, match=r"PufferEnv.step: action\[1\] is 3"):
        env.step(env.actions)
    assert env.sim.step_count == 1


def test_worlds_begin_anew_in_the_same_step_and_means_are_logged():
    env = make(num_worlds=2, length=2, stagger=True)
    env.reset()
    assert env.step([1, 1])[4] == []
    observations, rewards, terminals, truncations, infos = env.step([2, 1])
    assert terminals.tolist() == [True, False] and not truncations.any()
    assert observations[:, 2].tolist() == [0, 2] and rewards.tolist() == [2, 1]
    assert infos == [{"episode_return": 3.0, "episode_length": 2.0, "episodes": 1.0}]
    env.step([0, 0])
    infos = env.step([0, 0])[4]
    assert infos == [{"episode_return": 1.0, "episode_length": 2.5, "episodes": 2.0}]


def test_truncations_are_of_all_agents_of_a_world():
    env = make(num_worlds=2, agents=2, length=1, stagger=True, cut=True)
    env.reset()
    _, _, terminals, truncations, _ = env.step([0] * 4)
    assert not terminals.any() and truncations.tolist() == [True, True, False, False]


def test_agents_end_before_their_world_does():
    env = make(num_worlds=2, agents=2, has_masks=True, length=9)
    env.reset()
    env.sim.dead[0, 1] = 1
    env.sim.cuts[1, 0] = 1
    env.sim.alive[1, 1] = 0
    _, _, terminals, truncations, _ = env.step([0] * 4)
    assert terminals.tolist() == [False, True, False, False]
    assert truncations.tolist() == [False, False, True, False]
    assert env.masks.tolist() == [True, True, True, False]


def test_rows_without_an_agent_are_zero():
    env = make(num_worlds=2, agents=3, has_masks=True, length=1, stagger=True)
    env.reset()
    env.sim.counts[0] = 1
    env.sim.alive[1, 0] = 0
    env.sim.dead[1] = 1
    env.sim.cuts[...] = 1
    env.step([2] * 6)
    assert env.masks.tolist() == [True, False, False, False, True, True]
    assert env.rewards.tolist() == [2, 0, 0, 0, 2, 2]
    assert env.terminals.tolist() == env.masks.tolist() == env.acted.tolist()
    assert not env.truncations.any()  # who has terminated was not cut off


def test_the_end_is_told_of_the_agents_that_were_there():
    """The next episode has fewer agents than the one that is over."""
    env = make(num_worlds=2, agents=3, length=2, stagger=True, has_masks=True, cut=True)
    env.reset()
    env.sim.begin_counts = 1
    env.step([0] * 6)
    env.sim.dead[...] = [[0, 1, 0], [0, 0, 0]]
    env.sim.alive[0, 0] = 0
    observations, rewards, terminals, truncations, _ = env.step([2, 1, 2, 1, 1, 0])
    assert env.masks.tolist() == [False, False, False, True, True, True]
    assert env.acted.tolist() == [False, True, True, True, True, True]
    assert rewards.tolist() == [0, 1, 2, 1, 1, 0]
    assert terminals.tolist() == [False, True] + [False] * 4
    assert truncations.tolist() == [False, False, True] + [False] * 3


def test_the_first_episode_is_the_one_that_has_begun():
    env = make(num_worlds=2)
    env.reset()
    assert env.sim.resets == []
    env.reset()
    env.reset(seed=np.int64(3))
    assert env.sim.resets == [(None, None), (None, 3)]
    with pytest.raises(cosm.ArgumentError, match="PufferEnv.reset: seed is 1.5: pass an integer"):
        env.reset(seed=1.5)


def test_buffers_that_do_not_fit_are_refused():
    def given(**others):
        return {"observations": np.zeros((4, 4), np.float32), "rewards": np.zeros(4, np.float32),
                "terminals": np.zeros(4, bool), "truncations": np.zeros(4, bool),
                "masks": np.zeros(4, bool), "actions": np.zeros(4, np.int32), **others}

    fixed = np.zeros(4, bool)
    fixed.flags.writeable = False
    for others, message in (
            ({"rewards": np.zeros(3, np.float32)}, r"rewards of shape \(3,\): make them \(4,\)"),
            ({"observations": np.zeros((4, 4), np.int8)}, "observations of int8: make them float32"),
            ({"actions": np.zeros(4, np.float32)}, "actions of float32: make them int32"),
            ({"terminals": np.zeros(4, np.int64)}, "terminals of int64: make them bool"),
            ({"masks": None}, r"no masks: pass an array of bool of shape \(4,\)"),
            ({"truncations": [0] * 4}, "a list for truncations: pass an array"),
            ({"masks": fixed}, "masks that are read-only")):
        with pytest.raises(cosm.ArgumentError, match="PufferEnv: buf has " + message):
            cosm.PufferEnv(FakeSim(num_worlds=4, autoreset="same_step"), buf=given(**others))
    with pytest.raises(cosm.ArgumentError, match="buf has no observations"):
        cosm.PufferEnv(FakeSim(num_worlds=4, autoreset="same_step"), buf={})
    buf = given(observations=np.zeros((4, 8), np.float32)[:, ::2],
                rewards=np.zeros(8, np.float32)[::2])
    env = cosm.PufferEnv(FakeSim(num_worlds=4, autoreset="same_step"), buf=buf)
    env.reset()
    assert buf["masks"].all()  # also where each world has one agent
    env.step([1, 2, 0, 1])
    assert buf["rewards"].tolist() == [1, 2, 0, 1] and buf["observations"][3].tolist() == [3, 0, 1, 1]


def test_pictures_and_intervals_that_cannot_be_are_refused():
    with pytest.raises(cosm.ArgumentError, match="PufferEnv: render_mode is 'human'"):
        cosm.PufferEnv("cartpole", render_mode="human")
    for interval in (0, None, 1.5):
        with pytest.raises(cosm.ArgumentError, match="PufferEnv: log_interval is"):
            cosm.PufferEnv("cartpole", log_interval=interval)
    sim = FakeSim(autoreset="same_step")
    sim.can_render = False
    with pytest.raises(cosm.ArgumentError, match="PufferEnv: fake cannot be drawn"):
        cosm.PufferEnv(sim, render_mode="rgb_array")


def test_bounds_are_in_the_order_of_the_columns(monkeypatch):
    """Gymnasium sorts the names of a dictionary of spaces."""
    class Sorted(cosm.spaces.Dict):
        def __init__(self, parts):
            super().__init__(dict(sorted(dict(parts).items())))

    monkeypatch.setattr(cosm.spaces._Own, "Dict", Sorted)
    with cosm.PufferEnv("forage", num_worlds=4) as env:
        assert list(env.observation_slices) == ["window", "self"]
        assert env.single_observation_space.high[:25].tolist() == [3] * 25
        observations, _ = env.reset()
        assert all(row in env.single_observation_space for row in observations[env.masks])


@pytest.mark.parametrize("extra", [False, True])
def test_tensors_are_the_buffers(torch, extra):
    with cosm.PufferEnv(FakeSim(num_worlds=2, agents=2, autoreset="same_step", extra=extra),
                        output="torch") as env:
        observations, _ = env.reset()
        got = env.step(torch.tensor([1, 2, 0, 1]))
        assert all(type(tensor) is torch.Tensor for tensor in got[:4])
        assert got[0] is observations and got[1].tolist() == [1, 2, 0, 1]
        assert got[0].data_ptr() == env.observations.ctypes.data
        assert got[1].data_ptr() == env.rewards.ctypes.data
        assert type(env.rewards) is np.ndarray and got[2].dtype == torch.bool
        assert env.recv()[6].tolist() == [True] * 4


def test_tensors_of_a_real_simulation_are_its_memory(torch, recwarn):
    with cosm.PufferEnv("cartpole", num_worlds=2, output="torch") as env:
        observations, _ = env.reset()
        assert observations.data_ptr() == env.sim.with_role("observation")[0].address
        assert not recwarn.list
    for make_env in (cosm.PufferEnv, cosm.ParallelEnv):
        with pytest.raises(cosm.ArgumentError, match="output is 'jax': pass 'numpy' or 'torch'"):
            make_env("forage", output="jax")


def test_sending_and_receiving_are_a_step():
    env = make(num_worlds=2)
    env.async_reset(seed=3)
    assert env.recv()[0] is env.observations
    env.send([1, 2])
    observations, rewards, terminals, truncations, infos, ids, masks = env.recv()
    assert rewards.tolist() == [1, 2] and ids.tolist() == [0, 1] and masks.all() and infos == []


def test_several_observations_are_flattened_into_one_row():
    env = make(num_worlds=2, agents=2, extra=True)
    assert env.observation_slices == {"observation": slice(0, 4), "weather": slice(4, 6)}
    assert env.single_observation_space.shape == (6,)
    assert env.single_observation_space.high[4:].tolist() == [255, 255]
    env.sim.column("weather").array[1] = [7, 8]
    observations, _ = env.reset()
    assert observations.dtype == np.float32 and observations[0].tolist() == [0, 0, 0, 1, 0, 0]
    assert observations[3].tolist() == [1, 1, 0, 1, 7, 8]
    assert env.step([0] * 4)[0] is observations and observations[3, 2] == 1


def test_what_does_not_fit_is_refused():
    with pytest.raises(cosm.ArgumentError, match="autoreset='same_step'"):
        make(autoreset="next_step")
    with pytest.raises(cosm.ArgumentError, match="several action columns"):
        make(two_actions=True)
    with pytest.raises(cosm.ArgumentError, match="have no limit"):
        make(grows=True)
    env = make(num_worlds=2)
    for actions, message in (([0], "shape"), ([0.5, 0], "type float64"), ([0, 5], "is 5")):
        with pytest.raises(cosm.ArgumentError, match=message):
            env.step(actions)
    assert env.sim.step_count == 0


# Against the real thing.

@pytest.mark.parametrize("name", ["cartpole", "forage"])
def test_built_in_environments_step_as_rows(name):
    with cosm.PufferEnv(name, num_worlds=4, seed=3, log_interval=1) as env:
        rows = 4 * env.sim.max_agents
        assert env.num_agents == rows and env.observations.shape[0] == rows
        env.reset(seed=1)
        random = np.random.default_rng(4)
        logs = []
        for _ in range(600):
            logs += env.step(random.integers(env.single_action_space.n, size=rows))[4]
            assert np.isfinite(env.rewards).all()
            for rows_of in (env.rewards, env.terminals, env.truncations):
                assert not rows_of[~env.acted].any()
            assert not (env.terminals & env.truncations).any()
        assert sum(log["episodes"] for log in logs) > 0


def test_a_pufferlib_that_assigns_buffers_later_is_refused(monkeypatch):
    module, folder = types.ModuleType("pufferlib"), types.ModuleType("pufferlib.environment")
    module.__version__ = "1.0.1"
    folder.PufferEnv = type("PufferEnv", (), {"reset": lambda self, seed=None: None})
    monkeypatch.setitem(sys.modules, "pufferlib", module)
    monkeypatch.setitem(sys.modules, "pufferlib.environment", folder)
    monkeypatch.delitem(sys.modules, "cosm.puffer", raising=False)
    with pytest.raises(ImportError, match=r"PufferLib 1\.0\.1 is installed.*pufferlib>=2"):
        importlib.import_module("cosm.puffer").PufferEnv("cartpole")
    monkeypatch.delitem(sys.modules, "cosm.puffer")


def test_a_closed_one_names_the_call():
    env = cosm.PufferEnv("cartpole")
    env.reset()
    env.close()
    assert repr(env) == str(env) == "<cosm.PufferEnv('cartpole', num_agents=1): closed>"
    for call in (env.reset, lambda: env.step([1]), env.render):
        with pytest.raises(cosm.ClosedError, match=r"PufferEnv\.(reset|step|render): "):
            call()


def test_without_a_seed_one_is_drawn_and_shown():
    with cosm.PufferEnv("cartpole") as env, cosm.PufferEnv("cartpole") as other:
        assert env.seed != other.seed and env.seed == env.sim.seed
        env.reset(7)
        assert env.seed == 7 and env.infos == []


def test_one_continuous_number_is_a_box_of_shape_one():
    env = cosm.PufferEnv(FakeSim(choices=0, autoreset="same_step"))
    assert env.single_action_space.shape == (1,) and env.actions.shape == (2, 1)
    env.reset()
    for actions in ([0.5, 1.0], [[0.5], [1.0]]):
        assert env.step(np.array(actions, np.float32))[1].tolist() == [0.5, 1.0]


def test_where_pufferlib_is_there_its_class_is_the_base(monkeypatch):
    module = types.ModuleType("pufferlib")

    class TheirPufferEnv:
        def __init__(self, buf=None):
            raise AssertionError("ours has its own buffers")

        done = property(lambda self: False)

    module.PufferEnv = TheirPufferEnv
    monkeypatch.setitem(sys.modules, "pufferlib", module)
    monkeypatch.delitem(sys.modules, "cosm.puffer", raising=False)
    ours = importlib.import_module("cosm.puffer").PufferEnv
    env = ours(FakeSim(autoreset="same_step"))
    assert isinstance(env, module.PufferEnv) and env.done is False and env.emulated is False
    env.reset()
    monkeypatch.delitem(sys.modules, "cosm.puffer")
