# What test folders are made of.
#
# cosm_tests(PROGRAM PREFIX LIBRARIES SOURCE...) makes one program, target test_PROGRAM, of several
# test files. Each file is a test of ctest all the same, called PREFIX and its stem, and runs in a
# process of its own: files of one program share nothing but the link. The program lies in the build
# folder of the caller.
#
# cosm_fuzz_targets(LIBRARY SOURCE...) makes each file a fuzz target. Without libFuzzer it is a test
# that runs over made-up inputs, and one that runs over fuzz/corpus/STEM.
#
# cosm_test_labels(OUT SOURCE) reads the labels that a file names in a line "// ctest: threads slow".
# They are read when CMake runs, so a change of the file runs it again.

function(cosm_test_labels out source)
    set(labels "")
    file(STRINGS ${source} marks REGEX "^(//|#) ctest: " LIMIT_COUNT 1)
    if(marks)
        string(REGEX REPLACE "^(//|#) ctest: +" "" marks "${marks}")
        string(REGEX REPLACE "[ ,]+" ";" labels "${marks}")
    endif()
    get_filename_component(stem ${source} NAME_WE)
    foreach(prefix threads golden)
        if(stem MATCHES "^${prefix}")
            list(APPEND labels ${prefix})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES labels)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    set(${out} "${labels}" PARENT_SCOPE)
endfunction()

function(cosm_tests program prefix libraries)
    # The target is called test_NAME, the program NAME: one called "install" or "test" must not take
    # a name that the build tool keeps for itself.
    set(target test_${program})
    add_executable(${target} ${ARGN} $<TARGET_OBJECTS:cosm_harness_main>)
    cosm_flags(${target})
    target_link_libraries(${target} PRIVATE ${libraries})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    foreach(source IN LISTS ARGN)
        get_filename_component(stem ${source} NAME_WE)
        cosm_test_labels(labels ${source})
        add_test(NAME ${prefix}${stem} COMMAND ${target} --file ${stem})
        set_tests_properties(${prefix}${stem} PROPERTIES
            LABELS "unit;${labels}" ENVIRONMENT "${test_environment}")
    endforeach()
endfunction()

function(cosm_fuzz_targets library)
    foreach(source IN LISTS ARGN)
        get_filename_component(stem ${source} NAME_WE)
        set(target fuzz_${stem})
        add_executable(${target} ${source})
        cosm_flags(${target})
        # LLVMFuzzerTestOneInput has no prototype in any header.
        target_compile_options(${target} PRIVATE -Wno-missing-prototypes)
        target_link_libraries(${target} PRIVATE ${library})
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
        add_dependencies(fuzz_targets ${target})
        if(COSM_FUZZ)
            target_link_options(${target} PRIVATE -fsanitize=fuzzer)
            continue()
        endif()
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/test/harness/fuzz_main.c)
        set(tests ${target})
        add_test(NAME ${target} COMMAND ${target})
        get_filename_component(folder ${source} DIRECTORY)
        file(GLOB corpus CONFIGURE_DEPENDS ${folder}/corpus/${stem}/*)
        if(corpus)
            add_test(NAME ${target}_corpus COMMAND ${target} ${corpus})
            list(APPEND tests ${target}_corpus)
        endif()
        set_tests_properties(${tests} PROPERTIES LABELS fuzz ENVIRONMENT "${test_environment}")
    endforeach()
endfunction()
