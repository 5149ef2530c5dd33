# Builds the samples against gyre and runs them: WAY=package against an install tree,
# WAY=subproject with gyre's folder as a part of the build.
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
else()
  # All of gyre is compiled once more, so in the mode that compiles fastest.
  run(${CMAKE_COMMAND} -S ${GYRE_SOURCE_DIR}/tests/install/subproject -B ${SCRATCH}/build
    ${options} -DGYRE_CUDA=OFF -DCMAKE_BUILD_TYPE=Debug)
endif()
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/build --output-on-failure --no-tests=error)
