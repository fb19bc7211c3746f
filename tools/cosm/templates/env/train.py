"""Trains an agent on the environment my_env, with nothing but numpy: run it with no arguments.

The policy is linear: the log-odds of each push are a matrix times what the agent sees. Its
gradient fits on one line, so REINFORCE with a baseline is all there is to read here: what a state
is worth is guessed by another linear map, fitted to the returns. For larger networks take torch;
the loop stays as it is.
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


class Rollout:
    """Steps of all worlds: arrays of [steps, worlds]; what is seen has one step more."""

    def __init__(self, env, view, began, weights, random, steps):
        seen, done, got, ended, cut, counts = [features(view)], [], [], [], [], []
        self.returns = []  # of the episodes that ended
        for _ in range(steps):
            action = draw(random, probabilities(weights, seen[-1]))
            view, reward, terminated, truncated, infos = env.step(action)
            # A world whose episode is over begins the next one in this step, whatever is done:
            # there is nothing to be learned from that.
            counts.append(~began)
            began = terminated | truncated
            seen.append(features(view))  # where an episode ended: the last one of it
            done.append(action)
            got.append(np.array(reward))
            ended.append(terminated)
            cut.append(truncated)
            if "episode_stats" in infos:
                self.returns.extend(infos["episode_stats"]["r"][infos["_episode_stats"]])
        self.view, self.began = view, began
        self.seen, self.done, self.got, self.ended, self.cut, self.counts = map(
            np.stack, (seen, done, got, ended, cut, counts))

    def gained(self, worth, discount):
        """What each step led to. Nothing comes after a termination. A time limit, and the end of
        the rollout, only hide what would have come: that is what the state there is worth."""
        total = np.zeros(self.got.shape)
        ahead = worth[-1]
        for t in reversed(range(len(self.got))):
            ahead = np.where(self.ended[t], 0, np.where(self.cut[t], worth[t + 1], ahead))
            ahead = self.got[t] + discount * ahead
            total[t] = ahead
        return total


def traits(seen):
    """What the guess of a state's worth looks at."""
    return np.concatenate([seen, np.abs(seen)], axis=-1)


def improve(weights, guess, rollout, rate):
    """A step up the gradient of the expected return, and a better guess."""
    worth = traits(rollout.seen) @ guess
    gained = rollout.gained(worth, 0.97)[rollout.counts]
    advantage = gained - worth[:-1][rollout.counts]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    seen, done = rollout.seen[:-1][rollout.counts], rollout.done[rollout.counts]
    chances = probabilities(weights, seen)
    better = np.eye(chances.shape[1])[done] - chances
    weights = weights + rate * seen.T @ (better * advantage[:, None]) / len(seen)
    return weights, np.linalg.lstsq(traits(seen), gained, rcond=None)[0]


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
    began = np.zeros(options.worlds, bool)  # which worlds begin an episode in the next step
    weights = np.zeros((features(view).shape[1], 3))
    guess = np.zeros(traits(features(view)).shape[1])
    start = time.perf_counter()
    first = mean = 0.0
    for number in range(1, options.rounds + 1):
        rollout = Rollout(env, view, began, weights, random, options.steps)
        view, began = rollout.view, rollout.began
        mean = float(np.mean(rollout.returns)) if rollout.returns else mean
        first = mean if number == 1 else first
        if number == 1 or number % 10 == 0 or number == options.rounds:
            print(f"round {number:3}: {len(rollout.returns):6} episodes, mean return {mean:6.2f}",
                  flush=True)
        weights, guess = improve(weights, guess, rollout, rate=6.0)
    steps = options.rounds * options.steps * options.worlds
    print(f"{steps:,} steps in {time.perf_counter() - start:.1f} s; mean return went from "
          f"{first:.2f} to {mean:.2f}")
    env.close()


if __name__ == "__main__":
    main()
