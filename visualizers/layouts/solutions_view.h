// Cho & Brand 2017, Fig. 3: which part of L is multiplied with K, and where the result goes, product after product.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "kernels/layers/workload.h"
#include "visualizers/explain/mec_solutions.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// The result of pointing.
struct SolutionsResult {
    std::string sentence;  ///< about the cell that is pointed at, or else pinned; empty: neither
    struct Box {
        const char* name;  ///< "L"
        ImVec2 min, max;
    };
    std::vector<Box> matrices;
};

/// Draws with the values of the layer where its matrices are small, else as areas of the right proportions. Keeps what
/// it has computed of a layer.
class SolutionsView {
public:
    /// 'step' counts from 0, through the products and then the copies; what was done before it is shown as done.
    /// 'data' is known by 'number', which changes with it. A click on a cell pins it, another one unpins it.
    SolutionsResult draw(const Workload& data, std::uint64_t number, const MecSolution&, std::int64_t step,
                         std::optional<SolutionCell>& pinned, ImVec2 at, ImVec2 size, const ViewStyle&);

private:
    /// A matrix in values, row-major; empty where the layer is too large to print.
    struct Values {
        std::vector<float> l, k, o;  ///< o as n o_h rows of o_w k_c
        ValueRange l_range, k_range, o_range;
    };
    void compute(const Workload&);

    Values values_;
    std::uint64_t number_ = 0;
};

}  // namespace convscope
