# What 'cmake --install' and 'cpack' put where, beside the program and its modules (Program.cmake).
#
# One package serves Debian 12 and Ubuntu 24.04, though it is built on one of them: the libraries whose versions differ
# between the two come along, in lib/convscope, where the program looks first. The .deb depends on the others; the .tar.gz,
# which installs nothing, brings them too. OpenGL's are the system's: they belong to its drivers, and are opened only
# where something is drawn. So are those of accessibility, which are there wherever a screen reader is.
set(own_libraries "libfmt|libtomlplusplus|libboost_context|libstb|libdnnl|libOpenCL|libmd4c|libmuparser")
set(system_libraries "ld-linux|libc|libm|libdl|librt|libpthread|libstdc\\+\\+|libgcc_s|libGL.*|libEGL|libOpenGL")

# DT_RPATH, which also holds for the libraries of these libraries.
target_link_options(convscope PRIVATE -Wl,--disable-new-dtags)
set_target_properties(convscope PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/convscope" ${same_search_path})
install(TARGETS convscope RUNTIME_DEPENDENCY_SET program_libraries RUNTIME DESTINATION bin COMPONENT program)
install(RUNTIME_DEPENDENCY_SET program_libraries
    PRE_INCLUDE_REGEXES "(${own_libraries})\\.so" PRE_EXCLUDE_REGEXES ".*"
    LIBRARY DESTINATION lib/convscope COMPONENT own_libraries EXCLUDE_FROM_ALL)
install(RUNTIME_DEPENDENCY_SET program_libraries
    PRE_EXCLUDE_REGEXES "^(${system_libraries})[-.]"
    LIBRARY DESTINATION lib/convscope COMPONENT all_libraries EXCLUDE_FROM_ALL)

install(FILES packaging/convscope.desktop DESTINATION share/applications COMPONENT program)
install(FILES packaging/convscope-mime.xml DESTINATION share/mime/packages RENAME convscope.xml COMPONENT program)
install(FILES packaging/convscope.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
install(FILES README.md DESTINATION share/doc/convscope COMPONENT program)

# The manual and the completions are what the program itself says.
install(CODE "set(built_program \"$<TARGET_FILE:convscope>\")" COMPONENT program)
install(CODE [[
    foreach(page "manual|share/man/man1|convscope.1"
                 "completion bash|share/bash-completion/completions|convscope"
                 "completion zsh|share/zsh/site-functions|_convscope"
                 "completion fish|share/fish/vendor_completions.d|convscope.fish")
        string(REPLACE "|" ";" page "${page}")
        list(GET page 0 words)
        list(GET page 1 folder)
        list(GET page 2 name)
        separate_arguments(words)
        set(target "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}")
        message(STATUS "Installing: ${target}/${name}")
        file(MAKE_DIRECTORY "${target}")
        execute_process(COMMAND "${built_program}" ${words} OUTPUT_FILE "${target}/${name}" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
]] COMPONENT program)

set(CPACK_PACKAGE_NAME convscope)
set(CPACK_PACKAGE_VENDOR "the convscope authors")
set(CPACK_PACKAGE_CONTACT "the convscope authors <convscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "look inside convolution kernels: layouts, work, time")
set(CPACK_PACKAGE_DESCRIPTION "Pick a layer, a sparsity and a launch configuration; see the ECR, PECR, MEC and im2col
layouts that the kernels build; run and step through them; time them against cuDNN or oneDNN; export every measurement.")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageKinds.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
# Names that Debian 12 and Ubuntu 24.04 share; the first alternative is Debian's where they do not.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgomp1, libopenblas0, libfftw3-single3, libcairo2, libepoxy0, libglfw3 | libglfw3-wayland, libx11-6, libfreetype6, libegl1, libgl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0, libglx-mesa0, libatk-bridge2.0-0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-driver")
include(CPack)
