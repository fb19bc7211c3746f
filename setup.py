"""Builds the Python package: the extension, the program `cosm`, and what libraries of environments
are built with.

What is said here about files and flags is what CMakeLists.txt says about the targets cosm_python
and cosm_program; the rest is in pyproject.toml. What cosm-gen writes for the scenes is taken from
scenes/generated. All of Cosm's sources are compiled once, into the extension, the program and
lib/libcosm.a.
"""

import glob
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# Files that see more than ISO C.
SYSTEM = ("src/base/os_", "python/src/module.c", "python/src/library.c",
          "python/src/sim_make.c")
HEADERS = {"include/cosm": "cosm", "modules/sim/include/cosm_sim": "cosm_sim"}
# What find_package(cosm) finds in the package, for the folders that `cosm new` writes.
CONFIG = """\
# find_package(cosm): the targets cosm::static, cosm::cosm and cosm::sim of the Python package.
include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
get_filename_component(cosm_folder "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET cosm::static)
    add_library(cosm::static STATIC IMPORTED)
    set_target_properties(cosm::static PROPERTIES
        IMPORTED_LOCATION "${cosm_folder}/lib/libcosm.a"
        INTERFACE_INCLUDE_DIRECTORIES "${cosm_folder}/include"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
    foreach(name cosm sim)
        add_library(cosm::${name} INTERFACE IMPORTED)
        set_target_properties(cosm::${name} PROPERTIES INTERFACE_LINK_LIBRARIES cosm::static
            INTERFACE_INCLUDE_DIRECTORIES "${cosm_folder}/include")
    endforeach()
endif()
"""


def find(*patterns):
    return sorted(path for pattern in patterns for path in glob.glob(pattern, recursive=True))


LIBRARY = find("src/**/*.c", "modules/sim/src/**/*.c")
SCENES = find("scenes/*.c", "scenes/generated/*.c")
PROGRAM = find("tools/cosm/*.c", "modules/record/src/*.c", "modules/text/src/*.c")


class BuildExtension(build_ext):
    """Compiles on all cores, with more names of the system for the files that need them; then links
    the program of the same objects."""

    def run(self):
        self.is_editable = bool(self.inplace)  # which is put aside while it builds
        super().run()

    def build_extension(self, extension):
        self.compiler.compile = self.compile_all
        super().build_extension(extension)
        home = os.path.dirname(self.get_ext_fullpath(extension.name))
        if self.is_editable:
            home = os.path.join("python", "cosm")
        self.build_library(home)
        self.build_program(home, extension)

    def compile_all(self, files, output_dir=None, macros=None, include_dirs=None, debug=0,
                    extra_preargs=None, extra_postargs=None, depends=None):
        compiler = self.compiler
        macros, objects, postargs, options, build = compiler._setup_compile(
            output_dir, macros, include_dirs, files, depends, extra_postargs)
        flags = compiler._get_cc_args(options, debug, extra_preargs)

        def compile_one(target):
            source, suffix = build[target]
            more = ["-D_GNU_SOURCE"] if source.startswith(SYSTEM) else []
            compiler._compile(target, source, suffix, flags, more + postargs, options)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, [target for target in objects if target in build]))
        return objects

    def objects(self, files):
        return self.compiler.object_filenames(files, output_dir=self.build_temp)

    def build_library(self, home):
        """All of the library and the module sim, for tests of environments."""
        if self.is_editable:
            return  # the source tree is there
        folder = os.path.join(home, "lib", "cmake", "cosm")
        os.makedirs(folder, exist_ok=True)
        self.compiler.create_static_lib(self.objects(LIBRARY), "cosm",
                                        output_dir=os.path.join(home, "lib"))
        with open(os.path.join(folder, "cosm-config.cmake"), "w") as file:
            file.write(CONFIG)

    def build_program(self, home, extension):
        """The program `cosm`, which shows every call to the libraries that it loads."""
        cmake = shutil.which("cmake")
        if cmake is None:
            print("the program `cosm` is left out of the package: there is no cmake, which `cosm "
                  "new` needs too")
            return
        templates = os.path.join(self.build_temp, "templates.c")
        os.makedirs(self.build_temp, exist_ok=True)
        subprocess.run([cmake, "-D", "FOLDER=" + os.path.abspath("tools/cosm/templates"), "-D",
                        "OUTPUT=" + os.path.abspath(templates), "-P", "tools/cosm/embed.cmake"],
                       check=True)
        macros = [("COSM_TOOL_SIM", None), ("COSM_TOOL_TEXT", None), ("_DEFAULT_SOURCE", None)]
        own = self.compile_all(
            PROGRAM + [templates], output_dir=self.build_temp, macros=macros,
            include_dirs=[*extension.include_dirs, "tools/cosm", "modules/record/include",
                          "modules/text/include", "modules/text/src"],
            extra_postargs=extension.extra_compile_args)
        folder = os.path.join(home, "bin")
        os.makedirs(folder, exist_ok=True)
        self.compiler.link_executable(own + self.objects(LIBRARY + SCENES), "cosm",
                                      output_dir=folder, libraries=["m", "dl"],
                                      extra_postargs=["-pthread", "-rdynamic"])
        if self.is_editable:  # `cosm new` tells CMake of the source tree
            here = os.path.abspath(".")
            with open(os.path.join(folder, "cosm.tree"), "w") as file:
                file.write(f"{here}\n{here}/build/release\n")


class BuildPackage(build_py):
    """Puts the public headers into the package, where cosm.get_include() finds them: copies, or in
    an editable install links to those of the source tree."""

    def run(self):
        super().run()
        is_editable = getattr(self, "editable_mode", False)
        home = self.get_package_dir("cosm") if is_editable else os.path.join(self.build_lib, "cosm")
        for source, name in HEADERS.items():
            target = os.path.join(home, "include", name)
            if is_editable:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                if not os.path.islink(target):
                    os.symlink(os.path.relpath(source, os.path.dirname(target)), target)
                continue
            os.makedirs(target, exist_ok=True)
            for path in glob.glob(os.path.join(source, "*.h*")):
                shutil.copyfile(path, os.path.join(target, os.path.basename(path)))


extension = Extension(
    "cosm._cosm",
    sources=LIBRARY + SCENES + find("python/src/*.c"),
    include_dirs=["include", "src", "modules/sim/include", "modules/sim/src", "scenes",
                  "scenes/generated", "python/src"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    py_limited_api=True,
    libraries=["m"] if sys.platform != "win32" else [],
    extra_compile_args=["-std=c17", "-O3", "-g0", "-ffp-contract=off", "-fno-tree-slp-vectorize",
                        "-fvisibility=hidden", "-pthread"],
    extra_link_args=["-pthread", "-Wl,-Bsymbolic-functions"],
)

setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
