#include "kernels/ocpa/calibration.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "kernels/core/median.h"
#include "kernels/layers/zero_patterns.h"
#include "kernels/ocpa/converting_execution.h"

namespace convscope {
namespace {

constexpr double max_zeros = 0.95, no_zeros = 0;

class Calibration {
public:
    Calibration(Layout layout, Device& device, const MapLaunchers& launchers, const Workload& layer)
        : layout_(layout), device_(device), launchers_(launchers), layer_(layer) {}

    ChoiceTable table;

    void add(const Method& method) {
        CandidateLine line{.method = method.info().id};
        try {
            time(line, method);
        } catch (const std::exception& failure) {
            line.left_out = failure.what();
        }
        table.lines.push_back(std::move(line));
    }

private:
    /// Made values of x, with this share of these boxes filled with zeros.
    struct Input {
        ZeroBoxes boxes;
        double zeros = 0;
        Tensor x;
        double flops = 0;  ///< of the boxes that are left
    };

    void time(CandidateLine& line, const Method& method) {
        const ConvShape& shape = layer_.spec.shape;
        ConvertingExecution execution(method.instantiate(shape, {}, device_), shape, layout_, *device_.gpu(),
                                      launchers_);
        execution.setup();
        execution.allocate();
        const std::optional<ZeroBoxes> boxes = boxes_of(method, shape);
        const double flops = put(execution, boxes.value_or(nonzero_boxes(shape)), boxes ? max_zeros : no_zeros);
        const auto sampler = device_.make_sampler(execution, TimingScope::kernel, CacheMode::hot);
        const double us = sample(*sampler);
        if (!boxes) {
            line.t0_us = us;
            return;
        }
        const double more_flops = put(execution, *boxes, no_zeros);
        fit(line, {flops, us}, {more_flops, sample(*sampler)});
        line.of = place_of(*boxes);
    }

    /// Gives the execution an input. Returns the FLOPs of its boxes.
    double put(Execution& execution, const ZeroBoxes& boxes, double zeros) {
        const Input& input = input_of(boxes, zeros);
        layer_.x = input.x;
        execution.stage_inputs(layer_);
        execution.upload();
        execution.prepare_weights();
        execution.synchronize();
        return input.flops;
    }

    /// The two that were made last are kept: most candidates are dense, or skip elements.
    const Input& input_of(const ZeroBoxes& boxes, double zeros) {
        constexpr std::size_t kept = 2;
        constexpr std::uint64_t seed = 1;
        for (const Input& made : inputs_)
            if (made.zeros == zeros && made.boxes == boxes) return made;
        if (inputs_.size() == kept) inputs_.pop_front();
        Input& made = inputs_.emplace_back(Input{boxes, zeros, layer_.x, 0});
        fill_nonzero(made.x, seed, false);
        zero_boxes(made.x, boxes, zeros, seed);
        made.flops = flops_of(boxes, made.x);
        return made;
    }

    double sample(Sampler& sampler) {
        constexpr int more = 4;
        constexpr double far = 2;
        std::vector<double> us{sampler.sample_us()};
        if (us.front() < far * shortest_us_)
            for (int i = 0; i < more; ++i) us.push_back(sampler.sample_us());
        const double median = median_of(us);
        shortest_us_ = std::min(shortest_us_, median);
        return median;
    }

    std::size_t place_of(const ZeroBoxes& boxes) {
        const auto known = std::ranges::find(table.boxes, boxes);
        const auto place = static_cast<std::size_t>(known - table.boxes.begin());
        if (known == table.boxes.end()) table.boxes.push_back(boxes);
        return place;
    }

    const Layout layout_;
    Device& device_;
    const MapLaunchers& launchers_;
    Workload layer_;  ///< x is what was put last
    std::deque<Input> inputs_;
    double shortest_us_ = std::numeric_limits<double>::infinity();
};

}  // namespace

ChoiceTable calibrate(const std::vector<const Method*>& candidates, Layout layout, Device& device,
                      const MapLaunchers& launchers, const Workload& layer) {
    Calibration calibration(layout, device, launchers, layer);
    for (const Method* method : candidates) calibration.add(*method);
    return std::move(calibration.table);
}

}  // namespace convscope
