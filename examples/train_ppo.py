#!/usr/bin/python3
"""PPO in one file: trains an agent on any Cosm environment with choices as actions.

    python3 train_ppo.py --env cartpole --seed 0 --out runs/cartpole

writes a learning curve (curve.png), its numbers (curve.csv) and a checkpoint (checkpoint.pt, and
checkpoint.cosm with the worlds themselves) into the folder, and prints one last line for programs to
read. ``--resume`` goes on from the checkpoint as if the run had never stopped.

What to look at: ``collect`` (a rollout from a vector environment that begins anew one step after
an episode ends), ``advantages`` (GAE that tells termination from truncation) and ``improve``
(the clipped objective).
"""

import argparse
import collections
import json
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn

import cosm

GAMMA, LAMBDA = 0.99, 0.95
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5
EPOCHS, MINIBATCHES = 4, 4
GRADIENT_MAX = 0.5


def positive(text):
    """A whole number from 1 on, for the parser."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


positive.__name__ = "number from 1 on"  # as the parser calls it when it complains


def arguments(argv=None):
    parser = argparse.ArgumentParser(description="PPO on a Cosm environment")
    parser.add_argument("--env", default="cartpole", help="name of an environment, or a library")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worlds", type=positive, default=64)
    parser.add_argument("--steps", type=positive, default=64, help="steps of each rollout")
    parser.add_argument("--updates", type=positive, default=300, help="rollouts at most")
    parser.add_argument("--target", type=float, default=475.0,
                        help="stop when the last 100 episodes have this mean return")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate of the first update")
    parser.add_argument("--hidden", type=positive, default=64)
    parser.add_argument("--threads", type=positive, default=1, help="of torch")
    parser.add_argument("--out", type=pathlib.Path, help="folder for curve and checkpoints")
    parser.add_argument("--checkpoint", type=positive, default=50, help="updates from one to the next")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--quiet", action="store_true", help="print the last line only")
    options = parser.parse_args(argv)
    if options.resume and options.out is None:
        parser.error("--resume needs --out, the folder with the checkpoint")
    if options.seed < 0:
        parser.error(f"--seed is {options.seed}: give a number from 0 on")
    for name in ("checkpoint.pt", "checkpoint.cosm") if options.resume else ():
        if not (options.out / name).is_file():
            parser.error(f"--resume: there is no {options.out / name}; leave --resume out")
    return options


class Policy(nn.Module):
    """Two small networks on what the agent sees: which action, and how good things look."""

    def __init__(self, inputs, choices, hidden):
        super().__init__()

        def network(outputs, gain):
            layers = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(),
                                   nn.Linear(hidden, hidden), nn.Tanh(),
                                   nn.Linear(hidden, outputs))
            for layer, size in zip(layers[::2], (2 ** 0.5, 2 ** 0.5, gain)):
                nn.init.orthogonal_(layer.weight, size)
                nn.init.zeros_(layer.bias)
            return layers

        self.actor = network(choices, 0.01)
        self.critic = network(1, 1.0)

    def forward(self, seen, allowed=None):
        """Logarithms of the chances of all choices, and the value."""
        logits = self.actor(seen)
        if allowed is not None:
            logits = logits.masked_fill(~allowed, -1e9)
        return torch.log_softmax(logits, -1), self.critic(seen).squeeze(-1)


class Agents:
    """A vector environment whose agents, of all worlds, are rows of one batch."""

    def __init__(self, options):
        self.env = cosm.VectorEnv(options.env, num_envs=options.worlds, seed=options.seed)
        self.sim = self.env.sim
        action = self.env.single_action_space
        choices = np.unique(action.nvec if hasattr(action, "nvec") else getattr(action, "n", 0))
        self.per_world = self.sim.max_agents
        self.rows = options.worlds * self.per_world
        if len(choices) != 1 or choices[0] == 0 or self.env.action_space.shape[1:] not in (
                (), (self.per_world,)):
            sys.exit(f"{options.env}: this example trains agents that make one choice in each step, "
                     f"and actions are {action}")
        self.choices = int(choices[0])
        self.returns = collections.deque(maxlen=100)
        self.ended = torch.zeros(self.rows, dtype=torch.bool)
        self.look(*self.env.reset())
        self.inputs = self.seen.shape[1]

    def look(self, observations, infos):
        """Takes in what a reset or a step returned."""
        parts = observations.values() if isinstance(observations, dict) else [observations]
        self.seen = torch.from_numpy(np.concatenate(
            [part.reshape(self.rows, -1).astype(np.float32) for part in parts], 1))
        self.allowed = torch.from_numpy(infos["action_mask"].reshape(self.rows, -1)) \
            if "action_mask" in infos else None
        self.there = torch.from_numpy(infos["agent_mask"].ravel()) if "agent_mask" in infos \
            else torch.ones(self.rows, dtype=torch.bool)
        self.ids = infos.get("agent_ids")

    def mean(self):
        """The mean return of the last episodes, at most 100; zero before the first."""
        return float(np.mean(self.returns)) if self.returns else 0.0

    def each(self, flags):
        """One flag per world as one per agent."""
        return torch.from_numpy(np.repeat(flags, self.per_world))

    def step(self, actions):
        """Of each agent: its reward, whether it has terminated, whether its episode is over, and
        whether all this is about the agent that acted: rows move when others come and go."""
        shaped = actions.numpy().reshape(self.env.action_space.shape)
        observations, rewards, terminated, truncated, infos = self.env.step(shaped)
        if "episode_stats" in infos:
            self.returns.extend(infos["episode_stats"]["r"][infos["_episode_stats"]].tolist())
        gone, same = self.each(terminated), torch.ones(self.rows, dtype=torch.bool)
        if "agent_rewards" in infos:
            rewards = infos["agent_rewards"]
            gone = gone | torch.from_numpy(infos["agent_terminations"].ravel())
        if "agent_ids" in infos:
            same = torch.from_numpy((infos["agent_ids"] == self.ids).all(-1).ravel())
        same &= self.there & ~self.ended
        self.look(observations, infos)
        self.ended = gone | self.each(terminated | truncated)
        return torch.from_numpy(rewards.ravel()), gone, self.ended | ~same, same


Rollout = collections.namedtuple(
    "Rollout", "seen allowed actions chances values rewards gone over counts")


@torch.no_grad()
def collect(agents, policy, steps):
    """A rollout of ``steps`` steps: arrays of [steps, agents], values of one step more.

    In the step after its episode ended a world begins anew: its action is passed over and its
    reward is zero. Such a transition teaches nothing, nor does a row without an agent, or with
    another one than before: ``counts`` is False there.
    """
    shape = (steps, agents.rows)
    rollout = Rollout(
        torch.zeros(*shape, agents.inputs),
        None if agents.allowed is None else torch.zeros(*shape, agents.choices, dtype=torch.bool),
        torch.zeros(shape, dtype=torch.long), torch.zeros(shape),
        torch.zeros(steps + 1, agents.rows), torch.zeros(shape),
        *(torch.zeros(shape, dtype=torch.bool) for _ in range(3)))
    for t in range(steps):
        rollout.seen[t] = agents.seen
        if agents.allowed is not None:
            rollout.allowed[t] = agents.allowed
        logs, rollout.values[t] = policy(agents.seen, agents.allowed)
        # The largest of logarithms with Gumbel noise is a draw by their chances.
        noise = -torch.log(-torch.log(torch.rand_like(logs).clamp_(1e-20, 1 - 1e-7)))
        rollout.actions[t] = (logs + noise).argmax(-1)
        rollout.chances[t] = logs.gather(-1, rollout.actions[t].unsqueeze(-1)).squeeze(-1)
        rollout.rewards[t], rollout.gone[t], rollout.over[t], rollout.counts[t] = \
            agents.step(rollout.actions[t])
    rollout.values[steps] = policy(agents.seen)[1]
    return rollout


def advantages(rollout):
    """GAE. What comes after a termination is worth nothing; after a truncation it is worth what the
    last observation, which is the next row, looks like. Either ends the sum."""
    rewards, values = rollout.rewards, rollout.values
    result, later = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        surprise = rewards[t] + GAMMA * values[t + 1] * ~rollout.gone[t] - values[t]
        later = surprise + GAMMA * LAMBDA * later * ~rollout.over[t]
        result[t] = later
    return result


def improve(policy, optimizer, rollout):
    """Several passes over the rollout with the clipped objective of PPO."""
    gain = advantages(rollout)
    goal = (gain + rollout.values[:-1]).flatten()
    gain = gain.flatten()
    which = rollout.counts.flatten().nonzero().squeeze(-1)
    if not len(which):
        return
    seen, actions, chances = (part.flatten(0, 1)
                              for part in (rollout.seen, rollout.actions, rollout.chances))
    allowed = None if rollout.allowed is None else rollout.allowed.flatten(0, 1)
    for _ in range(EPOCHS):
        for part in which[torch.randperm(len(which))].chunk(MINIBATCHES):
            logs, values = policy(seen[part], None if allowed is None else allowed[part])
            now = logs.gather(-1, actions[part].unsqueeze(-1)).squeeze(-1)
            ratio = torch.exp(now - chances[part])
            better = gain[part]
            if len(part) > 1:  # one alone has no spread
                better = (better - better.mean()) / (better.std() + 1e-8)
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            objective = torch.minimum(ratio * better, clipped * better).mean()
            entropy = -(logs.exp() * logs).sum(-1).mean()
            miss = (values - goal[part]).square().mean()
            optimizer.zero_grad()
            (VALUE * miss - objective - ENTROPY * entropy).backward()
            nn.utils.clip_grad_norm_(policy.parameters(), GRADIENT_MAX)
            optimizer.step()


class Progress:
    """A bar on one line of the terminal; plain lines, now and then, in a file."""

    def __init__(self, total, quiet):
        self.total, self.quiet, self.start = total, quiet, time.perf_counter()
        self.is_terminal = sys.stderr.isatty()

    def show(self, done, steps, mean):
        if self.quiet or (not self.is_terminal and done % 20):
            return
        share = done / self.total
        bar = "#" * round(30 * share) + "." * (30 - round(30 * share))
        seconds = time.perf_counter() - self.start
        print(f"{chr(13) if self.is_terminal else ''}[{bar}] {done}/{self.total} updates, "
              f"{steps:,} steps, {seconds:.0f} s, mean return {mean:.1f}  ",
              end="" if self.is_terminal else "\n", file=sys.stderr, flush=True)

    def close(self):
        if self.is_terminal and not self.quiet:
            print(file=sys.stderr)


def save_checkpoint(folder, state, agents):
    """The learner in one file and the worlds in another; what is there is replaced when whole."""
    agents.sim.save(str(folder / "checkpoint.cosm.new"))
    torch.save(state, folder / "checkpoint.pt.new")
    for name in ("checkpoint.cosm", "checkpoint.pt"):
        (folder / f"{name}.new").replace(folder / name)


def save_curve(folder, curve, options):
    """The learning curve as numbers and as a picture."""
    lines = ["steps,mean_return"] + [f"{steps},{mean:.3f}" for steps, mean in curve]
    (folder / "curve.csv").write_text("\n".join(lines) + "\n")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    axes.plot(*zip(*curve), label=f"seed {options.seed}")
    axes.axhline(options.target, color="gray", linestyle=":", label="target")
    axes.set(xlabel="steps of all agents", ylabel="mean return, last 100 episodes",
             title=f"PPO on {options.env}")
    axes.legend()
    figure.tight_layout()
    figure.savefig(folder / "curve.png", dpi=100)
    pyplot.close(figure)


def train(options):
    """Trains, and returns what came of it."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    agents = Agents(options)
    policy = Policy(agents.inputs, agents.choices, options.hidden)
    optimizer = torch.optim.Adam(policy.parameters(), lr=options.rate, eps=1e-5)
    first, curve = 0, []
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    if options.resume:
        state = torch.load(options.out / "checkpoint.pt")
        agents.sim.load(str(options.out / "checkpoint.cosm"))
        policy.load_state_dict(state["policy"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        first, curve, agents.ended = state["update"], state["curve"], state["ended"]
        agents.seen, agents.allowed, agents.there, agents.ids = state["look"]
        agents.returns.extend(state["returns"])
    progress = Progress(options.updates, options.quiet)
    start, update = time.perf_counter(), first
    for update in range(first + 1, options.updates + 1):
        optimizer.param_groups[0]["lr"] = options.rate * (1 - (update - 1) / options.updates)
        improve(policy, optimizer, collect(agents, policy, options.steps))
        curve.append((update * options.steps * agents.rows, agents.mean()))
        progress.show(update, *curve[-1])
        is_solved = len(agents.returns) == 100 and agents.mean() >= options.target
        if options.out and (update % options.checkpoint == 0 or is_solved
                            or update == options.updates):
            save_checkpoint(options.out, {
                "policy": policy.state_dict(), "optimizer": optimizer.state_dict(),
                "random": torch.get_rng_state(), "update": update, "curve": curve,
                "ended": agents.ended, "returns": list(agents.returns),
                "look": (agents.seen, agents.allowed, agents.there, agents.ids)}, agents)
        if is_solved:
            break
    progress.close()
    if options.out and curve:
        save_curve(options.out, curve, options)
    weights = sum(float(part.double().abs().sum()) for part in policy.parameters())
    result = {"env": options.env, "seed": options.seed, "updates": update,
              "steps": update * options.steps * agents.rows,
              "mean_return": round(agents.mean(), 3),
              "solved": len(agents.returns) == 100 and agents.mean() >= options.target,
              "seconds": round(time.perf_counter() - start, 2),
              "weights": round(weights, 6), "worlds": f"{agents.sim.hash():016x}"}
    agents.env.close()
    return result


if __name__ == "__main__":
    try:
        print(json.dumps(train(arguments())))
    except (cosm.Error, OSError) as error:
        sys.exit(f"train_ppo.py: {error}")
