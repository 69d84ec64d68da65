# Tests: GoogleTest executables, registered test by test.

include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# The precompiled header that all tests share; its flags must be those of the tests.
file(WRITE ${PROJECT_BINARY_DIR}/tests_pch.cpp "")
add_library(burn_tests_pch OBJECT ${PROJECT_BINARY_DIR}/tests_pch.cpp)
burn_compile_flags(burn_tests_pch)
target_link_libraries(burn_tests_pch PRIVATE GTest::gmock GTest::gtest)
target_precompile_headers(burn_tests_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h>)

# burn_test(<folder> SOURCES cpp... [DEPS target...] [WHOLE])
#
# The tests of burn/<folder>: executable <name>_test, "/" becoming "_". Each TEST is an entry of ctest of its own,
# so that they run in parallel and fail one by one; WHOLE makes the executable a single entry (for suites
# whose start is dear).
function(burn_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "" "SOURCES;DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "burn_test(${folder}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  string(REPLACE "/" "_" name ${folder})
  set(target ${name}_test)
  add_executable(${target} ${arg_SOURCES})
  burn_compile_flags(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main Threads::Threads)
  target_precompile_headers(${target} REUSE_FROM burn_tests_pch)
  if(arg_WHOLE)
    add_test(NAME ${folder} COMMAND ${target})
    set_tests_properties(${folder} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} TIMEOUT 300)
  else()
    gtest_discover_tests(${target}
      TEST_PREFIX ${folder}/
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      NO_PRETTY_VALUES
      PROPERTIES TIMEOUT 120 SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endfunction()
