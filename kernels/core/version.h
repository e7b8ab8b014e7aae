#pragma once

namespace convscope {

/// "0.2.0", the version in CMakeLists.txt. Only version.cpp is told, so that a new version compiles one file again.
const char* program_version();

}  // namespace convscope
