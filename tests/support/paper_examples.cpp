#include "tests/support/paper_examples.h"

#include <fstream>

namespace convscope::testing {

const nlohmann::json& paper_examples() {
    static const nlohmann::json examples =
        nlohmann::json::parse(std::ifstream(CONVSCOPE_TEST_DATA "/paper-examples.json"));
    return examples;
}

std::vector<float> numbers(const nlohmann::json& array) {
    if (array.is_number()) return {array.get<float>()};
    std::vector<float> all;
    for (const nlohmann::json& part : array)
        for (float value : numbers(part)) all.push_back(value);
    return all;
}

Workload example_workload(const std::string& name) {
    const nlohmann::json& example = paper_examples().at(name);
    const nlohmann::json& map = example.contains("input") ? example["input"] : example["feature_map"];
    WorkloadSpec spec;
    spec.name = name;
    spec.source = Source::example;
    spec.shape.h = static_cast<std::int64_t>(map.size());
    spec.shape.w = static_cast<std::int64_t>(map[0].size());
    spec.shape.r = static_cast<std::int64_t>(example["kernel"].size());
    spec.shape.s = static_cast<std::int64_t>(example["kernel"][0].size());
    if (example.contains("pool")) {
        spec.shape.pool_h = example["pool"][0];
        spec.shape.pool_w = example["pool"][1];
        spec.shape.pool_stride = example["pool_stride"];
    }
    spec.example_x = numbers(map);
    spec.example_w = numbers(example["kernel"]);
    return make_workload(spec);
}

}  // namespace convscope::testing
