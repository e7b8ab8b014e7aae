// The baseline on the CPU: oneDNN.
#pragma once

#include <string>

namespace convscope {

/// Of the library that is loaded: "oneDNN 2.6.3".
std::string onednn_version();

}  // namespace convscope
