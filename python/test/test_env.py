"""Env: one world as Gymnasium's single environments; its ids; and the VecEnv of Stable-Baselines3."""

import importlib
import inspect
import sys
import types

import numpy as np
import pytest

import cosm
from conftest import library
from fake import FakeSim


def test_one_world_is_one_environment():
    with cosm.Env("cartpole", seed=3) as env:
        assert env.observation_space.shape == (4,)
        assert env.action_space == cosm.spaces.library().Discrete(2)
        observation, info = env.reset()
        assert observation in env.observation_space and info == {"seed": 3} and env.seed == 3
        first = observation.copy()
        total, length, ended = 0.0, 0, False
        while not ended:
            observation, reward, terminated, truncated, info = env.step(length % 2)
            assert type(reward) is float and type(terminated) is bool and type(truncated) is bool
            total, length, ended = total + reward, length + 1, terminated or truncated
        assert info["episode_stats"] == {"r": total, "l": length}
        assert env.step(0)[4] == {}  # an end is reported once
        assert np.array_equal(env.reset(seed=3)[0], first)
        assert not np.array_equal(env.reset()[0], first)


def test_it_goes_the_way_of_a_vector_environment():
    with cosm.Env("cartpole") as env, cosm.VectorEnv("cartpole", autoreset_mode="disabled") as many:
        one, other = env.reset(seed=8)[0], many.reset(seed=8)[0]
        for step in range(30):
            assert np.array_equal(one, other[0])
            one, other = env.step(step % 2)[0], many.step([step % 2])[0]


def test_several_agents_are_one_environment_together():
    with cosm.Env("forage", seed=1) as env:
        observation, info = env.reset()
        assert observation in env.observation_space and info["agent_mask"].shape == (8,)
        action = env.action_space.sample()
        _, reward, _, _, info = env.step(action)
        assert reward == pytest.approx(float(info["agent_rewards"].sum()))
        assert "agent_ids" not in info  # they count on, and infos of a seed are the same each time
    with cosm.Env(library("two"), seed=1) as env:
        env.reset()
        assert env.step({"turn": [1, 1], "move": [2, 2]})[1] == 2.0
        with pytest.raises(cosm.ArgumentError, match="pass a dictionary with turn, move"):
            env.step(0)


def test_one_continuous_action_has_shape_one():
    env = cosm.Env(FakeSim(num_worlds=1, choices=0, autoreset="disabled"))
    assert env.action_space.shape == (1,)
    env.reset()
    for action in (np.array([0.5]), [0.5], 0.5):
        assert env.step(action)[1] == 0.5


def test_wrong_ones_are_refused_in_words():
    with pytest.raises(cosm.ArgumentError, match="Env: num_envs is for many worlds"):
        cosm.Env("cartpole", num_envs=4)
    with pytest.raises(cosm.ArgumentError, match="2 worlds and autoreset 'next_step'"):
        cosm.Env(FakeSim(num_worlds=2))
    with cosm.Env("cartpole") as env:
        env.reset()
        with pytest.raises(cosm.ArgumentError, match="action is a dict"):
            env.step({"action": 1})
        with pytest.raises(cosm.ArgumentError, match="render_mode is None"):
            env.render()
    assert repr(env) == str(env) == "<cosm.Env 'cartpole': closed>"
    for call in (env.reset, lambda: env.step(0), env.render):
        with pytest.raises(cosm.ClosedError, match=r"Env\.(reset|step|render): "):
            call()


def test_it_draws_itself():
    with cosm.Env("cartpole", render_mode="rgb_array") as env:
        env.reset()
        assert env.render().shape == (200, 300, 3) and env.metadata["render_modes"] == ["rgb_array"]


def test_ids_are_registered_once():
    """The stand-in has the two names of gymnasium.envs.registration that are used."""
    module = types.SimpleNamespace(registry={}, calls=[])
    module.register = lambda id, **spec: (module.registry.update({id: spec}), module.calls.append(id))
    register = importlib.import_module("cosm.registration").register
    register(module)
    register(module)
    assert module.calls == [f"cosm/{name}-v0" for name in cosm.environments()]
    spec = module.registry["cosm/cartpole-v0"]
    for entry, kind in (("entry_point", "Env"), ("vector_entry_point", "VectorEnv")):
        name, attribute = spec[entry].split(":")
        with getattr(importlib.import_module(name), attribute)(**spec["kwargs"]) as env:
            assert type(env).__name__ == kind and env.sim.name == "cartpole"


