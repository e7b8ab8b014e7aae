# The GPU part of a family: code that is compiled once for CUDA by nvcc and once for the simulated GPU by the host's
# compiler (DIALECT: kernels and launchers), and host code that both share (METHODS: shapes and launch spaces).
#
#   convscope_gpu_family(METHODS file.cpp ... DIALECT file.cpp ... LARGE file.cpp ... CHECKED file.cpp ... AMPERE file.cu ...
#                        HOPPER file.cu ...)
#
# LARGE is more of DIALECT: what takes so long to compile that it is not compiled together with other files. CHECKED is
# what only the watched simulation has; AMPERE what nvcc compiles for compute capability 8.0 and later, whatever the
# architectures of the rest: mma.sp is in no earlier; HOPPER what it compiles for 9.0a alone: wgmma is in no other. kernels/simt/on_sim, on_checked and on_cuda make the libraries.
function(convscope_gpu_family)
    cmake_parse_arguments(ARG "" "" "METHODS;DIALECT;LARGE;CHECKED;AMPERE;HOPPER" ${ARGN})
    foreach(kind METHODS DIALECT LARGE CHECKED AMPERE HOPPER)
        list(TRANSFORM ARG_${kind} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
        set_property(GLOBAL APPEND PROPERTY CONVSCOPE_GPU_${kind} ${ARG_${kind}})
    endforeach()
endfunction()

# convscope_gpu_kernels(kernels) puts every file of the dialect into 'kernels'. A unity build joins those that are not
# LARGE, eight at a time: who changes a kernel waits for its neighbours.
function(convscope_gpu_kernels list)
    get_property(kernels GLOBAL PROPERTY CONVSCOPE_GPU_DIALECT)
    get_property(large GLOBAL PROPERTY CONVSCOPE_GPU_LARGE)
    set_source_files_properties(${large} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(CMAKE_UNITY_BUILD ${CONVSCOPE_UNITY} PARENT_SCOPE)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 8 PARENT_SCOPE)
    set(${list} ${kernels} ${large} PARENT_SCOPE)
endfunction()
