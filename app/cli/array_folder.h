// A folder of .npy files and the layout.json that explains them.
#pragma once

#include <bit>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <type_traits>

#include "app/request/flags.h"
#include "kernels/files/npy.h"

namespace convscope::cli {

class ArrayFolder {
public:
    /// The folder that --out names, made when missing. Throws Error(file), and Error(usage) where what another flag
    /// reads lies in it, or arrays that no layout.json tells of: they could be replaced.
    explicit ArrayFolder(const FlagValues&);

    /// Writes NAME.npy and remembers what it is. Of the elements that write_npy() takes.
    template <class Element>
    void add(const std::string& name, std::span<const Element> data, const NpyShape& shape,
             const std::string& meaning) {
        write_npy(path(name), data, shape);
        describe(name, numpy_name<Element>(), shape, meaning);
    }
    /// For an array that was written in pieces, as path(name).
    void describe(const std::string& name, const char* dtype, const NpyShape&, const std::string& meaning);

    std::filesystem::path path(const std::string& name) const { return folder_ / (name + ".npy"); }
    /// Writes layout.json: 'about' and then the arrays.
    void finish(nlohmann::ordered_json about);

private:
    template <class Element>
    static const char* numpy_name() {
        if constexpr (std::is_same_v<Element, float>) return "float32";
        constexpr const char* names[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                             {"int8", "int16", "int32", "int64"}};
        return names[std::is_signed_v<Element>][std::bit_width(sizeof(Element)) - 1];
    }

    std::filesystem::path folder_;
    nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
};

}  // namespace convscope::cli
