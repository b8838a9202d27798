# For WebAssembly nothing is installed: the few sources needed are compiled here, as third-party code with its warnings off and,
# as in the system's packages, without its checks of itself.
cryograph_require_source(protobuf)
cryograph_require_source(snappy)
cryograph_require_source(zlib)

# protobuf's own list of the lite runtime's sources makes the target; its whole CMake project would take half a minute of checks.
set(protobuf_SOURCE_DIR ${CRYOGRAPH_DEPS}/protobuf)
set(protobuf_SHARED_OR_STATIC STATIC)
set(protobuf_VERSION ${CRYOGRAPH_PROTOBUF_VERSION})
set(LIB_PREFIX lib)
include(${protobuf_SOURCE_DIR}/cmake/libprotobuf-lite.cmake)
target_compile_options(libprotobuf-lite PRIVATE -w -DNDEBUG)
target_include_directories(libprotobuf-lite SYSTEM INTERFACE ${protobuf_SOURCE_DIR}/src)
add_library(cryograph::protobuf_lite ALIAS libprotobuf-lite)

# Snappy's compressor and decompressor are three files and one generated header.
set(snappy_source ${CRYOGRAPH_DEPS}/snappy)
set(snappy_generated ${PROJECT_BINARY_DIR}/third_party/snappy)
block()
  set(HAVE_SYS_UIO_H_01 1)
  set(PROJECT_VERSION_MAJOR 1)
  set(PROJECT_VERSION_MINOR 1)
  set(PROJECT_VERSION_PATCH 9)
  configure_file(${snappy_source}/snappy-stubs-public.h.in ${snappy_generated}/snappy-stubs-public.h)
endblock()
add_library(snappy STATIC
  ${snappy_source}/snappy.cc ${snappy_source}/snappy-sinksource.cc ${snappy_source}/snappy-stubs-internal.cc)
target_compile_definitions(snappy PRIVATE HAVE_BUILTIN_CTZ=1 HAVE_BUILTIN_EXPECT=1)
target_compile_options(snappy PRIVATE -w -DNDEBUG)
target_include_directories(snappy SYSTEM PUBLIC ${snappy_source} ${snappy_generated})
add_library(cryograph::snappy ALIAS snappy)

# Of zlib, what inflates and what computes CRC-32: no compressor, no files. Small, but for the two inner loops.
enable_language(C)
set(zlib_source ${CRYOGRAPH_DEPS}/zlib)
add_library(zlib STATIC
  ${zlib_source}/adler32.c ${zlib_source}/crc32.c ${zlib_source}/inffast.c ${zlib_source}/inflate.c ${zlib_source}/inftrees.c
  ${zlib_source}/zutil.c)
target_compile_options(zlib PRIVATE -w -Oz -DNDEBUG)
set_source_files_properties(${zlib_source}/crc32.c ${zlib_source}/inffast.c PROPERTIES COMPILE_OPTIONS "-O2;-finline-functions")
target_include_directories(zlib SYSTEM PUBLIC ${zlib_source})
add_library(cryograph::zlib ALIAS zlib)

# GoogleTest is packaged as source. Its two summary files pull in the rest.
set(gtest_source /usr/src/googletest/googletest)
if(NOT EXISTS ${gtest_source})
  cryograph_require_source(googletest)
  set(gtest_source ${CRYOGRAPH_DEPS}/googletest/googletest)
endif()
add_library(gtest_main STATIC EXCLUDE_FROM_ALL ${gtest_source}/src/gtest-all.cc ${gtest_source}/src/gtest_main.cc)
target_compile_options(gtest_main PRIVATE -w)
target_include_directories(gtest_main SYSTEM PUBLIC ${gtest_source}/include PRIVATE ${gtest_source})
add_library(GTest::gtest_main ALIAS gtest_main)

# A link to this one library: the system's own include directory would bring the native C library's headers along.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${CRYOGRAPH_JSON_INCLUDE}/nlohmann ${PROJECT_BINARY_DIR}/include/nlohmann SYMBOLIC)
target_include_directories(cryograph_json SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/include)
# Its assertions trap without a text: the texts were 12 kB.
target_compile_options(cryograph_json INTERFACE "-DJSON_ASSERT(x)=((x)?void(0):__builtin_trap())")
