#include "kernels/onnx/operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/pooling.h"
#include "kernels/onnx/window_shape.h"

namespace convscope {
namespace {

std::int64_t product(const NpyShape& shape, std::size_t begin, std::size_t end) {
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                           shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1}, std::multiplies<>());
}

// Element by element.

ModelArray rectify(NodeCall& call) {
    ModelArray array = call.take(0);
    for (float& value : array.data) value = relu(value);
    return array;
}

float clip_bound(const NodeCall& call, std::size_t operand, const char* attribute, float otherwise) {
    if (call.opset() < 11) return call.real(attribute, otherwise);  // operands since then
    if (!call.has(operand)) return otherwise;
    const ModelArray bound = call.constant(operand, attribute);
    if (bound.data.size() != 1) call.reject(fmt::format("its {} must be one number", attribute));
    return bound.data.front();
}

ModelArray clip(NodeCall& call) {
    const float min = clip_bound(call, 1, "min", -std::numeric_limits<float>::max());
    const float max = clip_bound(call, 2, "max", std::numeric_limits<float>::max());
    ModelArray array = call.take(0);
    // Where min is above max all become max; NaN stays.
    for (float& value : array.data) {
        if (value < min) value = min;
        if (value > max) value = max;
    }
    return array;
}

ModelArray pass_on(NodeCall& call) {
    call.reject_output(1, "the mask");
    if (call.has(2)) {
        const std::vector<std::int64_t> training = call.constant_integers(2, "training_mode");
        if (training != std::vector<std::int64_t>{0}) call.reject("it is in training mode; accepted is inference");
    }
    return call.take(0);
}

ModelArray add(NodeCall& call) {
    ModelArray first = call.take(0);
    return add_arrays(call, std::move(first), call.take(1));
}

ModelArray normalize(NodeCall& call) {
    ModelArray array = call.take(0);
    if (array.shape.size() < 2) call.reject(fmt::format("its operand {} has no channels", describe(array.shape)));
    const ChannelScale of = batch_normalization_scale(call, array.shape[1]);
    const auto map = static_cast<std::size_t>(product(array.shape, 2, array.shape.size()));
    for (std::size_t i = 0; i < array.data.size(); ++i) {
        const std::size_t channel = i / map % of.scale.size();
        array.data[i] = of.scale[channel] * array.data[i] + of.shift[channel];
    }
    return array;
}

ModelArray softmax(NodeCall& call) {
    ModelArray array = call.take(0);
    const std::size_t dimensions = array.shape.size();
    // Before version 13, over all dimensions from the axis on.
    const bool one_axis = call.opset() >= 13;
    const std::size_t axis = call.axis(one_axis ? -1 : 1, dimensions);
    const std::int64_t inner = one_axis ? product(array.shape, axis + 1, dimensions) : 1;
    const std::int64_t length = one_axis ? array.shape[axis] : product(array.shape, axis, dimensions);
    const std::int64_t lines = std::ssize(array.data) / length;
    for (std::int64_t line = 0; line < lines; ++line) {
        float* const first = array.data.data() + line / inner * inner * length + line % inner;
        float largest = *first;
        for (std::int64_t i = 1; i < length; ++i) largest = std::max(largest, first[i * inner]);
        double sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += std::exp(static_cast<double>(first[i * inner] - largest));
        for (std::int64_t i = 0; i < length; ++i) {
            float& value = first[i * inner];
            value = static_cast<float>(std::exp(static_cast<double>(value - largest)) / sum);
        }
    }
    return array;
}

// The shape alone, and joining.

ModelArray flatten(NodeCall& call) {
    ModelArray array = call.take(0);
    const std::size_t axis = call.axis(1, array.shape.size(), true);
    array.shape = {product(array.shape, 0, axis), product(array.shape, axis, array.shape.size())};
    return array;
}

ModelArray reshape(NodeCall& call) {
    NpyShape shape = call.constant_integers(1, "shape");
    const bool zero_is_size = call.integer("allowzero", 0) != 0;
    ModelArray array = call.take(0);
    const auto wrong = [&] {
        call.reject(fmt::format("its operand of {} does not have the elements of {}", describe(array.shape),
                                fmt::join(shape, "x")));
    };
    std::int64_t known = 1;
    std::size_t open = shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0 && !zero_is_size && i < array.shape.size()) shape[i] = array.shape[i];
        if (shape[i] == -1 && open == shape.size())
            open = i;
        else if (shape[i] < 1 || shape[i] > std::ssize(array.data) / known)
            wrong();
        else
            known *= shape[i];
    }
    if (open < shape.size()) known *= shape[open] = std::ssize(array.data) / known;
    if (known != std::ssize(array.data)) wrong();
    array.shape = std::move(shape);
    return array;
}

