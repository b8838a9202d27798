# The toolchain file: Emscripten's own, wherever it is installed (Debian's package or an emsdk).
if(NOT DEFINED ENV{CRYOGRAPH_EMSCRIPTEN_ROOT})
  find_program(em_config em-config NO_CMAKE_FIND_ROOT_PATH NO_CACHE REQUIRED)
  execute_process(COMMAND ${em_config} EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{CRYOGRAPH_EMSCRIPTEN_ROOT} ${root})  # the file is read again for every compiler check
endif()
include($ENV{CRYOGRAPH_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)

# Debian's em++ optimises JavaScript with a node that does not search Debian's module path by itself.
if(EXISTS /usr/share/nodejs)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()
