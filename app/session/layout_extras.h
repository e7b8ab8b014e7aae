// The state of the Layout view beyond its tab's page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/layers/format_matrix.h"
#include "kernels/layers/layout_builder.h"
#include "visualizers/explain/element.h"
#include "visualizers/explain/lit_term.h"

namespace convscope::app {

/// The user's position among the products of MEC's Solution A or B.
struct SolutionChoice {
    std::optional<bool> b;     ///< unset: the one that Algorithm 2 takes
    std::int64_t product = 0;  ///< from 0; shown is the last one where there are fewer
    bool operator==(const SolutionChoice&) const = default;
};

/// A way through what a page of the Layout view plays: MEC's products, or the multiplications behind y.
enum class PlayMove { back, play_or_pause, forward };

/// The multiplication that is played on the pages of one map. Of this run of the app alone.
struct MultiplicationChoice {
    std::optional<Cell> y;       ///< the element that it makes; unset: none was played
    bool plays = false;          ///< goes on to the next element
    std::optional<double> held;  ///< where it was paused, in seconds of its course
    bool operator==(const MultiplicationChoice&) const = default;
};

/// The state of the Balance page.
struct BalanceChoice {
    bool by_channel = false;  ///< zeros by channel although the layer is a network's
    bool operator==(const BalanceChoice&) const = default;
};

/// The Formats page shows so much of a matrix, so that every element of every format can be read.
inline constexpr MatrixSize most_of_matrix{16, 16};

/// The choices of the Formats page.
struct FormatsChoice {
    MatrixOf of = MatrixOf::x;
    std::string format;  ///< alone and large; empty: all of them
    std::string next;    ///< a second one next to it; empty: none
    bool whole = false;  ///< the whole matrix and its arrays, not their first rows and columns
    bool operator==(const FormatsChoice&) const = default;
};

/// The user's choices: undo restores them, and session files hold them.
struct PageChoice {
    std::optional<Format> companion;  ///< a second layout of the same map, next to the first
    SolutionChoice solution;
    /// The block row that ECR, PECR and Balance take apart, by its first row of the convolution, from 0; shown is the
    /// last one where there are fewer. Unset: the one that the snapshot opens with.
    std::optional<std::int64_t> block;
    BalanceChoice balance;
    FormatsChoice formats;
    bool operator==(const PageChoice&) const = default;
};

}  // namespace convscope::app
