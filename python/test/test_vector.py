"""VectorEnv: the vector interface of Gymnasium on simulations."""

import enum
import importlib
import sys
import types

import numpy as np
import pytest

import cosm
from conftest import library
from fake import FakeColumn, FakeSim


def play(env, steps, choose):
    """What ``steps`` steps return, with the actions that ``choose(step)`` gives."""
    return [env.step(choose(step)) for step in range(steps)]


def test_one_agent_per_world_has_no_dimension_of_agents():
    env = cosm.VectorEnv(FakeSim(num_worlds=5))
    assert env.num_envs == 5
    assert env.single_observation_space.shape == (4,) and env.observation_space.shape == (5, 4)
    assert env.single_action_space == cosm.spaces.library().Discrete(3)
    assert env.action_space == cosm.spaces.library().MultiDiscrete([3] * 5)
    observations, infos = env.reset(seed=1)
    assert observations.shape == (5, 4) and observations in env.observation_space
    assert infos["seed"].tolist() == [1] * 5 and infos["_seed"].all() and len(infos) == 2
    observations, rewards, terminations, truncations, infos = env.step(np.array([0, 1, 2, 1, 0]))
    assert rewards.tolist() == [0, 1, 2, 1, 0] and rewards.dtype == np.float32
    assert terminations.dtype == truncations.dtype == np.bool_
    assert not terminations.any() and not truncations.any() and infos == {}
    assert env.unwrapped is env and env.spec is None


def test_next_step_mode_begins_anew_one_step_later():
    env = cosm.VectorEnv(FakeSim(num_worlds=2, length=2, stagger=True))
    assert env.metadata["autoreset_mode"] == cosm.AutoresetMode.NEXT_STEP
    env.reset()
    got = play(env, 4, lambda step: [1, 1])
    assert [step[2].tolist() for step in got] == [[False, False], [True, False], [False, True],
                                                  [False, False]]
    assert got[1][0][0].tolist() == [0, 0, 2, 1]  # the last look of the old episode
    assert got[2][0][0].tolist() == [0, 0, 0, 2] and got[2][1].tolist() == [0, 1]


def test_episodes_that_end_are_told_with_a_mask():
    env = cosm.VectorEnv(FakeSim(num_worlds=3, length=2, stagger=True))
    env.reset()
    got = play(env, 3, lambda step: [1, 2, 0])
    assert "episode_stats" not in got[0][4]
    assert got[1][4]["episode_stats"]["r"].tolist() == [2, 0, 0]
    assert got[1][4]["episode_stats"]["l"].tolist() == [2, 0, 0]
    assert got[1][4]["_episode_stats"].tolist() == [True, False, False]
    assert got[2][4]["episode_stats"]["r"].tolist() == [0, 6, 0]
    assert "final_obs" not in got[1][4]


def test_same_step_mode_keeps_the_final_observation():
    env = cosm.VectorEnv(FakeSim(num_worlds=2, length=2, stagger=True, autoreset="same_step"))
    assert env.metadata["autoreset_mode"] == cosm.AutoresetMode.SAME_STEP
    env.reset()
    first, second = play(env, 2, lambda step: [1, 1])
    assert "final_obs" not in first[4]
    infos = second[4]
    assert second[2].tolist() == [True, False]
    assert second[0][0].tolist() == [0, 0, 0, 2]
    assert infos["final_obs"].tolist() == [[0, 0, 2, 1], [0, 0, 0, 0]]
    assert infos["_final_obs"].tolist() == [True, False]
    assert infos["final_info"]["episode_stats"]["r"].tolist() == [2, 0]
    assert infos["_final_info"].tolist() == [True, False]


