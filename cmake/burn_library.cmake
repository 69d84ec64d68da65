# One function per kind of target. Every folder below burn/ calls burn_library once.

# The flags that all our code is built with.
#
# -ffp-contract=off: a*b+c is rounded twice on every platform, so that fused and unfused kernels, and
# two backends, agree bit for bit.
function(burn_compile_flags target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE
    -ffp-contract=off
    -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wundef
    $<$<BOOL:${BURN_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# burn_library(<folder> [HEADERS h...] [TABLES def...] [SOURCES cpp...] [DEPS target...] [PRIVATE_DEPS target...])
#
# The library of the calling folder burn/<folder>: target burn_<name>, alias burn::<name>, where <name> is
# the last part of <folder> ("backends/ndarray" gives burn::ndarray). Without SOURCES it is header-only.
#
#   HEADERS       .h files, relative to the folder: included as <burn/<folder>/...>, each compiles alone
#   TABLES        files included with macros around them (ops.def, parts of a class): installed, never compiled alone
#   DEPS          libraries whose headers ours include
#   PRIVATE_DEPS  libraries that only our sources use
function(burn_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;TABLES;SOURCES;DEPS;PRIVATE_DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "burn_library(${folder}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  cmake_path(GET folder FILENAME name)
  set(target burn_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    burn_compile_flags(${target})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_DEPS})
  endif()
  add_library(burn::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_sources(${target}
    ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  if(arg_TABLES)
    target_sources(${target}
      ${scope} FILE_SET tables TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_TABLES})
    set_property(GLOBAL APPEND PROPERTY BURN_LIBRARIES_WITH_TABLES ${target})
  endif()
  set_target_properties(${target} PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL}
    INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
  set_property(GLOBAL APPEND PROPERTY BURN_LIBRARIES ${target})
endfunction()

# burn_program(<target> [NAME file] SOURCES cpp... [DEPS target...])
#
# An executable of ours (an example, the benchmarks, a tool), called NAME, or like its target.
function(burn_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "SOURCES;DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "burn_program(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${target} ${arg_SOURCES})
  burn_compile_flags(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${arg_DEPS})
  if(arg_NAME)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_NAME})
  endif()
endfunction()
