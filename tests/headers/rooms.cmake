# Fails where a room includes one that stands below it: data flows down this list, knowledge up.
set(rooms base ir text builder verifier passes plan cuda jit executors runtime dispatch solvers io
  libraries cli)

set(found "")
foreach(room ${rooms})
  list(FIND rooms ${room} place)
  file(GLOB_RECURSE files ${SOURCE_DIR}/include/gyre/${room}/*.hpp ${SOURCE_DIR}/src/${room}/*.hpp
    ${SOURCE_DIR}/src/${room}/*.cpp ${SOURCE_DIR}/src/${room}/*.cu)
  foreach(file ${files})
    file(STRINGS ${file} includes REGEX "^#include \"gyre/[a-z]+/")
    foreach(include ${includes})
      string(REGEX REPLACE "^#include \"gyre/([a-z]+)/.*" "\\1" other "${include}")
      list(FIND rooms ${other} other_place)
      if(other_place EQUAL -1 OR other_place GREATER place)
        string(APPEND found "\n${file}: ${include}")
      endif()
    endforeach()
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "these rooms know of one below them:${found}")
endif()