def test_disabled_mode_waits_for_a_reset_by_mask():
    env = cosm.VectorEnv(FakeSim(num_worlds=2, length=2, stagger=True, autoreset="disabled"))
    env.reset()
    ended = play(env, 2, lambda step: [1, 1])[-1][2]
    observations, _ = env.reset(options={"reset_mask": ended})
    assert observations.tolist() == [[0, 0, 0, 2], [1, 0, 2, 1]]
    for mask in ([True], [1.0, 0.0], [1, 0], ["a", "b"]):
        with pytest.raises(cosm.ArgumentError, match="VectorEnv.reset: reset_mask is"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(cosm.ArgumentError, match="VectorEnv.reset: options is 5: pass a dictionary"):
        env.reset(options=5)
    env.reset(options={"reset_mask": None, "for_others": 1})
    assert env.sim.resets[-1] == (None, None)
    many = np.zeros(4, bool)
    many[::2] = ended
    env.reset(options={"reset_mask": many[::2], "for_others": 1})
    assert env.sim.resets[-1][0].flags.c_contiguous
    assert env.sim.resets[-1][0].tolist() == ended.tolist()


def test_truncation_is_not_termination():
    env = cosm.VectorEnv(FakeSim(num_worlds=1, length=2, cut=True))
    env.reset()
    _, _, terminations, truncations, infos = play(env, 2, lambda step: [1])[-1]
    assert not terminations.any() and truncations.all() and infos["_episode_stats"].all()


def test_seeds_reach_the_simulation():
    sim = FakeSim(num_worlds=3)
    env = cosm.VectorEnv(sim)
    env.reset()
    assert sim.resets == []  # worlds have begun already
    env.reset()
    env.reset(seed=5)
    env.reset(seed=[7, None, 9])
    (one, two, three, four) = sim.resets
    assert one == (None, None) and two == (None, 5)
    assert three[0].tolist() == [True, False, True] and three[1] == [7, 0, 9]
    assert four[0].tolist() == [False, True, False] and four[1] is None
    with pytest.raises(cosm.ArgumentError, match="2 seeds for 3 environments"):
        env.reset(seed=[1, 2])


def test_seeds_are_integers_of_any_kind(torch):
    sim = FakeSim(num_worlds=2)
    env = cosm.VectorEnv(sim)
    for seed in (5, np.int32(5), np.array(5), torch.tensor(5)):
        env.reset(seed=seed)
        assert sim.resets[-1] == (None, 5) and type(sim.resets[-1][1]) is int
    for seeds in (np.array([5, 6]), torch.tensor([5, 6]), (5, np.uint64(6))):
        env.reset(seed=seeds)
        assert sim.resets[-1][1] == [5, 6]
    before = len(sim.resets)
    for seed in (5.0, 1.5, "x", b"5", np.array(1.5), [1.5, 2], [None, "x"], torch.tensor(5.0), {}):
        with pytest.raises(cosm.ArgumentError, match="VectorEnv.reset: seed is .*: pass an integer"):
            env.reset(seed=seed)
    assert len(sim.resets) == before


def test_copies_are_the_callers_and_views_are_the_worlds():
    env = cosm.VectorEnv(FakeSim())
    env.reset()
    first, second = play(env, 2, lambda step: [step, step])
    assert first[0][0, 2] == 1 and second[0][0, 2] == 2 and second[0].flags.writeable
    assert not any(np.shares_memory(first[i], second[i]) for i in range(4))
    sim = FakeSim(length=1)
    env = cosm.VectorEnv(sim, copy=False)
    env.reset()
    first, second = play(env, 2, lambda step: [step, step])
    assert np.shares_memory(second[0], sim.observation) and np.shares_memory(second[1], sim.reward)
    assert all(np.shares_memory(first[i], second[i]) for i in range(4))
    assert not second[0].flags.writeable


@pytest.mark.parametrize("copy", [True, False])
def test_torch_output_has_tensors(copy, torch):
    sim = FakeSim(length=2, autoreset="same_step")
    env = cosm.VectorEnv(sim, output="torch", copy=copy)
    observations, _ = env.reset()
    assert isinstance(observations, torch.Tensor) and observations.shape == (2, 4)
    got = play(env, 2, lambda step: torch.tensor([1, 2]))
    observations, rewards, terminations, truncations, infos = got[-1]
    assert rewards.tolist() == [1, 2] and rewards.dtype == torch.float32
    assert terminations.dtype == truncations.dtype == torch.bool and terminations.all()
    assert infos["final_obs"][:, 2].tolist() == [2, 2] and isinstance(infos["final_obs"], torch.Tensor)
    assert (observations.data_ptr() == sim.observation.ctypes.data) == (not copy)


def test_several_agents_are_one_environment_with_masks():
    sim = FakeSim(num_worlds=2, agents=3)
    env = cosm.VectorEnv(sim)
    assert env.single_observation_space.shape == (3, 4)
    assert env.single_action_space == cosm.spaces.library().MultiDiscrete([3, 3, 3])
    assert env.action_space.shape == (2, 3)
    sim.counts[:] = [3, 1]
    observations, infos = env.reset()
    assert infos["agent_mask"].tolist() == [[True] * 3, [True, False, False]]
    assert infos["_agent_mask"].all()
    assert observations[1, 1:].max() == 0 and observations[1, 0].max() > 0
    _, rewards, _, _, infos = env.step([[1, 2, 2], [1, 2, 2]])
    assert rewards.tolist() == [5, 1]
    assert infos["agent_rewards"].tolist() == [[1, 2, 2], [1, 0, 0]]
    assert not infos["agent_terminations"].any()
    assert env.step([[0] * 3] * 2) and env.step([[0] * 3] * 2)[4]["agent_mask"].shape == (2, 3)


def test_masks_of_agents_are_those_of_the_environment():
    sim = FakeSim(num_worlds=2, agents=2, has_masks=True)
    env = cosm.VectorEnv(sim)
    env.reset()
    sim.alive[0, 0] = 0
    sim.counts[1] = 1
    sim.cuts[...] = 1
    sim.dead[...] = [[0, 1], [0, 1]]
    observations, rewards, _, _, infos = env.step([[2, 1], [1, 2]])
    assert infos["agent_mask"].tolist() == [[False, True], [True, False]]
    assert rewards.tolist() == [1, 1] and observations[0, 0].max() == 0
    assert infos["agent_terminations"].tolist() == [[False, True], [False, False]]
    assert infos["agent_truncations"].tolist() == [[False, False], [True, False]]


def test_agents_of_an_episode_that_ended_in_the_same_step_are_told_apart():
    """The next episode has fewer agents: what was told of the others must not be lost."""
    sim = FakeSim(num_worlds=2, agents=3, length=2, stagger=True, autoreset="same_step",
                  has_masks=True)
    env = cosm.VectorEnv(sim)
    env.reset()
    env.step([[0] * 3] * 2)
    sim.begin_counts = 1
    sim.dead[...] = [[0, 1, 0], [1, 0, 0]]
    sim.cuts[...] = [[0, 1, 1], [1, 0, 0]]
    sim.alive[0, 0] = 0
    _, rewards, terminations, _, infos = env.step([[1, 2, 1], [2, 0, 1]])
    assert rewards.tolist() == [3, 3] and terminations.tolist() == [True, False]
    assert infos["agent_mask"].tolist() == [[False, False, False], [True] * 3]
    assert infos["agent_rewards"].tolist() == [[0, 0, 0], [2, 0, 1]]
    assert infos["agent_terminations"].tolist() == [[False] * 3, [True, False, False]]
    assert not infos["agent_truncations"].any()  # termination is reported
    last, none = infos["final_info"], [False] * 3
    assert last["agent_mask"].tolist() == [[False, True, True], none]
    assert last["agent_rewards"].tolist() == [[0, 2, 1], [0, 0, 0]]
    assert last["agent_terminations"].tolist() == [[False, True, True], none]
    assert not last["agent_truncations"].any() and last["_agent_rewards"].tolist() == [True, False]
    assert infos["final_obs"][0, :, 2].tolist() == [0, 2, 2] and not infos["final_obs"][1].any()


def test_rewards_of_forage_add_up_when_worlds_begin_anew_in_the_same_step():
    """A twin whose worlds are reset by hand tells the truth."""
    words = {"seed": 1, "agents": 2, "food": 24, "max_episode_steps": 40}
    env = cosm.VectorEnv("forage", num_envs=8, autoreset_mode="same_step", **words)
    twin = cosm.VectorEnv("forage", num_envs=8, autoreset_mode="disabled", **words)
    env.reset(), twin.reset()
    ended_with_more = 0
    for step in range(400):
        random = np.random.default_rng(step)
        mask = twin.sim.column("action_mask").numpy() * [1, 1, 1, 1, 3]
        actions = (random.random(mask.shape) * mask).argmax(-1)
        _, rewards, *ends, infos = env.step(actions)
        _, truth, *true_ends, told = twin.step(actions)
        assert np.array_equal(rewards, truth) and np.array_equal(ends, true_ends)
        ended = ends[0] | ends[1]
        for name in ("agent_mask", "agent_rewards", "agent_terminations", "agent_ids"):
            live = told["agent_mask"][ended]
            if ended.any():
                last = infos["final_info"][name][ended]
                assert np.array_equal(last[live], told[name][ended][live])
            assert np.array_equal(infos[name][~ended], told[name][~ended])
        if ended.any():
            assert not infos["agent_rewards"][ended].any()
            ended_with_more += int((told["agent_mask"][ended].sum(1) > 2).sum())
            twin.reset(options={"reset_mask": ended})
    assert ended_with_more > 3


def test_episodes_can_be_left_out_of_infos():
    for mode in ("next_step", "same_step"):
        env = cosm.VectorEnv(FakeSim(length=1, autoreset=mode), stats_key=None)
        env.reset()
        infos = env.step([0, 0])[4]
        assert "episode_stats" not in infos and "_episode_stats" not in infos
        assert "episode_stats" not in infos.get("final_info", {})
        assert ("final_obs" in infos) == (mode == "same_step")


def test_keywords_that_nobody_takes_are_refused():
    with pytest.raises(cosm.ArgumentError, match="VectorEnv: nmu_envs is not a keyword"):
        cosm.VectorEnv(FakeSim(), nmu_envs=3)
    with pytest.raises(cosm.ArgumentError, match="num_envs is 3, but the Sim has 2"):
        cosm.VectorEnv(FakeSim(), num_envs=3)
    with pytest.raises(cosm.ArgumentError, match="ParallelEnv: agent is not a keyword"):
        cosm.ParallelEnv(FakeSim(num_worlds=1, autoreset="disabled"), agent=3)
    with pytest.raises(cosm.ArgumentError, match="PufferEnv: num_envs is not a keyword"):
        cosm.PufferEnv(FakeSim(autoreset="same_step"), num_envs=2)


@pytest.mark.parametrize("adapter", ["VectorEnv", "ParallelEnv", "PufferEnv"])
def test_paths_are_paths_of_any_kind(adapter):
    import os
    import pathlib

    for path in (pathlib.Path(library("zoo")), os.fsencode(library("zoo"))):
        with getattr(cosm, adapter)(path, workers=1) as env:
            env.reset()
        assert env.sim.closed


def test_several_observations_are_a_dictionary():
    env = cosm.VectorEnv(FakeSim(num_worlds=2, extra=True, length=1, autoreset="same_step"))
    assert list(env.single_observation_space) == ["observation", "weather"]
    observations, _ = env.reset()
    assert observations in env.observation_space
    assert observations["weather"].shape == (2, 2) and observations["observation"].shape == (2, 4)
    infos = env.step([0, 0])[4]
    assert infos["final_obs"]["observation"][:, 2].tolist() == [1, 1]
    assert infos["final_obs"]["_observation"].all()


def test_several_actions_are_a_dictionary():
    sim = FakeSim(num_worlds=2, two_actions=True)
    env = cosm.VectorEnv(sim)
    env.reset()
    env.step({"action": [1, 2], "aim": [[0.5, -1], [0, 1]]})
    assert sim.column("aim").array[:, 0].tolist() == [[0.5, -1], [0, 1]]
    assert sim.actions[:, 0].tolist() == [1, 2]
    with pytest.raises(cosm.ArgumentError, match="a dictionary with action, aim"):
        env.step([1, 2])
    with pytest.raises(cosm.ArgumentError, match=r"aim\[1, 0\] is 2.0: clip it to -1 to 1"):
        env.step({"action": [0, 0], "aim": [[0.5, -1], [2, 1]]})
    assert sim.actions[:, 0].tolist() == [1, 2]  # nothing was written


def test_each_action_has_the_mask_that_belongs_to_it():
    with cosm.VectorEnv(library("two"), num_envs=3) as env:
        assert [c.mask_of for c in env.sim.with_role("action_mask")] == ["turn", "move"]
        assert env.sim.column("turn").mask_of is None
        _, infos = env.reset()
        for _ in range(2):
            masks = infos["action_mask"]
            assert list(masks) == ["turn", "move"] and infos["_action_mask"].all()
            assert masks["turn"].shape == (3, 2, 2) and masks["move"].shape == (3, 2, 3)
            actions = {name: mask.argmax(-1) for name, mask in masks.items()}
            _, rewards, _, _, infos = env.step(actions)
            assert rewards.tolist() == [2, 2, 2]  # both were allowed, for both agents


def test_numbers_that_look_like_handles_are_none():
    with cosm.VectorEnv(library("two"), num_envs=2) as env:
        sim = env.sim
        assert [c.name for c in sim.with_role("info") if c.is_entities] == ["walker"]
        _, infos = env.reset()
        assert (infos["agent_ids"] == sim.column("walker").numpy()).all()
        ids = env.step({"turn": [[1, 1]] * 2, "move": [[2, 2]] * 2})[4]["agent_ids"]
        assert (ids == infos["agent_ids"]).all() and (sim.column("cell").numpy() != ids).any()


@pytest.mark.parametrize("actions, message", [
    ([0], r"VectorEnv.step: action has shape \(1,\): pass one of shape \(2,\)"),
    ([[0], [1]], r"has shape \(2, 1\)"),
    ([0.0, 1.0], "action has type float64: pass int32"),
    (np.array(["a", "b"]), "has type <U1"),
    ([0, 3], r"action\[1\] is 3: it is one of 3 choices, 0 to 2"),
    ([-1, 0], r"action\[0\] is -1"),
    (np.array([0, 200], np.uint8), r"action\[1\] is 200"),
    (np.array([0, -5], np.int8), r"action\[1\] is -5"),
    (np.array([0, 2**40], np.int64), "is 1099511627776"),
    (np.array([0, 9], ">i4"), r"action\[1\] is 9"),
    (np.array([0, -9], ">i4"), r"action\[1\] is -9")])
def test_wrong_actions_are_refused_and_no_step_is_taken(actions, message):
    sim = FakeSim(num_worlds=2)
    env = cosm.VectorEnv(sim)
    env.reset()
    with pytest.raises(cosm.ArgumentError, match=message) as caught:
        env.step(actions)
    assert isinstance(caught.value, ValueError) and caught.value.code == "COSM_ERROR_ARGUMENT"
    assert sim.step_count == 0 and sim.actions.max() == 0


def test_numbers_that_are_not_numbers_are_refused():
    env = cosm.VectorEnv(FakeSim(choices=0, action_tail=(2,)))
    assert env.single_action_space == cosm.spaces.library().Box(-1, 1, (2,))
    env.reset()
    env.step(np.full((2, 2), 0.5))
    with pytest.raises(cosm.ArgumentError, match=r"action\[0, 1\] is nan: it is not a number"):
        env.step([[0, np.nan], [0, 0]])


def test_numbers_that_would_become_infinite_are_refused():
    sim = FakeSim(choices=0)
    sim.column("action").space.update(low=-np.inf, high=np.inf)
    env = cosm.VectorEnv(sim)
    env.reset()
    with pytest.raises(cosm.ArgumentError, match=r"action\[1, 0\] is -1e\+300: clip it to -3.4"):
        env.step(np.array([np.inf, -1e300]))
    assert sim.step_count == 0 and not sim.actions.any()
    env.step(np.array([np.inf, -1e30]))
    assert sim.actions[:, 0].tolist() == [np.inf, np.float32(-1e30)]


def test_looking_at_actions_can_be_left_out():
    sim = FakeSim()
    env = cosm.VectorEnv(sim, validate_actions=False)
    env.reset()
    env.step([0, 7])
    assert sim.actions[1, 0] == 7
    with pytest.raises(cosm.ArgumentError, match="shape"):
        env.step([0])


def test_without_actions_the_column_is_what_you_wrote():
    sim = FakeSim()
    env = cosm.VectorEnv(sim)
    env.reset()
    sim.actions[:, 0] = [2, 1]
    assert env.step(None)[1].tolist() == [2, 1]


def test_agents_without_bound_are_refused():
    with pytest.raises(cosm.ArgumentError, match="agents of fake have no limit.*max_per_world"):
        cosm.VectorEnv(FakeSim(grows=True))


def test_further_columns_come_in_infos_when_asked_for():
    env = cosm.VectorEnv(FakeSim(), info_columns=["episode_length"])
    env.reset()
    first, second = play(env, 2, lambda step: [0, 0])
    assert first[4]["episode_length"].tolist() == [1, 1] and first[4]["_episode_length"].all()
    assert second[4]["episode_length"].tolist() == [2, 2]


def test_pictures_are_of_all_worlds_or_of_those_named():
    env = cosm.VectorEnv(FakeSim(num_worlds=3), render_mode="rgb_array")
    assert [int(frame.max()) for frame in env.render()] == [0, 1, 2]
    assert env.render([2])[0].shape == (4, 6, 3) and len(env.call("render", [1])) == 1
    assert env.metadata["render_modes"] == ["rgb_array"] and env.metadata["render_fps"] == 50
    with pytest.raises(cosm.ArgumentError, match="render_mode='rgb_array'"):
        cosm.VectorEnv(FakeSim()).render()
    with pytest.raises(cosm.ArgumentError, match="render_mode is 'human'"):
        cosm.VectorEnv(FakeSim(), render_mode="human")


def test_what_you_bring_you_close():
    sim = FakeSim()
    with cosm.VectorEnv(sim) as env:
        assert env.get_attr("num_envs") == (2, 2) and repr(env) == "cosm.VectorEnv('fake', num_envs=2)"
    assert env.closed and not sim.closed
    env.close()


@pytest.mark.parametrize("keywords, message", [
    ({"output": "jax"}, "output is 'jax'"), ({"autoreset_mode": "never"}, "autoreset_mode is 'never'")])
def test_unknown_choices_are_refused(keywords, message):
    with pytest.raises(cosm.ArgumentError, match=message):
        cosm.VectorEnv("cartpole", **keywords)


# Against the real thing.

def test_cartpole_goes_the_way_of_its_simulation():
    env = cosm.VectorEnv("cartpole", num_envs=16, seed=3)
    sim = cosm.Sim("cartpole", num_worlds=16, seed=3)
    assert env.single_action_space == cosm.spaces.library().Discrete(2)
    observations, _ = env.reset()
    assert observations.shape == (16, 4) and observations.dtype == np.float32
    assert np.array_equal(observations, sim.column("observation").numpy()[:, 0])
    random = np.random.default_rng(1)
    ended = 0
    for _ in range(200):
        actions = random.integers(2, size=16)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        sim.step(actions.astype(np.int32).reshape(sim.column("action").shape))
        assert np.array_equal(observations, sim.column("observation").numpy()[:, 0])
        assert np.array_equal(rewards, sim.column("reward").numpy()[:, 0])
        assert np.array_equal(terminations, sim.column("episode_terminated").numpy() != 0)
        ended += int(terminations.sum())
        if terminations.any():
            assert np.array_equal(infos["_episode_stats"], terminations | truncations)
            lengths = infos["episode_stats"]["l"][terminations]
            assert np.array_equal(lengths, infos["episode_stats"]["r"][terminations]) and lengths.min() > 5
    assert ended > 16 and env.sim.hash() == sim.hash()
    env.close()
    with pytest.raises(cosm.ClosedError):
        env.step(actions)
    env.close()


def test_modes_of_cartpole_tell_the_same_episodes():
    """The same actions in the steps that count give the same episodes in all three modes."""
    told = {}
    for mode in ("next_step", "same_step", "disabled"):
        env = cosm.VectorEnv("cartpole", num_envs=8, seed=5, autoreset_mode=mode)
        observations, _ = env.reset()
        lengths = [[] for _ in range(8)]
        for _ in range(150):
            actions = (observations[:, 2] > 0).astype(np.int64)
            observations, _, terminations, truncations, infos = env.step(actions)
            ended = terminations | truncations
            for world in np.flatnonzero(ended):
                lengths[world].append(int(infos["episode_stats"]["l"][world]))
                if mode == "same_step":
                    final = infos["final_obs"][world]
                    assert abs(final[2]) > 0.2095 or abs(final[0]) > 2.4
                    assert np.abs(observations[world]).max() <= 0.05
            if mode == "disabled" and ended.any():
                observations, _ = env.reset(options={"reset_mask": ended})
        told[mode] = [few[:2] for few in lengths]
        env.close()
    assert min(len(few) for few in told["next_step"]) >= 2
    assert told["next_step"] == told["same_step"] == told["disabled"]


def test_seeds_of_cartpole_repeat_episodes():
    env = cosm.VectorEnv("cartpole", num_envs=4)
    first, _ = env.reset(seed=11)
    other, _ = env.reset()
    again, _ = env.reset(seed=11)
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    each, _ = env.reset(seed=[11, 12, 13, 14])
    alone = cosm.VectorEnv("cartpole", num_envs=1)
    assert np.array_equal(alone.reset(seed=13)[0][0], each[2])


def test_time_limits_truncate_cartpole():
    env = cosm.VectorEnv("cartpole", num_envs=2, max_episode_steps=3)
    env.reset()
    got = play(env, 3, lambda step: [0, 1])
    assert got[2][3].all() and not got[2][2].any() and got[2][4]["episode_stats"]["l"].tolist() == [3, 3]


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_forage_plays_with_masked_actions_in_every_mode(mode):
    """What is told of each episode agrees with what was told step by step."""
    env = cosm.VectorEnv("forage", num_envs=6, seed=2, autoreset_mode=mode, max_episode_steps=90,
                         info_columns=["eaten"])
    observations, infos = env.reset()
    agents = env.sim.max_agents
    assert env.action_space.shape == (6, agents) and infos["action_mask"].shape == (6, agents, 5)
    random = np.random.default_rng(2)
    total, ended_count, seen = np.zeros(6), 0, set()
    for _ in range(400):
        actions = (random.random((6, agents, 5)) * infos["action_mask"]).argmax(-1)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert observations in env.observation_space
        present = infos["agent_mask"]
        assert all(part[~present].sum() == 0 for part in observations.values())
        seen.update(present.sum(1).tolist())
        total += rewards
        ended = terminations | truncations
        for world in np.flatnonzero(ended):
            assert abs(infos["episode_stats"]["r"][world] - total[world]) < 1e-3
            total[world] = 0
            ended_count += 1
        if mode == "same_step" and ended.any():
            assert infos["final_obs"]["window"].shape == observations["window"].shape
            assert (infos["final_obs"]["self"][~ended] == 0).all()
        if mode == "disabled" and ended.any():
            observations, infos = env.reset(options={"reset_mask": ended})
    assert ended_count >= 12 and len(seen) > 2 and infos["eaten"].shape == (6,)
    env.close()


def test_libraries_are_environments_too():
    path = library("pair")
    with cosm.VectorEnv(path, num_envs=3, workers=1) as env:
        assert list(env.single_action_space) == ["action", "other"]
        env.reset()
        got = env.step({"action": [[1, 2]] * 3, "other": np.ones((3, 2), bool)})
        rewards = got[4]["agent_mask"] * np.array([1, 2])
        assert np.array_equal(got[4]["agent_rewards"], rewards) and rewards.sum() > 3
        assert np.array_equal(got[1], rewards.sum(1))


def test_parameters_are_attributes():
    env = cosm.VectorEnv("forage", num_envs=2, agents=3)
    assert env.get_attr("agents") == (3, 3)
    env.set_attr("agents", [1, 2])
    env.reset()
    assert env.reset()[1]["agent_mask"].sum(1).tolist() == [1, 2]


def test_pictures_of_cartpole_are_not_black():
    env = cosm.VectorEnv("cartpole", num_envs=2, render_mode="rgb_array")
    env.reset()
    frame = env.render([0])[0]
    assert frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3 and frame.max() > 0


# With a Gymnasium, which here is the least that the adapter asks of it.

@pytest.fixture
def gymnasium(monkeypatch):
    """A module named gymnasium, and our package loaded anew beside it."""
    own = importlib.import_module("cosm.spaces")
    root, vector = types.ModuleType("gymnasium"), types.ModuleType("gymnasium.vector")
    utils, made = types.ModuleType("gymnasium.vector.utils"), types.ModuleType("gymnasium.spaces")
    for name in ("Space", "Box", "Discrete", "MultiDiscrete", "Dict"):
        setattr(made, name, type(name, (getattr(own, name),), {}))

    class TheirVectorEnv:
        closed, np_random_seed = False, None

        def reset(self, *, seed=None, options=None):
            self.np_random_seed = seed

        def __del__(self):
            if not self.closed:
                self.close()

        @property
        def unwrapped(self):
            return self

    vector.VectorEnv = TheirVectorEnv
    vector.AutoresetMode = enum.Enum("AutoresetMode", {"NEXT_STEP": "NextStep",
                                                       "SAME_STEP": "SameStep",
                                                       "DISABLED": "Disabled"})
    utils.batch_space = lambda space, count: ("batch", space, count)
    root.spaces, root.vector, vector.utils, root.__version__ = made, vector, utils, "1.0.0"
    for module in (root, vector, utils, made):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for name in ("cosm.spaces", "cosm._agents", "cosm.vector"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in ("spaces", "_agents", "vector", "VectorEnv", "AutoresetMode"):
        monkeypatch.delitem(vars(cosm), name, raising=False)
    yield root
    for name in ("spaces", "_agents", "vector", "VectorEnv", "AutoresetMode"):
        vars(cosm).pop(name, None)


def test_where_gymnasium_is_there_its_classes_are_used(gymnasium):
    env = cosm.VectorEnv(FakeSim(num_worlds=2, autoreset="same_step"))
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert type(env.single_observation_space) is gymnasium.spaces.Box
    assert type(env.single_action_space) is gymnasium.spaces.Discrete
    assert env.action_space == ("batch", env.single_action_space, 2)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    env.reset(seed=1)
    assert env.np_random_seed == 1  # theirs keeps it
    assert env.step([0, 1])[1].tolist() == [0, 1]
    mode = gymnasium.vector.AutoresetMode.DISABLED
    with cosm.VectorEnv("cartpole", autoreset_mode=mode) as real:
        assert real.sim.autoreset == "disabled"
    with pytest.raises(cosm.ArgumentError, match="output"):
        cosm.VectorEnv("cartpole", output="jax")  # and nothing is said when it is collected


def test_a_gymnasium_of_another_interface_is_refused(gymnasium):
    gymnasium.__version__ = "0.29.1"
    with pytest.raises(ImportError, match=r"VectorEnv: Gymnasium 0\.29\.1 .*gymnasium>=1\.0"):
        cosm.VectorEnv("cartpole")


def test_the_package_needs_numpy_only_when_it_is_used(tmp_path):
    import os
    import subprocess

    for name in ("numpy", "torch", "gymnasium", "pettingzoo", "pufferlib"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name}')\n")
    paths = [str(tmp_path), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)),
             os.path.dirname(os.path.dirname(os.path.abspath(cosm.__file__)))]
    script = ("import cosm, sys; assert 'numpy' not in sys.modules\n"
              "try:\n    cosm.VectorEnv\nexcept ImportError as error:\n    print(error)\n"
              "print(sorted(set(dir(cosm)) & {'Sim', 'VectorEnv'}))\n"
              "try:\n    cosm.nothing\nexcept AttributeError as error:\n    print(error)\n")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    assert done.stdout == ("no numpy\n['Sim', 'VectorEnv']\n"
                           "module 'cosm' has no attribute 'nothing'\n"), done.stderr


