// A folder of .npy files and the layout.json that explains them.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "kernels/core/npy.h"

namespace convscope::cli {

class ArrayFolder {
public:
    /// Makes the folder when missing. Throws Error(file).
    explicit ArrayFolder(std::filesystem::path folder);

    /// Throws Error(usage) where one of the inputs lies in the folder, or arrays that no layout.json tells of: they
    /// could be replaced. Inputs may be empty.
    void require_own(const std::vector<std::filesystem::path>& inputs) const;

    /// Writes NAME.npy and remembers what it is.
    void add(const std::string& name, std::span<const float>, const NpyShape&, const std::string& meaning);
    void add(const std::string& name, std::span<const std::int32_t>, const NpyShape&, const std::string& meaning);
    void add(const std::string& name, std::span<const std::int64_t>, const NpyShape&, const std::string& meaning);
    /// For an array that was written in pieces, as path(name).
    void describe(const std::string& name, const char* dtype, const NpyShape&, const std::string& meaning);

    std::filesystem::path path(const std::string& name) const { return folder_ / (name + ".npy"); }
    /// Writes layout.json: 'about' and then the arrays.
    void finish(nlohmann::ordered_json about);

private:
    std::filesystem::path folder_;
    nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
};

}  // namespace convscope::cli
