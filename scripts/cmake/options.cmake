# What our own code is compiled with. Third-party code never sees these.

# Warnings: errors only where Cryograph is the top-level project, so that a user's newer compiler does not break their build.
add_library(cryograph_warnings INTERFACE)
target_compile_options(cryograph_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(cryograph_warnings INTERFACE -Werror)
endif()

# Core has no exceptions. RTTI stays: a wasm-side subclass of ByteSource does not link without it.
add_library(cryograph_options INTERFACE)
target_compile_options(cryograph_options INTERFACE -fno-exceptions)
target_link_libraries(cryograph_options INTERFACE cryograph_warnings)

set(CRYOGRAPH_SANITIZE "" CACHE STRING "Sanitizers for everything built here, e.g. address,undefined")
if(CRYOGRAPH_SANITIZE)
  add_compile_options(-fsanitize=${CRYOGRAPH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CRYOGRAPH_SANITIZE})
endif()

option(CRYOGRAPH_FUZZ "The targets of tests/fuzz: wants clang's libFuzzer (the preset asan)" OFF)
