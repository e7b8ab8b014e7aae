#include "kernels/layers/example_zeros.h"

#include <algorithm>
#include <vector>

#include "kernels/core/random.h"
#include "kernels/layers/zero_patterns.h"

namespace convscope {

const Preset* example_of(const WorkloadSpec& spec) {
    for (const Preset& preset : all_presets())
        if (preset.spec.source == Source::example && preset.spec.shape == spec.shape &&
            preset.spec.example_w == spec.example_w)
            return &preset;
    return nullptr;
}

void thin_or_fill(WorkloadSpec& spec) {
    const Preset* const preset = example_of(spec);
    const std::vector<float> own = preset ? preset->spec.example_x : spec.example_x;
    const Random random(spec.seed, Stream::zeros);
    std::vector<std::size_t> zeros, values;
    for (std::size_t i = 0; i < own.size(); ++i) (own[i] == 0 ? zeros : values).push_back(i);
    const auto earlier = [&random](std::size_t a, std::size_t b) { return random.at(a) < random.at(b); };
    std::ranges::sort(zeros, earlier);
    std::ranges::sort(values, earlier);

    const auto wanted = static_cast<std::size_t>(zero_count(spec.sparsity, static_cast<std::int64_t>(own.size())));
    spec.example_x = own;
    for (std::size_t i = zeros.size(); i < wanted; ++i) spec.example_x[values[i - zeros.size()]] = 0;
    for (std::size_t i = wanted; i < zeros.size(); ++i) {
        const std::size_t place = zeros[i - wanted];
        spec.example_x[place] = values.empty() ? 1 : own[values[random.at(own.size() + place) % values.size()]];
    }
    if (preset && wanted == zeros.size() && spec.weight_sparsity == 0) spec.name = preset->spec.name;
}

}  // namespace convscope
