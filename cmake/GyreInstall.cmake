# Install tree and the package that find_package(gyre) reads.
include(CMakePackageConfigHelpers)
install(TARGETS gyre_core gyre_gyre EXPORT gyreTargets)
if(GYRE_HAS_CUDA)
  install(TARGETS gyre_cuda EXPORT gyreTargets)
endif()
install(DIRECTORY include/gyre DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
# gyre::cub needs the toolkit of whoever links it: an export of its own, for who asks for it.
if(TARGET gyre_cub)
  install(TARGETS gyre_cub EXPORT gyreCubTargets)
  install(EXPORT gyreCubTargets NAMESPACE gyre:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gyre)
endif()
if(GYRE_CLI)
  install(TARGETS gyre_cli)
endif()
install(EXPORT gyreTargets NAMESPACE gyre:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gyre)
configure_package_config_file(cmake/gyreConfig.cmake.in ${PROJECT_BINARY_DIR}/gyreConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gyre)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gyreConfig.cmake ${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gyre)
