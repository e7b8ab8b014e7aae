// Winograd F(2x2, 3x3) on the CPU: Cho & Brand's Wino.cpu after Lavin 2015, Algorithm 1.
//
// V [16][tiles][c] times U [16][c][k] is M [16][tiles][k], element by element of the tiles: 16 products with the
// weights on the right, as in im2col and MEC. A pass takes as many tiles as keep V and M in the cache, so that what the
// transforms write is read again before it leaves; the workspace is that of one pass, whatever the size of the map.
#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "kernels/core/registry.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/winograd/tile_transforms.h"
#include "kernels/winograd/winograd_tiles.h"

namespace convscope {
namespace {

constexpr std::int64_t products = f2x2_3x3::elements;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Tiles of one pass: as many as fill a second-level cache or two with V and M, but enough to make it worth streaming U
/// past them; passes of equal size.
std::int64_t tiles_of_pass(const ConvShape& shape) {
    constexpr std::int64_t cache_bytes = 2 << 20, fewest = 96;
    const std::int64_t tiles = winograd_tiles(shape).count();
    const std::int64_t fit = cache_bytes / (products * (shape.c + shape.k) * std::int64_t{sizeof(float)});
    return ceil_div(tiles, ceil_div(tiles, std::max(fit, fewest)));
}

/// From one plane of V or M to the next. A cache line more than the rows take: planes a multiple of 4096 bytes apart
/// would share the lines of a first-level cache, and there are more of them than it has ways.
std::int64_t plane_elements(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t line = 16;
    return (ceil_div(rows * columns, line) + 1) * line;
}

class Winograd1 final : public CpuExecution {
public:
    Winograd1(const ConvShape& shape, bool openblas)
        : CpuExecution(shape, Layout::nhwc),
          tiles_(winograd_tiles(shape)),
          pass_(tiles_of_pass(shape)),
          v_plane_(plane_elements(pass_, shape.c)),
          m_plane_(plane_elements(pass_, shape.k)),
          openblas_(openblas),
          gemm_(shape.c, shape.k),
          u_plane_(openblas ? shape.c * shape.k : gemm_.elements()),
          transforms_(tile_transforms(best_isa())),
          V_(products * v_plane_),
          M_(products * m_plane_),
          U_(products * u_plane_) {
        use_workspace(V_);
        use_workspace(M_);
        use_weights(U_);
    }

    void prepare_weights() override;

    /// U replaces w; what it holds beyond w counts. (How a product pads its packed weights does not, as elsewhere.)
    std::int64_t workspace_bytes() const override {
        const std::int64_t beyond_w = winograd_filter_elements(shape()) - shape().w_elements();
        return CpuExecution::workspace_bytes() + beyond_w * std::int64_t{sizeof(float)};
    }

private:
    void convolve(float* y, StageClock* stages) override {
        for (std::int64_t first = 0; first < tiles_.count(); first += pass_) {
            const std::int64_t count = std::min(pass_, tiles_.count() - first);
            mark(stages, "convert");
            transform_input(first, count);
            mark(stages, "multiply");
            multiply(count);
            transform_output(first, count, y);
        }
    }

    void transform_input(std::int64_t first, std::int64_t count);
    void multiply(std::int64_t count);
    void transform_output(std::int64_t first, std::int64_t count, float* y);

    /// Image, and row and column of the tile's corner, in tiles.
    struct Place {
        std::int64_t image, row, column;
    };
    Place place(std::int64_t tile) const {
        return {tile / (tiles_.h * tiles_.w), tile / tiles_.w % tiles_.h, tile % tiles_.w};
    }

