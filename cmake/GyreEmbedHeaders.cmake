# gyre_embed_headers(TARGET ROOTS dir... HEADERS file...): compiles the headers' texts into TARGET,
# where gyre/jit/embedded_headers.hpp lists them; a header that changes is embedded anew.
set(GYRE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedHeaders.cmake)
function(gyre_embed_headers target)
  cmake_parse_arguments(arg "" "" "ROOTS;HEADERS" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_headers.cpp)
  list(JOIN arg_ROOTS "|" roots)
  list(JOIN arg_HEADERS "|" headers)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DROOTS=${roots}" "-DHEADERS=${headers}"
      -P ${GYRE_EMBED_SCRIPT}
    DEPENDS ${arg_HEADERS} ${GYRE_EMBED_SCRIPT}
    COMMENT "Embedding the headers of generated kernels" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
