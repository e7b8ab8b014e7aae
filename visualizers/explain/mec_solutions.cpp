#include "visualizers/explain/mec_solutions.h"

#include <fmt/format.h>

#include "kernels/core/format_units.h"
#include "kernels/mec/mec_choice.h"
#include "visualizers/explain/links.h"

namespace convscope {

MecProduct MecSolution::product(std::int64_t i) const {
    const std::int64_t row = b_ ? i % s_.p() : i, image = b_ ? i / s_.p() : -1;
    const std::int64_t first_row = b_ ? image * s_.q() : 0, rows = b_ ? s_.q() : l_rows();
    MecProduct product;
    product.image = image;
    product.row = row;
    product.l = {first_row, row * s_.stride_h * s_.s * s_.c, rows, k_rows()};
    product.o = {i, 0, 1, o_cols()};
    return product;
}

MatrixPart MecSolution::copy_from(std::int64_t i) const {
    const std::int64_t piece = s_.q() * s_.k, image = i / s_.p(), row = i % s_.p();
    return {row, image * piece, 1, piece};
}

MatrixPart MecSolution::copy_to(std::int64_t i) const {
    return {i, 0, 1, s_.q() * s_.k};
}

std::string MecSolution::gemm_size() const {
    return fmt::format("{} \u00d7 {} by {} \u00d7 {}", format_count(b_ ? s_.q() : l_rows()), format_count(k_rows()),
                       format_count(k_rows()), format_count(s_.k));
}

std::string MecSolution::describe(std::int64_t step) const {
    if (step >= products()) {
        const std::int64_t i = step - products();
        return fmt::format("Copy {} of {}: row {} of image {} goes from its place in h-n-w-c to its place in n-h-w-c",
                           i + 1, format_count(copies()), i % s_.p(), i / s_.p());
    }
    const MecProduct p = product(step);
    const std::string whose =
        p.image < 0 ? s_.n == 1 ? std::string("the image") : fmt::format("all {} images", format_count(s_.n))
                    : fmt::format("image {}", p.image);
    return fmt::format("Product {} of {}: {} (columns {} to {}) of {}, times K, is row {} of O", step + 1,
                       format_count(products()), mec_partition_name(p.row, s_), p.l.col, p.l.col + p.l.cols - 1, whose,
                       p.o.row);
}

std::string describe_mec_choice(const ConvShape& s, std::int64_t threshold, Notation notation) {
    const bool narrow = s.q() <= threshold, room = mec_solution_a_fits(s);
    return fmt::format(
        "Algorithm 2, line 8: ${} = {} {} T = {}$ and $\\text{{|O|}} = \\text{{{}}} {} \\text{{|L|}} = \\text{{{}}}$, "
        "so Solution {}",
        tex_symbol(LayerSize::out_w, notation), s.q(), narrow ? "\\le" : ">", threshold,
        format_count(s.conv_elements()), room ? "\\le" : ">", format_count(s.mec_elements()),
        mec_takes_solution_a(s, threshold) ? "A" : "B");
}

}  // namespace convscope
