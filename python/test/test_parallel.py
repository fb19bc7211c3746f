"""ParallelEnv: the parallel interface of PettingZoo on one world."""

import importlib
import sys
import types

import numpy as np
import pytest

import cosm
from conftest import library
from fake import FakeSim, ScriptedSim


def act(env, number=0):
    """One step in which all agents do the same."""
    return env.step({name: number for name in env.agents})


def test_agents_have_names_spaces_and_masks():
    env = cosm.ParallelEnv(ScriptedSim([[(4, 0, 0), (7, 0, 0)], [(4, 1, 0), (7, 2, 0)]]), max_names=3)
    assert env.possible_agents == ["agent_0", "agent_1", "agent_2"] and env.agents == []
    observations, infos = env.reset(seed=3)
    assert env.agents == ["agent_0", "agent_1"] and list(observations) == env.agents == list(infos)
    assert env.num_agents == 2 and env.max_num_agents == 3 and env.unwrapped is env
    assert env.observation_space("agent_1").shape == (4,)
    assert env.action_space("agent_1") == cosm.spaces.library().Discrete(3)
    assert observations["agent_1"].tolist() == [7, 1, 0, 0]
    assert infos["agent_0"]["action_mask"].tolist() == [1, 0, 0]
    assert infos["agent_1"]["action_mask"].tolist() == [1, 1, 0]
    assert infos["agent_1"]["entity"] == (1, 7)
    env.action_space("agent_1").sample(mask=infos["agent_1"]["action_mask"])
    observations, rewards, terminations, truncations, _ = env.step({"agent_0": 1, "agent_1": 2})
    assert rewards == {"agent_0": 1.0, "agent_1": 2.0}
    assert not any(terminations.values()) and not any(truncations.values())
    assert env.sim.acted[0][:2].tolist() == [1, 2] and observations["agent_0"][2] == 1


def test_a_name_follows_its_entity_when_rows_move():
    script = [[(4, 0, 0), (7, 0, 0), (9, 0, 0)],
              [(4, 1, 1), (7, 2, 0), (9, 3, 0)],
              [(9, 30, 0), (7, 20, 0)],
              [(9, 40, 0), (7, 50, 0)]]
    env = cosm.ParallelEnv(ScriptedSim(script))
    env.reset()
    _, rewards, terminations, _, _ = act(env)
    assert rewards["agent_0"] == 1 and terminations["agent_0"] and not terminations["agent_1"]
    assert env.agents == ["agent_1", "agent_2"]
    observations, rewards, _, _, _ = act(env)
    assert rewards == {"agent_1": 20, "agent_2": 30} and "agent_0" not in observations
    assert observations["agent_2"].tolist() == [9, 0, 2, 0]
    env.step({"agent_1": 1, "agent_2": 2})
    assert env.sim.acted[-1][:2].tolist() == [2, 1]  # actions go to the row where the entity is


def test_who_terminates_is_reported_once_also_when_the_body_stays():
    env = cosm.ParallelEnv(ScriptedSim([[(1, 0, 0), (2, 0, 0)]] + [[(1, 0, 1), (2, 0, 0)]] * 3))
    env.reset()
    assert act(env)[2] == {"agent_0": True, "agent_1": False}
    for _ in range(2):
        assert list(act(env)[0]) == ["agent_1"] and env.agents == ["agent_1"]


def test_newcomers_join_under_a_name_that_nobody_has_had():
    script = [[(1, 0, 0), (2, 0, 0)], [(1, 5, 1), (2, 0, 0), (3, 9, 0)],
              [(3, 1, 0), (2, 0, 0), (4, 0, 0)], [(3, 1, 0), (2, 0, 0), (4, 2, 0)]]
    env = cosm.ParallelEnv(ScriptedSim(script))
    env.reset()
    _, rewards, terminations, _, infos = act(env)
    assert infos["agent_2"]["entity"] == (1, 3) and rewards["agent_2"] == 0
    assert terminations == {"agent_0": True, "agent_1": False, "agent_2": False}
    assert env.agents == ["agent_1", "agent_2"]
    infos = act(env)[4]
    assert infos["agent_3"]["entity"] == (1, 4) and env.agents == ["agent_1", "agent_2", "agent_3"]
    assert not hasattr(env, "possible_agents") and env.max_num_agents == 3
    assert env.action_space("agent_3") is env.action_space("agent_3")
    assert env.action_space("agent_3") == env.action_space("agent_0")
    assert env.state().shape == (12,) and env.state() in env.state_space  # stays as it is
    assert act(env)[1] == {"agent_1": 0, "agent_2": 1, "agent_3": 2}
    env.reset()
    assert env.agents == ["agent_0", "agent_1"]


