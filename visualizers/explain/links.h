// Links between elements: point at any element of any array, get every element that shares a multiplication with it,
// the thread and block that do the work, and a sentence that says so. No OpenGL, no ImGui.
//
// Everything follows from the single multiplications ('products') of the convolution: a product multiplies one input
// under one window by one weight. Each element of each array takes part in some products; two elements are linked
// when they share one. The sparse formats keep only products with a non-zero input.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/explain/element.h"
#include "visualizers/explain/map_values.h"

namespace convscope {

/// Maps work to threads: block B takes block row B (Xu 2019, Figs. 4 and 7); its threads take windows t, t + threads,
/// ... of the row.
struct ThreadMap {
    std::int64_t threads_per_block = 0;  ///< 0: one thread per window (or pooling window) of the row
};

/// A rectangle of cells that belongs to what is pointed at: a window in x, a partition of L.
struct LinkArea {
    ArrayId array = ArrayId::x;
    std::int64_t row = 0, col = 0, rows = 0, cols = 0;  ///< may reach into the padding, so outside the array
    bool shared = false;                                ///< belongs to a neighbour as well: its frame is dashed
    bool operator==(const LinkArea&) const = default;
};

/// A named part of the papers' figures, which can be pointed at by that name.
struct LinkGroup {
    enum class Kind { block_row, thread, window, partition };
    Kind kind = Kind::block_row;
    std::int64_t index = 0;  ///< from 0
    std::int64_t block = 0;  ///< of a thread
    bool operator==(const LinkGroup&) const = default;
};

struct LinkSet {
    ElementRef focus;
    std::optional<LinkGroup> group;  ///< pointed at instead of one element; then 'focus' means nothing
    std::array<std::vector<Cell>, array_count> cells;  ///< linked cells by ArrayId, sorted, without repeats
    std::vector<LinkArea> areas;
    std::optional<std::int64_t> block, thread;  ///< counted from 0; set when all products are one thread's
    std::int64_t products = 0;                  ///< multiplications behind the focus (kept ones, in a sparse format)
    bool complete = true;                       ///< false when there were too many to list
    std::string sentence;                       ///< one line of plain words
    std::vector<std::string> details;           ///< further lines: the sum, copies, the paper's names

    const std::vector<Cell>& of(ArrayId id) const { return cells[static_cast<std::size_t>(id)]; }
    bool contains(const ElementRef&) const;
};

/// Links within one view: ecr, pecr, or mec and im2col together (both arrays of the two are linked in either).
/// 'most' bounds the products that are listed. The element must exist in its array.
LinkSet find_links(Format, const MapValues&, const ElementRef&, const ThreadMap& = {}, std::int64_t most = 65536);

/// The links of a block row or a thread (ECR, PECR), of a window or a partition of L (MEC).
LinkSet links_of_group(Format, const MapValues&, const LinkGroup&, const ThreadMap& = {});
/// Whether the format has such a group on this shape: a group named on another layer may not exist here.
bool has_group(Format, const ConvShape&, const LinkGroup&, const ThreadMap& = {});

/// Columns that two neighbouring partitions of L share, of r s each; 0 when they do not overlap (Cho & Brand, Fig. 2).
std::int64_t mec_shared_columns(const ConvShape&);
/// "Partitions P and Q share 6 of 9 columns of L", or why nothing is shared.
std::string describe_mec_overlap(std::int64_t oy, const ConvShape&);

/// The labels of MEC's windows (A, B, ...: one per output column) and partitions (P, Q, ...: one per output row):
/// letters as in Cho & Brand 2017, Fig. 2, plain numbers where the letters would run out.
std::string mec_window_label(std::int64_t ox, const ConvShape&);
std::string mec_partition_label(std::int64_t oy, const ConvShape&);
/// The same in a sentence: "window A", "partition 13".
std::string mec_window_name(std::int64_t ox, const ConvShape&);
std::string mec_partition_name(std::int64_t oy, const ConvShape&);

}  // namespace convscope
