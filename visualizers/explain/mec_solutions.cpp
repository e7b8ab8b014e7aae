#include "visualizers/explain/mec_solutions.h"

#include <fmt/format.h>

#include <algorithm>

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

SolutionLinks MecSolution::links_of(const SolutionCell& cell, std::int64_t step) const {
    switch (cell.matrix) {
        case SolutionMatrix::L:
            return links_of_l(cell.row, cell.col);
        case SolutionMatrix::K:
            return links_of_k(cell.row, cell.col, step);
        case SolutionMatrix::O:
            return links_of_o(cell.row, cell.col);
        case SolutionMatrix::ordered: {
            const MatrixPart from = copy_from(cell.row);
            SolutionLinks links = links_of_o(from.row, from.col + cell.col);
            links.sentence += fmt::format("; copied from O[{},{}]", from.row, from.col + cell.col);
            return links;
        }
    }
    return {};
}

SolutionLinks MecSolution::links_of_l(std::int64_t row, std::int64_t col) const {
    SolutionLinks links;
    links.of(SolutionMatrix::L).push_back({row, col, 1, 1});
    const std::int64_t image = row / s_.q(), step = s_.stride_h * s_.s * s_.c;
    std::string partitions;
    for (std::int64_t oy = std::max<std::int64_t>(0, (col - k_rows()) / step); oy < s_.p() && oy * step <= col; ++oy) {
        const std::int64_t i = b_ ? image * s_.p() + oy : oy, k_row = col - oy * step;
        if (k_row >= k_rows()) continue;
        const MecProduct p = product(i);
        links.of(SolutionMatrix::K).push_back({k_row, 0, 1, s_.k});
        links.of(SolutionMatrix::O).push_back({i, (row - p.l.row) * s_.k, 1, s_.k});
        partitions +=
            fmt::format("{} row {} of K in {}", partitions.empty() ? "" : ",", k_row, mec_partition_label(oy, s_));
    }
    links.sentence = partitions.empty() ? "in no partition" : "multiplied with" + partitions;
    return links;
}

SolutionLinks MecSolution::links_of_k(std::int64_t row, std::int64_t filter, std::int64_t step) const {
    SolutionLinks links;
    links.of(SolutionMatrix::K).push_back({row, filter, 1, 1});
    const std::int64_t i = std::min(step, products() - 1);
    const MecProduct p = product(i);
    links.of(SolutionMatrix::L).push_back({p.l.row, p.l.col + row, p.l.rows, 1});
    for (std::int64_t at = 0; at < p.l.rows; ++at) links.of(SolutionMatrix::O).push_back({i, at * s_.k + filter, 1, 1});
    links.sentence =
        fmt::format("product {} multiplies column {} of L with it, for filter {}", i + 1, p.l.col + row, filter);
    return links;
}

SolutionLinks MecSolution::links_of_o(std::int64_t row, std::int64_t col) const {
    SolutionLinks links;
    const MecProduct p = product(row);
    const std::int64_t l_row = p.l.row + col / s_.k, filter = col % s_.k;
    links.of(SolutionMatrix::O).push_back({row, col, 1, 1});
    links.of(SolutionMatrix::L).push_back({l_row, p.l.col, 1, k_rows()});
    links.of(SolutionMatrix::K).push_back({0, filter, k_rows(), 1});
    if (copies() > 0) {
        const std::int64_t image = l_row / s_.q();
        links.of(SolutionMatrix::ordered).push_back({image * s_.p() + p.row, col - image * s_.q() * s_.k, 1, 1});
    }
    links.sentence =
        fmt::format("row {} of L in {}, times column {} of K", l_row, mec_partition_name(p.row, s_), filter);
    return links;
}

std::string MecSolution::gemm_size() const {
    return fmt::format("{} \u00d7 {} by {} \u00d7 {}", format_count(b_ ? s_.q() : l_rows()), format_count(k_rows()),
                       format_count(k_rows()), format_count(s_.k));
}

Lead MecSolution::describe(std::int64_t step) const {
    if (step >= products()) {
        const std::int64_t i = step - products();
        return {"Copy ", fmt::format("{} of {}", format_count(i + 1), format_count(copies())),
                fmt::format(": row {} of image {} goes from its place in h-n-w-c to its place in n-h-w-c", i % s_.p(),
                            i / s_.p())};
    }
    const MecProduct p = product(step);
    const std::string whose =
        p.image < 0 ? s_.n == 1 ? std::string("the image") : fmt::format("all {} images", format_count(s_.n))
                    : fmt::format("image {}", p.image);
    return {"Product ", fmt::format("{} of {}", format_count(step + 1), format_count(products())),
            fmt::format(": {} (columns {} to {}) of {}, times K, is row {} of O", mec_partition_name(p.row, s_),
                        p.l.col, p.l.col + p.l.cols - 1, whose, p.o.row)};
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
