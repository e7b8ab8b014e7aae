// A batch of the same image, as Cho & Brand 2017 draw it in Fig. 3.
#pragma once

#include <cstdint>

#include "app/session/session.h"

namespace convscope::app {

/// Makes the batch of the last layer that is possible this large. The images of a worked example are copies of its
/// first; other sources draw new ones.
inline void repeat_example(Session& session, std::int64_t images) {
    WorkloadSpec& spec = session.choices.workload = session.good;
    const auto size = static_cast<std::ptrdiff_t>(spec.example_x.size()) / static_cast<std::ptrdiff_t>(spec.shape.n);
    const std::vector<float> image(spec.example_x.begin(), spec.example_x.begin() + size);
    spec.shape.n = images;
    spec.example_x.clear();
    for (std::int64_t i = 0; i < images; ++i) spec.example_x.insert(spec.example_x.end(), image.begin(), image.end());
    edit_workload(session);
}

}  // namespace convscope::app
