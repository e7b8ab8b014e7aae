// The baseline on the CPU: oneDNN.
#pragma once

#include <string>

namespace convscope {

/// The version of the loaded library: "oneDNN 2.6.3".
std::string onednn_version();

}  // namespace convscope
