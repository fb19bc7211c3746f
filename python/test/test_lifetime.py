"""Memory lives as long as somebody looks at it, and no longer."""

import gc
import subprocess
import sys
import threading
import weakref

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
             "max_episode_steps", "world_first", "step_seconds", "step_count", "columns", "can_render"]
    for call in calls + [lambda name=name: getattr(sim, name) for name in names]:
        with pytest.raises(cosm.ClosedError, match="closed"):
            call()
    names = ["name", "slot", "role", "direction", "kind", "is_gathered", "is_entities", "mask_of",
             "dtype", "shape", "strides", "counts", "offsets", "address", "space",
             "__array_interface__"]
    calls = [column.numpy, column.torch, column.__dlpack__, lambda: memoryview(column),
             lambda: len(column)]
    for call in calls + [lambda name=name: getattr(column, name) for name in names]:
        with pytest.raises(cosm.ClosedError, match="closed"):
            call()
    assert "not accessible" in repr(column) and "closed" in repr(sim)


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


def test_final_rows_that_grow_leave_older_arrays_as_they_were():
    sim = cosm.Sim(library("grows"), num_worlds=2, workers=1, autoreset="same_step", appetite=1000)
    end, go_on = np.full((2, 2), -1, np.int32), np.zeros((2, 2), np.int32)
    seen = []
    for length in (1, 2, 5, 12):
        for _ in range(length - 1):
            sim.step(go_on)
        sim.step(end)
        array = sim.final("mote").numpy()
        seen.append((array, array.copy(), sim.final("mote").address))
    assert len({address for _, _, address in seen}) > 2
    assert [len(array) for array, _, _ in seen] == sorted(len(array) for array, _, _ in seen)
    gc.collect()
    for array, copy, _ in seen[:-1]:
        assert len(array) > 2000 and (array == copy).all()
    sim.close()
    assert all((array == copy).all() for array, copy, _ in seen)


class Closer:
    """Closes a simulation when somebody asks what it is, and whether it is."""

    def __init__(self, sim):
        self.sim = sim

    def _close(self):
        self.sim.close()
        gc.collect()

    def __index__(self):
        self._close()
        return 1

    def __bool__(self):
        self._close()
        return True

    def __float__(self):
        self._close()
        return 1.0

    def __fspath__(self):
        self._close()
        return "nowhere"


class ClosingList(Closer):
    """The same as a sequence."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index == 2:
            self._close()
        if index >= 4:
            raise IndexError
        return 1


class ClosingArray(Closer):
    """The same as an array of torch's kind."""

    def __init__(self, sim, array):
        super().__init__(sim)
        self.array = array

    def __dlpack__(self):
        self._close()
        return self.array.__dlpack__()


@pytest.mark.parametrize("call", [
    lambda sim: sim.reset([Closer(sim)] * 4),
    lambda sim: sim.reset(ClosingList(sim)),
    lambda sim: sim.reset(ClosingArray(sim, np.ones(4, np.uint8))),
    lambda sim: sim.reset(None, Closer(sim)),
    lambda sim: sim.reset(None, [Closer(sim)] * 4),
    lambda sim: sim.reset(None, ClosingArray(sim, np.ones(4, np.int64))),
    lambda sim: sim.set("appetite", Closer(sim)),
    lambda sim: sim.set("appetite", [Closer(sim)] * 4),
    lambda sim: sim.set("appetite", ClosingArray(sim, np.ones(4))),
    lambda sim: sim.fork(Closer(sim), 1),
    lambda sim: sim.fork(0, Closer(sim)),
    lambda sim: sim.fork(0, [Closer(sim)]),
    lambda sim: sim.fork(0, ClosingList(sim)),
    lambda sim: sim.hash(Closer(sim)),
    lambda sim: sim.render(Closer(sim)),
    lambda sim: sim.save(Closer(sim)),
    lambda sim: sim.load(Closer(sim)),
    lambda sim: sim.step(ClosingArray(sim, np.zeros((4, 2), np.int32))),
    lambda sim: cosm._cosm._step_many(sim, 2, ClosingArray(sim, np.zeros((1, 4, 2), np.int32))),
    lambda sim: sim.column("fixed_f32").__dlpack__(copy=Closer(sim)),
    lambda sim: sim.column("fixed_f32").__dlpack__(max_version=(Closer(sim), 0)),
    lambda sim: sim.column("fixed_f32").__dlpack__(dl_device=(Closer(sim), 0)),
])
def test_an_argument_that_closes_the_simulation_is_told_so(call):
    sim = make()
    with pytest.raises(cosm.ClosedError, match="closed"):
        call(sim)
    assert sim.closed


