// The sparse products' launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/core/ceil_div.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/spmm/spmm_kernels.h"
#include "kernels/spmm/spmm_methods.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

/// One convolution: im2col's matrix, its format, the product. A derived class has the format and the product.
class SpmmProgram : public GpuProgram {
public:
    SpmmProgram(SpmmMethod method, const GpuPlan& plan)
        : plan_(plan),
          shape_(spmm_shape(plan.shape)),
          workspace_(spmm_workspace(method, plan.shape)),
          choice_(spmm_choice(method, plan.shape, plan.config)) {}

    void bind(Gpu&, const GpuBuffers& buffers) final { buffers_ = buffers; }
    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) final {
        // Gaps between the rows, too, are memory that somebody wrote.
        if (shape_.leading > shape_.filters)
            gpu.fill_bytes(
                buffers.prepared_weights, 0,
                static_cast<std::size_t>(shape_.depth) * static_cast<std::size_t>(shape_.leading) * sizeof(float));
        transpose_weights(gpu, plan_.shape, buffers, WeightOrder::rsc_k, shape_.leading);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) final {
        mark(stages, "extend");
        lower_windows(gpu, plan_.launch("im2col_lower"), plan_.shape, buffers.x, array<float>(Space::matrix));
        mark(stages, "compress");
        compress(gpu);
        mark(stages, "multiply");
        multiply(gpu);
    }

protected:
    using Space = SpmmWorkspace;

    virtual void compress(Gpu&) const = 0;
    virtual void multiply(Gpu&) const = 0;

    template <class T>
    T* array(Space::Array which) const {
        return reinterpret_cast<T*>(buffers_.workspace + workspace_.begin(which));
    }
    template <class... Parameters, class... Arguments>
    void start(Gpu& gpu, const char* name, void (*kernel)(SpmmShape, Parameters...),
               const Arguments&... arguments) const {
        launch(gpu, kernel, plan_.launch(name), shape_, arguments...);
    }
    /// The last kernel, whose last arguments are w and y.
    template <class... Parameters, class... Arguments>
    void start_product(Gpu& gpu, const char* name, void (*kernel)(SpmmShape, Parameters...),
                       const Arguments&... arguments) const {
        start(gpu, name, kernel, arguments..., buffers_.prepared_weights, buffers_.conv);
    }

    /// CSR's arrays.
    void compress_rows(Gpu& gpu, const CompactedMatrix& matrix) const {
        int *counts = array<int>(Space::counts), *offsets = array<int>(Space::offsets);
        count_nonzeros(gpu, plan_.launch("csr_count"), matrix, counts);
        sum_counts(gpu, plan_.launch("csr_scan"), matrix, counts, offsets + matrix.rows);
        move_nonzeros(gpu, plan_.launch("csr_fill"), matrix, counts, array<float>(Space::values),
                      array<int>(Space::columns), offsets);
    }
    CompactedMatrix im2col_matrix() const {
        return {array<float>(Space::matrix), shape_.rows, shape_.depth, choice_.tile};
    }

    const GpuPlan plan_;
    const SpmmShape shape_;
    const SpmmWorkspace workspace_;
    const SpmmChoice choice_;
    GpuBuffers buffers_;
};

class Csr2Program final : public SpmmProgram {
public:
    explicit Csr2Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::csr2, plan),
          kernel_(choice_.filters == 4   ? csr2_multiply<4>
                  : choice_.filters == 8 ? csr2_multiply<8>
                                         : csr2_multiply<16>) {}

    void compress(Gpu& gpu) const override { compress_rows(gpu, im2col_matrix()); }
    void multiply(Gpu& gpu) const override {
        start_product(gpu, "csr2_multiply", kernel_, array<int>(Space::offsets), array<int>(Space::columns),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        return kernel == "csr2_multiply" ? registers_of(kernel_) : 0;
    }

private:
    decltype(&csr2_multiply<4>) const kernel_;
};

class Csr3Program final : public SpmmProgram {
public:
    explicit Csr3Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::csr3, plan), kernel_(choice_.filters == 4 ? csr3_multiply<4> : csr3_multiply<1>) {}

    void compress(Gpu& gpu) const override { compress_rows(gpu, im2col_matrix()); }
    void multiply(Gpu& gpu) const override {
        start_product(gpu, "csr3_multiply", kernel_, array<int>(Space::offsets), array<int>(Space::columns),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        return kernel == "csr3_multiply" ? registers_of(kernel_) : 0;
    }

private:
    decltype(&csr3_multiply<4>) const kernel_;
};

class Ell1Program final : public SpmmProgram {
public:
    explicit Ell1Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::ell1, plan),
          kernel_(choice_.filters == 4   ? ell_multiply<4>
                  : choice_.filters == 8 ? ell_multiply<8>
                                         : ell_multiply<16>) {}

    void compress(Gpu& gpu) const override {
        int *counts = array<int>(Space::counts), *width = array<int>(Space::offsets);
        count_nonzeros(gpu, plan_.launch("csr_count"), im2col_matrix(), counts);  // a tile is a row
        gpu.fill_bytes(width, 0, sizeof(int));
        start(gpu, "ell_width", ell_width, counts, width);
        start(gpu, "ell_fill", ell_fill, array<float>(Space::matrix), width, array<int>(Space::columns),
              array<float>(Space::values));
    }
    void multiply(Gpu& gpu) const override {
        start_product(gpu, "ell_multiply", kernel_, array<int>(Space::offsets), array<int>(Space::columns),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "ell_width") return registers_of(ell_width);
        if (kernel == "ell_fill") return registers_of(ell_fill);
        return kernel == "ell_multiply" ? registers_of(kernel_) : 0;
    }

