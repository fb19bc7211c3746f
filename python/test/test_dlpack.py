"""DLPack: capsules of both forms, their arguments, and who owns them."""

import ctypes
import gc

import numpy as np
import pytest

import cosm

api = ctypes.pythonapi
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


def legacy(capsule):
    return Tensor.from_address(api.PyCapsule_GetPointer(capsule, b"dltensor"))


def versioned(capsule):
    return Versioned.from_address(api.PyCapsule_GetPointer(capsule, b"dltensor_versioned"))


@pytest.mark.parametrize("name, code, bits", [
    ("fixed_i8", 0, 8), ("fixed_i16", 0, 16), ("fixed_i32", 0, 32), ("fixed_i64", 0, 64),
    ("fixed_u8", 1, 8), ("fixed_u16", 1, 16), ("fixed_u32", 1, 32), ("fixed_u64", 1, 64),
    ("fixed_f32", 2, 32), ("fixed_f64", 2, 64), ("fixed_bool", 1, 8)])
def test_a_capsule_says_type_shape_and_strides(zoo, name, code, bits):
    column = zoo.column(name)
    capsule = column.__dlpack__()
    tensor = legacy(capsule)
    assert (tensor.code, tensor.bits, tensor.lanes) == (code, bits, 1)
    assert (tensor.data, tensor.byte_offset) == (column.address, 0)
    assert (tensor.device_type, tensor.device_id) == (1, 0) == column.__dlpack_device__()
    assert tensor.shape[:3] == [4, 2, 3] and tensor.strides[:3] == [6, 3, 1]


def test_strides_are_in_scalars(zoo):
    capsule = zoo.column("middle").__dlpack__()
    assert legacy(capsule).strides[:2] == [8, 4]


def test_a_versioned_capsule_is_given_to_who_asks_for_it(zoo):
    capsule = zoo.column("fixed_f32").__dlpack__(max_version=(1, 1))
    assert not api.PyCapsule_IsValid(capsule, b"dltensor")
    managed = versioned(capsule)
    assert (managed.major, managed.minor, managed.flags) == (1, 0, 0)
    assert managed.tensor.shape[:3] == [4, 2, 3]
    read_only = zoo.column("reward").__dlpack__(max_version=(1, 0))
    assert versioned(read_only).flags == 1
    older = zoo.column("fixed_f32").__dlpack__(max_version=(0, 8))
    assert api.PyCapsule_IsValid(older, b"dltensor")


def test_a_copy_is_memory_of_its_own(zoo):
    column = zoo.column("middle")
    column.numpy()[...] = 4
    capsule = column.__dlpack__(copy=True, max_version=(1, 0))
    managed = versioned(capsule)
    assert managed.flags == 2 and managed.tensor.data != column.address
    assert managed.tensor.strides[:2] == [2, 1] and managed.tensor.data % 64 == 0
    column.numpy()[...] = 0
    zoo.close()
    assert (ctypes.c_int16 * 8).from_address(managed.tensor.data)[:] == [4] * 8


def test_arguments_that_cannot_be_met_are_refused(zoo):
    column = zoo.column("fixed_f32")
    with pytest.raises(BufferError, match="streams"):
        column.__dlpack__(stream=1)
    with pytest.raises(BufferError, match="CPU"):
        column.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="tuple of two"):
        column.__dlpack__(max_version=1)
    with pytest.raises(TypeError, match="unknown argument 'speed'"):
        column.__dlpack__(speed=1)
    with pytest.raises(TypeError, match="keywords"):
        column.__dlpack__(None)
    column.__dlpack__(dl_device=(1, 0), copy=False, stream=None, max_version=None)


def test_numpy_reads_dlpack_as_it_does(zoo):
    column = zoo.column("fixed_f32")
    array = np.from_dlpack(column)
    assert array.ctypes.data == column.address and array.shape == column.shape
    column.numpy()[...] = 3
    assert (array == 3).all()


def test_torch_takes_columns_by_dlpack(zoo, torch):
    column = zoo.column("fixed_f32")
    tensor = torch.from_dlpack(column)
    assert tensor.data_ptr() == column.address
    truth = torch.from_dlpack(zoo.column("fixed_bool"))
    assert truth.dtype == torch.uint8 and truth.data_ptr() == zoo.column("fixed_bool").address


def test_a_capsule_that_nobody_takes_gives_its_share_back():
    sim = cosm.Sim("cartpole")
    for _ in range(100):
        sim.column("reward").__dlpack__()
        sim.column("reward").__dlpack__(max_version=(1, 0))
        sim.column("reward").__dlpack__(copy=True)
    capsule = sim.column("reward").__dlpack__()
    sim.close()
    del sim
    gc.collect()
    assert legacy(capsule).shape[0] == 1
    del capsule


def test_a_capsule_is_taken_once(zoo, torch):
    capsule = zoo.column("fixed_f32").__dlpack__()
    tensor = torch.utils.dlpack.from_dlpack(capsule)
    with pytest.raises(Exception):
        torch.utils.dlpack.from_dlpack(capsule)
    del capsule
    assert tensor.shape == (4, 2, 3)


def test_a_tensor_outlives_everything_else(torch):
    sim = cosm.Sim("cartpole", num_worlds=64, seed=1)
    tensor = sim.column("observation").torch()
    before = tensor.clone()
    sim.close()
    del sim
    gc.collect()
    assert torch.equal(tensor, before)
    del tensor
    gc.collect()
