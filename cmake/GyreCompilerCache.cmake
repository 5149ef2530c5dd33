# Uses ccache where it is installed: a second build of unchanged files then takes seconds.
find_program(GYRE_CCACHE ccache)
mark_as_advanced(GYRE_CCACHE)
if(GYRE_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GYRE_CCACHE})
endif()
