"""The rows of the benchmark that are about Python: what it adds to the same steps in C.

    PYTHONPATH=build/bench/python /usr/bin/python3 bench/python.py [--row NAME] [--csv FILE]

Both sides of a row run in this process and in turn, and the best round of each counts, as in
cosm_bench. The limit is a loop of C over the same steps with the same actions (_cosm._step_many);
a row is WRONG where the two simulations do not have the same hash at the end. Rows are added to the
file, which cosm_bench began.
"""

import argparse
import os
import sys
import time

import numpy as np

import cosm
from cosm import _cosm

WORLDS = 4096
LISTS = 16  # lists of actions, made beforehand: what a policy would cost is not measured
ROUNDS = 400  # short ones: on a busy machine some are left alone
SEED = 7


def nanoseconds(run):
    began = time.perf_counter_ns()
    run()
    return time.perf_counter_ns() - began


def interleave(sides, rounds):
    """The best time of each side over rounds in which they take turns; the first round warms up."""
    best = [float("inf")] * len(sides)
    for number in range(rounds + 1):
        for i, side in enumerate(sides):
            taken = nanoseconds(side)
            if number > 0:
                best[i] = min(best[i], taken)
    return best


def make_actions(worlds):
    return np.random.default_rng(SEED).integers(0, 2, (LISTS, worlds), dtype=np.int32)


def simulation(worlds):
    return cosm.Sim("cartpole", num_worlds=worlds, seed=SEED, workers=1)


def cartpole_py(rounds):
    """A step of 4,096 carts through Sim.step; ns per cart."""
    steps = 2 * LISTS
    actions = make_actions(WORLDS)
    lists = list(actions)
    ours, plain = simulation(WORLDS), simulation(WORLDS)

    def python():
        step = ours.step
        for _ in range(steps // LISTS):
            for chosen in lists:
                step(chosen)

    python_ns, c_ns = interleave([python, lambda: _cosm._step_many(plain, steps, actions)], rounds)
    scale = steps * WORLDS
    return WORLDS, python_ns / scale, c_ns / scale, 1.1, ours.hash() == plain.hash()


def adapter(env, rounds, bar):
    """A step of 4,096 carts through an adapter, next to the same steps in C; ns per cart."""
    steps = 2 * LISTS
    actions = make_actions(WORLDS)
    lists = list(actions)
    plain = cosm.Sim("cartpole", WORLDS, seed=SEED, workers=1, autoreset=env.sim.autoreset)
    env.reset(seed=SEED)
    plain.reset(seeds=SEED)

    def python():
        step = env.step
        for _ in range(steps // LISTS):
            for chosen in lists:
                step(chosen)

    python_ns, c_ns = interleave([python, lambda: _cosm._step_many(plain, steps, actions)], rounds)
    scale = steps * WORLDS
    return WORLDS, python_ns / scale, c_ns / scale, bar, env.sim.hash() == plain.hash()


def vector(rounds, bar, **choices):
    return adapter(cosm.VectorEnv("cartpole", WORLDS, seed=SEED, workers=1, **choices), rounds, bar)


def cartpole_gym(rounds):
    """Through VectorEnv, with numpy and copies."""
    return vector(rounds, 3.0)


def cartpole_view(rounds):
    """The same without copies."""
    return vector(rounds, None, copy=False)


def cartpole_trust(rounds):
    """The same with copies, and without a look at each action."""
    return vector(rounds, None, validate_actions=False)


def cartpole_puffer(rounds):
    """Through PufferEnv, where worlds begin anew within the step that ends them."""
    return adapter(cosm.PufferEnv("cartpole", WORLDS, seed=SEED, workers=1), rounds, None)


def idle():
    """One world in which nothing happens: bench/library/idle.c, built next to the package."""
    library = os.path.join(os.path.dirname(os.path.dirname(cosm.__file__)), "idle.so")
    return cosm.Sim(library, workers=1)


def py_call(rounds):
    """A whole call of Sim.step where there is nothing to do; ns. The bar is 400 ns."""
    steps = 2_000
    ours, plain = idle(), idle()

    def python():
        step = ours.step
        for _ in range(steps):
            step()

    python_ns, c_ns = interleave([python, lambda: _cosm._step_many(plain, steps)], rounds)
    limit = c_ns / steps
    return 1, python_ns / steps, limit, 400 / limit, ours.hash() == plain.hash()


# Those without a bar are there for the cost table of docs/manual/python.md.
ROWS = {row.__name__: row for row in (cartpole_py, cartpole_gym, cartpole_view, cartpole_trust,
                                      cartpole_puffer, py_call)}


def report(name, n, cosm_ns, limit, bar, is_equal, csv):
    ratio = cosm_ns / limit
    verdict = "WRONG: hashes differ" if not is_equal else "-"
    if is_equal and bar is not None:
        verdict = "ok" if ratio <= bar else "MISS"
    shown = "-" if bar is None else f"{bar:.2f}"
    print(f"{name:<15} {n:>7} {cosm_ns:>10.3f} {limit:>10.3f} {ratio:>7.2f} {shown:>6}  ns    {verdict}",
          flush=True)
    # A row without a bar is there for comparison; the file holds what is judged.
    if csv is not None and bar is not None:
        csv.write(f"{name},{n},{cosm_ns:.4f},{limit:.4f},{ratio:.4f},{bar:.4f},ns\n")
    return is_equal


def main():
    parser = argparse.ArgumentParser(description="The rows of the benchmark that are about Python.")
    parser.add_argument("--row", choices=sorted(ROWS), help="measure this row only")
    parser.add_argument("--csv", help="add the rows to this file")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--list", action="store_true", help="only say which rows there are")
    options = parser.parse_args()
    names = [options.row] if options.row else list(ROWS)
    if options.list:
        print("\n".join(names))
        return 0
    csv = open(options.csv, "a", encoding="ascii") if options.csv else None
    is_good = True
    for name in names:
        is_good = report(name, *ROWS[name](options.rounds), csv) and is_good
    if csv is not None:
        csv.close()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
