#include "kernels/layers/wanted_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"
#include "kernels/formats/array_file.h"
#include "kernels/layers/weight_patterns.h"
#include "kernels/layers/zero_patterns.h"

namespace convscope {
namespace {

void require_share(const char* name, double share) {
    if (!(share >= 0.0 && share <= 1.0))  // so that NaN is rejected too
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be between 0 and 1", name, share));
}

void require_memory(const ConvShape& shape) {
    const double x = 4.0 * static_cast<double>(shape.x_elements());
    const double w = 4.0 * static_cast<double>(shape.w_elements());
    const double y = 4.0 * static_cast<double>(shape.conv_elements());
    require_host_memory(x + w + y, fmt::format("the workload {} (x {}, w {}, y {})", to_string(shape), format_bytes(x),
                                               format_bytes(w), format_bytes(y)));
}

std::vector<float> read_exactly(const std::string& path, std::int64_t elements) {
    NpyArray array = read_array(path);
    // The header was read once before, for the shape; the file may have changed since.
    if (static_cast<std::int64_t>(array.data.size()) != elements)
        throw Error(ErrorKind::file, fmt::format("{} changed while it was being read; try again", path));
    return std::move(array.data);
}

void fill_x(Tensor& x, const WorkloadSpec& spec, const std::stop_token& stop) {
    const std::int64_t zeros = zero_count(spec.sparsity, x.elements());
    switch (spec.source) {
        case Source::uniform:
            fill_nonzero(x, spec.seed, false, stop);
            return zero_uniformly(x, zeros, spec.seed, stop);
        case Source::channels:
            fill_nonzero(x, spec.seed, false, stop);
            return zero_channels(x, zeros, spec.seed, stop);
        case Source::pixels:
            fill_nonzero(x, spec.seed, false, stop);
            return zero_pixels(x, zeros, spec.seed, stop);
        case Source::blobs:
            return fill_blobs(x, zeros, spec.seed, stop);
        case Source::file:
            x.data = read_exactly(spec.input_path, x.elements());
            return;
        case Source::example:
            x.data = spec.example_x;
            return;
        case Source::chain:
            throw Error(ErrorKind::usage, fmt::format("the data of {} comes from the layer before it", spec.name));
    }
}

void fill_he(Tensor& w, std::uint64_t seed) {
    fill_nonzero(w, seed, true);
    // Uniform in (-b, b) has the variance b^2 / 3. A square root is the same bits everywhere, unlike the rest of libm.
    const auto fan_in = static_cast<float>(w.c * w.h * w.w);
    const float bound = std::sqrt(6.0F / fan_in);
    for (float& value : w.data) value *= bound;
}

void fill_w(Tensor& w, const WorkloadSpec& spec, const std::stop_token& stop) {
    if (spec.source == Source::example)
        w.data = spec.example_w;
    else if (spec.source == Source::file && !spec.weights_path.empty())
        w.data = read_exactly(spec.weights_path, w.elements());
    else
        fill_nonzero(w, spec.seed, true, stop);
    prune_weights(w, spec, stop);
}

void require_example_sizes(const WorkloadSpec& spec) {
    const auto x = static_cast<std::int64_t>(spec.example_x.size());
    const auto w = static_cast<std::int64_t>(spec.example_w.size());
    if (x != spec.shape.x_elements() || w != spec.shape.w_elements())
        throw Error(ErrorKind::usage,
                    fmt::format("the worked example {} has {} values of x and {} of w, but the shape takes {} and {}; "
                                "its n, c, h, w, k, r and s cannot be changed",
                                spec.name, x, w, spec.shape.x_elements(), spec.shape.w_elements()));
}

void count(Workload& workload, const std::stop_token& stop) {
    workload.sparsity_measured = share_of_zeros(workload.x);
    workload.weight_sparsity_measured = share_of_zeros(workload.w);
    end_when_stopped(stop);
    for (const Tensor* tensor : {&workload.x, &workload.w})
        for (float value : tensor->data) {
            workload.nan_count += std::isnan(value);
            workload.inf_count += std::isinf(value);
        }
}

}  // namespace

void validate(const WorkloadSpec& spec) {
    validate(spec.shape);
    require_share("sparsity", spec.sparsity);
    require_share("weight sparsity", spec.weight_sparsity);
    if (spec.weight_pattern == WeightPattern::two_of_four && spec.weight_sparsity != two_of_four_sparsity)
        throw Error(ErrorKind::usage, fmt::format("weight sparsity is {}; the pattern 2:4 keeps two of each four "
                                                  "weights, so that it must be {}",
                                                  spec.weight_sparsity, two_of_four_sparsity));
}

ConvShape shape_of_files(const WorkloadSpec& spec) {
    ConvShape shape = spec.shape;
    NpyShape x = read_array_shape(spec.input_path);
    x.insert(x.begin(), 4 - x.size(), 1);
    shape.n = x[0], shape.c = x[1], shape.h = x[2], shape.w = x[3];
    if (spec.weights_path.empty()) return shape;

    NpyShape w = read_array_shape(spec.weights_path);
    if (w.size() == 3)
        throw Error(ErrorKind::file, fmt::format("{}: its shape is {}; weights are (k,c,r,s) or (r,s)",
                                                 spec.weights_path, to_string(w)));
    w.insert(w.begin(), 4 - w.size(), 1);
    if (w[1] * shape.groups != shape.c)
        throw Error(ErrorKind::usage,
                    fmt::format("{} has filters of {} channel(s), but {} has {}; {}", spec.weights_path, w[1],
                                spec.input_path, shape.c,
                                shape.groups == 1 ? "they must be equal"
                                                  : fmt::format("in {} groups a filter has {}", shape.groups,
                                                                static_cast<double>(shape.c) / shape.groups)));
    shape.k = w[0], shape.r = w[2], shape.s = w[3];
    return shape;
}

void draw_where_values_do_not_fit(WorkloadSpec& spec, const WorkloadSpec& named) {
    const auto sizes_of_x = [](const ConvShape& shape) { return std::tie(shape.n, shape.c, shape.h, shape.w); };
    const auto sizes_of_w = [](const ConvShape& shape) { return std::tie(shape.k, shape.r, shape.s, shape.groups); };
    const bool fits = spec.source == Source::example
                          ? std::ssize(spec.example_x) == spec.shape.x_elements() &&
                                std::ssize(spec.example_w) == spec.shape.w_elements()
                          : spec.source != Source::file ||
                                (spec.sparsity == named.sparsity && sizes_of_x(spec.shape) == sizes_of_x(named.shape) &&
                                 (spec.weights_path.empty() || sizes_of_w(spec.shape) == sizes_of_w(named.shape)));
    if (!fits) spec.source = Source::uniform;
}

Workload make_workload(const WorkloadSpec& spec) {
    return make_workload(spec, {});
}

Workload make_workload(const WorkloadSpec& requested, const std::stop_token& stop) {
    Workload workload;
    WorkloadSpec& spec = workload.spec = requested;
    if (spec.source == Source::file) spec.shape = shape_of_files(spec);
    validate(spec);
    if (spec.source == Source::example) require_example_sizes(spec);
    require_memory(spec.shape);

    const ConvShape& shape = spec.shape;
    workload.x = Tensor(shape.n, shape.c, shape.h, shape.w);
    workload.w = Tensor(shape.k, shape.group_channels(), shape.r, shape.s);
    fill_x(workload.x, spec, stop);
    fill_w(workload.w, spec, stop);
    count(workload, stop);
    // An example that was given another share of zeros keeps the share that was requested.
    const std::int64_t elements = shape.x_elements();
    const bool as_requested = spec.source == Source::example &&
                              zero_count(spec.sparsity, elements) == zero_count(workload.sparsity_measured, elements);
    if (spec.source == Source::file || (spec.source == Source::example && !as_requested))
        spec.sparsity = workload.sparsity_measured;
    return workload;
}

Workload make_chained_workload(const WorkloadSpec& requested, Tensor x) {
    const ConvShape& shape = requested.shape;
    validate(requested);
    if (x.n != shape.n || x.c != shape.c || x.h != shape.h || x.w != shape.w)
        throw Error(ErrorKind::usage, fmt::format("{} takes {}x{}x{}x{}, not {}x{}x{}x{}", requested.name, shape.n,
                                                  shape.c, shape.h, shape.w, x.n, x.c, x.h, x.w));
    require_memory(shape);
    Workload workload;
    workload.spec = requested;
    workload.spec.source = Source::chain;
    workload.x = std::move(x);
    workload.w = Tensor(shape.k, shape.group_channels(), shape.r, shape.s);
    fill_he(workload.w, requested.seed);
    prune_weights(workload.w, requested);
    count(workload, {});
    workload.spec.sparsity = workload.sparsity_measured;
    return workload;
}

Workload group_of(const Workload& workload, std::int64_t group) {
    const ConvShape& shape = workload.spec.shape;
    const ConvShape one = one_group(shape);
    Workload part;
    part.spec = workload.spec;
    part.spec.shape = one;
    part.x = Tensor(one.n, one.c, one.h, one.w);
    part.w = Tensor(one.k, one.c, one.r, one.s);
    const std::int64_t from_image = one.x_elements() / one.n;
    for (std::int64_t n = 0; n < one.n; ++n)
        std::copy_n(workload.x.data.begin() + workload.x.offset(n, group * one.c, 0, 0), from_image,
                    part.x.data.begin() + n * from_image);
    std::copy_n(workload.w.data.begin() + group * one.w_elements(), one.w_elements(), part.w.data.begin());
    part.sparsity_measured = share_of_zeros(part.x);
    part.weight_sparsity_measured = share_of_zeros(part.w);
    return part;
}

void put_group(Tensor& y, std::int64_t group, const Tensor& of_group) {
    const std::int64_t of_image = of_group.elements() / of_group.n;
    for (std::int64_t n = 0; n < y.n; ++n)
        std::copy_n(of_group.data.begin() + n * of_image, of_image,
                    y.data.begin() + y.offset(n, group * of_group.c, 0, 0));
}

std::string unusual_data(const Workload& workload) {
    if (workload.nan_count + workload.inf_count == 0) return {};
    return fmt::format("the data holds {} NaN and {} infinite values", workload.nan_count, workload.inf_count);
}

}  // namespace convscope
