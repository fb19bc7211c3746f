"""Columns as arrays: nothing is copied, in any type, for numpy, memoryview and torch."""

import gc
import io
import zlib

import numpy as np
import pytest

import cosm

TYPES = {
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "f32": "float32", "f64": "float64", "bool": "bool",
}
TORCH = {"bool": "uint8", "uint16": "int16", "uint32": "int32", "uint64": "int64"}


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("kind", ["fixed", "single"])
def test_a_numpy_array_is_the_memory_itself(zoo, kind, short):
    column = zoo.column(f"{kind}_{short}")
    array = column.numpy()
    assert array.dtype == np.dtype(TYPES[short]) and column.dtype == TYPES[short]
    assert array.shape == column.shape and array.strides == column.strides
    assert array.shape == ((4, 2, 3) if kind == "fixed" else (4,))
    assert array.ctypes.data == column.address
    assert array.flags.writeable
    other = np.asarray(column)
    array[...] = 1
    assert (other == 1).all()
    other[...] = 0
    assert (array == 0).all() and not array.flags.owndata


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("kind", ["fixed", "single"])
def test_a_torch_tensor_is_the_memory_itself(zoo, torch, kind, short):
    column = zoo.column(f"{kind}_{short}")
    tensor = column.torch()
    name = TORCH.get(TYPES[short], TYPES[short])
    assert tensor.dtype == getattr(torch, name)
    assert tensor.data_ptr() == column.address and tuple(tensor.shape) == column.shape
    tensor.fill_(1)
    assert (column.numpy() == 1).all()
    column.numpy()[...] = 0
    assert int(tensor.sum()) == 0


@pytest.mark.parametrize("short", TYPES)
def test_steps_are_seen_in_arrays_that_exist(zoo, short):
    array = zoo.column(f"fixed_{short}").numpy()
    array[...] = 0
    zoo.step()
    counts = zoo.column(f"fixed_{short}").counts.numpy()
    assert counts.tolist() == [1, 2, 1, 2]
    for world, count in enumerate(counts):
        assert (array[world, :count] == 1).all()
        assert (array[world, count:] == 0).all()


def test_rows_that_never_lived_read_as_zero(zoo):
    for short in TYPES:
        assert (zoo.column(f"fixed_{short}").numpy()[[0, 2], 1] == 0).all()
    assert (zoo.column("reward").numpy()[[0, 2], 1] == 0).all()


def test_what_numpy_writes_the_simulation_reads(zoo):
    array = zoo.column("fixed_f64").numpy()
    array[1, 0, 2] = 41.5
    zoo.step()
    assert array[1, 0, 2] == 42.5


def test_torch_sees_a_step_and_writes_for_one(zoo, torch):
    tensor = zoo.column("fixed_i64").torch()
    tensor.fill_(5)
    zoo.step()
    assert tensor[0, 0].tolist() == [6, 6, 6] and tensor[0, 1].tolist() == [5, 5, 5]


def test_a_column_that_the_simulation_writes_is_read_only(zoo):
    column = zoo.column("reward")
    assert column.direction == "out"
    assert not column.numpy().flags.writeable
    with pytest.raises(ValueError):
        column.numpy()[...] = 1
    assert memoryview(column).readonly
    assert column.__array_interface__["data"] == (column.address, True)


def test_a_memoryview_says_shape_format_and_strides(zoo):
    view = memoryview(zoo.column("fixed_f32"))
    assert (view.shape, view.format, view.itemsize) == ((4, 2, 3), "f", 4)
    assert view.c_contiguous and view.nbytes == 96
    middle = memoryview(zoo.column("middle"))
    assert middle.shape == (4, 2) and middle.strides == (16, 8) and not middle.c_contiguous
    with pytest.raises(BufferError, match="not contiguous"):
        zlib.crc32(zoo.column("middle"))  # asks for plain bytes
    zoo.column("fixed_f32").numpy()[...] = 0
    assert zlib.crc32(zoo.column("fixed_f32")) == zlib.crc32(bytes(96))
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(bytes(32)).readinto(zoo.column("reward"))
    assert io.BytesIO(bytes([1] * 96)).readinto(zoo.column("fixed_f32")) == 96
    assert bytes(zoo.column("fixed_f32")) == bytes([1] * 96)