def test_possible_agents_never_change_and_one_too_many_is_an_error():
    script = [[(1, 0, 0), (2, 0, 0)], [(1, 5, 1), (2, 0, 0), (3, 9, 0)],
              [(3, 1, 0), (2, 0, 0), (4, 0, 0)]]
    env = cosm.ParallelEnv(ScriptedSim(script), max_names=3)
    names = list(env.possible_agents)
    env.reset()
    act(env)
    with pytest.raises(cosm.ArgumentError, match="all 3 names .* larger max_names, or 0"):
        act(env)
    assert env.possible_agents == names == ["agent_0", "agent_1", "agent_2"]
    with cosm.ParallelEnv("forage", seed=1, max_names=100) as env:
        names = list(env.possible_agents)
        assert len(names) == 100
        for seed in range(5):
            episode(env, seed)
            assert env.possible_agents == names
    with cosm.ParallelEnv("cartpole") as env:
        assert env.possible_agents == ["agent_0"]
    for wrong in (1, -1, 7, 1.5, "many"):
        with pytest.raises(cosm.ArgumentError, match="max_names is .* from 8 on"):
            cosm.ParallelEnv("forage", max_names=wrong)


def test_spaces_draw_by_the_seed_also_those_of_agents_that_are_born_later():
    def drawn(env, names):
        return [(env.action_space(name).sample(), env.observation_space(name).sample()["self"].tolist())
                for name in names for _ in range(5)]

    names = ["agent_0", "agent_7", "agent_8", "agent_30"]
    with cosm.ParallelEnv("forage") as one, cosm.ParallelEnv("forage") as other:
        drawn(one, names[:3])
        one.reset(seed=3)
        other.reset(seed=3)
        first = drawn(one, names)
        assert first == drawn(other, names)
        one.reset(seed=4)
        assert first != drawn(one, names)
        for name in ("agent_", "agent_x", "bob", "agent_01", "agent_-1"):
            with pytest.raises(cosm.ArgumentError, match="is not the name of an agent"):
                one.action_space(name)


def test_a_reset_shows_the_seed():
    with cosm.ParallelEnv("forage") as env:
        drawn = env.seed
        assert all(info["seed"] == drawn == env.sim.seed for info in env.reset()[1].values())
        assert all(info["seed"] == 5 == env.seed for info in env.reset(seed=5)[1].values())
        assert all(info["seed"] == 5 for info in env.reset()[1].values())


def test_a_closed_one_names_the_call():
    env = cosm.ParallelEnv("cartpole", render_mode="rgb_array")
    env.reset()
    env.close()
    assert repr(env) == str(env) == "<cosm.ParallelEnv('cartpole'): closed>"
    for call in (env.reset, lambda: env.step({"agent_0": 1}), env.render):
        with pytest.raises(cosm.ClosedError, match=r"ParallelEnv\.(reset|step|render): "):
            call()


def test_newcomers_that_end_at_once_were_never_there():
    script = [[(1, 0, 0), (2, 0, 0)], [(1, 0, 0), (2, 0, 0), (3, 9, 1)], [(1, 1, 1), (2, 1, 1)]]
    env = cosm.ParallelEnv(ScriptedSim(script))
    env.reset()
    assert list(act(env)[0]) == ["agent_0", "agent_1"] == env.agents
    script[2].append((4, 0, 1))
    assert list(act(env)[0]) == ["agent_0", "agent_1"] and env.agents == []


def test_a_row_that_vanishes_ends_its_agent():
    script = [[(1, 0, 0), (2, 0, 0), (3, 0, 0)], [(4, 0, 0), (2, 5, 0), (3, 0, 0)],
              [(4, 6, 0), (2, 5, 0), (3, 0, 0)]]
    env = cosm.ParallelEnv(ScriptedSim(script))
    env.reset()
    observations, rewards, terminations, _, _ = act(env)
    assert terminations["agent_0"] and rewards["agent_0"] == 0 and observations["agent_0"].max() == 0
    assert env.agents == ["agent_1", "agent_2", "agent_3"]
    assert act(env)[4]["agent_3"]["entity"] == (1, 4)


def test_without_handles_a_name_is_a_row():
    env = cosm.ParallelEnv(ScriptedSim([[(1, 0, 0), (2, 0, 0)], [(2, 7, 0)]], has_ids=False))
    _, infos = env.reset()
    assert "entity" not in infos["agent_0"]
    _, rewards, terminations, _, _ = act(env)
    assert rewards["agent_0"] == 7 and terminations["agent_1"] and env.agents == ["agent_0"]


