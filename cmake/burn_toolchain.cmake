# What concerns the machine rather than the code: compiler cache, linker, build type.
# A project that embeds burn keeps its own choices.

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The base directory lets two checkouts of the project share results; CCACHE_DEPEND asks the compiler which files it read,
# instead of running the preprocessor by itself first.
find_program(BURN_CCACHE ccache)
if(BURN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    ${BURN_CCACHE})
endif()

find_program(BURN_LINKER NAMES mold ld.lld-19 ld.lld)
if(BURN_LINKER MATCHES "mold$")
  add_link_options(-fuse-ld=mold)
elseif(BURN_LINKER AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=${BURN_LINKER})
endif()