/// From one element to the next along each dimension.
NpyShape strides_of(const NpyShape& shape) {
    NpyShape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

ModelArray pad(NodeCall& call) {
    if (call.opset() < 11) call.reject(fmt::format("it is of version {}; accepted are 11 and later", call.opset()));
    if (call.text("mode", "constant") != "constant") call.reject("its mode must be 'constant'");
    if (call.has(3)) call.reject("it has axes; accepted is a padding of every dimension");
    const std::vector<std::int64_t> pads = call.constant_integers(1, "pads");
    const float value = call.has(2) ? call.constant(2, "constant_value").data.front() : 0.0F;
    ModelArray array = call.take(0);
    const std::size_t dimensions = array.shape.size();
    if (pads.size() != 2 * dimensions || std::ranges::any_of(pads, [](std::int64_t size) { return size < 0; }))
        call.reject(fmt::format("its pads must be {} integers, none below 0", 2 * dimensions));
    if (std::ranges::all_of(pads, [](std::int64_t size) { return size == 0; })) return array;
    NpyShape shape = array.shape;
    // In a file of a few bytes only the operands may be large.
    constexpr std::int64_t always_accepted = 16;
    for (std::size_t i = 0; i < dimensions; ++i)
        for (const std::int64_t size : {pads[i], pads[dimensions + i]}) {
            const std::int64_t max = std::max(array.shape[i], always_accepted);
            if (size > max)
                call.reject(fmt::format("it pads dimension {} of {} by {}; accepted are up to {}", i,
                                        describe(array.shape), size, max));
            shape[i] += size;
        }
    ModelArray padded = call.make_array(shape);
    std::ranges::fill(padded.data, value);
    const NpyShape strides = strides_of(shape);
    for (std::size_t i = 0; i < array.data.size(); ++i) {
        std::int64_t left = static_cast<std::int64_t>(i), at = 0;
        for (std::size_t axis = dimensions; axis-- > 0; left /= array.shape[axis])
            at += (left % array.shape[axis] + pads[axis]) * strides[axis];
        padded.data[static_cast<std::size_t>(at)] = array.data[i];
    }
    return padded;
}

ModelArray concatenate(NodeCall& call) {
    std::vector<ModelArray> parts;
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i) parts.push_back(call.take(i));
    if (parts.empty()) call.reject("it has no operand");
    NpyShape shape = parts.front().shape;
    const std::size_t axis = call.axis(1, shape.size());
    shape[axis] = 0;
    for (const ModelArray& part : parts) {
        NpyShape same = part.shape;
        if (same.size() == shape.size()) same[axis] = shape[axis];
        if (same != shape)
            call.reject(fmt::format("its operands are {} and {}; they may differ along axis {} alone",
                                    describe(parts.front().shape), describe(part.shape), axis));
        shape[axis] += part.shape[axis];
    }
    ModelArray joined = call.make_array(shape);
    const std::int64_t outer = product(shape, 0, axis);
    auto to = joined.data.begin();
    for (std::int64_t i = 0; i < outer; ++i)
        for (const ModelArray& part : parts) {
            const std::int64_t piece = std::ssize(part.data) / outer;
            to = std::copy_n(part.data.begin() + i * piece, piece, to);
        }
    return joined;
}

// Pooling.

/// Outputs along one axis. Where the last window is rounded up, it has to begin within the map or before it.
std::int64_t pooled_size(std::int64_t size, std::int64_t pad, std::int64_t padded, std::int64_t span,
                         std::int64_t stride, bool round_up) {
    const std::int64_t steps = padded - span;
    if (!round_up) return steps / stride + 1;
    const std::int64_t outputs = (steps + stride - 1) / stride + 1;
    return (outputs - 1) * stride >= size + pad ? outputs - 1 : outputs;
}

