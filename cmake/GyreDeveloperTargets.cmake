# format, format-check and tidy: run by hand or by scripts/test.sh, never part of `all`.
find_program(GYRE_CLANG_FORMAT clang-format)
find_program(GYRE_RUN_CLANG_TIDY NAMES run-clang-tidy run-clang-tidy-14)
file(GLOB_RECURSE gyre_formatted CONFIGURE_DEPENDS
  include/*.hpp src/*.hpp src/*.cpp src/*.cu tests/*.hpp tests/*.cpp samples/*.cpp samples/*.hpp bench/*.cpp bench/*.hpp
  bench/*.cu bench/*.cuh kernels/*.cuh)
if(GYRE_CLANG_FORMAT AND PROJECT_IS_TOP_LEVEL)
  add_custom_target(format COMMAND ${GYRE_CLANG_FORMAT} -i ${gyre_formatted}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  add_custom_target(format-check COMMAND ${GYRE_CLANG_FORMAT} --dry-run --Werror ${gyre_formatted}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
if(GYRE_RUN_CLANG_TIDY AND PROJECT_IS_TOP_LEVEL)
  add_custom_target(tidy COMMAND ${GYRE_RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR} "/src/"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
