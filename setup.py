"""Builds the extension of the Python package: all of Cosm's sources in one file.

What is said here about files and flags is what CMakeLists.txt says about the target cosm_python;
the rest is in pyproject.toml. What cosm-gen writes for the scenes is taken from scenes/generated.
"""

import glob
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# Files that see more than ISO C.
SYSTEM = ("src/base/os_", "python/src/module.c", "python/src/library.c")
HEADERS = {"include/cosm": "cosm", "modules/sim/include/cosm_sim": "cosm_sim"}


def sources():
    patterns = (
        "src/**/*.c",
        "modules/sim/src/**/*.c",
        "scenes/*.c",
        "scenes/generated/*.c",
        "python/src/*.c",
    )
    return sorted(path for pattern in patterns for path in glob.glob(pattern, recursive=True))


class BuildExtension(build_ext):
    """Compiles on all cores, with more names of the system for the files that need them."""

    def build_extension(self, extension):
        compiler = self.compiler

        def compile_all(files, output_dir=None, macros=None, include_dirs=None, debug=0,
                        extra_preargs=None, extra_postargs=None, depends=None):
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

        compiler.compile = compile_all
        super().build_extension(extension)


class BuildPackage(build_py):
    """Puts the public headers into the package, where cosm.get_include() finds them."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return
        for source, name in HEADERS.items():
            target = os.path.join(self.build_lib, "cosm", "include", name)
            os.makedirs(target, exist_ok=True)
            for path in glob.glob(os.path.join(source, "*.h")):
                shutil.copyfile(path, os.path.join(target, os.path.basename(path)))


extension = Extension(
    "cosm._cosm",
    sources=sources(),
    include_dirs=["include", "src", "modules/sim/include", "modules/sim/src", "scenes",
                  "scenes/generated", "python/src"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    py_limited_api=True,
    libraries=["m"] if sys.platform != "win32" else [],
    extra_compile_args=["-std=c17", "-O3", "-ffp-contract=off", "-fno-tree-slp-vectorize",
                        "-fvisibility=hidden", "-pthread"],
    extra_link_args=["-pthread", "-Wl,-Bsymbolic-functions"],
)

setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
