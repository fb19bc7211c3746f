"""10^5 simulations made and ended leave nothing behind.
"""
# ctest: slow release

import gc

import cosm
from conftest import library


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def grows(make, cycles):
    """How much memory grows over the second half of the cycles."""
    for i in range(cycles):
        make()
        if i == cycles // 2:
            gc.collect()
            half = resident()
    gc.collect()
    return resident() - half


def test_memory_is_flat_over_100000_simulations():
    def make():
        sim = cosm.Sim("cartpole", num_worlds=2, workers=1)
        sim.step()
        sim.close()

    assert grows(make, 100_000) < 2 << 20


def test_memory_is_flat_over_arrays_snapshots_and_libraries():
    def make():
        sim = cosm.Sim(library("zoo"), num_worlds=2, workers=1, appetite=1)
        arrays = [sim.column(name).numpy() for name in ("fixed_f32", "mote", "single_u8")]
        arrays.append(sim.column("reward").__dlpack__())
        snapshot = sim.snapshot()
        sim.step()
        sim.restore(snapshot)
        sim.close()
        del arrays

    assert grows(make, 3_000) < 2 << 20


def test_memory_is_flat_over_failures():
    def make():
        for arguments in (("cartpool",), ("cartpole", 0), (library("empty"),)):
            try:
                cosm.Sim(*arguments)
            except cosm.Error:
                pass

    assert grows(make, 3_000) < 2 << 20
