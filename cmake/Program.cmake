# What a person runs: the program with the modules that it loads at run time. 'ninja program' builds them, and
# 'cmake --install' puts them where kernels/core/registry.h and preset.h say that they are looked for.
add_custom_target(program)
foreach(part convscope convscope_cuda convscope_cuda_gl convscope_cudnn)
    if(TARGET ${part})
        add_dependencies(program ${part})
        # CUDA's libraries lie outside the loader's own folders.
        set_target_properties(${part} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
        install(TARGETS ${part} RUNTIME DESTINATION bin LIBRARY DESTINATION lib/convscope)
    endif()
endforeach()
if(EXISTS ${PROJECT_SOURCE_DIR}/presets)
    install(DIRECTORY presets DESTINATION share/convscope)
endif()
