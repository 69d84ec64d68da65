# Tests: GoogleTest executables, registered test by test.

include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# Most of what the compiler does for a file of tests is the same for each: GoogleTest's templates and ours. So four files are
# compiled as one, in namespaces of their own (tests/style/orphans.py checks that). The clang preset compiles them one by
# one, which clang-tidy needs and which finds a forgotten #include.
option(BURN_TESTS_TOGETHER "Compile files of tests four at a time" ON)

# The sources to compile in place of these: files that include four of them each.
function(burn_tests_together target sources_variable)
  set(together)
  set(text "")
  set(count 0)
  set(left ${${sources_variable}})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  while(left)
    list(POP_FRONT left source)
    string(APPEND text "#include \"${folder}/${source}\"\n")
    math(EXPR count "${count} + 1")
    math(EXPR rest "${count} % 4")
    if(rest EQUAL 0 OR NOT left)
      math(EXPR number "(${count} + 3) / 4")
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${number}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      list(APPEND together ${file})
      set(text "")
    endif()
  endwhile()
  set(${sources_variable} ${together} PARENT_SCOPE)
endfunction()

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
  set(sources ${arg_SOURCES})
  if(BURN_TESTS_TOGETHER)
    burn_tests_together(${target} sources)
  endif()
  add_executable(${target} ${sources})
  burn_compile_flags(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main Threads::Threads)
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