# Seeds, ends and shapes, as people of Gymnasium expect them.

def test_without_a_seed_one_is_drawn_and_shown():
    with cosm.VectorEnv("cartpole", num_envs=3) as env, cosm.VectorEnv("cartpole", num_envs=3) as other:
        drawn = env.seed
        assert drawn != other.seed and drawn == env.sim.seed and 0 <= drawn < 2**53
        first, infos = env.reset()
        assert infos["seed"].tolist() == [drawn] * 3
        assert not np.array_equal(first, other.reset()[0])
        assert np.array_equal(first, other.reset(seed=drawn)[0]) and other.seed == drawn
        assert np.array_equal(first, env.reset(seed=drawn)[0])
        infos = env.reset(seed=[4, None, 6])[1]
        assert infos["seed"].tolist() == env.seed == [4, drawn, 6]
        infos = env.reset(seed=9, options={"reset_mask": np.array([True, False, False])})[1]
        assert infos["seed"].tolist() == env.seed == [9, drawn, 6]
        env.reset(seed=9)
        assert env.seed == 9


def test_an_end_is_reported_once_where_worlds_do_not_begin_by_themselves():
    env = cosm.VectorEnv(FakeSim(num_worlds=2, length=2, stagger=True, autoreset="disabled"))
    env.reset()
    told = [env.step([1, 1])[4].get("_episode_stats", np.zeros(2, bool)).tolist() for _ in range(5)]
    assert told == [[False] * 2, [True, False], [False, True], [False] * 2, [False] * 2]
    with cosm.VectorEnv("cartpole", num_envs=16, seed=1, autoreset_mode="disabled") as env:
        env.reset()
        count = 0
        for step in range(200):
            infos = env.step(np.ones(16, np.int32))[4]
            count += int(infos["_episode_stats"].sum()) if "episode_stats" in infos else 0
        assert count == 16
        env.reset(options={"reset_mask": np.arange(16) < 3})
        for step in range(200):
            infos = env.step(np.ones(16, np.int32))[4]
            count += int(infos["_episode_stats"].sum()) if "episode_stats" in infos else 0
        assert count == 19