    WinogradTiles tiles_;
    std::int64_t pass_, v_plane_, m_plane_;
    bool openblas_;
    PackedGemm gemm_;  // of one element of the tiles
    std::int64_t u_plane_;
    const TileTransforms& transforms_;
    AlignedBuffer<float> V_, M_, U_;
};

void Winograd1::prepare_weights() {
    const std::int64_t c = shape().c, k = shape().k;
    AlignedBuffer<float> transformed(winograd_filter_elements(shape()));
    transformed.allocate();
#pragma omp parallel for if (worth_threads(transformed.size()))
    for (std::int64_t channel = 0; channel < c; ++channel)
        for (std::int64_t filter = 0; filter < k; ++filter) {
            float g[3][3], u[4][4];
            std::copy_n(w() + (filter * c + channel) * 9, 9, &g[0][0]);
            f2x2_3x3::transform_filter(g, u);
            for (std::int64_t e = 0; e < products; ++e)
                transformed.data()[(e * c + channel) * k + filter] = u[e / 4][e % 4];
        }
    for (std::int64_t e = 0; e < products; ++e) {
        const float* from = transformed.data() + e * c * k;
        float* to = U_.data() + e * u_plane_;
        openblas_ ? static_cast<void>(std::copy_n(from, c * k, to)) : gemm_.pack(from, to);
    }
}

void Winograd1::transform_input(std::int64_t first, std::int64_t count) {
    const ConvShape& s = shape();
#pragma omp parallel if (worth_threads(count * s.c * products))
    {
        const std::vector<float> padding(static_cast<std::size_t>(s.c), 0.0f);
#pragma omp for
        for (std::int64_t i = 0; i < count; ++i) {
            const auto [image, tile_row, tile_column] = place(first + i);
            std::array<const float*, 16> d;
            for (std::int64_t e = 0; e < 16; ++e) {
                const std::int64_t h = 2 * tile_row - s.pad_h + e / 4, w = 2 * tile_column - s.pad_w + e % 4;
                const bool inside = h >= 0 && h < s.h && w >= 0 && w < s.w;
                d[static_cast<std::size_t>(e)] = inside ? x() + ((image * s.h + h) * s.w + w) * s.c : padding.data();
            }
            transforms_.data(d.data(), V_.data() + i * s.c, v_plane_, s.c);
        }
    }
}

/// The products one beside the other, each cut by tiles where there are fewer of them than threads to go round.
void Winograd1::multiply(std::int64_t count) {
    const std::int64_t c = shape().c, k = shape().k;
    constexpr std::int64_t fewest_rows = 48;
    const std::int64_t parts = std::clamp<std::int64_t>(omp_get_max_threads() / 4, 1, ceil_div(count, fewest_rows));
#pragma omp parallel for collapse(2) schedule(dynamic) if (worth_threads(products * count * c * k))
    for (std::int64_t e = 0; e < products; ++e)
        for (std::int64_t part = 0; part < parts; ++part) {
            const std::int64_t begin = count * part / parts, rows = count * (part + 1) / parts - begin;
            const float* a = V_.data() + e * v_plane_ + begin * c;
            const float* u = U_.data() + e * u_plane_;
            float* m = M_.data() + e * m_plane_ + begin * k;
            if (openblas_)
                sgemm({rows, k, c, c, k, k}, a, u, m);
            else
                gemm_.multiply(u, {.count = 1, .rows = rows, .lda = c, .a = [a](std::int64_t) { return a; }, .c = m});
        }
}

void Winograd1::transform_output(std::int64_t first, std::int64_t count, float* y) {
    const ConvShape& s = shape();
    const std::int64_t p = s.p(), q = s.q();
#pragma omp parallel if (worth_threads(count * s.k * products))
    {
        std::vector<float> dropped(static_cast<std::size_t>(s.k));  // what lies beyond the edge
#pragma omp for
        for (std::int64_t i = 0; i < count; ++i) {
            const auto [image, tile_row, tile_column] = place(first + i);
            std::array<float*, 4> output;
            for (std::int64_t e = 0; e < 4; ++e) {
                const std::int64_t row = 2 * tile_row + e / 2, column = 2 * tile_column + e % 2;
                const bool inside = row < p && column < q;
                output[static_cast<std::size_t>(e)] =
                    inside ? y + ((image * p + row) * q + column) * s.k : dropped.data();
            }
            transforms_.inverse(M_.data() + i * s.k, m_plane_, output.data(), s.k);
        }
    }
}

}  // namespace

void register_winograd(Registry& registry) {
    MethodInfo info;
    info.id = "winograd1";
    info.family = "winograd";
    info.title = "Winograd F(2x2, 3x3)";
    info.paper = "Cho & Brand 2017";
    info.follows = "Wino.cpu; Lavin 2015, Algorithm 1";
    info.layout = Layout::nhwc;
    info.summation = Summation::f2x2_3x3;
    info.stages = {"convert", "multiply", "pool"};
    registry.add(make_cpu_method(
        {info, {openblas_tunable()}, winograd_accepts, [](const ConvShape& shape, const LaunchConfig& config) {
             const bool openblas = tunable_value(openblas_tunable(), config) == 1;
             return std::make_unique<Winograd1>(shape, openblas);
         }}));
}

}  // namespace convscope
