"""What users meet first and get wrong: messages that name the call and a remedy that works, and
state that an adapter must follow."""

import copy
import gc
import inspect
import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import cosm
from conftest import library


def told(call, *words, error=cosm.ArgumentError):
    """The message of a call that fails, which has all the words."""
    with pytest.raises(error) as raised:
        call()
    text = str(raised.value)
    for word in words:
        assert word in text, text
    return text


def build(path, name):
    """Puts a library where another one is, as a linker does: a new file under the old name."""
    shutil.copyfile(library(name), str(path) + ".new")
    os.replace(str(path) + ".new", path)


# Everything can be looked at.


def test_all_members_can_be_asked_for_whatever_is_installed():
    members = dict(inspect.getmembers(cosm))
    assert {"Sim", "VectorEnv", "sb3", "spaces"} <= members.keys()
    assert set(cosm.__all__) <= members.keys()


# Parameters that are set before the first reset.


@pytest.mark.parametrize("make", [
    lambda: cosm.VectorEnv("forage", num_envs=3, seed=1), lambda: cosm.Env("forage", seed=1),
    lambda: cosm.PufferEnv("forage", num_worlds=3, seed=1),
    lambda: cosm.ParallelEnv("forage", seed=1, agents=4)])
@pytest.mark.parametrize("way", ["set", "column"])
def test_a_parameter_that_is_set_before_the_first_reset_takes_effect(make, way):
    with make() as env:
        if way == "set":
            env.sim.set("agents", 8)
        else:
            env.sim.column("agents").numpy()[:] = 8
        env.reset()
        assert set(env.sim.column("reward").counts) == {8}
        env.sim.set("agents", 2)
        assert set(env.sim.column("reward").counts) == {8}
        env.reset()
        assert set(env.sim.column("reward").counts) == {2}


def test_it_is_the_episode_that_the_parameter_would_have_made():
    with cosm.VectorEnv("forage", num_envs=2, seed=1) as env, \
            cosm.VectorEnv("forage", num_envs=2, seed=1, agents=8) as other:
        env.set_attr("agents", 8)
        ours, theirs = env.reset(), other.reset()
        for name in ours[0]:
            assert np.array_equal(ours[0][name], theirs[0][name])
        assert env.seed == 1 and np.array_equal(ours[1]["agent_mask"], theirs[1]["agent_mask"])


def test_a_simulation_of_yours_begins_anew_too():
    with cosm.Sim("forage", num_worlds=2, seed=1) as sim:
        sim.set("agents", 8)
        cosm.VectorEnv(sim).reset()
        assert list(sim.column("reward").counts) == [8, 8]


def test_a_copy_knows_of_a_parameter_that_waits():
    with cosm.VectorEnv("forage", num_envs=2, seed=1) as env:
        env.set_attr("agents", 8)
        with copy.deepcopy(env) as other:
            other.reset()
            assert list(other.sim.column("reward").counts) == [8, 8]


def test_without_a_parameter_the_first_reset_keeps_the_episode():
    with cosm.VectorEnv("forage", num_envs=2, seed=1) as env:
        before = env.sim.hash()
        env.reset()
        assert env.sim.hash() == before


def test_the_wind_of_a_new_environment_is_a_parameter():
    """As python.md and the folder that `cosm new` writes say."""
    with cosm.VectorEnv(library("walk"), num_envs=3, seed=1, wind=[-1, 0, 1]) as env:
        env.reset()
        assert env.get_attr("wind") == (-1.0, 0.0, 1.0)
        speeds = env.step(np.ones(3, int))[0][:, 1]
        assert speeds[0] < 0 == speeds[1] < speeds[2]
        told(lambda: env.set_attr("wind", 3), "parameter 'wind' is 3", "from -2 to 2")
    told(lambda: cosm.VectorEnv(library("walk"), windy=0.5), "did you mean 'wind'?")


