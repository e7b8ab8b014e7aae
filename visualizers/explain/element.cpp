#include "visualizers/explain/element.h"

namespace convscope {

const char* to_string(ArrayId id) {
    constexpr std::array<const char*, array_count> names = {"x",      "w",      "y",   "conv", "im2col", "L",
                                                            "F_data", "K_data", "Ptr", "Data", "Index",  "Count"};
    return names[static_cast<std::size_t>(id)];
}

std::vector<ArrayId> arrays_of(Format format) {
    using enum ArrayId;
    switch (format) {
        case Format::im2col:
            return {x, w, im2col, y};
        case Format::mec:
            return {x, w, L, y};
        case Format::ecr:
            return {x, w, F_data, K_data, Ptr, y};
        case Format::pecr:
            return {x, w, Data, Index, Count, conv, y};
    }
    return {};
}

}  // namespace convscope
