// Real compilers for tests that have one.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace convscope::testing {

/// Where "nvcc" or "clang++" is, on the PATH or in a toolkit.
inline std::optional<std::filesystem::path> compiler_here(const std::string& name) {
    std::istringstream folders(std::string(std::getenv("PATH")) + ":/usr/local/cuda/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
    return std::nullopt;
}

/// Those of "nvcc" and "clang++" that test number 'turn' runs with: the one whose turn it is or, with
/// CONVSCOPE_COMPILERS=both (scripts/check slow), each. A program takes seconds to compile. "nvcc" where there is none.
inline std::vector<std::string> compilers_in_turn(std::size_t turn) {
    std::vector<std::string> here;
    for (const char* name : {"nvcc", "clang++"})
        if (compiler_here(name)) here.emplace_back(name);
    if (here.empty()) return {"nvcc"};
    const char* wanted = std::getenv("CONVSCOPE_COMPILERS");
    if (wanted && wanted == std::string("both")) return here;
    return {here[turn % here.size()]};
}

/// Each name with the compilers that it is tried with: nvcc where it needs that, else those whose turn it is.
template <class Names, class NeedsNvcc>
std::vector<std::pair<std::string, std::string>> with_compilers(const Names& names, NeedsNvcc needs_nvcc) {
    std::vector<std::pair<std::string, std::string>> all;
    std::size_t turn = 0;
    for (const std::string& name : names) {
        if (needs_nvcc(name))
            all.emplace_back(name, "nvcc");
        else
            for (const std::string& compiler : compilers_in_turn(turn++)) all.emplace_back(name, compiler);
    }
    return all;
}

/// Its name as a test's name may have it.
inline std::string plain_name(std::string compiler) {
    std::erase(compiler, '+');
    return compiler;
}

}  // namespace convscope::testing