@pytest.mark.parametrize("is_first", [True, False])
def test_the_program_is_told_which_python_has_the_package(monkeypatch, tmp_path, is_first):
    from cosm import __main__

    program = tmp_path / "bin" / "cosm"
    program.parent.mkdir()
    for name in ("cosm", "python3"):
        (program.parent / name).write_text("")
        (program.parent / name).chmod(0o755)
    called = []
    monkeypatch.setattr(__main__, "__file__", str(tmp_path / "__main__.py"))
    monkeypatch.setattr(os, "execv", lambda path, arguments: called.append(arguments))
    monkeypatch.setattr(sys, "executable", str(program.parent / "python"))
    monkeypatch.setattr(sys, "argv", [str(program), "new", "walk"])
    monkeypatch.setenv("PATH", str(program.parent) if is_first else "/usr/bin")
    monkeypatch.setenv("COSM_PYTHON", "another")
    __main__.main()
    assert called[0][1:] == ["new", "walk"]
    assert os.environ["COSM_PYTHON"] == ("python3" if is_first else sys.executable)


# Copies and libraries that were built anew.


def test_a_copy_runs_the_code_that_the_original_runs(tmp_path):
    path = tmp_path / "walk.so"
    build(path, "zoo")
    with cosm.Sim(path, num_worlds=2, seed=1) as sim:
        sim.step()
        build(path, "two")
        for copied in (copy.deepcopy(sim), copy.copy(sim), copy.deepcopy(copy.deepcopy(sim))):
            assert copied.name == "zoo" and copied.columns == sim.columns
            assert copied.hash() == sim.hash()
            copied.step()
            copied.close()
        newer = cosm.Sim(path)  # of a private copy of the file
        build(path, "zoo")
        with copy.deepcopy(newer) as copied:
            assert copied.name == newer.name == "two"
        os.remove(path)
        with copy.deepcopy(newer) as copied:
            copied.step()
        newer.close()
    gc.collect()


def test_a_deep_copy_of_an_adapter_runs_the_same_code(tmp_path):
    path = tmp_path / "walk.so"
    build(path, "zoo")
    with cosm.Sim(path, num_worlds=2, seed=1) as sim:
        pair = [sim, sim]
        build(path, "two")
        first, second = copy.deepcopy(pair)
        assert first is second and first.name == "zoo"
        first.close()


def test_a_library_with_other_columns_cannot_be_unpickled(tmp_path):
    path = tmp_path / "walk.so"
    build(path, "zoo")
    with cosm.Sim(path, num_worlds=2, seed=1) as sim:
        kept = pickle.dumps(sim)
        with pickle.loads(kept) as other:
            assert other.hash() == sim.hash()
        for name in ("pair", "truth", "grows", "two"):
            build(path, name)
            told(lambda: pickle.loads(kept), str(path), "has changed since this Sim was pickled",
                 "create a new Sim", error=cosm.FormatError)
        build(path, "zoo")
        pickle.loads(kept).close()


# Names of agents follow the world.


def walk(env, steps):
    for _ in range(steps):
        env.step({name: 0 for name in env.agents})
    return list(env.agents)


def test_names_are_those_of_the_world_after_a_restore():
    with cosm.Sim("forage", autoreset="disabled", seed=3) as sim:
        env = cosm.ParallelEnv(sim)
        env.reset()
        names, before = walk(env, 5), sim.snapshot()
        while env.agents:
            walk(env, 1)
        sim.restore(before)
        assert env.agents == names
        replies = env.step({name: 0 for name in names})
        assert set(replies[0]) >= set(names) and env.agents
        trace = [walk(env, 1) for _ in range(60)]
        sim.restore(before)
        env.step({name: 0 for name in env.agents})
        assert [walk(env, 1) for _ in range(60)] == trace  # also of those who are born
        before.close()


def test_names_begin_anew_where_nobody_was_named(tmp_path):
    with cosm.Sim("forage", autoreset="disabled", seed=3) as sim:
        env = cosm.ParallelEnv(sim)
        env.reset()
        walk(env, 10)
        sim.save(tmp_path / "kept.cosm")
        count = sim.column("reward").counts[0]
        env.reset(seed=4)
        sim.load(tmp_path / "kept.cosm")
        assert env.agents == [f"agent_{i}" for i in range(count)]
        assert env.state().size == env.state_space.shape[0]
        sim.reset()
        assert env.agents == [f"agent_{i}" for i in range(sim.column("reward").counts[0])]
        sim.fork(0, [])
        with copy.deepcopy(env) as other:
            assert other.agents == env.agents and walk(other, 3) == walk(env, 3)


# A Sim of yours and keywords that say otherwise.


@pytest.mark.parametrize("words", [
    {"num_envs": 1}, {"seed": 6}, {"max_episode_steps": 7}, {"workers": 2},
    {"autoreset_mode": "same_step"}, {"autoreset_mode": cosm.AutoresetMode.DISABLED}])
