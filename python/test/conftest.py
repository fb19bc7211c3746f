"""What the tests of the package share. CTest sets the environment: see CMakeLists.txt."""

import os

import pytest

import cosm

SANITIZED = "COSM_TEST_SANITIZED" in os.environ


def library(name):
    """The path of a library of environments for tests."""
    return os.path.join(os.environ["COSM_TEST_LIBRARIES"], name + ".so")


@pytest.fixture
def zoo():
    """Four worlds of the environment zoo (library/zoo.c)."""
    sim = cosm.Sim(library("zoo"), num_worlds=4, workers=1)
    yield sim
    sim.close()


@pytest.fixture
def cartpole():
    sim = cosm.Sim("cartpole", num_worlds=8, seed=3, workers=1)
    yield sim
    sim.close()


@pytest.fixture(scope="session")
def torch():
    """torch, where it can be loaded: its own libraries are not made for sanitizers."""
    if SANITIZED:
        pytest.skip("torch is tested in the release build")
    return pytest.importorskip("torch")
