# The body of a burn_compile_fail test: cmake -DCOMPILE=<command> -DFILE=<file> -DEXPECT=<regex> -P compile_fail.cmake

execute_process(COMMAND ${COMPILE} ${FILE} RESULT_VARIABLE failed ERROR_VARIABLE messages)
if(failed)
  message(FATAL_ERROR "${FILE} does not compile without MUST_NOT_COMPILE:\n${messages}")
endif()

execute_process(COMMAND ${COMPILE} -DMUST_NOT_COMPILE ${FILE} RESULT_VARIABLE failed ERROR_VARIABLE messages)
if(NOT failed)
  message(FATAL_ERROR "${FILE} compiles with MUST_NOT_COMPILE: nothing fails to compile")
endif()
if(NOT messages MATCHES "${EXPECT}")
  message(FATAL_ERROR "${FILE} fails for another reason than \"${EXPECT}\":\n${messages}")
endif()