def test_statistics_are_under_the_key_that_is_asked_for():
    for key in ("episode_stats", "episode", None):
        env = cosm.VectorEnv(FakeSim(length=1), **({} if key == "episode_stats" else {"stats_key": key}))
        env.reset()
        infos = env.step([1, 1])[4]
        assert [name for name in infos if "episode" in name] == ([key, "_" + key] if key else [])


def test_a_single_number_is_a_box_of_shape_one():
    sim = FakeSim(choices=0)
    sim.list.append(FakeColumn("wind", np.zeros((2, 1), np.float32), "observation"))
    env = cosm.VectorEnv(sim)
    assert env.single_action_space.shape == (1,) and env.action_space.shape == (2, 1)
    assert env.single_observation_space["wind"].shape == (1,)
    observations, _ = env.reset()
    assert observations["wind"].shape == (2, 1) and observations in env.observation_space
    for actions in (np.array([[0.5], [1.0]]), np.array([0.5, 1.0]), [0.5, 1.0]):
        assert env.step(actions)[1].tolist() == [0.5, 1.0]
    with pytest.raises(cosm.ArgumentError, match=r"shape \(2, 2\): pass one of shape \(2, 1\)"):
        env.step(np.zeros((2, 2)))
    for mode in ("same_step", "next_step"):
        env = cosm.VectorEnv(FakeSim(choices=0, agents=3, autoreset=mode, length=1))
        assert env.action_space.shape == (2, 3, 1)
        env.reset()
        assert env.step(np.ones((2, 3)))[1].tolist() == [3, 3]


