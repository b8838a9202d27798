# cmake --install: the native program with its man page and its completion scripts, the static libraries, the public headers, and what find_package(cryograph) reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The headers that a C++ program includes first; what these include is installed with them (scripts/public_headers.py).
set(CRYOGRAPH_PUBLIC_HEADERS
  formats/open.h
  formats/write.h
  graph/op_registry.h
  model/analysis/likely_outputs.h
  native/embedded_ops.h
  native/gather.h
  native/save.h
  passes/edit/edit.h
  passes/transfer/transfer.h
  passes/unfreeze/unfreeze.h
  passes/weights/extract.h
  verbs/freeze.h
  verbs/prune.h
)

set(headers ${PROJECT_BINARY_DIR}/include/cryograph)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cryograph)
install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/public_headers.py ${headers} \
${CRYOGRAPH_PUBLIC_HEADERS} COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

add_library(cryograph_library INTERFACE)
target_link_libraries(cryograph_library INTERFACE cryograph_files cryograph_ops cryograph_core)
set_target_properties(cryograph_library PROPERTIES EXPORT_NAME cryograph)
install(TARGETS cryograph_library cryograph_files cryograph_ops cryograph_core cryograph_proto EXPORT cryograph
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS cryograph)
install(FILES ${PROJECT_SOURCE_DIR}/docs/reference/cryograph.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
foreach(script bash:bash-completion/completions/cryograph zsh:zsh/site-functions/_cryograph
        fish:fish/vendor_completions.d/cryograph.fish)
  string(REPLACE ":" ";" parts ${script})
  list(GET parts 0 shell)
  list(GET parts 1 place)
  set(file ${PROJECT_BINARY_DIR}/completion/${shell})
  install(CODE "file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
execute_process(COMMAND $<TARGET_FILE:cryograph> completion ${shell} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)")
  cmake_path(GET place PARENT_PATH folder)
  cmake_path(GET place FILENAME name)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name})
endforeach()
install(EXPORT cryograph NAMESPACE cryograph:: DESTINATION ${package} FILE cryographTargets.cmake)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/cryographConfig.cmake.in ${PROJECT_BINARY_DIR}/cryographConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cryographConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cryographConfig.cmake ${PROJECT_BINARY_DIR}/cryographConfigVersion.cmake
        DESTINATION ${package})
