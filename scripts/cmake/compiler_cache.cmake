# ccache, where it is installed (scripts/setup --tests brings it): a file that was compiled before, in this folder or in another
# clone, is not compiled again. With a base directory the paths of a clone are relative to it, so they are the same in all.
find_program(CRYOGRAPH_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
if(CRYOGRAPH_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  if(EMSCRIPTEN)
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_COMPILERTYPE=clang)
  endif()
  list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${CRYOGRAPH_CCACHE})
endif()
