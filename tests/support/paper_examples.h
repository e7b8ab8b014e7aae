// The worked examples of the papers, tests/data/paper-examples.json, as workloads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/layers/workload.h"

namespace convscope::testing {

const nlohmann::json& paper_examples();

/// All numbers of a nested array, row-major.
std::vector<float> numbers(const nlohmann::json&);

/// "ecr_figure_4", "pecr_figures_7_8" or "mec_figures_1_2".
Workload example_workload(const std::string& name);

}  // namespace convscope::testing
