# The flags of every target of ours, in one place.
#
# cosm_flags(TARGET) is called for each library and program. All flags are private: what a user
# compiles with is the user's business, but for cosm_interface_flags, which come with the library.
#
# cosm_link_whole(TARGET LIBRARY...) makes all of these static libraries part of a program or a
# shared library, also what nothing in it calls: for hosts of environments, which are loaded later.

# -ffp-contract=off: without it builds for different instruction sets give different bits.
# -fno-tree-slp-vectorize: gcc 12 joins the stores of neighbouring struct fields into vector stores
#   by way of vector registers: bulk spawning takes 2.6 instead of 2.1 ns (make bench ROW=spawn_bulk).
#   Loops are still vectorised.
# -fmacro-prefix-map: __FILE__ is the path inside the project, wherever that lies.
set(cosm_compile_flags -ffp-contract=off -fno-tree-slp-vectorize
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-O3>")
set(cosm_link_flags "")
# Systems of users give the same bits everywhere only if they are compiled like this too.
set(cosm_interface_flags
    $<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-ffp-contract=off>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>)

if(COSM_WARNINGS)
    list(APPEND cosm_compile_flags -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wvla
        "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>"
        "$<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast>")
endif()
if(COSM_WERROR)
    list(APPEND cosm_compile_flags -Werror)
endif()
if(COSM_NATIVE)
    list(APPEND cosm_compile_flags -march=native)
endif()
if(COSM_SANITIZE)
    list(APPEND cosm_compile_flags -fsanitize=${COSM_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    list(APPEND cosm_link_flags -fsanitize=${COSM_SANITIZE})
endif()
if(COSM_FUZZ)
    list(APPEND cosm_compile_flags -fsanitize=fuzzer-no-link)
endif()
if(COSM_COVERAGE)
    list(APPEND cosm_compile_flags --coverage -fprofile-update=atomic)
    list(APPEND cosm_link_flags --coverage)
endif()

function(cosm_flags target)
    target_compile_options(${target} PRIVATE ${cosm_compile_flags})
    target_link_options(${target} PRIVATE ${cosm_link_flags})
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()

function(cosm_link_whole target)
    set(files "")
    foreach(library IN LISTS ARGN)
        list(APPEND files $<TARGET_FILE:${library}>)
    endforeach()
    target_link_options(${target} PRIVATE
        LINKER:--whole-archive ${files} LINKER:--no-whole-archive)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${files})
    add_dependencies(${target} ${ARGN})
endfunction()
