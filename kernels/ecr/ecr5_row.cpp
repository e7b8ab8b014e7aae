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
    static constexpr int lanes = 16;
    template <int S, int Vectors>
    [[gnu::target("avx512f")]] static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, Vectors, Float16>(row, weights, sums);
    }
};

struct Avx2 {
    static constexpr int lanes = 8;
    template <int S, int Vectors>
    [[gnu::target("avx2,fma")]] static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, Vectors, Float8>(row, weights, sums);
    }
};

struct Baseline {
    static constexpr int lanes = 4;
    template <int S, int Vectors>
    static void run(const Ecr5Row& row, const float* weights, float* sums) {
        multiply<S, Vectors, Float4>(row, weights, sums);
    }
};

template <class Set, int S, int... Vectors>
Ecr5Multiply choose_vectors(std::int64_t vectors, std::integer_sequence<int, Vectors...>) {
    static constexpr std::array<Ecr5Multiply, sizeof...(Vectors)> by_vectors{&Set::template run<S, Vectors + 1>...};
    return by_vectors[static_cast<std::size_t>(vectors - 1)];
}

template <class Set, int... S>
Ecr5Multiply choose(std::int64_t s, std::int64_t vectors, std::integer_sequence<int, S...>) {
    using Choose = Ecr5Multiply (*)(std::int64_t);
    static constexpr std::array<Choose, sizeof...(S)> by_columns{[](std::int64_t count) {
        return choose_vectors<Set, S + 1>(count, std::make_integer_sequence<int, ecr5_max_vectors(S + 1)>());
    }...};
    return by_columns[static_cast<std::size_t>(s - 1)](vectors);
}

}  // namespace

std::int64_t ecr5_lanes(Isa isa) {
    return isa == Isa::avx512 ? Avx512::lanes : isa == Isa::avx2 ? Avx2::lanes : Baseline::lanes;
}

Ecr5Multiply ecr5_multiply(Isa isa, std::int64_t s, std::int64_t vectors) {
    constexpr auto all = std::make_integer_sequence<int, ecr5_max_columns>();
    if (isa == Isa::avx512) return choose<Avx512>(s, vectors, all);
    if (isa == Isa::avx2) return choose<Avx2>(s, vectors, all);
    return choose<Baseline>(s, vectors, all);
}

}  // namespace convscope