/// Calls 'pool' for each output, with it and a function that calls its argument for each element of its window.
template <class Pool>
ModelArray pool_maps(NodeCall& call, Pool pool) {
    const bool round_up = call.integer("ceil_mode", 0) != 0;
    const std::vector<std::int64_t> kernel = call.integers("kernel_shape", {0, 0}, 1);
    const ModelArray x = call.take_maps(0);
    const ConvShape window = window_shape(call, x.shape[2], x.shape[3], kernel[0], kernel[1]);
    // A window that is all padding has no maximum.
    const std::int64_t pad_h = std::max(window.pad_top(), window.pad_bottom());
    const std::int64_t pad_w = std::max(window.pad_left(), window.pad_right());
    if (pad_h > window.span_h() || pad_w > window.span_w())
        call.reject(fmt::format("its padding of {} rows or {} columns is more than its window of {}x{} spans", pad_h,
                                pad_w, window.span_h(), window.span_w()));
    const std::int64_t rows =
        pooled_size(window.h, window.pad_h, window.padded_h(), window.span_h(), window.stride_h, round_up);
    const std::int64_t columns =
        pooled_size(window.w, window.pad_w, window.padded_w(), window.span_w(), window.stride_w, round_up);
    ModelArray y = call.make_array({x.shape[0], x.shape[1], rows, columns});
    // The taps i of a window that begins at 'begin' of an axis lie at begin + i * dilation; those on the map are
    // [first, last).
    const auto first_tap = [](std::int64_t begin, std::int64_t dilation) {
        return begin < 0 ? (-begin + dilation - 1) / dilation : 0;
    };
    const auto end_tap = [](std::int64_t begin, std::int64_t dilation, std::int64_t taps, std::int64_t size) {
        return begin >= size ? 0 : std::min(taps, (size - begin + dilation - 1) / dilation);
    };
    auto result = y.data.begin();
    for (std::int64_t map = 0; map < x.shape[0] * x.shape[1]; ++map)
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column) {
                const std::int64_t top = window.x_row(row, 0), left = window.x_col(column, 0);
                const std::int64_t end_i = end_tap(top, window.dilation_h, window.r, window.h);
                const std::int64_t end_j = end_tap(left, window.dilation_w, window.s, window.w);
                // Those on the map or its padding.
                const std::int64_t padded = end_tap(top, window.dilation_h, window.r, window.h + window.pad_bottom()) *
                                            end_tap(left, window.dilation_w, window.s, window.w + window.pad_right());
                *result++ = pool(padded, [&](auto take) {
                    for (std::int64_t i = first_tap(top, window.dilation_h); i < end_i; ++i)
                        for (std::int64_t j = first_tap(left, window.dilation_w); j < end_j; ++j) {
                            const std::int64_t h = window.x_row(row, i), w = window.x_col(column, j);
                            take(x.data[static_cast<std::size_t>((map * window.h + h) * window.w + w)]);
                        }
                });
            }
    return y;
}

ModelArray max_pool(NodeCall& call) {
    call.reject_output(1, "the places of the maxima");
    return pool_maps(call, [](std::int64_t, auto each) {
        float largest = -std::numeric_limits<float>::infinity();
        each([&](float value) { largest = max_or_nan(largest, value); });
        return largest;
    });
}

ModelArray average_pool(NodeCall& call) {
    const bool with_padding = call.integer("count_include_pad", 0) != 0;
    return pool_maps(call, [with_padding](std::int64_t padded, auto each) {
        double sum = 0;
        std::int64_t count = 0;
        each([&](float value) {
            sum += static_cast<double>(value);
            ++count;
        });
        return static_cast<float>(sum / static_cast<double>(std::max<std::int64_t>(1, with_padding ? padded : count)));
    });
}

ModelArray global_average_pool(NodeCall& call) {
    const ModelArray x = call.take_maps(0);
    ModelArray y = call.make_array({x.shape[0], x.shape[1], 1, 1});
    const std::int64_t map = x.shape[2] * x.shape[3];
    for (std::size_t i = 0; i < y.data.size(); ++i) {
        const auto first = x.data.begin() + static_cast<std::int64_t>(i) * map;
        y.data[i] = static_cast<float>(std::accumulate(first, first + map, 0.0) / static_cast<double>(map));
    }
    return y;
}