def test_numbers_of_an_action_have_ranges_of_their_own():
    sim = FakeSim(choices=0, action_tail=(2,))
    sim.column("action").space.update(lows=[-1.0, 0.0], highs=[1.0, 0.5])
    env = cosm.VectorEnv(sim)
    assert env.single_action_space.low.tolist() == [-1, 0]
    assert env.single_action_space.high.tolist() == [1, 0.5]
    env.reset()
    env.step([[-1, 0], [1, 0.5]])
    with pytest.raises(cosm.ArgumentError, match=r"action\[1, 1\] is 0.75: clip it to 0 to 0.5"):
        env.step([[0, 0], [0, 0.75]])


def test_cartpole_has_the_bounds_of_the_standard_one():
    with cosm.VectorEnv("cartpole") as env:
        high = np.array([4.8, np.inf, 0.41887903, np.inf], np.float32)
        assert np.array_equal(env.single_observation_space.high, high)
        assert np.array_equal(env.single_observation_space.low, -high)
        assert env.sim.column("observation").space["lows"][0] == -4.8
        assert "lows" not in env.sim.column("reward").space


def test_actions_that_are_no_arrays_are_refused_in_words():
    with cosm.VectorEnv("cartpole", num_envs=2) as env:
        env.reset()
        with pytest.raises(cosm.ArgumentError, match="action is a dict, but there is only one: pass an"):
            env.step({"action": [0, 1]})
        with pytest.raises(cosm.ArgumentError, match="list whose parts differ in length: pass an array"):
            env.step([[0], [0, 1]])
        with pytest.raises(cosm.ArgumentError, match="reset_mask is a list whose parts differ"):
            env.reset(options={"reset_mask": [[True], [True, False]]})
    with cosm.VectorEnv(library("two")) as env:
        env.reset()
        with pytest.raises(cosm.ArgumentError, match="actions are a list: pass a dictionary with turn"):
            env.step([0])


def test_a_closed_one_names_the_call():
    env = cosm.VectorEnv("cartpole", num_envs=2, render_mode="rgb_array")
    env.reset()
    env.close()
    assert repr(env) == str(env) == "<cosm.VectorEnv('cartpole', num_envs=2): closed>"
    for call in (env.reset, lambda: env.step([0, 1]), env.render):
        with pytest.raises(cosm.ClosedError, match=r"VectorEnv\.(reset|step|render): the environment"):
            call()
