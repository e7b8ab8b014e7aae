# A family of methods is one folder under kernels/ with a CMakeLists.txt that calls
#
#   convscope_family(<name> SOURCES ... [LIBRARIES ...] [REGISTER ...])
#
# It makes the library convscope_<name>. REGISTER names the functions void f(convscope::Registry&) that add the
# family's methods (default: register_<name>); kernels/registry/register_families.cpp.in calls them in the order of the list
# in kernels/CMakeLists.txt.
function(convscope_family name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;REGISTER" ${ARGN})
    if(NOT ARG_REGISTER)
        set(ARG_REGISTER register_${name})
    endif()
    add_library(convscope_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(convscope_${name} PUBLIC convscope_cpu ${ARG_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY CONVSCOPE_FAMILY_LIBRARIES convscope_${name})
    set_property(GLOBAL APPEND PROPERTY CONVSCOPE_FAMILY_REGISTER ${ARG_REGISTER})
endfunction()

# Writes the source that registers every family that was declared so far, and sets 'libraries' to their libraries.
function(convscope_register_families source libraries)
    get_property(functions GLOBAL PROPERTY CONVSCOPE_FAMILY_REGISTER)
    set(DECLARATIONS "")
    set(CALLS "")
    foreach(function IN LISTS functions)
        string(APPEND DECLARATIONS "void ${function}(Registry&);\n")
        string(APPEND CALLS "    ${function}(registry);\n")
    endforeach()
    configure_file(register_families.cpp.in ${source} @ONLY)
    get_property(all GLOBAL PROPERTY CONVSCOPE_FAMILY_LIBRARIES)
    set(${libraries} ${all} PARENT_SCOPE)
endfunction()
