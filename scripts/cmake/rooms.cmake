# Where CRYOGRAPH_UNITE is on (CMakePresets.json), the files of a folder are compiled as one: headers are what most of a file's time
# goes to. So names of what one file alone uses are unique in their folder. The preset dev compiles each file by itself.
option(CRYOGRAPH_UNITE "Compile the files of a folder as one" OFF)

function(cryograph_compile_by_rooms target)
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CRYOGRAPH_UNITE} UNITY_BUILD_MODE GROUP)
  foreach(source ${sources})
    cmake_path(IS_ABSOLUTE source generated)
    if(NOT generated)
      cmake_path(GET source PARENT_PATH room)
      string(MAKE_C_IDENTIFIER "room_${room}" room)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
    endif()
  endforeach()
endfunction()
