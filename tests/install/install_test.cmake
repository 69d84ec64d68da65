# Installs the build folder BUILD below WORK, then configures, builds and runs the project OUTSIDE against it.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${OUTSIDE} -B ${WORK}/build
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/outside)
if(NOT output MATCHES "outside: 6")
  message(FATAL_ERROR "the outside program printed: ${output}")
endif()
file(GLOB_RECURSE plugin ${WORK}/prefix/burn_cpu_llvm.so)
if(plugin AND NOT output MATCHES "plug-in: found")
  message(FATAL_ERROR "the installed package has a plug-in, but a program does not find it: ${output}")
endif()
