# What a user runs: the program with the modules that it loads at run time. 'ninja program' builds them, and
# 'cmake --install' puts them where kernels/method/registry.h and kernels/layers/preset.h say that they are looked for.
#
# What is built is what is installed: CMake would end the search path of a file that it changes in between with an empty
# entry, and that is the folder from which the program happens to be called.
set(same_search_path BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
add_custom_target(program)
add_dependencies(program convscope)
foreach(module convscope_cuda convscope_cuda_gl convscope_cudnn convscope_ptx_module convscope_cudart convscope_accessibility)
    if(TARGET ${module})
        add_dependencies(program ${module})
        # CUDA's libraries lie outside the loader's own folders.
        set_target_properties(${module} PROPERTIES ${same_search_path})
        install(TARGETS ${module} LIBRARY DESTINATION lib/convscope COMPONENT program)
    endif()
endforeach()
install(DIRECTORY presets assets/fonts DESTINATION share/convscope COMPONENT program)
include(cmake/Package.cmake)
