"""Simulations made of numpy arrays, for what no built-in environment has: several observations and
actions, values of a whole world, agents whose rows move and vanish by a script."""

from __future__ import annotations

import numpy as np

HOST = {"episode_return": np.float32, "episode_length": np.uint32, "episode_number": np.uint32,
        "episode_terminated": np.uint8, "episode_truncated": np.uint8, "last_return": np.float32,
        "last_length": np.uint32}


class FakeColumn:
    """An array with the properties of a column."""

    def __init__(self, name, array, role="info", kind="fixed", choices=0, low=-np.inf, high=np.inf,
                 counts=None, is_entities=False, mask_of=None):
        self.is_entities, self.mask_of = is_entities, mask_of
        self.name, self.array, self.role, self.kind = name, array, role, kind
        self.direction = "in" if role == "action" else "out"
        self.space = {"choices": choices, "low": low, "high": high}
        self.counts = None if counts is None else FakeColumn("counts", counts, kind="worlds")

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype.name)

    def numpy(self):
        view = self.array.view()
        view.flags.writeable = self.direction != "out"
        return view

    def torch(self):
        import torch

        return torch.from_numpy(self.array)


class FakeSim:
    """Episodes of ``length`` steps, in all worlds at once or (``stagger``) w steps longer in world w.

    Each agent is given the number that it acts as a reward, and sees [world, agent, step,
    episode]. ``rows(sim)`` may say after each step how many agents live.
    """

    name, can_render, step_seconds, max_episode_steps, seed = "fake", True, 0.02, 0, 0
    workers, _has_new_params = 1, False
    _change_count = property(lambda self: self.step_count + 1000 * len(self.resets))

    def __init__(self, num_worlds=2, agents=1, autoreset="next_step", length=3, stagger=False,
                 cut=False, choices=3, action_tail=(), extra=False, two_actions=False, grows=False,
                 has_masks=False):
        self.num_worlds, self.max_agents, self.autoreset = num_worlds, agents, autoreset
        self.length, self.stagger, self.cut = length, stagger, cut
        self.step_count, self.closed, self.seeds, self.resets = 0, False, None, []
        self.host = {name: np.zeros(num_worlds, kind) for name, kind in HOST.items()}
        self.host["episode_number"][:] = 1
        self.counts = np.full(num_worlds, agents, np.uint32)
        grid = (num_worlds, agents)
        self.observation = np.zeros((*grid, 4), np.float32)
        self.actions = np.zeros((*grid, *action_tail), np.int32 if choices else np.float32)
        self.reward = np.zeros(grid, np.float32)
        self.terminated = np.zeros(grid, np.uint8)
        self.dead = np.zeros(grid, np.uint8)  # who is said to have terminated in each step
        self.finals = {}  # of the last step of episodes, with the rows that lived
        self.final_counts = np.zeros_like(self.counts)
        self.begin_counts = None  # how many agents episodes begin with; None: as many as there were
        self.list = [
            self._column("observation", self.observation, "observation"),
            self._column("action", self.actions, "action", choices=choices,
                         **({} if choices else {"low": -1.0, "high": 1.0})),
            self._column("reward", self.reward, "reward"),
            self._column("terminated", self.terminated, "terminated", low=0, high=255),
        ]
        if grows:
            self.max_agents = 0
            self.list[0].kind = "rows"
        if extra:
            weather = FakeColumn("weather", np.zeros((num_worlds, 2), np.uint8), "observation",
                                 "worlds", low=0, high=255)
            self.list.insert(1, weather)
        if has_masks:
            self.alive = np.ones(grid, np.uint8)
            self.cuts = np.zeros(grid, np.uint8)
            self.list += [self._column("alive", self.alive, "agent_mask", low=0, high=255),
                          self._column("cuts", self.cuts, "truncated", low=0, high=255)]
        if two_actions:
            self.list.append(self._column("aim", np.zeros((*grid, 2), np.float32), "action",
                                          low=-1.0, high=1.0))
        kept = ("observation",) + (("reward", "terminated", "alive", "cuts") if agents > 1 else ())
        for column in self.list:
            if autoreset == "same_step" and column.name in kept:
                self.finals[column.name] = FakeColumn(
                    column.name, np.zeros_like(column.array), column.role, counts=self.final_counts)
        self.list += [FakeColumn(name, array, kind="worlds") for name, array in self.host.items()]
        self._see()

    def _column(self, name, array, role, **space):
        return FakeColumn(name, array, role, counts=self.counts, **space)

    columns = property(lambda self: tuple(column.name for column in self.list))

    def column(self, name):
        return next(column for column in self.list if column.name == name)

    def with_role(self, role):
        return tuple(column for column in self.list if column.role == role)

    def final(self, name):
        return self.finals.get(name)

    def _see(self):
        world, agent = np.indices(self.reward.shape)
        self.observation[...] = np.stack(
            [world, agent, np.broadcast_to(self.host["episode_length"][:, None], world.shape),
             np.broadcast_to(self.host["episode_number"][:, None], world.shape)], -1)

    def _begin(self, where):
        self.host["episode_number"][where] += 1
        self.host["episode_length"][where] = 0
        self.host["episode_return"][where] = 0

    def reset(self, mask=None, seeds=None):
        self.resets.append((mask, seeds))
        where = np.ones(self.num_worlds, bool) if mask is None else np.asarray(mask) != 0
        self._begin(where)
        for flag in ("episode_terminated", "episode_truncated"):
            self.host[flag][where] = 0
        self.terminated[where] = 0
        self._see()

    def step(self):
        host = self.host
        over = (host["episode_terminated"] | host["episode_truncated"]) != 0
        if self.autoreset != "disabled":  # where flags stay until a reset
            host["episode_terminated"][:] = 0
            host["episode_truncated"][:] = 0
        begins = over if self.autoreset == "next_step" else np.zeros_like(over)
        self._begin(begins)
        acts = ~over if self.autoreset == "disabled" else ~begins
        number = self.actions.reshape(*self.reward.shape, -1).sum(-1)
        self.reward[...] = np.where(acts[:, None], number, 0)
        host["episode_length"][acts] += 1
        host["episode_return"] += self.reward.sum(1)
        limit = self.length + (np.arange(self.num_worlds) if self.stagger else 0)
        ends = acts & (host["episode_length"] >= limit)
        host["episode_truncated" if self.cut else "episode_terminated"][ends] = 1
        self.terminated[...] = (0 if self.cut else ends[:, None]) | self.dead
        host["last_return"][ends] = host["episode_return"][ends]
        host["last_length"][ends] = host["episode_length"][ends]
        self._see()
        if self.autoreset == "same_step":
            for name, final in self.finals.items():
                final.array[ends] = self.column(name).array[ends]
            self.final_counts[ends] = self.counts[ends]
            self._begin(ends)
            if self.begin_counts is not None:
                self.counts[ends] = self.begin_counts
                self.reward[ends] = self.terminated[ends] = 77  # nobody is to look at these
            self._see()
        self.step_count += 1

    def render(self, world=0):
        return np.full((4, 6, 3), world, np.uint8)

    def close(self):
        self.closed = True


