# Natively everything is a package of the system, except a protobuf of another version than ours.
if(EXISTS ${CRYOGRAPH_HOST_TOOLS}/lib/libprotobuf-lite.a)
  list(PREPEND CMAKE_PREFIX_PATH ${CRYOGRAPH_HOST_TOOLS})
  set(Protobuf_USE_STATIC_LIBS ON)
endif()
find_package(Protobuf ${CRYOGRAPH_PROTOBUF_VERSION} EXACT MODULE REQUIRED)
add_library(cryograph::protobuf_lite ALIAS protobuf::libprotobuf-lite)

find_package(Snappy REQUIRED)
add_library(cryograph::snappy ALIAS Snappy::snappy)

find_package(ZLIB REQUIRED)
add_library(cryograph::zlib ALIAS ZLIB::ZLIB)

target_include_directories(cryograph_json SYSTEM INTERFACE ${CRYOGRAPH_JSON_INCLUDE})
find_package(GTest REQUIRED)
