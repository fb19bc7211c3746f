#!/bin/sh
# Rule: scripts/build.sh says nothing where nothing goes wrong, shows what failed, and finds what came
# after CMake had looked. Tried on a project of its own, with a bootstrap.sh that looks for one file.
set -eu
work=${COSM_WORK:-build/build-test}
rm -rf "$work"
mkdir -p "$work/scripts"
cp scripts/build.sh "$work/scripts"
cd "$work"
cat >scripts/bootstrap.sh <<'END'
#!/bin/sh
[ -f library.h ] || echo "missing: library"
END
chmod +x scripts/bootstrap.sh
cat >CMakePresets.json <<'END'
{"version": 3, "configurePresets": [{"name": "one", "binaryDir": "${sourceDir}/build/one"}]}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(tried LANGUAGES NONE)
find_path(LIBRARY library.h PATHS ${CMAKE_SOURCE_DIR} NO_DEFAULT_PATH)
add_custom_target(plain)
add_custom_target(wrong COMMAND sh -c "echo this is wrong; exit 1")
if(LIBRARY)
    add_custom_target(rich)
else()
    message(STATUS "rich is left out: no library.h was found")
endif()
END

status=0
# expect CODE TEXT TARGET...: the build ends like this and says this, or nothing where TEXT is empty
expect() {
    code=$1
    text=$2
    shift 2
    got=0
    said=$(scripts/build.sh one "$@" 2>&1) || got=$?
    # That it takes long is for slow machines to say.
    said=$(printf '%s\n' "$said" | grep -v '^building .* \.\.\.$' || true)
    if [ "$got" -ne "$code" ] || { [ -z "$text" ] && [ -n "$said" ]; } ||
        ! printf '%s\n' "$said" | grep -q -e "$text"; then
        printf '%s\n' "build.sh one $* ends with $got and says:" "$said"
        status=1
    fi
}

expect 0 "" plain
expect 1 "this is wrong" wrong
expect 1 "rich is left out" rich
touch library.h
expect 0 "" rich
exit $status
