# For WebAssembly nothing is installed: libraries are compiled from source, as third-party code with its warnings off.
set(CRYOGRAPH_GTEST_SOURCE /usr/src/googletest)
if(NOT EXISTS ${CRYOGRAPH_GTEST_SOURCE})
  set(CRYOGRAPH_GTEST_SOURCE ${CRYOGRAPH_DEPS}/googletest)
endif()

set(protobuf_BUILD_TESTS OFF CACHE BOOL "")
set(protobuf_BUILD_PROTOC_BINARIES OFF CACHE BOOL "")
set(protobuf_WITH_ZLIB OFF CACHE BOOL "")
set(protobuf_INSTALL OFF CACHE BOOL "")
set(SNAPPY_BUILD_TESTS OFF CACHE BOOL "")
set(SNAPPY_BUILD_BENCHMARKS OFF CACHE BOOL "")
set(SNAPPY_INSTALL OFF CACHE BOOL "")
set(BUILD_GMOCK OFF CACHE BOOL "")
set(INSTALL_GTEST OFF CACHE BOOL "")

cryograph_require_source(protobuf)
cryograph_require_source(snappy)
block()
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
  set(CMAKE_WARN_DEPRECATED OFF)
  add_compile_options(-w)
  add_subdirectory(${CRYOGRAPH_DEPS}/protobuf third_party/protobuf EXCLUDE_FROM_ALL SYSTEM)
  add_subdirectory(${CRYOGRAPH_DEPS}/snappy third_party/snappy EXCLUDE_FROM_ALL SYSTEM)
  add_subdirectory(${CRYOGRAPH_GTEST_SOURCE} third_party/googletest EXCLUDE_FROM_ALL SYSTEM)
endblock()
# Snappy turns warnings into errors for clang; a newer clang than its own has more of them.
target_compile_options(snappy PRIVATE -Wno-error)

add_library(cryograph::protobuf_lite ALIAS libprotobuf-lite)
add_library(cryograph::snappy ALIAS snappy)

# A link to this one library: the system's own include directory would bring the native C library's headers along.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${CRYOGRAPH_JSON_INCLUDE}/nlohmann ${PROJECT_BINARY_DIR}/include/nlohmann SYMBOLIC)
target_include_directories(cryograph_json SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/include)
