# The distribution's packages, by purpose. The one list: scripts/run and scripts/test install from here. The names are those of Debian 12 and 13 and of Ubuntu 22.04 and 24.04.
# Sourced by scripts/setup.sh; CUDA and cuDNN are not installed from here (docs/install.md).

# Compiler and build tools.
build_packages="g++ cmake ninja-build pkgconf ccache"

# Libraries that the program is built with.
build_packages+=" libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev libmd4c-dev libmuparser-dev zlib1g-dev"
# (oneDNN 2.6 of Debian 12 asks CMake for OpenCL and does not depend on it.)
build_packages+=" libopenblas-dev libcairo2-dev libfftw3-dev libdnnl-dev ocl-icd-opencl-dev libboost-context-dev"
build_packages+=" libimgui-dev libglfw3-dev libx11-dev libepoxy-dev libegl-dev libfreetype-dev libsystemd-dev"
build_packages+=" libstb-dev libatk1.0-dev libatk-bridge2.0-dev"

# What the program finds at run time: OpenGL and EGL drivers (llvmpipe where there is no GPU).
run_packages="libgl1-mesa-dri libglx-mesa0 libegl-mesa0 libegl1 libgl1"

# Test frameworks, and a display with input events for the GUI tests.
test_packages="libgtest-dev libbenchmark-dev xvfb xauth xdotool dbus-daemon"
# A screen reader's side of AT-SPI.
test_packages+=" at-spi2-core gir1.2-atspi-2.0 python3-gi"
# A Slurm of one node and GNU parallel, for the recipes of docs/clusters.md.
test_packages+=" slurm-wlm munge parallel rsync"
# For the checks (scripts/checks), and what reads our sparse matrices.
test_packages+=" python3 python3-scipy"

# For changing convscope: the formatter's version is pinned (Debian 12 and Ubuntu carry it, Debian 13 does not).
develop_packages="clang-format-14"

# For scripts/fuzz: a compiler with libFuzzer (on Ubuntu 22.04 in the first alone).
fuzz_packages="clang libclang-rt-dev"

# For trying the packages in clean roots (scripts/checks/packages).
package_check_packages="debootstrap debian-archive-keyring dpkg-dev file"
