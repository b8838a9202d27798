# ccache, where it is installed (scripts/setup --tests brings it): a file that was compiled before, in this folder or in another
# clone, is not compiled again. With a base directory the paths of a clone are relative to it, so they are the same in all.
find_program(CRYOGRAPH_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
if(CRYOGRAPH_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers: ccache takes one by its content, and the compiler by that alone (-fno-pch-timestamp).
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CRYOGRAPH_CCACHE})
  if(EMSCRIPTEN)
    list(INSERT CMAKE_CXX_COMPILER_LAUNCHER 3 CCACHE_COMPILERTYPE=clang)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
