"""Trains an agent on the environment my_env, with nothing but numpy: run it with no arguments.

The policy is linear: the log-odds of each push are a matrix times what the agent sees. Its
gradient fits on one line, so REINFORCE with a baseline is all there is to read here. For larger
networks take torch; the loop stays as it is.
"""

import argparse
import pathlib
import time

import numpy as np

import cosm

HERE = pathlib.Path(__file__).resolve().parent


def find_library():
    path = HERE / "build" / "libmy_env.so"
    if not path.exists():
        raise SystemExit(f"{path} is not there; build it first, as README.md says")
    return str(path)


def features(view):
    """What the policy looks at: offset, speed and a constant, one row for each world."""
    view = view.reshape(len(view), -1)
    return np.concatenate([view, np.ones((len(view), 1), np.float32)], axis=1)


def probabilities(weights, seen):
    odds = seen @ weights
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def draw(random, chances):
    """One choice for each row, by its chances."""
    return (chances.cumsum(axis=1) < random.random((len(chances), 1))).sum(axis=1).clip(
        max=chances.shape[1] - 1)


def rollout(env, view, weights, random, steps):
    """Plays `steps` steps in all worlds; what was seen, done and got, and where it ends."""
    seen, done, got, over = [], [], [], []
    for _ in range(steps):
        x = features(view)
        action = draw(random, probabilities(weights, x))
        view, reward, terminated, truncated, _ = env.step(action)
        seen.append(x)
        done.append(action)
        got.append(np.array(reward))
        over.append(terminated | truncated)
    return view, np.stack(seen), np.stack(done), np.stack(got), np.stack(over)


def returns(got, over, discount):
    """What each step led to, up to the end of its episode."""
    total = np.zeros_like(got)
    ahead = np.zeros(got.shape[1], got.dtype)
    for t in reversed(range(len(got))):
        ahead = got[t] + discount * ahead * ~over[t]
        total[t] = ahead
    return total


def improve(weights, seen, done, gained, rate):
    """A step up the gradient of the expected return."""
    advantage = (gained - gained.mean()) / (gained.std() + 1e-6)
    chances = probabilities(weights, seen)
    better = np.eye(chances.shape[1])[done] - chances
    return weights + rate * seen.T @ (better * advantage[:, None]) / len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--steps", type=int, default=200, help="steps of a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", help="path of the library (build/libmy_env.so)")
    options = parser.parse_args()

    random = np.random.default_rng(options.seed)
    env = cosm.VectorEnv(options.library or find_library(), num_envs=options.worlds)
    view, _ = env.reset(seed=options.seed)
    weights = np.zeros((features(view).shape[1], 3))
    began = time.perf_counter()
    first = mean = 0.0
    for number in range(1, options.rounds + 1):
        view, seen, done, got, over = rollout(env, view, weights, random, options.steps)
        mean = got.sum() / max(over.sum(), 1)
        first = mean if number == 1 else first
        if number == 1 or number % 10 == 0 or number == options.rounds:
            print(f"round {number:3}: {over.sum():6} episodes, mean return {mean:6.2f}", flush=True)
        gained = returns(got, over, 0.97)
        weights = improve(weights, seen.reshape(-1, seen.shape[2]), done.reshape(-1),
                          gained.reshape(-1), rate=6.0)
    steps = options.rounds * options.steps * options.worlds
    print(f"{steps:,} steps in {time.perf_counter() - began:.1f} s; mean return went from "
          f"{first:.2f} to {mean:.2f}")
    env.close()


if __name__ == "__main__":
    main()
