# What can be switched, and the flags that every target of ours gets.
set(CONVSCOPE_CUDA AUTO CACHE STRING "Build the CUDA modules: AUTO (when a toolkit is found), ON or OFF")
option(CONVSCOPE_APP "Build the window and its views (needs Dear ImGui, GLFW and OpenGL)" ON)
option(CONVSCOPE_ONEDNN "Build the oneDNN baseline for the CPU" ON)
option(CONVSCOPE_TESTS "Build the tests and benchmarks" ON)
option(CONVSCOPE_WERROR "Treat warnings as errors" OFF)
option(CONVSCOPE_UNITY "Compile the files of a folder together, which takes less than half the time; OFF compiles each alone" ON)
set(CONVSCOPE_SANITIZE "" CACHE STRING "Sanitizers for the host code, for example address,undefined")

set(CONVSCOPE_COVERAGE "" CACHE STRING "Libraries in which it is counted which lines and branches run (scripts/bench/coverage)")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

# Everything that runs sits in one folder, so that the program finds its modules beside itself.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Headers cost more than code. The CPU's kernels are compiled alone (kernels/CMakeLists.txt): their speed must not depend on
# what is compiled with them.
set(CMAKE_UNITY_BUILD ${CONVSCOPE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 25)

find_program(CONVSCOPE_CCACHE ccache)
if(CONVSCOPE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CONVSCOPE_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CONVSCOPE_CCACHE})
endif()

# CUDA: a separate language, looked for only when wanted. Without a toolkit everything else still builds.
set(CONVSCOPE_HAVE_CUDA OFF)
if(NOT CONVSCOPE_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
            # Machine code for Hopper, and PTX that the driver compiles for every other GPU from Turing on.
            set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
        endif()
        enable_language(CUDA)
        if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
            message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old, 12 is needed: built without CUDA")
        else()
            set(CONVSCOPE_HAVE_CUDA ON)
        endif()
        if(NOT cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES) # CMake 3.25 has not heard that nvcc takes C++20
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
            list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
        endif()
        set(CMAKE_CUDA_STANDARD 20)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    elseif(CONVSCOPE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "CONVSCOPE_CUDA is ON, but no CUDA compiler was found; set CUDACXX to nvcc's path")
    endif()
endif()

# What sanitizers look at. Kernels built for the executor stay as they are in a release (CONVSCOPE_PLAIN): it checks their
# accesses itself, and the compiler cache has them already.
set(sanitized 0)
if(CONVSCOPE_SANITIZE)
    set(sanitized $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:CONVSCOPE_PLAIN>>>>)
endif()

# Flags for our own targets; never applied to what the distribution provides.
add_library(convscope_flags INTERFACE)
target_include_directories(convscope_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(convscope_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra --expt-relaxed-constexpr>)
if(CONVSCOPE_WERROR) # not where GCC 12 warns of what it cannot see through what sanitizers add
    target_compile_options(convscope_flags INTERFACE
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:${sanitized}>>:-Werror>
        $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(CONVSCOPE_SANITIZE)
    # Reports need lines, not variables: tracking these through what the sanitizers add takes minutes for some files.
    #
    # GCC takes as long to compile the checks of every pointer as all the rest. A null pointer that is used ends the
    # program under the address sanitizer as well, and that one knows the size of every object. Alignment is checked
    # where bytes are read as something else: folders that do not add -fno-sanitize=alignment. scripts/fuzz, with
    # clang, has all of these checks in the readers.
    # These are to take as many inputs as they can: watching every comparison of numbers takes a third of their time.
    set(optimised -O1)
    if(CONVSCOPE_SANITIZE MATCHES fuzzer)
        set(optimised "-O2;-fno-sanitize-coverage=trace-cmp")
    endif()
    add_compile_options("$<${sanitized}:-fsanitize=${CONVSCOPE_SANITIZE};-fno-omit-frame-pointer;${optimised};-g1>")
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        add_compile_options("$<${sanitized}:-fno-sanitize=null,object-size,vptr>")
        set(CONVSCOPE_NO_CASTS_HERE "$<${sanitized}:-fno-sanitize=alignment>")
    endif()
    add_link_options(-fsanitize=${CONVSCOPE_SANITIZE})
endif()
