"""Threads: the GIL is released in a step, and nobody else may touch the simulation meanwhile."""

import ctypes
import threading

import numpy as np
import pytest

import cosm
from conftest import library


@pytest.fixture
def gate():
    """What stops a step of the environment zoo in its middle."""
    handle = ctypes.CDLL(library("zoo"))
    closed = ctypes.c_int.in_dll(handle, "zoo_gate")
    waits = ctypes.c_int.in_dll(handle, "zoo_waits")
    closed.value = waits.value = 0
    yield closed, waits
    closed.value = 0


def run_until_stopped(gate, call):
    """Starts `call`, a step, on a thread, and returns when it stands before the gate."""
    closed, waits = gate
    closed.value = 1
    thread = threading.Thread(target=call)
    thread.start()
    while waits.value == 0:  # only possible because the step has let go of the GIL
        pass
    return thread


def test_a_simulation_that_steps_is_busy(zoo, gate):
    column = zoo.column("mote")
    fixed = zoo.column("fixed_f32")
    snapshot = zoo.snapshot()
    thread = run_until_stopped(gate, zoo.step)
    try:
        calls = [zoo.step, zoo.reset, zoo.hash, zoo.snapshot, zoo.close, zoo.refresh, zoo.stats,
                 lambda: zoo.step(np.zeros((4, 2), np.int32)), lambda: zoo.restore(snapshot),
                 lambda: zoo.fork(0, 1), lambda: zoo.save("x"), lambda: zoo.load("x"),
                 lambda: zoo.set("appetite", 1), lambda: zoo.step_count, column.numpy,
                 lambda: column.shape, lambda: memoryview(column)]
        for call in calls:
            with pytest.raises(cosm.BusyError, match="stepping on another thread") as told:
                call()
            assert told.value.code == "COSM_ERROR_BUSY"
        assert zoo.name == "zoo" and fixed.shape == (4, 2, 3)  # what never changes can be asked
        assert zoo.column("fixed_f32").numpy().shape == (4, 2, 3) and "mote" in zoo.columns
        assert zoo.column("reward").counts.numpy().shape == (4,) and zoo.with_role("reward")
    finally:
        gate[0].value = 0
        thread.join()
    assert zoo.step_count == 1
    zoo.step()


def test_other_simulations_step_meanwhile(zoo, cartpole, gate):
    thread = run_until_stopped(gate, zoo.step)
    try:
        for _ in range(100):
            cartpole.step()
    finally:
        gate[0].value = 0
        thread.join()
    assert (cartpole.step_count, zoo.step_count) == (100, 1)


def test_the_last_reference_may_go_while_it_steps(gate):
    sim = cosm.Sim(library("zoo"), num_worlds=2, workers=2)
    array = sim.column("fixed_f32").numpy()
    thread = run_until_stopped(gate, sim.step)
    del sim
    gate[0].value = 0
    thread.join()
    assert array[0, 0, 0] == 1


def test_many_threads_on_simulations_of_their_own():
    results = {}

    def work(seed):
        with cosm.Sim("cartpole", num_worlds=32, seed=seed, workers=1) as sim:
            for step in range(50):
                sim.step(np.full(32, step % 2, np.int32))
                snapshot = sim.snapshot()
                sim.restore(snapshot)
            results[seed] = sim.hash()

    threads = [threading.Thread(target=work, args=(seed % 4,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first = dict(results)
    for seed in range(4):
        work(seed)
    assert results == first and len(set(first.values())) == 4


def test_threads_that_fight_for_one_simulation_get_steps_or_errors(cartpole):
    done = []

    def work():
        for _ in range(300):
            try:
                cartpole.step()
                done.append(1)
            except cosm.BusyError:
                pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cartpole.step_count == len(done)
