#include "tests/support/random_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace convscope::testing {
namespace {

void add_pooling(ConvShape& shape, Random& random) {
    shape.pool_h = random.between(1, std::min<std::int64_t>(4, shape.p()));
    shape.pool_w = random.between(1, std::min<std::int64_t>(4, shape.q()));
    shape.pool_stride = random.between(1, 4);  // below the window's size the windows overlap
}

void as_most_layers(ConvShape& shape, Random& random) {
    const std::int64_t most = std::min<std::int64_t>({5, shape.padded_h(), shape.padded_w()});
    shape.r = shape.s = random.between(0, (most - 1) / 2) * 2 + 1;
    shape.stride_h = shape.stride_w = 1;
}

ConvShape random_shape(Random& random, std::size_t i) {
    ConvShape shape;
    if (i % 3 != 0) {
        shape.n = random.between(1, 3);
        shape.c = i % 6 == 1 ? 1 : random.between(1, 20);
        shape.k = random.between(1, 40);
    }
    shape.h = random.between(1, 16);
    shape.w = random.between(1, 16);
    shape.pad_h = random.between(0, 3);
    shape.pad_w = random.between(0, 3);
    shape.r = random.between(1, std::min<std::int64_t>(5, shape.padded_h()));
    shape.s = random.between(1, std::min<std::int64_t>(5, shape.padded_w()));
    shape.stride_h = random.between(1, 4);
    shape.stride_w = random.between(1, 4);
    if (random.between(0, 1) == 1) as_most_layers(shape, random);
    if (random.between(0, 1) == 1) add_pooling(shape, random);
    return shape;
}

}  // namespace

std::uint64_t Random::next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

std::int64_t Random::between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
}

float Random::value() {
    const auto magnitude = static_cast<float>(between(1, 1 << 20)) / static_cast<float>(1 << 20);
    return between(0, 1) == 1 ? magnitude : -magnitude;
}

std::vector<ConvShape> random_shapes(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<ConvShape> shapes;
    for (std::size_t i = 0; i < count; ++i) shapes.push_back(random_shape(random, i));
    return shapes;
}

std::vector<ConvShape> fully_connected_shapes(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<ConvShape> shapes(count);
    for (ConvShape& shape : shapes) {
        shape.n = random.between(1, 4);
        shape.c = random.between(1, 500);
        shape.k = random.between(1, 100);
    }
    return shapes;
}

std::vector<ConvShape> shapes_of_all_kinds(std::size_t count, std::uint64_t seed) {
    std::vector<ConvShape> shapes = random_shapes(count, seed);
    const std::vector<ConvShape> connected = fully_connected_shapes(count / 4, seed);
    shapes.insert(shapes.end(), connected.begin(), connected.end());
    return shapes;
}

std::vector<ConvShape> dilated_and_grouped_shapes(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<ConvShape> shapes;
    while (shapes.size() < count) {
        ConvShape shape = random_shape(random, shapes.size());
        const std::size_t kind = shapes.size() / 3 % 3;  // of each kind of random_shape()
        if (kind != 0) {
            shape.groups = random.between(2, 4);
            shape.c *= shape.groups;
            shape.k *= shape.groups;
        }
        if (kind != 1) {
            shape.dilation_h = random.between(1, 3);
            shape.dilation_w = random.between(shape.dilation_h == 1 ? 2 : 1, 3);
            shape.h += shape.span_h() - shape.r;
            shape.w += shape.span_w() - shape.s;
        }
        shapes.push_back(shape);
    }
    return shapes;
}

std::vector<ConvShape> shapes_padded_by_side(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<ConvShape> shapes;
    for (std::size_t i = 0; shapes.size() < count; ++i) {
        ConvShape shape = random_shape(random, i);
        if (i % 3 == 2) {
            shape.r = 2 * random.between(1, 2);
            shape.s = 2 * random.between(1, 2);
            pad_same(shape);
        } else {
            shape.pad_extra_h = random.between(std::max(-shape.pad_h, shape.r - shape.padded_h()), 3);
            shape.pad_extra_w = random.between(std::max(-shape.pad_w, shape.s - shape.padded_w()), 3);
        }
        const bool pools = shape.pool_h <= shape.p() && shape.pool_w <= shape.q();
        if (shape.padded_by_side() && pools) shapes.push_back(shape);
    }
    return shapes;
}

Workload random_workload(const ConvShape& shape, double sparsity, std::uint64_t seed) {
    Random random(seed);
    Workload workload;
    workload.spec.name = "custom";
    workload.spec.shape = shape;
    workload.spec.sparsity = sparsity;
    workload.spec.seed = seed;
    workload.x = Tensor(shape.n, shape.c, shape.h, shape.w);
    workload.w = Tensor(shape.k, shape.group_channels(), shape.r, shape.s);
    for (float& value : workload.x.data) value = random.value();
    for (float& value : workload.w.data) value = random.value();
    // Zeros first, then a shuffle: random places, exactly as many as requested.
    std::vector<float>& x = workload.x.data;
    std::fill_n(x.begin(), std::llround(sparsity * static_cast<double>(x.size())), 0.0f);
    for (std::int64_t i = shape.x_elements() - 1; i > 0; --i) std::swap(x[i], x[random.between(0, i)]);
    workload.sparsity_measured =
        static_cast<double>(std::ranges::count(x, 0.0f)) / static_cast<double>(shape.x_elements());
    return workload;
}

double sparsity_of(std::size_t i) {
    constexpr double values[] = {0.0, 0.5, 0.85, 1.0, 0.3, 0.95, 0.7};
    return values[i % std::size(values)];
}

}  // namespace convscope::testing
