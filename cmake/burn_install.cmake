# install(): headers, libraries and the package that find_package(burn) reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY BURN_LIBRARIES)
get_property(with_tables GLOBAL PROPERTY BURN_LIBRARIES_WITH_TABLES)
foreach(library IN LISTS libraries)
  set(file_sets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(library IN_LIST with_tables)
    list(APPEND file_sets FILE_SET tables DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(TARGETS ${library} EXPORT burn ${file_sets})
endforeach()
install(TARGETS burn_burn EXPORT burn FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/burn)
install(EXPORT burn NAMESPACE burn:: FILE burn-targets.cmake DESTINATION ${package_folder})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/burn-config.cmake.in ${PROJECT_BINARY_DIR}/burn-config.cmake
  INSTALL_DESTINATION ${package_folder}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/burn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/burn-config.cmake ${PROJECT_BINARY_DIR}/burn-config-version.cmake
  DESTINATION ${package_folder})
