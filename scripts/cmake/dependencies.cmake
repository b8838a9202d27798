# Where the libraries come from: the system's packages natively, the same versions' sources (build/deps) for WebAssembly.
# Gives cryograph::protobuf_lite, cryograph::snappy, cryograph::zlib, cryograph::json, GTest::gtest_main, and the program CRYOGRAPH_PROTOC.

# protoc and the runtime must be of one version, and the same for every target: it decides the generated code.
set(CRYOGRAPH_PROTOBUF_VERSION 3.21.12)
set(CRYOGRAPH_DEPS ${PROJECT_SOURCE_DIR}/build/deps)
# What scripts/setup builds from source where the system's protobuf is of another version.
set(CRYOGRAPH_HOST_TOOLS ${CRYOGRAPH_DEPS}/host)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
# One that has protobuf's package: Debian's own Python has it from Debian, where another one comes first in the PATH.
foreach(python ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${python} -c "import google.protobuf" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing EQUAL 0)
    set(CRYOGRAPH_PYTHON ${python})
    break()
  endif()
endforeach()
if(NOT CRYOGRAPH_PYTHON)
  message(FATAL_ERROR "Python has no package protobuf: run scripts/setup, or pip install protobuf.")
endif()

# The first protoc of the right version: one that scripts/setup built, else the system's.
function(cryograph_find_protoc)
  foreach(candidate ${CRYOGRAPH_HOST_TOOLS}/bin/protoc protoc)
    find_program(found NAMES ${candidate} NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
    if(found)
      execute_process(COMMAND ${found} --version OUTPUT_VARIABLE version)
      if(version MATCHES "libprotoc ${CRYOGRAPH_PROTOBUF_VERSION}")
        set(CRYOGRAPH_PROTOC ${found} CACHE FILEPATH "protoc ${CRYOGRAPH_PROTOBUF_VERSION}")
        return()
      endif()
    endif()
    unset(found)
  endforeach()
  message(FATAL_ERROR "No protoc ${CRYOGRAPH_PROTOBUF_VERSION} here: run scripts/setup, which brings it.")
endfunction()

function(cryograph_require_source name)
  if(NOT EXISTS ${CRYOGRAPH_DEPS}/${name}/CMakeLists.txt)
    message(FATAL_ERROR "The source of ${name} is not in ${CRYOGRAPH_DEPS}: run scripts/setup, which brings it.")
  endif()
endfunction()

cryograph_find_protoc()
find_path(CRYOGRAPH_JSON_INCLUDE nlohmann/json.hpp REQUIRED NO_CMAKE_FIND_ROOT_PATH
          PATHS /usr/include /usr/local/include /opt/homebrew/include)  # Emscripten's toolchain searches none of them
add_library(cryograph_json INTERFACE)
add_library(cryograph::json ALIAS cryograph_json)

if(EMSCRIPTEN)
  include(scripts/cmake/dependencies_wasm.cmake)
else()
  include(scripts/cmake/dependencies_native.cmake)
endif()