def test_an_argument_that_makes_or_closes_the_new_simulation_is_told_so():
    class Meddler:
        def __init__(self, sim, meddle):
            self.sim, self.meddle = sim, meddle

        def __float__(self):
            self.meddle(self.sim)
            return 1.0

    for meddle, word in ((lambda sim: sim.__init__("cartpole"), "made"),
                         (lambda sim: sim.close(), "closed")):
        sim = cosm.Sim.__new__(cosm.Sim)
        with pytest.raises(cosm.Error, match=f"object was {word} by another call.*create one object"):
            sim.__init__(library("zoo"), appetite=[Meddler(sim, meddle)])
        sim.close()


def test_a_simulation_that_is_closed_while_garbage_is_collected_stays_until_the_call_is_through():
    class Cycle:
        def __init__(self, sim):
            self.sim, self.me = sim, self

        def __del__(self):
            self.sim.close()

    threshold = gc.get_threshold()
    for call in (lambda sim: sim.with_role("info"), lambda sim: sim.columns,
                 lambda sim: sim.column("nothing")):
        sim = make()
        gc.collect()
        Cycle(sim)
        gc.set_threshold(1)
        try:
            call(sim)
        except cosm.Error:
            pass
        finally:
            gc.set_threshold(*threshold)


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

    with pytest.raises(cosm.ClosedError, match="closed; create a new one"):
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


def test_weak_references_know_when_an_object_is_gone():
    class Mine(cosm.Sim):
        pass

    for make in (cosm.Sim, Mine):
        sim = make("cartpole", workers=1)
        things = [sim.column("action"), sim.snapshot(), sim]
        gone = []
        weak = [weakref.ref(thing, gone.append) for thing in things]
        assert [reference() for reference in weak] == things
        del things, sim
        gc.collect()
        assert [reference() for reference in weak] == [None] * 3 and len(gone) == 3


CHILD = """
import gc, os, signal, sys
import cosm

sim = cosm.Sim("forage", num_worlds=256, workers=int(sys.argv[1]))
other = cosm.Sim("forage", num_worlds=256, workers=int(sys.argv[1]))
sim.step()
snapshot = sim.snapshot()
view = memoryview(sim.column("action"))
column = sim.column("action")
child = os.fork()
if child == 0:
    signal.alarm(60)  # a child that hangs is ended
    for call in (sim.step, sim.reset, sim.hash, sim.snapshot, sim.stats, lambda: sim.columns,
                 lambda: sim.restore(snapshot), lambda: column.shape, lambda: memoryview(column)):
        try:
            call()
        except cosm.Error as error:
            assert "os.fork" in str(error) and "in the child" in str(error), error
        else:
            raise SystemExit("it went through")
    view[0, 0]
    other.close()
    assert other.closed
    with cosm.Sim("forage", num_worlds=256, workers=2) as own:
        own.step()
    del sim, snapshot, view, column, other
    gc.collect()
    sys.exit(7)
status = os.waitpid(child, 0)[1]
sim.restore(snapshot)
sim.step()
snapshot.close()
sim.close()
print(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_child_of_a_fork_is_told_to_make_its_own_and_ends(workers):
    done = subprocess.run([sys.executable, "-c", CHILD, str(workers)], capture_output=True,
                          text=True, check=True)
    assert done.stdout == "7\n", done.stderr
