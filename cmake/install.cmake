# The installed tree: headers, libraries, the CMake package and the pkg-config file.
#
# find_package(cosm) gives cosm::static, cosm::shared (where built) and cosm::cosm, the static one,
# cosm::physics, cosm::record, cosm::sim, cosm::space, cosm::text, cosm::zstd (where libzstd was there), and with cosm::gen, where
# libclang was there, the function cosm_generate.
# Both packages find their files from where they lie, so the tree may be moved.
#
# The target cosm_installed builds all that is installed, and nothing else.
include(CMakePackageConfigHelpers)

set(cosm_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cosm)
set(cosm_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

add_custom_target(cosm_installed)
foreach(name static shared physics record sim space text zstd gen program)
    if(TARGET cosm_${name})
        add_dependencies(cosm_installed cosm_${name})
    endif()
endforeach()

install(DIRECTORY include/cosm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS cosm_static EXPORT cosm ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(COSM_SHARED)
    install(TARGETS cosm_shared EXPORT cosm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
foreach(module physics record sim space text zstd)
    if(TARGET cosm_${module})
        install(DIRECTORY modules/${module}/include/cosm_${module}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
        install(TARGETS cosm_${module} EXPORT cosm ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endforeach()
if(TARGET cosm_gen)
    install(TARGETS cosm_gen EXPORT cosm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET cosm_program)
    install(TARGETS cosm_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT cosm NAMESPACE cosm:: FILE cosm-targets.cmake DESTINATION ${cosm_package_dir})
configure_package_config_file(cmake/cosm-config.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/cosm-config.cmake INSTALL_DESTINATION ${cosm_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cosm-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cosm-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/cosm-config-version.cmake
    cmake/cosm-generate.cmake DESTINATION ${cosm_package_dir})

file(RELATIVE_PATH cosm_pc_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" cosm_pc_prefix "${cosm_pc_prefix}")
set(cosm_pc_cflags " -ffp-contract=off")
if(COSM_CHECKS)
    string(APPEND cosm_pc_cflags " -DCOSM_CHECKS=1")
endif()
configure_file(cmake/cosm.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cosm.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cosm.pc DESTINATION ${cosm_pkgconfig_dir})
foreach(module physics record sim space text zstd)
    if(TARGET cosm_${module})
        set(pc ${CMAKE_CURRENT_BINARY_DIR}/cosm-${module}.pc)
        configure_file(cmake/cosm-${module}.pc.in ${pc} @ONLY)
        install(FILES ${pc} DESTINATION ${cosm_pkgconfig_dir})
    endif()
endforeach()
