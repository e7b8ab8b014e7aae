// A real compiler for tests that have one.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

namespace convscope::testing {

/// Where "nvcc" or "clang++" is, on the PATH or in a toolkit.
inline std::optional<std::filesystem::path> compiler_here(const std::string& name) {
    std::istringstream folders(std::string(std::getenv("PATH")) + ":/usr/local/cuda/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
    return std::nullopt;
}

}  // namespace convscope::testing
