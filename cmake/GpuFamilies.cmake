# The GPU part of a family: code that is compiled once for CUDA by nvcc and once for the simulated GPU by the host's
# compiler (DIALECT: kernels and launchers), and host code that both share (METHODS: shapes and launch spaces).
#
#   convscope_gpu_family(METHODS file.cpp ... DIALECT file.cpp ... CHECKED file.cpp ... HOPPER file.cu ...)
#
# CHECKED is what only the watched simulation has; HOPPER what nvcc compiles for compute capability 9.0a alone, beside
# the architectures of the rest: wgmma is in no other. kernels/simt/on_sim, on_checked and on_cuda make the libraries.
function(convscope_gpu_family)
    cmake_parse_arguments(ARG "" "" "METHODS;DIALECT;CHECKED;HOPPER" ${ARGN})
    foreach(kind METHODS DIALECT CHECKED HOPPER)
        list(TRANSFORM ARG_${kind} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
        set_property(GLOBAL APPEND PROPERTY CONVSCOPE_GPU_${kind} ${ARG_${kind}})
    endforeach()
endfunction()
