"""The compiled half is what its stub file says, and shows nothing else to the process."""

import ast
import importlib.util
import inspect
import pathlib
import re
import shutil
import subprocess

import pytest

from cosm import _cosm

STUB = pathlib.Path(importlib.util.find_spec("cosm").origin).with_name("_cosm.pyi")
TREE = ast.parse(STUB.read_text())
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}
# Not among the attributes of types before Python 3.12.
LATER = {"__buffer__"}


def members(node):
    return [item for item in node.body if isinstance(item, ast.FunctionDef)]


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_what_the_stub_says(name):
    kind = getattr(_cosm, name)
    for item in members(CLASSES[name]):
        if item.name in LATER:
            continue
        attribute = inspect.getattr_static(kind, item.name)
        is_property = any(getattr(mark, "id", "") == "property" for mark in item.decorator_list)
        assert inspect.isgetsetdescriptor(attribute) == is_property, item.name


@pytest.mark.parametrize("name", ["Sim", "Column", "Snapshot"])
def test_a_class_has_nothing_that_the_stub_leaves_out(name):
    told = {item.name for item in members(CLASSES[name])} | {"__array__"}
    there = {item for item in vars(getattr(_cosm, name))
             if not item.startswith("__") or item.startswith(("__array", "__dlpack"))}
    assert there <= told


@pytest.mark.parametrize("name", ["Sim", "Column", "Snapshot"])
def test_arguments_have_the_names_of_the_stub(name):
    for item in members(CLASSES[name]):
        method = inspect.getattr_static(getattr(_cosm, name), item.name, None)
        text = getattr(method, "__text_signature__", None)
        if item.name.startswith("__") and item.name != "__dlpack__" or text is None:
            continue
        arguments = item.args.posonlyargs + item.args.args + item.args.kwonlyargs
        names = [argument.arg for argument in arguments if argument.arg != "self"]
        there = [part for part in inspect.signature(method).parameters.values() if part.name != "self"]
        assert [part.name for part in there] == names, item.name
        by_place = [part.name for part in there if part.kind is part.POSITIONAL_ONLY]
        told = [part.arg for part in item.args.posonlyargs if part.arg != "self"]
        assert by_place == told, item.name
    assert {item.name for item in TREE.body if isinstance(item, ast.FunctionDef)} <= set(dir(_cosm))


def test_everything_has_a_docstring():
    for name in ("Sim", "Column", "Snapshot"):
        kind = getattr(_cosm, name)
        assert kind.__doc__
        for item, value in vars(kind).items():
            if not item.startswith("_"):
                assert value.__doc__, f"{name}.{item}"
    for name in ("Error", "ArgumentError", "BusyError", "CapacityError", "ClosedError", "FormatError"):
        assert getattr(_cosm, name).__doc__


def test_only_calls_of_the_library_are_shown_to_others():
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("nm is not there")
    listed = subprocess.run([nm, "-D", "--defined-only", _cosm.__file__], capture_output=True, text=True,
                            env={}, check=True).stdout
    names = {line.split()[-1] for line in listed.splitlines()}
    ours = {name for name in names if re.match("cosm_", name)}
    assert {"cosm_engine_create", "cosm_sim_create", "cosm_export_define"} <= ours
    rest = {name for name in names - ours if not re.match("__(asan|odr_asan|ubsan|gcov)|_?_?lto", name)}
    assert rest == {"PyInit__cosm"}
