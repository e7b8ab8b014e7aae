// Random workloads with their references, for tests that run many methods on the same ones.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernels/reference/reference_result.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

struct RandomCase {
    Workload workload;
    ReferenceResult reference;
};

/// Each is made when it is first needed: a method skips the shapes that it does not support.
class RandomCases {
public:
    explicit RandomCases(std::vector<ConvShape> shapes) : shapes_(std::move(shapes)), cases_(shapes_.size()) {}
    std::size_t size() const { return shapes_.size(); }
    const RandomCase& operator[](std::size_t i) {
        if (!cases_[i]) {
            Workload workload = random_workload(shapes_[i], sparsity_of(i), i);
            ReferenceResult reference = reference_result(workload);
            cases_[i] = RandomCase{std::move(workload), std::move(reference)};
        }
        return *cases_[i];
    }

private:
    std::vector<ConvShape> shapes_;
    std::vector<std::optional<RandomCase>> cases_;
};

}  // namespace convscope::testing
