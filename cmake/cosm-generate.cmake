# cosm_generate(target header.h [header2.h ...] [NAME stem] [INCLUDE text] [FALLBACK dir]
#               [MODULE] [OPTIONS clang-argument ...])
#
# Runs cosm-gen for each header as part of the build and makes its result part of the target:
# STEM.cosm.c is compiled with it, and "STEM.cosm.h" can be included by it, and by what links to it.
# A header is read with the include folders and definitions of the target, and read again when it,
# what it includes, or cosm-gen changes. What depends on the result is built again only where the
# result has changed.
#
#   NAME      of the two files, where it is not the header's; with one header only
#   INCLUDE   how STEM.cosm.h includes the header, such as <game/bodies.h>; with one header only.
#             Without it, by its name, and its folder joins the target's include folders
#   FALLBACK  a folder with the two files, generated before: used where there is no cosm-gen
#   MODULE    the headers belong to a module of Cosm: their names may start with cosm_
#   OPTIONS   more arguments for clang, such as -fshort-enums
#
# Call it in the folder in which the target was made. docs/manual/generator.md tells more.

# As this file was written for, whatever the project that includes it asks for.
cmake_policy(PUSH)
cmake_policy(VERSION 3.21)

function(cosm_generate target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "MODULE" "NAME;INCLUDE;FALLBACK" "OPTIONS")
    set(headers ${arg_UNPARSED_ARGUMENTS})
    list(LENGTH headers header_count)
    if(NOT TARGET ${target})
        message(FATAL_ERROR "cosm_generate: ${target} is not a target; add it first")
    endif()
    if(arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "cosm_generate: ${arg_KEYWORDS_MISSING_VALUES} has no value")
    endif()
    if(header_count EQUAL 0)
        message(FATAL_ERROR "cosm_generate: no header for ${target}; name the headers with marks")
    endif()
    if(header_count GREATER 1 AND (arg_NAME OR arg_INCLUDE))
        message(FATAL_ERROR "cosm_generate: NAME and INCLUDE are for one header; call it for each")
    endif()
    get_target_property(target_dir ${target} SOURCE_DIR)
    get_target_property(target_type ${target} TYPE)
    if(NOT target_dir STREQUAL CMAKE_CURRENT_SOURCE_DIR)
        message(FATAL_ERROR "cosm_generate: ${target} was made in ${target_dir}; call it there")
    endif()
    if(target_type STREQUAL "INTERFACE_LIBRARY")
        message(FATAL_ERROR "cosm_generate: ${target} compiles nothing; use a STATIC library")
    endif()
    foreach(header IN LISTS headers)
        _cosm_check_header(${target} ${header})
    endforeach()

    set(visibility PUBLIC)
    if(target_type STREQUAL "EXECUTABLE")
        set(visibility PRIVATE)
    endif()
    foreach(header IN LISTS headers)
        get_filename_component(header ${header} ABSOLUTE)
        get_filename_component(stem ${header} NAME_WLE)
        get_filename_component(header_name ${header} NAME)
        get_filename_component(header_dir ${header} DIRECTORY)
        if(arg_NAME)
            set(stem ${arg_NAME})
        endif()
        _cosm_claim_stem(${target} ${header_name} ${stem})
        if(arg_INCLUDE)
            set(include ${arg_INCLUDE})
        else()
            set(include ${header_name})
            target_include_directories(${target} ${visibility} $<BUILD_INTERFACE:${header_dir}>)
        endif()
        # Of the project, or imported from an installed package: the name is the same.
        if(TARGET cosm::gen)
            set(dir ${CMAKE_CURRENT_BINARY_DIR}/cosm-gen/${target})
            set(places -o ${dir} --name ${stem} --include ${include})
            if(arg_MODULE)
                list(APPEND places --module)
            endif()
            _cosm_add_generation(${target} ${header} ${stem} "${places}" ${dir} "${arg_OPTIONS}")
        else()
            _cosm_check_fallback(${target} ${header_name} ${stem} "${arg_FALLBACK}")
            get_filename_component(dir ${arg_FALLBACK} ABSOLUTE)
        endif()
        target_sources(${target} PRIVATE ${dir}/${stem}.cosm.c ${dir}/${stem}.cosm.h)
        target_include_directories(${target} ${visibility} $<BUILD_INTERFACE:${dir}>)
        # A project without C compiles it as C++, which it is too.
        get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
        if(NOT "C" IN_LIST languages)
            set_source_files_properties(${dir}/${stem}.cosm.c PROPERTIES LANGUAGE CXX)
        endif()
    endforeach()
endfunction()