def test_the_end_of_the_episode_ends_all_and_reset_begins_again():
    env = cosm.ParallelEnv(ScriptedSim([[(1, 0, 0), (2, 0, 0)], [(1, 1, 1), (2, 1, 1)]]))
    env.reset()
    assert act(env)[2] == {"agent_0": True, "agent_1": True} and env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {}) and env.sim.step_count == 1
    with pytest.raises(cosm.ArgumentError, match="ParallelEnv.step: the episode is over: call reset"):
        env.step({"agent_0": 0})
    env.reset()
    assert env.agents == ["agent_0", "agent_1"]


def test_time_limits_truncate_all_agents():
    env = cosm.ParallelEnv(FakeSim(num_worlds=1, agents=2, length=2, cut=True,
                                   autoreset="disabled"))
    env.reset()
    act(env)
    _, _, terminations, truncations, _ = act(env)
    assert not any(terminations.values()) and all(truncations.values()) and env.agents == []


def test_nobody_is_both_terminated_and_truncated():
    sim = FakeSim(num_worlds=1, agents=2, length=1, cut=True, autoreset="disabled", has_masks=True)
    env = cosm.ParallelEnv(sim)
    env.reset()
    sim.dead[0, 1] = 1
    sim.cuts[...] = 1
    _, _, terminations, truncations, _ = act(env)
    assert terminations == {"agent_0": False, "agent_1": True}
    assert truncations == {"agent_0": True, "agent_1": False}


def test_one_agent_plays_too():
    env = cosm.ParallelEnv(FakeSim(num_worlds=1, autoreset="disabled"))
    observations, _ = env.reset()
    assert env.possible_agents == ["agent_0"] and observations["agent_0"].shape == (4,)
    assert env.step({"agent_0": np.int64(2)})[1] == {"agent_0": 2.0}


def test_the_state_is_what_all_see():
    env = cosm.ParallelEnv(ScriptedSim([[(4, 0, 0), (7, 0, 0)]]))
    env.reset()
    assert env.state().tolist() == [4, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0]
    assert env.state() in env.state_space
    env = cosm.ParallelEnv(FakeSim(num_worlds=1, agents=2, autoreset="disabled", extra=True))
    env.reset()
    env.sim.column("weather").array[0] = [7, 255]
    assert env.state().tolist() == [0, 0, 0, 1, 7, 255, 0, 1, 0, 1, 7, 255]
    assert env.state().dtype == np.float32 and env.state() in env.state_space


@pytest.mark.parametrize("actions, message", [
    ({"agent_0": 0}, "no action of 'agent_1': pass one for each of agent_0, agent_1"),
    ({"agent_0": 0, "agent_1": 0, "agent_2": 0}, "'agent_2' is not among the agents"),
    ({"agent_0": 0, "agent_1": 3}, "agent_1: action is 3: it is one of 3 choices"),
    ({"agent_0": 0, "agent_1": -1}, "action is -1"),
    ({"agent_0": 0, "agent_1": 0.5}, "action has type float64"),
    ({"agent_0": 0, "agent_1": [0]}, r"has shape \(1,\): pass one of shape \(\)"),
    ([0, 0], "actions are a list: pass a dictionary by agent")])
def test_wrong_actions_are_refused_and_no_step_is_taken(actions, message):
    env = cosm.ParallelEnv(ScriptedSim([[(1, 0, 0), (2, 0, 0)]] * 2))
    env.reset()
    env.sim.actions[:] = 2
    with pytest.raises(cosm.ArgumentError, match="ParallelEnv.step.*" + message):
        env.step(actions)
    assert env.sim.step_count == 0 and env.sim.actions.min() == 2


def test_simulations_of_another_kind_are_refused():
    with pytest.raises(cosm.ArgumentError, match="2 worlds and autoreset 'disabled'"):
        cosm.ParallelEnv(FakeSim(num_worlds=2, autoreset="disabled"))
    with pytest.raises(cosm.ArgumentError, match="autoreset 'next_step'"):
        cosm.ParallelEnv(FakeSim(num_worlds=1))
    with pytest.raises(cosm.ArgumentError, match="have no limit"):
        cosm.ParallelEnv(FakeSim(num_worlds=1, autoreset="disabled", grows=True))
    env = cosm.ParallelEnv(FakeSim(num_worlds=1, autoreset="disabled"))
    with pytest.raises(cosm.ArgumentError, match="no episode has started: call reset first"):
        env.step({})
    for seed in ("x", 1.5, [1]):
        with pytest.raises(cosm.ArgumentError, match="ParallelEnv.reset: seed is .*an integer"):
            env.reset(seed=seed)
    env.reset(seed=np.array(4), options={"for_others": 1})
    assert env.sim.resets == [(None, 4)]
    with pytest.raises(cosm.ArgumentError, match="render_mode"):
        env.render()


