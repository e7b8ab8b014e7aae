#include "kernels/layers/weight_patterns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "kernels/layers/choose.h"
#include "kernels/layers/zero_patterns.h"

namespace convscope {
namespace {

/// |w| as an integer in the same order, with NaN as the largest: the comparison is the same on every machine.
std::uint32_t magnitude(float w) {
    return std::bit_cast<std::uint32_t>(w) & 0x7fffffff;
}

void zero_uniformly(Tensor& w, std::int64_t zeros, Random& random, const std::stop_token& stop) {
    const std::int64_t there = std::ranges::count(w.data, 0.0F);
    auto next = w.data.begin();
    std::int64_t passed = 0;
    choose(w.elements() - there, zeros - there, random, stop, [&](std::int64_t nth) {
        while (*next == 0.0F || passed++ < nth) ++next;
        *next++ = 0.0F;
    });
}

void keep_two_of_four(Tensor& w, const std::stop_token& stop) {
    const std::int64_t taps = w.h * w.w;
    for (std::int64_t filter = 0; filter < w.n; ++filter) {
        end_when_stopped(stop);
        for (std::int64_t c = 0; c < w.c; c += 4)
            for (std::int64_t tap = 0; tap < taps; ++tap) {
                float* const first = w.data.data() + (filter * w.c + c) * taps + tap;
                std::array<std::uint32_t, 4> size{};
                const auto channels = static_cast<std::size_t>(std::min<std::int64_t>(4, w.c - c));
                const auto weight = [&](std::size_t i) -> float& { return first[static_cast<std::int64_t>(i) * taps]; };
                for (std::size_t i = 0; i < channels; ++i) size[i] = magnitude(weight(i));
                for (std::size_t i = 0; i < channels; ++i) {
                    int before = 0;  // weights that stay rather than this one
                    for (std::size_t j = 0; j < channels; ++j)
                        before += size[j] > size[i] || (size[j] == size[i] && j < i) ? 1 : 0;
                    if (before >= 2) weight(i) = 0.0F;
                }
            }
    }
}

/// Zeroes whole pieces in a random order, and of the last one as many elements as are left of 'zeros'. Piece 0 is the
/// largest; 'element' gives a piece's elements.
template <class Size, class Element>
void zero_whole(std::int64_t pieces, std::int64_t zeros, Random& random, const std::stop_token& stop, Size size,
                Element element) {
    std::vector<char> live(static_cast<std::size_t>(pieces), 1);
    for (std::int64_t alive = pieces; zeros > 0;) {
        const std::int64_t fit = std::max<std::int64_t>(1, zeros / size(0));
        std::int64_t piece = -1, passed = -1;
        choose(alive, fit, random, stop, [&](std::int64_t nth) {
            while (passed < nth) passed += live[static_cast<std::size_t>(++piece)];
            live[static_cast<std::size_t>(piece)] = 0;
            const std::int64_t in_piece = std::min(zeros, size(piece));
            choose(size(piece), in_piece, random, stop, [&](std::int64_t i) { element(piece, i) = 0.0F; });
            zeros -= in_piece;
        });
        alive -= fit;  // smaller pieces at the edges leave some of the count for another round
    }
}

void zero_rows(Tensor& w, std::int64_t zeros, Random& random, const std::stop_token& stop) {
    const std::int64_t filter = w.c * w.h * w.w;
    zero_whole(
        w.n, zeros, random, stop, [filter](std::int64_t) { return filter; },
        [&](std::int64_t k, std::int64_t i) -> float& { return w.data[static_cast<std::size_t>(k * filter + i)]; });
}

void zero_blocks(Tensor& w, std::int64_t zeros, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = w.n, cols = w.c * w.h * w.w, across = (cols + weight_block - 1) / weight_block;
    const auto width = [=](std::int64_t block) { return std::min(weight_block, cols - block % across * weight_block); };
    zero_whole(
        (rows + weight_block - 1) / weight_block * across, zeros, random, stop,
        [&](std::int64_t block) { return std::min(weight_block, rows - block / across * weight_block) * width(block); },
        [&](std::int64_t block, std::int64_t i) -> float& {
            const std::int64_t row = block / across * weight_block + i / width(block),
                               col = block % across * weight_block + i % width(block);
            return w.data[static_cast<std::size_t>(row * cols + col)];
        });
}

void zero_smallest(Tensor& w, std::int64_t zeros, const std::stop_token& stop) {
    std::vector<std::uint32_t> sorted(w.data.size());
    std::ranges::transform(w.data, sorted.begin(), magnitude);
    end_when_stopped(stop);
    std::ranges::nth_element(sorted, sorted.begin() + (zeros - 1));
    end_when_stopped(stop);
    const std::uint32_t threshold = sorted[static_cast<std::size_t>(zeros - 1)];
    std::int64_t equal = zeros - std::count_if(sorted.begin(), sorted.begin() + zeros,
                                               [threshold](std::uint32_t each) { return each < threshold; });
    for (float& value : w.data)
        if (const std::uint32_t each = magnitude(value); each < threshold || (each == threshold && equal-- > 0))
            value = 0.0F;
}

}  // namespace

void prune_weights(Tensor& w, const WorkloadSpec& spec, const std::stop_token& stop) {
    const std::int64_t zeros = zero_count(spec.weight_sparsity, w.elements());
    if (zeros == 0) return;
    Random random(spec.seed, Stream::weight_zeros);
    switch (spec.weight_pattern) {
        case WeightPattern::uniform:
            return zero_uniformly(w, zeros, random, stop);
        case WeightPattern::two_of_four:
            return keep_two_of_four(w, stop);
        case WeightPattern::rows:
            return zero_rows(w, zeros, random, stop);
        case WeightPattern::blocks:
            return zero_blocks(w, zeros, random, stop);
        case WeightPattern::magnitude:
            return zero_smallest(w, zeros, stop);
    }
}

}  // namespace convscope
