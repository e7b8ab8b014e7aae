# The GPU part of a family: code that is compiled once for CUDA by nvcc and once for the simulated GPU by the host's
# compiler (DIALECT: kernels and launchers), and host code that both share (METHODS: shapes and launch spaces).
#
#   convscope_gpu_family(<name> METHODS file.cpp ... DIALECT file.cpp ... LARGE file.cpp ... CHECKED file.cpp ...
#                        AMPERE file.cu ... HOPPER file.cu ... [REGISTER ...] [CUDA_REGISTER ...])
#
# LARGE is more of DIALECT: what takes so long to compile that it is not compiled together with other files. CHECKED is
# what only the watched simulation has; AMPERE what nvcc compiles for compute capability 8.0 and later, whatever the
# architectures of the rest: mma.sp is in no earlier; HOPPER what it compiles for 9.0a alone: wgmma is in no other.
# kernels/simt/on_sim, on_checked and on_cuda make the libraries.
#
# REGISTER names the functions void f(convscope::Registry&) of the dialect that add the family's methods, CUDA_REGISTER
# those of AMPERE and HOPPER (default: register_<name>, of the dialect where the family has such files, else of CUDA).
# kernels/registry/register_gpu_families.cpp.in calls them in the order of the list in kernels/CMakeLists.txt.
function(convscope_gpu_family name)
    cmake_parse_arguments(ARG "" "" "METHODS;DIALECT;LARGE;CHECKED;AMPERE;HOPPER;REGISTER;CUDA_REGISTER" ${ARGN})
    foreach(kind METHODS DIALECT LARGE CHECKED AMPERE HOPPER)
        list(TRANSFORM ARG_${kind} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
        set_property(GLOBAL APPEND PROPERTY CONVSCOPE_GPU_${kind} ${ARG_${kind}})
    endforeach()
    if(NOT ARG_REGISTER AND (ARG_DIALECT OR ARG_LARGE))
        set(ARG_REGISTER register_${name})
    elseif(NOT ARG_REGISTER AND NOT ARG_CUDA_REGISTER)
        set(ARG_CUDA_REGISTER register_${name})
    endif()
    set(declarations "")
    set(calls "")
    foreach(function IN LISTS ARG_REGISTER ARG_CUDA_REGISTER)
        if(function IN_LIST ARG_CUDA_REGISTER)
            set(begin "#if defined(__CUDACC__)\n")
            set(end "#endif\n")
        else()
            set(begin "")
            set(end "")
        endif()
        string(APPEND declarations "void ${function}(Registry&);\n")
        string(APPEND calls "${begin}    ${function}(registry);\n${end}")
    endforeach()
    set_property(GLOBAL APPEND_STRING PROPERTY CONVSCOPE_GPU_DECLARATIONS "${declarations}")
    set_property(GLOBAL APPEND_STRING PROPERTY CONVSCOPE_GPU_CALLS "${calls}")
endfunction()

# What families share: of the dialect, without methods of its own.
function(convscope_gpu_sources)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL APPEND PROPERTY CONVSCOPE_GPU_DIALECT ${ARGN})
endfunction()

# Writes the source that registers the methods of every family that was declared so far, a file of the dialect.
function(convscope_register_gpu_families template)
    get_property(DECLARATIONS GLOBAL PROPERTY CONVSCOPE_GPU_DECLARATIONS)
    get_property(CALLS GLOBAL PROPERTY CONVSCOPE_GPU_CALLS)
    configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/register_gpu_families.cpp @ONLY)
    set_property(GLOBAL APPEND PROPERTY CONVSCOPE_GPU_DIALECT ${CMAKE_CURRENT_BINARY_DIR}/register_gpu_families.cpp)
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