def test_importing_the_package_registers(tmp_path):
    import os
    import subprocess

    folder = tmp_path / "gymnasium" / "envs"
    folder.mkdir(parents=True)
    (tmp_path / "gymnasium" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "registration.py").write_text(
        "registry = {}\ndef register(id, **spec):\n    registry[id] = spec\n")
    paths = [str(tmp_path), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    script = "from gymnasium.envs.registration import registry; print(sorted(registry))"
    for before in ("import cosm", "import gymnasium, cosm"):
        done = subprocess.run([sys.executable, "-c", f"{before}\n{script}"], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        assert done.stdout == "['cosm/cartpole-v0', 'cosm/forage-v0']\n", done.stderr


# With a Stable-Baselines3, which here is its VecEnv as far as it is asked for.

class TheirVecEnv:
    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space, self.action_space = observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        self.render_mode = self.get_attr("render_mode")[0]

    def _reset_seeds(self):
        self._seeds = [None for _ in range(self.num_envs)]

    def _reset_options(self):
        self._options = [{} for _ in range(self.num_envs)]

    def seed(self, seed=None):
        self._seeds = [seed + index for index in range(self.num_envs)]
        return self._seeds

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def _get_indices(self, indices):
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices


@pytest.fixture
def sb3(monkeypatch):
    root, common = types.ModuleType("stable_baselines3"), types.ModuleType("stable_baselines3.common")
    vec_env = types.ModuleType("stable_baselines3.common.vec_env")
    vec_env.VecEnv = TheirVecEnv
    for module in (root, common, vec_env):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "cosm.sb3", raising=False)
    monkeypatch.delitem(vars(cosm), "sb3", raising=False)
    yield cosm.sb3
    vars(cosm).pop("sb3", None)
    sys.modules.pop("cosm.sb3", None)


def test_worlds_are_a_vec_env(sb3):
    env = sb3.VecEnv("cartpole", num_envs=4, seed=2, max_episode_steps=12)
    assert isinstance(env, TheirVecEnv) and env.num_envs == 4 and env.render_mode is None
    assert env.observation_space.shape == (4,)
    assert env.action_space == cosm.spaces.library().Discrete(2)
    first = env.reset()
    assert first.shape == (4, 4) and [info["seed"] for info in env.reset_infos] == [2] * 4
    ends = []
    for step in range(40):
        observations, rewards, dones, infos = env.step(np.full(4, step % 2))
        assert observations.shape == (4, 4) and rewards.shape == dones.shape == (4,)
        for world, info in enumerate(infos):
            assert ("terminal_observation" in info) == bool(dones[world]) == ("episode" in info)
            if dones[world]:
                assert info["episode"]["r"] == info["episode"]["l"] and info["episode"]["t"] >= 0
                assert not np.array_equal(info["terminal_observation"], observations[world])
                assert info["TimeLimit.truncated"] == (info["episode"]["l"] == 12)
                ends.append(info["TimeLimit.truncated"])
    assert True in ends
    env.seed(5)
    again = env.reset()
    env.seed(5)
    assert np.array_equal(again, env.reset()) and not np.array_equal(again, env.reset())
    env.close()
    assert env.vector.closed


def test_attributes_masks_and_pictures_of_a_vec_env(sb3):
    env = sb3.VecEnv("forage", num_envs=3, render_mode="rgb_array", agents=4)
    assert env.has_attr("agents") and env.has_attr("render_mode") and not env.has_attr("nothing")
    assert env.get_attr("agents") == [4, 4, 4] and env.get_attr("agents", 1) == [4]
    env.set_attr("agents", 2, [0, 2])
    assert env.get_attr("agents") == [2, 4, 2]
    with pytest.raises(cosm.ArgumentError, match="was not reset yet"):
        env.env_method("action_masks")
    env.reset()
    masks = env.env_method("action_masks", indices=[1])
    assert env.has_attr("action_masks") and len(masks) == 1 and masks[0].shape == (40,)
    assert env.env_is_wrapped(object) == [False] * 3 and len(env.get_images()) == 3
    env.close()
    with sb3.VecEnv("cartpole").vector as vector:
        assert not sb3.VecEnv(vector.sim).has_attr("action_masks")
    with pytest.raises(cosm.ArgumentError, match="copy is fixed for Stable-Baselines3"):
        sb3.VecEnv("cartpole", copy=False)
    with pytest.raises(cosm.ArgumentError, match="autoreset is 'next_step'"):
        sb3.VecEnv(FakeSim())


def test_without_stable_baselines3_the_module_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "cosm.sb3", raising=False)
    monkeypatch.delitem(vars(cosm), "sb3", raising=False)
    assert "sb3" in dict(inspect.getmembers(cosm))  # as help(cosm) asks for all
    with pytest.raises(ImportError, match="VecEnv: Stable-Baselines3 cannot be loaded .*pip install"):
        cosm.sb3.VecEnv("cartpole")


def test_an_older_python_is_told_so():
    import pathlib
    import subprocess

    source = pathlib.Path(cosm.__file__).read_text()
    script = ("import sys\nsys.version_info = (3, 10, 2)\n"
              "import types\nsys.modules['cosm'] = types.ModuleType('cosm')\n"
              f"exec(compile({source!r}, 'cosm', 'exec'), {{'__name__': 'cosm', '__file__': 'x'}})")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "cosm needs Python 3.11 or later, but this is Python 3.10.2" in done.stderr


def test_seeds_of_a_vec_env_share_no_world(sb3):
    rows = {}
    for seed in (1, 2):
        env = sb3.VecEnv("cartpole", num_envs=16)
        assert env.seed(seed) == [seed] * 16
        rows[seed] = env.reset()
        assert [info["seed"] for info in env.reset_infos] == [seed] * 16
        with cosm.VectorEnv("cartpole", num_envs=16) as other:
            assert np.array_equal(rows[seed], other.reset(seed=seed)[0])
        env.close()
    assert not set(map(bytes, rows[1])) & set(map(bytes, rows[2]))
    env = sb3.VecEnv("cartpole", num_envs=2)
    assert len(env.seed()) == 2 and env.seed()[0] != env.seed()[0]
    with pytest.raises(cosm.ArgumentError, match="VecEnv.seed: seed is -1"):
        env.seed(-1)
    with pytest.raises(cosm.ArgumentError, match="VecEnv.get_attr: there is no world 9"):
        env.get_attr("render_mode", [9])
    assert repr(env) == "cosm.sb3.VecEnv('cartpole', num_envs=2)"
    env.close()
    assert repr(env) == "<cosm.sb3.VecEnv('cartpole', num_envs=2): closed>"
