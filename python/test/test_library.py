"""Libraries of environments: what is loaded when a file was built anew, and what is said when not."""

import gc
import os
import shutil

import pytest

import cosm
from conftest import library


def build(path, name):
    """Puts a library where another one is, as a linker does: a new file under the old name."""
    shutil.copyfile(library(name), str(path) + ".new")
    os.replace(str(path) + ".new", path)


@pytest.mark.parametrize("keeps", ["an array", "the simulation", "a snapshot", "nothing"])
def test_a_library_that_was_built_anew_is_loaded(tmp_path, keeps):
    path = tmp_path / "walk.so"
    for name in ("zoo", "two", "zoo", "two"):
        build(path, name)
        sim = cosm.Sim(path)
        assert sim.name == name
        sim.step()
        kept = {"an array": lambda: sim.column("reward").numpy(), "the simulation": lambda: sim,
                "a snapshot": sim.snapshot, "nothing": lambda: None}[keeps]()
        if keeps != "the simulation":
            sim.close()
        again = cosm.Sim(path)  # the same file twice
        assert again.name == name
        again.step()
        again.close()
        assert os.listdir(tmp_path) == ["walk.so"]
        globals().setdefault("keep", []).append(kept)
    for kept in globals().pop("keep"):
        if isinstance(kept, cosm.Sim):
            kept.step()
            kept.close()
    del kept, sim, again
    gc.collect()


def test_it_is_loaded_anew_also_by_another_path_and_folder(tmp_path, monkeypatch):
    """The loader goes by the text of a path, and that of a folder that is left means another file."""
    for folder, name in (("a", "zoo"), ("b", "two")):
        (tmp_path / folder).mkdir()
        build(tmp_path / folder / "walk.so", name)
    monkeypatch.chdir(tmp_path / "a")
    with cosm.Sim("walk.so") as first:
        assert first.name == "zoo"
        monkeypatch.chdir(tmp_path / "b")
        with cosm.Sim("walk.so") as second:
            assert second.name == "two"
        build(tmp_path / "a" / "walk.so", "two")
        os.symlink(tmp_path / "a" / "walk.so", tmp_path / "b" / "link.so")
        with cosm.Sim("./link.so") as third:
            assert third.name == "two"
        assert first.name == "zoo"


def test_a_copy_is_made_elsewhere_where_the_folder_is_read_only(tmp_path, monkeypatch):
    if os.geteuid() == 0:
        # Who may write anywhere is refused by a name that is too long for one more suffix.
        name = "w" * 250 + ".so"
    else:
        name = "walk.so"
    path = tmp_path / "walks" / name
    path.parent.mkdir()
    build_in = tmp_path / "build.so"
    shutil.copyfile(library("zoo"), build_in)
    os.replace(build_in, path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with cosm.Sim(path) as first:
        shutil.copyfile(library("two"), build_in)
        os.replace(build_in, path)
        path.parent.chmod(0o500)
        try:
            with cosm.Sim(path) as second:
                assert (first.name, second.name) == ("zoo", "two")
        finally:
            path.parent.chmod(0o700)
        assert os.listdir(tmp_path) == ["walks"] and os.listdir(path.parent) == [name]
        monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
        path.parent.chmod(0o500)
        try:
            with pytest.raises(OSError, match="rebuilt while the old one is in use"):
                cosm.Sim(path)
        finally:
            path.parent.chmod(0o700)


def test_a_library_that_does_not_load_shows_what_the_loader_says(tmp_path, monkeypatch):
    path = tmp_path / "walk.so"
    path.write_text("not a library")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError) as caught:
        cosm.Sim("./walk.so")
    text = str(caught.value)
    assert text.startswith("Sim: cosm_sim_create: cannot load ./walk.so (./walk.so: "), text
    assert "file too short" in text or "invalid ELF header" in text
    assert caught.value.code == "COSM_ERROR_IO"
    with pytest.raises(FileNotFoundError) as caught:
        cosm.Sim("./nowhere.so")
    assert caught.value.filename == "./nowhere.so" and "cannot load" in str(caught.value)


def test_a_broken_one_in_place_of_one_that_runs_is_refused(tmp_path):
    path = tmp_path / "walk.so"
    build(path, "zoo")
    with cosm.Sim(path) as sim:
        for wrong in ("stale", "empty"):
            build(path, wrong)
            with pytest.raises(cosm.Error) as caught:
                cosm.Sim(path)
            assert str(path) in str(caught.value) and ".walk.so." not in str(caught.value)
        (tmp_path / "new").write_text("x")
        os.replace(tmp_path / "new", path)
        with pytest.raises(OSError, match="cannot load") as caught:
            cosm.Sim(path)
        assert ".walk.so." not in str(caught.value)
        assert os.listdir(tmp_path) == ["walk.so"]
        sim.step()


def test_a_name_that_is_none_lists_those_that_are():
    with pytest.raises(cosm.ArgumentError) as caught:
        cosm.Sim("pong")
    assert str(caught.value) == ("Sim: there is no environment 'pong'; there are: cartpole, forage; pass "
                                 "a library by its path, such as './libpong.so'")