# Against the real thing.

def episode(env, seed):
    """The story of one episode of random allowed actions: names, sights and rewards of each step."""
    random = np.random.default_rng(seed)
    _, infos = env.reset(seed=seed)
    story = []
    left, left_names = set(), set()
    while env.agents:
        actions = {}
        for name in env.agents:
            mask = infos[name].get("action_mask")
            actions[name] = int(random.integers(env.action_space(name).n) if mask is None
                                else random.choice(np.flatnonzero(mask)))
        before = list(env.agents)
        assert not left_names & set(before)  # nobody is revived
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert set(before) <= set(observations)
        assert set(observations) == set(rewards) == set(terminations) == set(infos)
        assert set(env.agents) == {name for name in observations
                                   if not terminations[name] and not truncations[name]}
        for name in env.agents:
            assert infos[name].get("entity") not in left
        left_names |= set(observations) - set(env.agents)
        assert len(env.agents) <= env.max_num_agents
        left |= {infos[name]["entity"] for name in observations
                 if name not in env.agents and "entity" in infos[name]}
        story.append([(name, repr(observations[name]), reward) for name, reward in rewards.items()])
        assert len(story) < 10000
    return story


@pytest.mark.parametrize("name", ["forage", "cartpole"])
def test_built_in_environments_play_to_their_end_and_repeat(name):
    with cosm.ParallelEnv(name, seed=1) as env:
        first = episode(env, 5)
        assert first == episode(env, 5) and first != episode(env, 6)
        assert env.metadata["name"] == name


def test_forage_returns_are_those_of_the_simulation():
    with cosm.ParallelEnv("forage", seed=4) as env:
        story = episode(env, 9)
        total = sum(reward for step in story for _, _, reward in step)
        assert abs(total - float(env.sim.column("last_return").numpy()[0])) < 1e-3


def test_where_pettingzoo_is_there_its_class_is_the_base(monkeypatch):
    module = types.ModuleType("pettingzoo")
    module.ParallelEnv = type("ParallelEnv", (), {"num_agents": property(lambda self: 99),
                                                  "__str__": lambda self: self.metadata["name"]})
    monkeypatch.setitem(sys.modules, "pettingzoo", module)
    monkeypatch.delitem(sys.modules, "cosm.parallel", raising=False)
    ours = importlib.import_module("cosm.parallel").ParallelEnv
    env = ours(FakeSim(num_worlds=1, autoreset="disabled"))
    assert isinstance(env, module.ParallelEnv) and env.num_agents == 99
    assert list(env.reset()[0]) == ["agent_0"]
    monkeypatch.delitem(sys.modules, "cosm.parallel")


def test_each_action_of_an_agent_has_the_mask_that_belongs_to_it():
    with cosm.ParallelEnv(library("two")) as env:
        _, infos = env.reset()
        assert infos["agent_1"]["action_mask"]["turn"].tolist() == [0, 1]
        assert infos["agent_1"]["action_mask"]["move"].tolist() == [0, 0, 1]
        for _ in range(3):  # names follow handles, and not numbers that look like them
            actions = {name: {"turn": 1, "move": 2} for name in env.agents}
            _, rewards, _, _, infos = env.step(actions)
            assert rewards == {"agent_0": 1.0, "agent_1": 1.0}
            assert env.agents == ["agent_0", "agent_1"]


def test_observations_come_as_tensors(torch):
    with cosm.ParallelEnv("cartpole", output="torch") as env:
        observations, _ = env.reset()
        seen, kept = observations["agent_0"], observations["agent_0"].clone()
        assert type(seen) is torch.Tensor and seen.shape == (4,)
        later, rewards, ends, _, _ = env.step({"agent_0": torch.tensor(1)})
        assert type(later["agent_0"]) is torch.Tensor and type(rewards["agent_0"]) is float
        assert type(ends["agent_0"]) is bool and torch.equal(seen, kept)  # a copy
        assert torch.equal(env.state(), later["agent_0"])
    with cosm.ParallelEnv("forage", output="torch") as env:
        observations, infos = env.reset()
        assert all(type(part) is torch.Tensor for part in observations["agent_0"].values())
        assert type(infos["agent_0"]["action_mask"]) is np.ndarray
