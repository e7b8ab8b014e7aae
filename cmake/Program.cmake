# What a person runs: the program with the modules that it loads at run time. 'ninja program' builds them, and
# 'cmake --install' puts them where kernels/core/registry.h and preset.h say that they are looked for.
add_custom_target(program)
add_dependencies(program convscope)
foreach(module convscope_cuda convscope_cuda_gl convscope_cudnn)
    if(TARGET ${module})
        add_dependencies(program ${module})
        # CUDA's libraries lie outside the loader's own folders.
        set_target_properties(${module} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
        install(TARGETS ${module} LIBRARY DESTINATION lib/convscope COMPONENT program)
    endif()
endforeach()
install(DIRECTORY presets DESTINATION share/convscope COMPONENT program)
include(cmake/Package.cmake)