private:
    decltype(&ell_multiply<4>) const kernel_;
};

class Bitmap1Program final : public SpmmProgram {
public:
    explicit Bitmap1Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::bitmap1, plan),
          kernel_(choice_.filters == 4 ? bitmap_multiply<4> : bitmap_multiply<1>) {}

    void compress(Gpu& gpu) const override {
        const CompactedMatrix matrix = im2col_matrix();  // a tile is some rows
        int* counts = array<int>(Space::counts);
        count_nonzeros(gpu, plan_.launch("csr_count"), matrix, counts);
        sum_counts(gpu, plan_.launch("csr_scan"), matrix, counts,
                   counts + ceil_div(matrix.rows * matrix.row_length, matrix.tile));
        start(gpu, "bitmap_fill", bitmap_fill, static_cast<int>(matrix.tile / matrix.row_length), matrix.elements,
              counts, array<unsigned>(Space::bits), array<int>(Space::offsets), array<float>(Space::values));
    }
    void multiply(Gpu& gpu) const override {
        start_product(gpu, "bitmap_multiply", kernel_, array<unsigned>(Space::bits), array<int>(Space::offsets),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "bitmap_fill") return registers_of(bitmap_fill);
        return kernel == "bitmap_multiply" ? registers_of(kernel_) : 0;
    }

private:
    decltype(&bitmap_multiply<4>) const kernel_;
};

class Bsr1Program final : public SpmmProgram {
public:
    explicit Bsr1Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::bsr1, plan),
          kernels_(choice_.block == 2   ? kernels_of<2>(choice_.filters)
                   : choice_.block == 4 ? kernels_of<4>(choice_.filters)
                                        : kernels_of<8>(choice_.filters)) {}

    void compress(Gpu& gpu) const override {
        const CompactedMatrix blocks{array<float>(Space::flags), ceil_div(shape_.rows, choice_.block),
                                     ceil_div(shape_.depth, choice_.block), choice_.tile};
        const auto* matrix = array<float>(Space::matrix);
        start(gpu, "bsr_flag", kernels_.flag, matrix, array<float>(Space::flags));
        compress_rows(gpu, blocks);  // their values, which are flags, are written over
        start(gpu, "bsr_fill", kernels_.fill, matrix, array<int>(Space::offsets), array<int>(Space::columns),
              array<float>(Space::values));
    }
    void multiply(Gpu& gpu) const override {
        start_product(gpu, "bsr_multiply", kernels_.multiply, array<int>(Space::offsets), array<int>(Space::columns),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "bsr_flag") return registers_of(kernels_.flag);
        if (kernel == "bsr_fill") return registers_of(kernels_.fill);
        return kernel == "bsr_multiply" ? registers_of(kernels_.multiply) : 0;
    }

private:
    struct Kernels {
        decltype(&bsr_flag<2>) flag;
        decltype(&bsr_fill<2>) fill;
        decltype(&bsr_multiply<4, 2>) multiply;
    };
    template <int B>
    static Kernels kernels_of(std::int64_t filters) {
        return {bsr_flag<B>, bsr_fill<B>, filters == 4 ? bsr_multiply<4, B> : bsr_multiply<1, B>};
    }

    const Kernels kernels_;
};

class Coo1Program final : public SpmmProgram {
public:
    explicit Coo1Program(const GpuPlan& plan)
        : SpmmProgram(SpmmMethod::coo1, plan), kernel_(choice_.filters == 4 ? coo_multiply<4> : coo_multiply<1>) {}

    void compress(Gpu& gpu) const override {
        compress_rows(gpu, im2col_matrix());
        start(gpu, "coo_rows", coo_rows, array<int>(Space::offsets), array<int>(Space::rows));
    }
    void multiply(Gpu& gpu) const override {
        gpu.fill_bytes(buffers_.conv, 0, static_cast<std::size_t>(plan_.shape.conv_elements()) * sizeof(float));
        start_product(gpu, "coo_multiply", kernel_, static_cast<int>(choice_.entries),
                      array<int>(Space::offsets) + shape_.rows, array<int>(Space::rows), array<int>(Space::columns),
                      array<float>(Space::values));
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "coo_rows") return registers_of(coo_rows);
        return kernel == "coo_multiply" ? registers_of(kernel_) : 0;
    }

private:
    decltype(&coo_multiply<4>) const kernel_;
};

}  // namespace

void register_spmm(Registry& registry) {
    const auto add = [&](SpmmMethod method, MakeGpuProgram program) {
        registry.add(make_spmm(method, device_kind, program, make_nhwc_pool));
    };
    add(SpmmMethod::csr2, make_program<Csr2Program>);
    add(SpmmMethod::csr3, make_program<Csr3Program>);
    add(SpmmMethod::ell1, make_program<Ell1Program>);
    add(SpmmMethod::bitmap1, make_program<Bitmap1Program>);
    add(SpmmMethod::bsr1, make_program<Bsr1Program>);
    add(SpmmMethod::coo1, make_program<Coo1Program>);
}

}  // namespace convscope::CONVSCOPE_DIALECT
