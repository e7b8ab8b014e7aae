// The arrays of the shown map and filter, built on the host when an expression first asks for one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/layout_builder.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/workload.h"

namespace convscope::lessons {

class MapArrays {
public:
    /// The indices must exist.
    MapArrays(const Workload&, const MapIndex&);

    const ConvShape& shape() const { return shape_; }  ///< n = c = k = 1
    double zeros() const;                              ///< share of the map
    const MapWork& work();
    /// The array as it is drawn: its elements in use have a value. Null when the format does not exist for this shape
    /// (PECR without pooling) or it is too large to be built next to the picture.
    const ArraySpec* find(const std::string& name);
    std::optional<double> at(const std::string& name, std::int64_t row, std::int64_t col);
    /// Row and column of element i in use, counted row by row from 0.
    std::optional<std::pair<std::int64_t, std::int64_t>> place(const std::string& name, std::int64_t i);
    std::int64_t used(const std::string& name);
    /// How often x[row, col] stands in the im2col matrix, or in MEC's L.
    std::int64_t copies(const std::string& matrix, std::int64_t row, std::int64_t col) const;

private:
    struct Built {
        bool tried = false;
        std::vector<ArraySpec> specs;
        std::vector<std::vector<std::uint32_t>> data;  ///< bit patterns, as specs
    };
    struct Found {
        const ArraySpec* spec = nullptr;
        const std::vector<std::uint32_t>* data = nullptr;
    };
    Found look_up(const std::string& name);
    const Built& build(Format);

    ConvShape shape_;
    std::vector<float> x_, w_;
    std::array<Built, 4> built_;
    std::optional<MapWork> work_;
    std::unique_ptr<LayoutBuilder> builder_;
};

}  // namespace convscope::lessons