def test_keywords_that_differ_from_a_sim_of_yours_are_refused(words):
    with cosm.Sim("cartpole", num_worlds=3, seed=5, workers=1) as sim:
        told(lambda: cosm.VectorEnv(sim, **words), f"VectorEnv: {next(iter(words))} is ",
             "but the Sim has", "leave it out")


def test_keywords_that_agree_with_a_sim_of_yours_are_taken():
    with cosm.Sim("cartpole", num_worlds=3, seed=5, workers=1, autoreset="same_step",
                  max_episode_steps=9) as sim:
        cosm.VectorEnv(sim)
        cosm.VectorEnv(sim, num_envs=3, seed=5, workers=1, autoreset_mode="same_step",
                       max_episode_steps=9)
        cosm.PufferEnv(sim, num_worlds=3, seed=5, workers=1, max_episode_steps=9)
        told(lambda: cosm.PufferEnv(sim, num_worlds=1), "PufferEnv: num_worlds is 1")
    with cosm.Sim("cartpole", seed=5, workers=2, autoreset="disabled") as sim:
        cosm.Env(sim).close()
        cosm.ParallelEnv(sim).close()
        told(lambda: cosm.Env(sim, workers=1), "Env: workers is 1, but the Sim has 2")
        told(lambda: cosm.ParallelEnv(sim, seed=4), "ParallelEnv: seed is 4")


# Messages.


