"""Memory lives as long as somebody looks at it, and no longer."""

import gc
import threading

import numpy as np
import pytest

import cosm
from conftest import library


def make(**more):
    return cosm.Sim(library("zoo"), num_worlds=4, workers=1, **more)


def test_arrays_outlive_close():
    sim = make()
    array = sim.column("fixed_f32").numpy()
    array[...] = 7
    sim.close()
    gc.collect()
    assert (array == 7).all()
    array[...] = 8
    assert (array == 8).all()


def test_arrays_outlive_the_simulation_and_the_column():
    array = make().column("fixed_f32").numpy()
    gc.collect()
    array[...] = 3
    assert array.sum() == 72


def test_a_column_goes_on_where_its_simulation_was_only_forgotten():
    column = make().column("fixed_f32")
    gc.collect()
    assert column.shape == (4, 2, 3)


def test_a_closed_simulation_raises_everywhere():
    sim = make()
    snapshot = sim.snapshot()
    column = sim.column("mote")
    sim.close()
    assert sim.closed
    calls = [sim.step, sim.reset, sim.refresh, sim.snapshot, sim.hash, sim.stats, sim.render,
             lambda: sim.column("mote"), lambda: sim.with_role("action"),
             lambda: sim.final("mote"), lambda: sim.step(np.zeros((4, 2), np.int32)),
             lambda: sim.set("appetite", 1), lambda: sim.save("x"), lambda: sim.load("x"),
             lambda: sim.restore(snapshot), lambda: sim.fork(0, 1), sim.__enter__]
    names = ["name", "summary", "num_worlds", "max_agents", "seed", "workers", "autoreset",
             "max_episode_steps", "step_seconds", "step_count", "columns", "can_render"]
    for call in calls + [lambda name=name: getattr(sim, name) for name in names]:
        with pytest.raises(cosm.ClosedError, match="closed"):
            call()
    names = ["name", "slot", "role", "direction", "kind", "is_gathered", "dtype", "shape", "strides",
             "counts", "offsets", "address", "space", "__array_interface__"]
    calls = [column.numpy, column.torch, column.__dlpack__, lambda: memoryview(column),
             lambda: len(column)]
    for call in calls + [lambda name=name: getattr(column, name) for name in names]:
        with pytest.raises(cosm.ClosedError, match="closed"):
            call()
    assert "not to be seen" in repr(column) and "closed" in repr(sim)


def test_numpy_makes_no_array_of_a_closed_column():
    sim = make()
    column = sim.column("fixed_f32")
    sim.close()
    for make_array in (np.asarray, np.array, lambda c: np.add(c, 1)):
        with pytest.raises(cosm.ClosedError):
            make_array(column)


def test_closing_twice_is_harmless():
    sim = make()
    sim.close()
    sim.close()
    with make() as other:
        other.close()
    assert other.closed


def test_a_snapshot_outlives_its_simulation():
    sim = make()
    snapshot = sim.snapshot()
    sim.close()
    assert snapshot.num_worlds == 4
    snapshot.close()
    snapshot.close()
    with pytest.raises(cosm.ClosedError, match="snapshot"):
        snapshot.num_worlds


def test_a_picture_outlives_its_simulation():
    sim = cosm.Sim("cartpole")
    picture = sim.render()
    sim.close()
    assert picture.shape == (200, 300, 3) and picture.numpy().max() > 0


def test_a_subclass_that_makes_nothing_raises():
    class Lazy(cosm.Sim):
        def __init__(self):
            pass

    with pytest.raises(cosm.ClosedError, match="never made"):
        Lazy().step()
    assert not Lazy().closed


def test_a_subclass_keeps_what_it_is_given():
    class Named(cosm.Sim):
        def __init__(self, label, **more):
            super().__init__("cartpole", **more)
            self.label = label

    sim = Named("a", num_worlds=3)
    sim.step()
    assert sim.label == "a" and sim.num_worlds == 3
    with pytest.raises(cosm.Error, match="already"):
        sim.__init__("b")


def test_types_cannot_be_made_by_hand():
    for kind in (cosm.Column, cosm.Snapshot):
        with pytest.raises(TypeError):
            kind()


def test_cycles_of_objects_are_collected():
    class Owner(cosm.Sim):
        pass

    sim = Owner("cartpole")
    sim.me = sim
    sim.array = sim.column("reward").numpy()
    del sim
    assert gc.collect() > 0


def test_arrays_let_go_on_another_thread():
    arrays = [make().column("fixed_f32").numpy() for _ in range(8)]
    thread = threading.Thread(target=arrays.clear)
    thread.start()
    thread.join()
    assert arrays == []
