#include "kernels/layers/zero_patterns.h"

#include <algorithm>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/random.h"
#include "kernels/layers/choose.h"

namespace convscope {
namespace {

/// A smooth random field on an h x w map: white noise, box-filtered twice along each axis. The map wraps round, so
/// that its edges are as smooth, and vary as much, as its middle.
class SmoothField {
public:
    SmoothField(std::int64_t h, std::int64_t w)
        : h_(h), w_(w), radius_h_(radius(h)), radius_w_(radius(w)), values_(static_cast<std::size_t>(h * w)) {}

    /// Sums of 16-bit noise: below 2^33 for the largest radius.
    const std::vector<std::int64_t>& draw(Random& random, const std::stop_token& stop) {
        for (std::int64_t& value : values_) value = static_cast<std::int64_t>(random.next() >> 48);
        for (int pass = 0; pass < 2; ++pass) {
            for (std::int64_t row = 0; row < h_; ++row) filter(row * w_, w_, 1, radius_w_);
            end_when_stopped(stop);
            for (std::int64_t col = 0; col < w_; ++col) filter(col, h_, w_, radius_h_);
            end_when_stopped(stop);
        }
        return values_;
    }

private:
    /// A tenth of the map, so that a map holds a handful of regions whatever its size; 2 radius + 1 must fit.
    static std::int64_t radius(std::int64_t size) {
        return std::min(std::clamp<std::int64_t>(size / 10, 1, 8), (size - 1) / 2);
    }

    /// Replaces 'length' values, 'stride' apart from 'start', by the sums of their 2 radius + 1 neighbours.
    void filter(std::int64_t start, std::int64_t length, std::int64_t stride, std::int64_t radius) {
        line_.resize(static_cast<std::size_t>(length + 2 * radius));
        std::int64_t* line = line_.data();
        std::int64_t* values = values_.data() + start;
        for (std::int64_t i = 0; i < length; ++i) line[radius + i] = values[i * stride];
        for (std::int64_t i = 0; i < radius; ++i) {
            line[i] = line[length + i];
            line[length + radius + i] = line[radius + i];
        }
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < 2 * radius; ++i) sum += line[i];
        for (std::int64_t i = 0; i < length; ++i) {
            sum += line[i + 2 * radius];
            values[i * stride] = sum;
            sum -= line[i];
        }
    }

    std::int64_t h_, w_, radius_h_, radius_w_;
    std::vector<std::int64_t> values_, line_;
};

/// Writes relu(field - threshold) with exactly 'zeros' zeros; of values equal to the threshold, the first are zeros.
void threshold_by_rank(const std::vector<std::int64_t>& field, std::int64_t zeros, float* map) {
    const auto size = static_cast<std::int64_t>(field.size());
    if (zeros == size) {
        std::fill(map, map + size, 0.0f);
        return;
    }
    std::vector<std::int64_t> sorted = field;
    const auto kth = sorted.begin() + std::max<std::int64_t>(zeros - 1, 0);
    std::nth_element(sorted.begin(), kth, sorted.end());
    const std::int64_t threshold = *kth;
    const std::int64_t largest = *std::max_element(field.begin(), field.end());
    std::int64_t equal_zeros = zeros - std::count_if(field.begin(), field.end(), [&](auto v) { return v < threshold; });
    for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t above = field[static_cast<std::size_t>(i)] - threshold;
        const bool zero = above < 0 || (above == 0 && equal_zeros-- > 0);
        // One more than the distance keeps what equals the threshold, and is not a zero, above 0.
        map[i] =
            zero ? 0.0f
                 : static_cast<float>(static_cast<double>(above + 1) / static_cast<double>(largest - threshold + 1));
    }
}

}  // namespace

void end_when_stopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(ErrorKind::failed, "making the data was stopped");
}

std::int64_t zero_count(double sparsity, std::int64_t elements) {
    return static_cast<std::int64_t>(sparsity * static_cast<double>(elements) + 0.5);
}

void fill_nonzero(Tensor& tensor, std::uint64_t seed, bool weights, const std::stop_token& stop) {
    const Random random(seed, weights ? Stream::w_values : Stream::x_values);
    for (std::size_t i = 0; i < tensor.data.size(); ++i) {
        if (i % elements_per_check == 0) end_when_stopped(stop);
        tensor.data[i] = random.nonzero_at(i);
    }
}

void zero_uniformly(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& stop) {
    Random random(seed, Stream::zeros);
    choose(x.elements(), zeros, random, stop, [&](std::int64_t i) { x.data[static_cast<std::size_t>(i)] = 0.0f; });
}

void zero_channels(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& stop) {
    Random random(seed, Stream::zeros);
    const std::int64_t map = x.h * x.w, channel = x.n * map;
    const std::int64_t dead = zeros / channel;
    std::vector<std::int64_t> alive(static_cast<std::size_t>(x.c), 1);
    choose(x.c, dead, random, stop, [&](std::int64_t c) {
        alive[static_cast<std::size_t>(c)] = 0;
        for (std::int64_t n = 0; n < x.n; ++n) std::fill_n(x.data.begin() + x.offset(n, c, 0, 0), map, 0.0f);
    });
    if (dead == x.c) return;
    std::int64_t skip = random.below(x.c - dead), partial = 0;
    while (!alive[static_cast<std::size_t>(partial)] || skip-- > 0) ++partial;
    choose(channel, zeros % channel, random, stop, [&](std::int64_t i) {
        x.data[static_cast<std::size_t>(x.offset(i / map, partial, 0, 0) + i % map)] = 0.0f;
    });
}

void zero_pixels(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& stop) {
    Random random(seed, Stream::zeros);
    const std::int64_t map = x.h * x.w, pixels = x.n * map;
    const auto element = [&](std::int64_t pixel, std::int64_t c) -> float& {
        return x.data[static_cast<std::size_t>(x.offset(pixel / map, c, 0, 0) + pixel % map)];
    };
    // One more than are empty: it takes the rest.
    const std::int64_t rest = zeros % x.c, chosen = zeros / x.c + (rest > 0 ? 1 : 0);
    std::int64_t partial = rest > 0 ? random.below(chosen) : -1;
    choose(pixels, chosen, random, stop, [&](std::int64_t pixel) {
        if (partial-- == 0)
            choose(x.c, rest, random, stop, [&](std::int64_t c) { element(pixel, c) = 0.0f; });
        else
            for (std::int64_t c = 0; c < x.c; ++c) element(pixel, c) = 0.0f;
    });
}

void fill_blobs(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& stop) {
    Random random(seed, Stream::field);
    SmoothField field(x.h, x.w);
    const std::int64_t maps = x.n * x.c, size = x.h * x.w;
    for (std::int64_t m = 0; m < maps; ++m) {
        // Running totals leave no rounding: the shares of all maps add up to 'zeros'.
        const std::int64_t share = zeros * (m + 1) / maps - zeros * m / maps;
        threshold_by_rank(field.draw(random, stop), share, x.data.data() + m * size);
    }
}

}  // namespace convscope