def test_a_file_that_cannot_be_loaded_is_told_once(tmp_path):
    (tmp_path / "cut.cosm").write_bytes(b"no save file at all")
    program = ("import cosm\nfor path in ('nowhere.cosm', 'cut.cosm'):\n"
               "    try: cosm.Sim('cartpole').load(path)\n"
               "    except (OSError, cosm.FormatError) as error: print(path in str(error))\n")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(
                              os.path.abspath(path) for path in sys.path if path)})
    assert done.stdout == "True\nTrue\n" and "cosm" not in done.stderr


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "state.cosm"
    with cosm.Sim("cartpole", num_worlds=4) as sim:
        sim.save(path)
        whole = path.read_bytes()
        for size in range(0, len(whole), max(1, len(whole) // 40)):
            path.write_bytes(whole[:size])
            told(lambda: sim.load(path), "Sim.load: ", str(path), error=cosm.FormatError)


def test_final_raises_where_nothing_is_kept():
    with cosm.Sim("cartpole") as sim:
        told(lambda: sim.final("observation"), "Sim.final: autoreset is 'next_step'",
             "create the Sim with autoreset='same_step'")
    with cosm.Sim("cartpole", autoreset="same_step") as sim:
        assert sim.final("observation").shape == (1, 1, 4)
        told(lambda: sim.final("reward"), "Sim.final: with one agent per world only observations",
             "read column('reward')")
    with cosm.Sim("forage", autoreset="same_step") as sim:
        assert sim.final("reward").shape == sim.column("reward").shape
        told(lambda: sim.final("action"), "Sim.final: nothing is kept of 'action'")


@pytest.mark.parametrize("action, words", [
    (2, "Env.step: action is 2: it is one of 2 choices"),
    ([1], "Env.step: action has shape (1,): pass one of shape ()"),
    (np.zeros((1, 2), int), "Env.step: action has shape (1, 2): pass one of shape ()"),
    (0.5, "Env.step: action has type float64"), (None, "Env.step: action has type object"),
    ({"action": 1}, "Env.step: action is a dict")])
def test_errors_of_env_name_env_and_its_shapes(action, words):
    with cosm.Env("cartpole") as env:
        env.reset()
        assert told(lambda: env.step(action)).startswith(words)


def test_errors_of_making_one_name_the_adapter():
    told(lambda: cosm.Env("cartpol"), "Env: there is no environment 'cartpol'")
    told(lambda: cosm.Env("cartpole", stats_key=3), "Env: stats_key is 3")
    told(lambda: cosm.Env(library("grows")), "Env: column mote of zoo")
    told(lambda: cosm.VectorEnv("cartpole", num_envs=0), "VectorEnv: num_envs is 0; it must be from 1")
    told(lambda: cosm.PufferEnv("cartpole", num_worlds=0), "PufferEnv: num_worlds is 0")
    text = told(lambda: cosm.VectorEnv("./nowhere.so"), "VectorEnv: ", "./nowhere.so",
                error=FileNotFoundError)
    assert "slash" not in text and "Sim: " not in text


def test_a_snapshot_of_another_sim_is_refused_with_a_remedy_that_works():
    with cosm.Sim("cartpole", num_worlds=2, seed=1) as sim, \
            cosm.Sim("cartpole", num_worlds=2, seed=2) as other, \
            cosm.Sim("cartpole", num_worlds=3) as more, cosm.Sim("forage", num_worlds=2) as forage:
        snapshot = sim.snapshot()
        told(lambda: other.restore(snapshot), "Sim.restore: the snapshot is of another Sim",
             "copy.deepcopy or pickle")
        other.restore(copy.deepcopy(snapshot))
        assert other.hash() == sim.hash()
        told(lambda: more.restore(snapshot), "'cartpole' with num_worlds=2", "with num_worlds=3")
        told(lambda: forage.restore(snapshot), "'cartpole' with num_worlds=2", "'forage'")
        told(lambda: sim.restore(None), "Sim.restore: snapshot is None", error=TypeError)
        snapshot.close()


@pytest.mark.parametrize("value", ["4", None])
def test_one_number_is_among_what_a_parameter_takes(value):
    told(lambda: cosm.Sim("forage", agents=value), f"Sim: values of 'agents' are {value!r}; pass one "
         "number, or an array", error=TypeError)


def test_words_of_other_classes_are_told_as_ours():
    told(lambda: cosm.Sim("cartpole", autoreset_mode="disabled"), "'autoreset_mode'",
         "called autoreset")
    told(lambda: cosm.Sim("cartpole", num_envs=3), "Sim: there is no keyword 'num_envs'",
         "called num_worlds")
    told(lambda: cosm.VectorEnv("cartpole", num_worlds=3), "VectorEnv: ", "called num_envs")
    told(lambda: cosm.VectorEnv("cartpole", autoreset="disabled"), "called autoreset_mode")
    told(lambda: cosm.PufferEnv("cartpole", num_envs=3), "PufferEnv: ", "called num_worlds")
    told(lambda: cosm.ParallelEnv("forage", num_envs=3), "ParallelEnv: ", "leave it out")


def test_an_unknown_parameter_is_told_with_those_that_there_are():
    told(lambda: cosm.Sim("forage", agnets=3), "has no parameter 'agnets'",
         "its parameters are: agents, food", "did you mean 'agents'?")
    text = told(lambda: cosm.Sim("forage").set("reward", 3), "its parameters are: agents, food")
    assert "did you mean" not in text
    told(lambda: cosm.Sim("cartpole", wind=3), "has no parameter 'wind'; it has none")


def test_an_attribute_that_is_none_is_told_with_the_parameters():
    with cosm.VectorEnv("forage") as env:
        told(lambda: env.get_attr("agnets"), "VectorEnv.get_attr: ", "'agnets'", "agents, food",
             error=AttributeError)
        told(lambda: env.call("fly"), "VectorEnv.call: ", "'fly'", error=AttributeError)


def test_libraries_that_cannot_be_used_are_told_by_their_cause():
    text = told(lambda: cosm.Sim(library("lost")), "undefined symbol: zoo_lost_and_never_found",
                "define that function", error=OSError)
    assert "slash" not in text
    text = told(lambda: cosm.Sim(library("misspelt")), "`define` of environment 'zoo' failed: "
                "cosm_system_define: ", "'Bodie'", error=cosm.FormatError)
    assert "step again" not in text


def test_an_id_of_gymnasium_is_told_with_the_environments_that_there_are():
    told(lambda: cosm.VectorEnv("cosm/cartpole-v0"), "'cosm/cartpole-v0'", "gymnasium.make",
         "there are: cartpole, forage")


@pytest.mark.parametrize("name", [3, None, "bob", "agent_", "agent_01", ["agent_0"]])
def test_what_is_no_name_of_an_agent_is_refused_with_the_call(name):
    with cosm.ParallelEnv("forage") as env:
        told(lambda: env.action_space(name), "ParallelEnv.action_space: ", repr(name))
        told(lambda: env.observation_space(name), "ParallelEnv.observation_space: ")


@pytest.mark.parametrize("words", [
    {"num_envs": 1.5}, {"num_envs": None}, {"workers": None}, {"workers": "2"}, {"seed": "1"},
    {"seed": 1.5}, {"max_episode_steps": "9"}, {"world_first": 1.5}])
def test_a_value_of_a_wrong_type_is_told_with_call_and_argument(words):
    (name, value), = words.items()
    told(lambda: cosm.VectorEnv("cartpole", **words), f"VectorEnv: {name} is {value!r}",
         error=TypeError)
    if name != "num_envs":
        told(lambda: cosm.Sim("cartpole", **words), f"Sim: {name} is {value!r}", error=TypeError)


def test_other_wrong_types_are_told_with_the_call_too():
    told(lambda: cosm.Sim(None), "Sim: name is None", error=TypeError)
    told(lambda: cosm.Sim("cartpole", autoreset=3), "Sim: autoreset is 3", error=TypeError)
    told(lambda: cosm.Sim("cartpole", 10**30), "Sim: num_worlds is 1000000", "it must be from 1")
    told(lambda: cosm.VectorEnv("cartpole", copy="no"), "VectorEnv: copy is 'no'")
    told(lambda: cosm.VectorEnv("cartpole", info_columns="last_return"), "pass a list of names")
    with cosm.Sim("forage") as sim:
        told(lambda: sim.set(3, 3), "Sim.set: name is 3", error=TypeError)
        told(lambda: sim.column(3), "Sim.column: name is 3", error=TypeError)
    with cosm.PufferEnv("cartpole") as env:
        told(lambda: env.reset(seed=-1), "PufferEnv.reset: seed is -1")


def test_what_is_closed_says_so_first():
    for kind in (cosm.Env, cosm.VectorEnv, cosm.ParallelEnv, cosm.PufferEnv):
        env = kind("cartpole")
        env.close()
        told(env.render, f"{kind.__name__}.render: the environment is closed", error=cosm.ClosedError)


# Columns, steps and spaces.


def test_columns_have_items():
    with cosm.Sim("forage", num_worlds=3, seed=1) as sim:
        counts = sim.column("reward").counts
        assert counts[0] == 4 and type(counts[0]) is int and counts[-1] == 4 and len(counts) == 3
        assert list(counts) == [4, 4, 4] and counts[1:].tolist() == [4, 4]
        column = sim.column("self")
        assert np.array_equal(column[0], column.numpy()[0])
        assert np.array_equal(column[1, 2], column.numpy()[1, 2])
        assert sim.column("agents")[2] == 4
        with pytest.raises(IndexError):
            counts[3]
    with pytest.raises(cosm.ClosedError):
        counts[0]
    with cosm.Sim(library("zoo"), num_worlds=2) as sim:
        column = sim.column("mote")
        sim.step()
        assert [column.offsets[i] for i in range(3)] == column.offsets.numpy().tolist()


def test_actions_can_be_named():
    with cosm.Sim("cartpole", num_worlds=2) as sim:
        sim.step(actions=np.ones((2, 1), np.int32))
        assert sim.column("action").numpy().tolist() == [[1], [1]]
        sim.step(actions=None)
        assert sim.step_count == 2


def test_what_a_simulation_and_a_snapshot_are_can_be_read():
    with cosm.Sim("cartpole") as sim:
        assert repr(sim) == "<cosm.Sim 'cartpole': 1 world>"
        snapshot = sim.snapshot()
        assert repr(snapshot) == repr(copy.deepcopy(snapshot)) == "<cosm.Snapshot of 'cartpole': 1 world>"
        snapshot.close()
        assert repr(snapshot) == "<cosm.Snapshot: closed>"
    told(sim.step, "Sim.step: the simulation is closed; create a new one", error=cosm.ClosedError)


def test_values_of_spaces_go_through_json():
    import json

    for space in (cosm.spaces.Box(-1, 1, (2, 2)), cosm.spaces.Discrete(3),
                  cosm.spaces.MultiDiscrete([2, 3]),
                  cosm.spaces.Dict({"a": cosm.spaces.Discrete(3), "b": cosm.spaces.Box(0, 1, (1,))})):
        values = [space.sample() for _ in range(3)]
        back = space.from_jsonable(json.loads(json.dumps(space.to_jsonable(values))))
        assert len(back) == 3 and all(value in space for value in back)
        assert repr(back) == repr(values)
