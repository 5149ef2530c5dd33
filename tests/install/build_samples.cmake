# WAY=package builds the samples against an install tree and runs them; WAY=subproject compiles one
# in a build that gyre's folder is a part of.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGV})
    message(NOTICE "${output}")
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

set(options -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  ${COMPILER_CACHE})
if(SANITIZE)
  list(APPEND options -DCMAKE_CXX_FLAGS=-fsanitize=address,undefined)
endif()

# A stale file of an earlier install could hide one that is not installed any more.
file(REMOVE_RECURSE ${SCRATCH}/prefix)
if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} --install ${GYRE_BINARY_DIR} --prefix ${SCRATCH}/prefix)
  run(${CMAKE_COMMAND} -S ${GYRE_SOURCE_DIR}/samples -B ${SCRATCH}/build ${options}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
  run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/build --output-on-failure --no-tests=error)
else()
  # Linking would compile all of gyre once more, to no end: what differs here is the configuring
  # and what a consumer's sources are compiled with.
  run(${CMAKE_COMMAND} -S ${GYRE_SOURCE_DIR}/tests/install/subproject -B ${SCRATCH}/build
    ${options} -DGYRE_CUDA=OFF)
  run(${CMAKE_COMMAND} --build ${SCRATCH}/build --target consumer)
endif()
