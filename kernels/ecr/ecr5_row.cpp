#include "kernels/ecr/ecr5_row.h"

#include <array>
#include <utility>

namespace convscope {
namespace {

using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using Float16 = float __attribute__((vector_size(64), aligned(4), may_alias));

/// 'live' holds the sums that the elements of one column meet. When the row goes on by a column, one of them is done
/// and the next one comes in.
template <int S, int Vectors, class Vector>
[[gnu::always_inline]] inline void multiply(const Ecr5Row& row, const float* weights, float* sums) {
    auto* places = reinterpret_cast<Vector*>(sums);
    Vector live[S][Vectors];
    for (int s = 1; s < S; ++s)
        for (int v = 0; v < Vectors; ++v) live[s][v] = places[(S - 1 - s) * Vectors + v];
    for (std::int64_t column = 0; column < row.columns; ++column, places += Vectors) {
        for (int v = 0; v < Vectors; ++v) live[0][v] = places[(S - 1) * Vectors + v];
        for (std::int32_t i = row.begin[column]; i < row.begin[column + 1]; ++i) {
            const float value = row.values[i];
            const auto* met = reinterpret_cast<const Vector*>(weights + row.offsets[i]);
            for (int s = 0; s < S; ++s)
                for (int v = 0; v < Vectors; ++v) live[s][v] += met[s * Vectors + v] * value;
        }
        for (int v = 0; v < Vectors; ++v) places[v] = live[S - 1][v];
        for (int s = S - 1; s > 0; --s)
            for (int v = 0; v < Vectors; ++v) live[s][v] = live[s - 1][v];
    }
    for (int s = 1; s < S; ++s)
        for (int v = 0; v < Vectors; ++v) places[(S - 1 - s) * Vectors + v] = live[s][v];
}

struct Avx512 {
    static constexpr int width = 64;
    template <int S>
    [[gnu::target("avx512f")]] static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, width / 16, Float16>(row, weights, sums);
    }
};

struct Avx2 {
    static constexpr int width = 32;
    template <int S>
    [[gnu::target("avx2,fma")]] static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, width / 8, Float8>(row, weights, sums);
    }
};

struct Baseline {
    static constexpr int width = 16;
    template <int S>
    static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, width / 4, Float4>(row, weights, sums);
    }
};

template <class Set, int... S>
Ecr5Multiply choose(std::int64_t s, std::integer_sequence<int, S...>) {
    static constexpr std::array<Ecr5Multiply, sizeof...(S)> by_columns{&Set::template run<S + 1>...};
    return by_columns[static_cast<std::size_t>(s - 1)];
}

}  // namespace

std::int64_t ecr5_width(Isa isa) {
    return isa == Isa::avx512 ? Avx512::width : isa == Isa::avx2 ? Avx2::width : Baseline::width;
}

Ecr5Multiply ecr5_multiply(Isa isa, std::int64_t s) {
    constexpr auto all = std::make_integer_sequence<int, ecr5_max_columns>();
    if (isa == Isa::avx512) return choose<Avx512>(s, all);
    if (isa == Isa::avx2) return choose<Avx2>(s, all);
    return choose<Baseline>(s, all);
}

}  // namespace convscope
