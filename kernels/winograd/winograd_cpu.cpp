// Winograd F(2x2, 3x3) on the CPU: Cho & Brand's Wino.cpu after Lavin 2015, Algorithm 1.
//
// V [16][tiles][c] times U [16][c][k] is M [16][tiles][k], element by element of the tiles: 16 products with the
// weights on the right, as in im2col and MEC. A pass takes as many tiles as keep V and M in the cache, so that what the
// transforms write is read again before it leaves; the workspace is that of the passes under way, whatever the size of
// the map.
#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "kernels/core/ceil_div.h"
#include "kernels/core/parallel.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/method/registry.h"
#include "kernels/winograd/tile_transforms.h"
#include "kernels/winograd/winograd_passes.h"

namespace convscope {
namespace {

constexpr std::int64_t products = f2x2_3x3::elements;

class Winograd1 final : public CpuExecution {
public:
    Winograd1(const ConvShape& shape, bool openblas)
        : CpuExecution(shape, Layout::nhwc),
          tiles_(winograd_tiles(shape)),
          passes_(winograd_passes(shape)),
          v_plane_(winograd_plane(passes_.tiles, shape.c)),
          m_plane_(winograd_plane(passes_.tiles, shape.k)),
          openblas_(openblas),
          gemm_(shape.c, shape.k),
          u_plane_(openblas ? shape.c * shape.k : gemm_.elements()),
          transforms_(tile_transforms(best_isa())),
          V_(passes_.at_once * products * v_plane_),
          M_(passes_.at_once * products * m_plane_),
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
    // The steps of a pass are parallel loops, which become plain ones where the passes are shared out among the
    // threads. The first thread then marks the stages: all do the same work side by side.
    void convolve(float* y, StageClock* stages) override {
        const std::int64_t tiles = tiles_.count(), step = passes_.tiles;
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(passes_.at_once)) if (passes_.at_once > 1)
        for (std::int64_t first = 0; first < tiles; first += step) {
            const int thread = omp_get_thread_num();
            StageClock* clock = thread == 0 ? stages : nullptr;
            float* V = V_.data() + thread * products * v_plane_;
            float* M = M_.data() + thread * products * m_plane_;
            const std::int64_t count = std::min(step, tiles - first);
            mark(clock, "convert");
            transform_input(first, count, V);
            mark(clock, "multiply");
            multiply(count, V, M);
            mark(clock, "invert");
            transform_output(first, count, M, y);
        }
    }

    void transform_input(std::int64_t first, std::int64_t count, float* V);
    void multiply(std::int64_t count, const float* V, float* M);
    void transform_output(std::int64_t first, std::int64_t count, const float* M, float* y);

    /// Image, and row and column of the tile's corner, in tiles.
    struct Place {
        std::int64_t image, row, column;
    };
    Place place(std::int64_t tile) const {
        return {tile / (tiles_.h * tiles_.w), tile / tiles_.w % tiles_.h, tile % tiles_.w};
    }

    WinogradTiles tiles_;
    WinogradPasses passes_;
    std::int64_t v_plane_, m_plane_;
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

void Winograd1::transform_input(std::int64_t first, std::int64_t count, float* V) {
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
            transforms_.data(d.data(), V + i * s.c, v_plane_, s.c);
        }
    }
}

/// The products side by side, each cut by tiles where there are fewer of them than threads to go round.
void Winograd1::multiply(std::int64_t count, const float* V, float* M) {
    const std::int64_t c = shape().c, k = shape().k;
    constexpr std::int64_t fewest_rows = 48;
    const std::int64_t parts = std::clamp<std::int64_t>(omp_get_max_threads() / 4, 1, ceil_div(count, fewest_rows));
#pragma omp parallel for collapse(2) schedule(dynamic) if (worth_threads(products * count * c * k))
    for (std::int64_t e = 0; e < products; ++e)
        for (std::int64_t part = 0; part < parts; ++part) {
            const std::int64_t begin = count * part / parts, rows = count * (part + 1) / parts - begin;
            const float* a = V + e * v_plane_ + begin * c;
            const float* u = U_.data() + e * u_plane_;
            float* m = M + e * m_plane_ + begin * k;
            if (openblas_)
                sgemm({rows, k, c, c, k, k}, a, u, m);
            else
                gemm_.multiply(u, {.count = 1, .rows = rows, .lda = c, .a = [a](std::int64_t) { return a; }, .c = m});
        }
}

void Winograd1::transform_output(std::int64_t first, std::int64_t count, const float* M, float* y) {
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
            transforms_.inverse(M + i * s.k, m_plane_, output.data(), s.k);
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
    info.flops_executed = winograd_flops;
    info.stages = {"convert", "multiply", "invert", "pool"};
    registry.add(make_cpu_method(
        {info, {openblas_tunable()}, winograd_accepts, [](const ConvShape& shape, const LaunchConfig& config) {
             const bool openblas = tunable_value(openblas_tunable(), config) == 1;
             return std::make_unique<Winograd1>(shape, openblas);
         }}));
}

}  // namespace convscope
