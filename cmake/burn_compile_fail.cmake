# burn_compile_fail(<name> FILE x.cpp EXPECT "<regex>" [DEFINES macro...])
#
# A ctest entry for code that must be rejected. The file holds a pair: as it is it must compile; with the macro
# MUST_NOT_COMPILE defined it must not, and the compiler's message must match EXPECT. The first half keeps the second
# honest: a misspelt include would otherwise count as a success.
function(burn_compile_fail name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;EXPECT" "DEFINES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_FILE OR NOT arg_EXPECT)
    message(FATAL_ERROR "burn_compile_fail(${name}): needs FILE and EXPECT; unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM arg_DEFINES PREPEND -D)
  add_test(NAME ${name}
    COMMAND ${CMAKE_COMMAND}
      "-DCOMPILE=${CMAKE_CXX_COMPILER};-std=c++20;-fsyntax-only;-I${PROJECT_SOURCE_DIR};${arg_DEFINES}"
      "-DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${arg_FILE}"
      "-DEXPECT=${arg_EXPECT}"
      -P ${PROJECT_SOURCE_DIR}/cmake/compile_fail.cmake)
  set_tests_properties(${name} PROPERTIES LABELS tree TIMEOUT 120)
endfunction()