struct NamedOperator {
    const char* name;
    OnnxOperator run;
};
constexpr std::array operators{NamedOperator{"Add", add},
                               NamedOperator{"AveragePool", average_pool},
                               NamedOperator{"BatchNormalization", normalize},
                               NamedOperator{"Clip", clip},
                               NamedOperator{"Concat", concatenate},
                               NamedOperator{"Dropout", pass_on},
                               NamedOperator{"Flatten", flatten},
                               NamedOperator{"GlobalAveragePool", global_average_pool},
                               NamedOperator{"Identity", pass_on},
                               NamedOperator{"MaxPool", max_pool},
                               NamedOperator{"Pad", pad},
                               NamedOperator{"Relu", rectify},
                               NamedOperator{"Reshape", reshape},
                               NamedOperator{"Softmax", softmax}};

/// From one element to the next along each of 'dimensions': 0 where the array repeats its only one.
std::vector<std::int64_t> repeating_strides(const NpyShape& shape, std::size_t dimensions) {
    std::vector<std::int64_t> strides = strides_of(shape);
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] == 1) strides[i] = 0;
    strides.insert(strides.begin(), dimensions - shape.size(), 0);
    return strides;
}

}  // namespace

OnnxOperator find_operator(std::string_view op) {
    const auto* const found = std::ranges::find(operators, op, &NamedOperator::name);
    return found == operators.end() ? nullptr : found->run;
}

std::vector<std::string> operator_names() {
    std::vector<std::string> names;
    for (const NamedOperator& each : operators) names.emplace_back(each.name);
    return names;
}

ChannelScale batch_normalization_scale(const NodeCall& call, std::int64_t channels) {
    if (call.integer("training_mode", 0) != 0) call.reject("it is in training mode; accepted is inference");
    if (call.integer("spatial", 1) == 0) call.reject("its attribute 'spatial' is 0; accepted is 1");
    for (std::size_t output = 1; output < 5; ++output) call.reject_output(output, "its statistics");
    const float epsilon = call.real("epsilon", 1e-5F);
    constexpr std::array names{"scale", "bias", "mean", "variance"};
    std::array<std::vector<float>, 4> parameters;
    for (std::size_t i = 0; i < names.size(); ++i) {
        parameters[i] = call.constant(i + 1, names[i]).data;
        if (std::ssize(parameters[i]) != channels)
            call.reject(
                fmt::format("its {} has {} elements for {} channels", names[i], parameters[i].size(), channels));
    }
    auto& [scale, bias, mean, variance] = parameters;
    for (std::size_t i = 0; i < scale.size(); ++i) {
        scale[i] /= std::sqrt(variance[i] + epsilon);
        bias[i] -= mean[i] * scale[i];
    }
    return {std::move(scale), std::move(bias)};
}

ModelArray add_arrays(const NodeCall& call, ModelArray array, ModelArray addend) {
    if (array.shape == addend.shape) {
        std::ranges::transform(array.data, addend.data, array.data.begin(), std::plus<>());
        return array;
    }
    const std::size_t dimensions = std::max(array.shape.size(), addend.shape.size());
    NpyShape shape(dimensions, 1);
    for (const NpyShape* each : {&array.shape, &addend.shape})
        for (std::size_t from_end = 1; from_end <= each->size(); ++from_end) {
            std::int64_t& size = shape[dimensions - from_end];
            const std::int64_t own = (*each)[each->size() - from_end];
            if (size != 1 && own != 1 && size != own)
                call.reject(fmt::format("its operands of {} and {} do not go together", describe(array.shape),
                                        describe(addend.shape)));
            size = std::max(size, own);
        }
    ModelArray sum = call.make_array(shape);
    const auto strides = repeating_strides(array.shape, dimensions);
    const auto addend_strides = repeating_strides(addend.shape, dimensions);
    for (std::size_t i = 0; i < sum.data.size(); ++i) {
        std::int64_t left = static_cast<std::int64_t>(i), at = 0, addend_at = 0;
        for (std::size_t axis = dimensions; axis-- > 0; left /= shape[axis]) {
            at += left % shape[axis] * strides[axis];
            addend_at += left % shape[axis] * addend_strides[axis];
        }
        sum.data[i] = array.data[static_cast<std::size_t>(at)] + addend.data[static_cast<std::size_t>(addend_at)];
    }
    return sum;
}

}  // namespace convscope
