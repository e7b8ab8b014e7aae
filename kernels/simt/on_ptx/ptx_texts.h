// The PTX of our CUDA kernels, carried in the program.
#pragma once

#include <string_view>
#include <vector>

namespace convscope::on_ptx {

/// A module each.
std::vector<std::string_view> ptx_texts();

}  // namespace convscope::on_ptx
