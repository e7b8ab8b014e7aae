// A lesson's 'show' block as plain data: the state that it brings the app to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/expression.h"
#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/format_matrix.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/layers/workload.h"
#include "kernels/method/method.h"

namespace convscope::lessons {

/// "F_data[5]" by the element's place among those in use, or "x[floor(h / 2), 3]" by row and column.
struct PointTarget {
    std::string array;
    Expression first;
    std::optional<Expression> second;
};

/// Every key is optional; what is not named stays as it is.
struct Show {
    int line = 0;
    // The workload, which stays the learner's in 'my layer'.
    std::optional<std::string> preset;
    std::vector<std::pair<ShapeMember, std::int64_t>> shape;  ///< the fields that are named
    bool same_padding = false;                                ///< of what the shape then is
    std::optional<double> sparsity;
    std::optional<Source> pattern;
    std::optional<double> weight_sparsity;
    std::optional<WeightPattern> weight_pattern;  ///< 2:4 alone has its own share
    std::optional<std::int64_t> seed;
    // Where the app stands.
    std::optional<std::string> view, tab, method, companion, kernel, model;
    std::optional<DeviceKind> device;
    std::optional<Dim3> block, grid;
    std::vector<std::pair<std::string, std::int64_t>> tunables;
    std::optional<PointTarget> point;
    std::optional<std::int64_t> thread, moment, image, channel, filter;
    std::optional<Dim3> at;
    std::optional<TimingScope> scope;
    std::optional<CacheMode> cache;
    std::optional<std::vector<std::string>> methods;
    std::optional<bool> run;
    std::optional<std::string> recorded, page, layer, network;
    std::optional<std::string> format;              ///< of the Formats page, alone; "" shows all of them
    std::optional<MatrixOf> matrix;                 ///< whose formats the page shows
    std::optional<std::string> exercise, solution;  ///< ids; they show the Kernel view
    /// Not to be seen until the step's questions are answered (hideable.h).
    std::optional<std::vector<std::string>> hide;

    bool changes_workload() const {
        return preset || !shape.empty() || same_padding || sparsity || pattern || weight_sparsity || weight_pattern ||
               seed;
    }
};

/// The workload that a block leads to from the one before. Throws Error(not_found) for a preset that does not exist
/// and Error(usage) for a shape that cannot be.
WorkloadSpec shown_workload(const Show&, const WorkloadSpec& before);

/// The map and filter that a block leads to from those before, which stay where it names none, as far as the layer has
/// them. The filter is one that sees the channel. Throws Error(usage) where the block names what the layer has not; of
/// 'my layer', which the lesson does not know, the nearest is shown.
MapIndex shown_map(const Show&, const ConvShape&, const MapIndex& before, bool own_layer);

}  // namespace convscope::lessons
