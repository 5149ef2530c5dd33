# With GYRE_UNITE the sources of a folder are compiled together: what they include is compiled once
# for up to GYRE_UNITE_FILES of them, which takes a third of the time from scratch and more of it
# after a change. So it is for CI, and off elsewhere.
#
# Files of one folder must then not have two things of one name, in unnamed namespaces either.
option(GYRE_UNITE "Compile the sources of a folder together" OFF)
set(GYRE_UNITE_FILES 16 CACHE STRING "With GYRE_UNITE, the most files that are compiled together")
mark_as_advanced(GYRE_UNITE_FILES)

# gyre_unite(TARGET [EXCEPT regex]): the C++ files of TARGET, but those that match, by their folders.
# To be called where the target was made.
function(gyre_unite target)
  if(NOT GYRE_UNITE)
    return()
  endif()
  cmake_parse_arguments(arg "" "EXCEPT" "" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    math(EXPR part "(${count_${folder}} - 1) / ${GYRE_UNITE_FILES}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