def test_a_field_in_the_middle_of_a_struct_has_strides(zoo, torch):
    column = zoo.column("middle")
    column.numpy()[...] = [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert column.torch().tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert column.torch().stride() == (8, 4)


def test_a_split_field_is_an_array_of_its_own(zoo):
    column = zoo.column("split_a")
    zoo.step()
    zoo.step()
    assert column.numpy()[1].tolist() == [2, 2] and column.strides[-1] == 4


def test_the_array_interface_tells_the_same_as_the_buffer(zoo):
    class Only:
        def __init__(self, column):
            self.__array_interface__ = column.__array_interface__
            self.column = column

    for short in TYPES:
        column = zoo.column(f"single_{short}")
        array = np.asarray(Only(column))
        assert array.ctypes.data == column.address
        assert (array.dtype, array.shape, array.strides) == (
            column.numpy().dtype, column.shape, column.strides)


def test_columns_are_aligned_to_64_bytes(zoo):
    for short in TYPES:
        assert zoo.column(f"fixed_{short}").address % 64 == 0


def test_rows_of_growing_archetypes_come_and_go(zoo):
    column = zoo.column("mote")
    assert column.kind == "rows" and column.shape == (7, 2)
    assert column.offsets.numpy().tolist() == [0, 1, 3, 6, 7]
    zoo.set("appetite", [0, 2, 0, 1])
    address = column.address
    old = column.numpy()
    zoo.step()
    assert column.shape == (10, 2) and column.address == address
    assert column.offsets.numpy().tolist() == [0, 1, 5, 8, 10]
    assert old.shape == (7, 2)
    now = column.numpy()
    assert now[0, 0] == 1 and now.ctypes.data == old.ctypes.data
    zoo.reset()
    assert column.shape == (7, 2) and now.sum() >= 0  # what was taken before still reads


def test_what_is_written_into_gathered_rows_reaches_the_worlds(zoo):
    zoo.column("mote").numpy()[:, 1] = np.arange(7)
    zoo.step()
    assert zoo.column("mote").numpy()[:, 1].tolist() == list(range(7))
    assert zoo.column("mote").numpy()[:, 0].tolist() == [1] * 7


def test_a_query_gathers_the_rows_of_all_its_archetypes(zoo):
    column = zoo.column("everything")
    assert column.is_gathered and column.shape == (11, 2)
    assert column.offsets.numpy().tolist() == [0, 2, 5, 9, 11]
    zoo.step()
    assert (column.numpy()[:, 0] == 1).all()


def test_handles_of_entities_are_two_columns_of_uint32(zoo):
    column = zoo.column("mote_entities")
    assert column.dtype == "uint32" and column.shape == (7, 2)
    assert (column.numpy()[:, 0] % 2 == 1).all()  # generations of what lives are odd


def test_one_world_shows_growing_rows_where_they_are():
    from conftest import library

    with cosm.Sim(library("zoo"), appetite=100) as sim:
        column = sim.column("mote")
        address = column.address
        for _ in range(20):
            sim.step()
        assert column.shape == (2001, 2) and column.address == address
        column.numpy()[:, 1] = 3
        sim.step()
        assert column.numpy()[:2001, 1].tolist() == [3] * 2001


def test_properties_of_columns(zoo):
    assert zoo.column("reward").role == "reward"
    assert zoo.column("fixed_i8").role == ""
    assert zoo.column("single_i8").kind == "worlds"
    assert zoo.column("fixed_i8").kind == "fixed"
    assert zoo.column("fixed_i8").slot == 0 and zoo.column("fixed_i16").slot == 1
    assert zoo.column("single_i8").counts is None and zoo.column("fixed_i8").offsets is None
    assert zoo.column("fixed_i8").counts.name == "fixed_i8.counts"
    assert zoo.column("fixed_i8").counts.dtype == "uint32"
    assert zoo.column("action").direction == "in" and zoo.column("mote").direction == "both"
    assert zoo.column("middle").space == {"choices": 0, "low": -5.0, "high": 5.0}
    assert len(zoo.column("fixed_i8")) == 4
    assert "fixed_i8" in repr(zoo.column("fixed_i8"))
    gc.collect()
