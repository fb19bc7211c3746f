"""examples/train_ppo.py: it learns, from several seeds, and goes on from a checkpoint."""
# ctest: release

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("torch")

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "train_ppo.py"


@pytest.fixture(scope="module")
def ppo():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("train_ppo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def train(ppo, *words):
    return ppo.train(ppo.arguments([*map(str, words), "--quiet"]))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_short_run_learns_to_balance(ppo, seed):
    """A pole falls after some 22 steps when nobody has learnt anything."""
    before = train(ppo, "--seed", seed, "--updates", 1, "--steps", 100)
    assert before["mean_return"] < 40
    after = train(ppo, "--seed", seed, "--updates", 40, "--target", 150)
    assert after["mean_return"] >= 150 and after["solved"]


def test_a_whole_run_solves_cartpole(ppo):
    result = train(ppo, "--seed", 0)
    assert result["solved"] and result["mean_return"] >= 475


def test_the_same_seed_learns_the_same(ppo):
    words = ("--updates", 4, "--worlds", 16, "--steps", 32)
    results = [train(ppo, "--seed", seed, *words) for seed in (3, 3, 4)]
    for result in results:
        del result["seconds"]
    assert results[0] == results[1] and results[0]["weights"] != results[2]["weights"]


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(ppo, tmp_path, monkeypatch):
    words = ("--seed", 5, "--updates", 6, "--worlds", 16, "--steps", 48, "--checkpoint", 3)
    whole = train(ppo, *words, "--out", tmp_path / "whole")
    save = ppo.save_checkpoint

    def stop_after_saving(*state):
        save(*state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(ppo, "save_checkpoint", stop_after_saving)
        train(ppo, *words, "--out", tmp_path / "stopped")
    resumed = train(ppo, *words, "--out", tmp_path / "stopped", "--resume")
    for result in (whole, resumed):
        del result["seconds"]
    assert whole == resumed
    curves = [(tmp_path / name / "curve.csv").read_text() for name in ("whole", "stopped")]
    assert curves[0] == curves[1] and curves[0].count("\n") == 7


def test_agents_that_come_and_go_can_be_trained(ppo):
    result = train(ppo, "--env", "forage", "--updates", 3, "--worlds", 8, "--steps", 64)
    assert result["updates"] == 3 and result["weights"] > 0


def test_the_last_line_is_for_programs_and_the_curve_is_a_picture(tmp_path):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--updates", "2", "--worlds", "8", "--steps", "64", "--out",
         str(tmp_path)], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["env"] == "cartpole" and result["updates"] == 2
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "checkpoint.pt").exists() and (tmp_path / "checkpoint.cosm").exists()


def test_one_transition_a_minibatch_is_no_harm(ppo):
    """One has no spread to divide by, and none has no mean."""
    for steps in (1, 2, 5):
        result = train(ppo, "--worlds", 1, "--steps", steps, "--updates", 3)
        assert result["weights"] == result["weights"] and result["weights"] > 0


@pytest.mark.parametrize("words, message", [
    (("--checkpoint", "0"), "--checkpoint: invalid number from 1 on value: '0'"),
    (("--steps", "0"), "argument --steps: invalid number from 1 on"),
    (("--hidden", "0"), "argument --hidden"), (("--worlds", "x"), "argument --worlds"),
    (("--updates", "-1"), "argument --updates"), (("--seed", "-1"), "--seed is -1"),
    (("--resume",), "--resume needs --out"),
    (("--resume", "--out", "nowhere"), "there is no nowhere/checkpoint.pt"),
    (("--env", "carpole"), "train_ppo.py: "), (("--out", __file__), "train_ppo.py: ")])
def test_what_cannot_be_is_told_in_a_line(words, message):
    done = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True)
    assert done.returncode and message in done.stderr.splitlines()[-1], done.stderr
    assert "Traceback" not in done.stderr and not done.stdout