class ScriptedSim(FakeSim):
    """One world with up to ``agents`` rows, whose entities, rewards and ends follow a script: for each
    step a list of (id, reward, terminated) by row; the first is how the world begins."""

    def __init__(self, script, agents=3, has_ids=True):
        super().__init__(num_worlds=1, agents=agents, autoreset="disabled", length=1000)
        self.script, self.acted = script, []
        self.ids = np.zeros((1, agents, 2), np.uint32)
        self.mask = np.ones((1, agents, 3), np.uint8)
        if has_ids:
            self.list.append(self._column("agent_id", self.ids, "info", is_entities=True))
        self.list.append(self._column("action_mask", self.mask, "action_mask", low=0, high=255,
                                      mask_of="action"))
        self._play(0)

    def _play(self, step):
        rows = self.script[step]
        self.counts[0] = len(rows)
        for row, (id, reward, terminated) in enumerate(rows):
            self.ids[0, row] = (1, id)
            self.reward[0, row] = reward
            self.terminated[0, row] = terminated
            self.observation[0, row] = [id, row, step, 0]
            self.mask[0, row] = [1, id % 2, 0]
        ended = all(terminated for _, _, terminated in rows)
        self.host["episode_terminated"][0] = ended

    def reset(self, mask=None, seeds=None):
        super().reset(mask, seeds)
        self.step_count = 0
        self._play(0)

    def step(self):
        self.acted.append(self.actions[0].copy())
        self.step_count += 1
        self._play(self.step_count)
