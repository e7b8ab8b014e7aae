// Winograd's launcher and its registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/method/registry.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/winograd/winograd_kernels.h"
#include "kernels/winograd/winograd_methods.h"
#include "kernels/winograd/winograd_tiles.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class Winograd1Program final : public GpuProgram {
public:
    explicit Winograd1Program(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          places_(winograd_workspace(plan.shape)),
          input_(plan.launch("winograd_input")),
          output_(plan.launch("winograd_output")) {}

    void bind(Gpu& gpu, const GpuBuffers& buffers) override {
        V_ = reinterpret_cast<float*>(buffers.workspace);
        M_ = V_ + places_.m();
        const std::int64_t tiles = winograd_tiles(conv_shape_).count(), c = conv_shape_.c, k = conv_shape_.k;
        std::vector<const float*> v, u;
        std::vector<float*> m;
        for (std::int64_t e = 0; e < f2x2_3x3::elements; ++e) {
            v.push_back(V_ + e * places_.v_plane);
            u.push_back(buffers.prepared_weights + e * c * k);
            m.push_back(M_ + e * places_.m_plane);
        }
        products_ = gpu.make_batched_gemm({tiles, k, c, c, k, k}, v, u, m);
    }
    void unbind() override { products_.reset(); }
    std::int64_t bound_bytes() const override { return products_ ? products_->device_bytes() : 0; }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256;
        const KernelLaunch at = kernel_launch(
            "winograd_filter", "weights", {ceil_div(conv_shape_.c * conv_shape_.k, threads), 1, 1}, {threads, 1, 1});
        launch(gpu, winograd_filter, at, shape_, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "convert");
        launch(gpu, winograd_input, input_, shape_, buffers.x, V_, static_cast<long long>(places_.v_plane));
        mark(stages, "multiply");
        products_->run();
        mark(stages, "invert");
        launch(gpu, winograd_output, output_, shape_, M_, buffers.conv, static_cast<long long>(places_.m_plane));
    }
    int registers(const std::string& kernel) const override {
        return kernel == "winograd_input" ? registers_of(winograd_input) : registers_of(winograd_output);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const WinogradWorkspace places_;
    const KernelLaunch input_, output_;
    float *V_ = nullptr, *M_ = nullptr;
    std::unique_ptr<BatchedGemm> products_;
};

}  // namespace

void register_winograd(Registry& registry) {
    registry.add(make_winograd1(device_kind, make_program<Winograd1Program>, make_nhwc_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