# One that the build makes need not be there yet.
function(_cosm_check_header target header)
    get_filename_component(header ${header} ABSOLUTE)
    get_source_file_property(is_generated ${header} GENERATED)
    if(NOT EXISTS ${header} AND NOT is_generated)
        message(FATAL_ERROR "cosm_generate: ${target} has no header ${header}; check its name, and "
            "the words NAME, INCLUDE, FALLBACK and OPTIONS")
    endif()
    if(IS_DIRECTORY ${header})
        message(FATAL_ERROR "cosm_generate: ${header} is a folder; name the headers in it")
    endif()
endfunction()

# The files of a target lie in one folder.
function(_cosm_claim_stem target header_name stem)
    get_property(stems TARGET ${target} PROPERTY COSM_GENERATED_STEMS)
    if("${stem}" IN_LIST stems)
        message(FATAL_ERROR "cosm_generate: two headers are called ${stem} in ${target}; use NAME, "
            "in a call of its own for ${header_name}")
    endif()
    set_property(TARGET ${target} APPEND PROPERTY COSM_GENERATED_STEMS ${stem})
endfunction()

function(_cosm_check_fallback target header_name stem fallback)
    set(reason "because libclang was not found. Install it (Debian: apt install libclang-dev) and "
        "configure Cosm again,")
    # A package does not tell which of the two it was.
    if(NOT DEFINED COSM_GEN)
        set(reason "because libclang was not found or COSM_GEN was OFF. Install libclang (Debian: "
            "apt install libclang-dev) and configure Cosm again, with COSM_GEN=ON,")
    elseif(NOT COSM_GEN)
        set(reason "because it was switched off. Configure with COSM_GEN=ON,")
    endif()
    if(NOT fallback)
        string(CONCAT reason ${reason})
        message(FATAL_ERROR "cosm_generate: ${target} needs cosm-gen for ${header_name}, and this "
            "build of Cosm has none, ${reason} or name a folder with generated files with FALLBACK")
    endif()
    get_filename_component(dir ${fallback} ABSOLUTE)
    foreach(file ${stem}.cosm.h ${stem}.cosm.c)
        if(NOT EXISTS ${dir}/${file})
            message(FATAL_ERROR "cosm_generate: there is no cosm-gen, and FALLBACK ${fallback} has "
                "no ${file}; make it elsewhere: cosm-gen -o ${fallback} ${header_name}")
        endif()
    endforeach()
endfunction()

function(_cosm_add_generation target header stem places dir options)
    set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    set(files ${dir}/${stem}.cosm.c ${dir}/${stem}.cosm.h)
    set(depfile ${dir}/${stem}.cosm.d)
    set(stamp ${dir}/${stem}.cosm.stamp)
    # Quoted where they are used: the semicolons belong to the expressions.
    set(include_flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>")
    set(definition_flags "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
    list(APPEND places --depfile ${depfile})
    set(ending ${header})
    if(options)
        list(APPEND ending -- ${options})
    endif()
    file(MAKE_DIRECTORY ${dir})
    if(NOT CMAKE_GENERATOR STREQUAL "Unix Makefiles")
        # Ninja looks again at what a command has written, and stops where nothing changed.
        add_custom_command(OUTPUT ${files}
            COMMAND $<TARGET_FILE:cosm::gen> "${include_flags}" "${definition_flags}" ${places}
                ${ending}
            DEPENDS ${header} cosm::gen DEPFILE ${depfile}
            COMMENT "Generating ${stem}.cosm.h and ${stem}.cosm.c"
            COMMAND_EXPAND_LISTS VERBATIM)
        return()
    endif()
    # make does not: a file that is older than the header would be generated each time. So a stamp
    # is what is made, and the files follow it with nothing to do, unless one was deleted; one that
    # was not written stays as old as it was, and what depends on it is not built.
    add_custom_command(OUTPUT ${stamp}
        COMMAND $<TARGET_FILE:cosm::gen> "${include_flags}" "${definition_flags}" ${places}
            --stamp ${stamp} ${ending}
        BYPRODUCTS ${files} DEPENDS ${header} cosm::gen DEPFILE ${depfile}
        COMMENT "Generating ${stem}.cosm.h and ${stem}.cosm.c"
        COMMAND_EXPAND_LISTS VERBATIM)
    foreach(file IN LISTS files)
        add_custom_command(OUTPUT ${file} DEPENDS ${stamp}
            COMMAND test -e ${file} || $<TARGET_FILE:cosm::gen> "${include_flags}"
                "${definition_flags}" ${places} --stamp ${stamp} ${ending}
            COMMENT "" COMMAND_EXPAND_LISTS VERBATIM)
    endforeach()
endfunction()

cmake_policy(POP)
