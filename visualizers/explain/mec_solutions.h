// The matrix products of MEC's Solutions A and B, one after the other (Cho & Brand 2017, Algorithm 2 and Fig. 3). No
// ImGui, no OpenGL.
//
// L is a matrix of n o_w rows and i_h k_w i_c columns, K one of k_h k_w i_c rows and k_c columns. A product multiplies
// a partition of L, k_h k_w i_c columns wide, by K.
//   Solution A (lines 9-19): o_h products, each of the rows of all images; O is o_h x (n o_w k_c), in the order
//   h-n-w-c. Its rows are then copied to n-h-w-c, with L as the room for it.
//   Solution B (lines 21-25): n o_h products, each of one image's rows; O is n matrices of o_h x (o_w k_c), in order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "visualizers/explain/lead.h"
#include "visualizers/explain/notation.h"

namespace convscope {

/// Rows [row, row + rows) and columns [col, col + cols) of a matrix.
struct MatrixPart {
    std::int64_t row = 0, col = 0, rows = 0, cols = 0;
    bool operator==(const MatrixPart&) const = default;
};

struct MecProduct {
    std::int64_t image = -1;  ///< -1: all of the batch
    std::int64_t row = 0;     ///< of the output, and so the partition
    MatrixPart l;             ///< of L as a matrix of n o_w rows
    MatrixPart o;             ///< of O: in A a row of o_h x (n o_w k_c), in B a row of (n o_h) x (o_w k_c)
};

/// The matrices that a solution is about; 'ordered' is O as the copies of Solution A leave it.
enum class SolutionMatrix { L, K, O, ordered };
constexpr std::size_t solution_matrices = 4;

struct SolutionCell {
    SolutionMatrix matrix = SolutionMatrix::L;
    std::int64_t row = 0, col = 0;
    bool operator==(const SolutionCell&) const = default;
};

/// The cells that go with a cell, by SolutionMatrix, and a sentence.
struct SolutionLinks {
    std::array<std::vector<MatrixPart>, solution_matrices> parts;
    std::string sentence;  ///< goes on after the cell's name and value

    std::vector<MatrixPart>& of(SolutionMatrix matrix) { return parts[static_cast<std::size_t>(matrix)]; }
};

class MecSolution {
public:
    MecSolution(const ConvShape& shape, bool b) : s_(shape), b_(b) {}

    bool is_b() const { return b_; }
    /// Matrix products: o_h in A, n o_h in B.
    std::int64_t products() const { return b_ ? s_.n * s_.p() : s_.p(); }
    /// Product i, from 0; in B images follow each other.
    MecProduct product(std::int64_t i) const;
    /// The copies after the products: pieces of o_w k_c elements that are copied from h-n-w-c to n-h-w-c; 0 in B.
    std::int64_t copies() const { return b_ ? 0 : s_.n * s_.p(); }
    std::int64_t steps() const { return products() + copies(); }

    std::int64_t l_rows() const { return s_.n * s_.q(); }
    std::int64_t l_cols() const { return s_.padded_h() * s_.s * s_.c; }
    std::int64_t k_rows() const { return s_.reduction(); }
    /// Rows and columns of O as the products write it.
    std::int64_t o_rows() const { return b_ ? s_.n * s_.p() : s_.p(); }
    std::int64_t o_cols() const { return b_ ? s_.q() * s_.k : s_.n * s_.q() * s_.k; }

    /// Copy i, from 0: which part of O in h-n-w-c, and which of O in n-h-w-c (n o_h rows of o_w k_c).
    MatrixPart copy_from(std::int64_t i) const;
    MatrixPart copy_to(std::int64_t i) const;

    /// The factors and results of a cell; for K, in the product that 'step' does or has done last.
    SolutionLinks links_of(const SolutionCell&, std::int64_t step) const;

    /// "15 x 9 by 9 x 1": the sizes that gemm is called with.
    std::string gemm_size() const;
    /// "Product 3 of 5: partition R (columns 6 to 14) of all 3 images, times K, is row 2 of O".
    Lead describe(std::int64_t step) const;

private:
    SolutionLinks links_of_l(std::int64_t row, std::int64_t col) const;
    SolutionLinks links_of_k(std::int64_t row, std::int64_t filter, std::int64_t step) const;
    SolutionLinks links_of_o(std::int64_t row, std::int64_t col) const;

    ConvShape s_;
    bool b_;
};

/// Why Algorithm 2 takes A or B: "$o_w = 5 \le T = 100$ and $\text{|O|} = 25 \le \text{|L|} = 105$, so Solution A".
std::string describe_mec_choice(const ConvShape&, std::int64_t threshold, Notation);

}  // namespace convscope
