// Aggregates of a large array on the GPU: for each tile of each level the smallest and the largest value, the sum, and
// how many elements are there, are zero, are NaN. Made by compute shaders from the GL buffer itself, so it does not
// matter who filled the buffer, and nothing passes through the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/layers/layout_builder.h"
#include "visualizers/explain/pyramid_levels.h"
#include "visualizers/gl/objects.h"

namespace convscope {

/// The array in a GL buffer: cell (r, c) is element first + r * row_stride + c, of 4 bytes.
struct PyramidSource {
    unsigned buffer = 0;
    std::int64_t first = 0, rows = 0, cols = 0, row_stride = 0;
    Element element = Element::f32;
    bool empty_slots = false;      ///< all bits set is blank: in no figure below
    bool zero_is_a_value = false;  ///< otherwise 0 and -0, and integers below 0, count as zeros
    bool operator==(const PyramidSource&) const = default;
};

/// Statistics of a part of an array.
struct TileStats {
    double least = 0, largest = 0;  ///< of the values other than NaN; least > largest when there are none
    double sum = 0;                 ///< of the same; summed in float within a tile
    std::int64_t filled = 0, zeros = 0, nans = 0;
    std::int64_t elements = 0;  ///< filled or blank

    double mean() const { return filled > nans ? sum / static_cast<double>(filled - nans) : 0; }
    void add(const TileStats&);
};

/// The compute shaders, compiled when first needed; one for all pyramids of a GL context.
class PyramidPrograms {
public:
    const gl::Program& base();
    const gl::Program& merge();

private:
    std::unique_ptr<gl::Program> base_, merge_;
};

/// Belongs to the thread of the GL context.
class TilePyramid {
public:
    explicit TilePyramid(std::shared_ptr<PyramidPrograms>);

    /// Begins again for another array, or for new contents of the same. Allocates with the first advance().
    void reset(const PyramidSource&);
    const PyramidSource& source() const { return source_; }
    /// So many rows of the array are written; all of them unless this says otherwise.
    void rows_written(std::int64_t rows);
    /// Another number whenever the array has other contents; 0 before there is one.
    std::uint64_t version() const { return version_; }

    /// Builds on for about 'milliseconds' of this frame, at least a little; tile rows first to last, then the coarser
    /// levels. True when everything that is written is aggregated. Throws OutOfMemory.
    bool advance(double milliseconds);
    bool complete() const { return level_ == levels_.size(); }
    double progress() const;  ///< 0..1
    std::int64_t bytes() const;

    const std::vector<PyramidLevel>& levels() const { return levels_; }
    unsigned buffer(std::size_t level) const { return buffers_[level].id(); }
    /// Planes of pairs of 4-byte words, one pair a tile: (least, largest) in the array's own type, (sum, NaNs), (zeros,
    /// filled).
    static constexpr int planes = 3;
    static std::int64_t plane_bytes(const PyramidLevel&);  ///< a plane begins at a multiple of this

    /// Statistics of whole tiles of a level, read back: the half open range of tile rows and columns. Waits for the GL
    /// queue.
    TileStats stats(std::size_t level, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1) const;

private:
    void allocate();
    std::int64_t tile_rows_at_once(std::int64_t bytes_per_tile_row) const;
    void run_base(std::int64_t tile_row, std::int64_t tile_rows) const;
    void run_merge(std::size_t level, std::int64_t tile_row, std::int64_t tile_rows) const;

    std::shared_ptr<PyramidPrograms> programs_;
    PyramidSource source_;
    std::vector<PyramidLevel> levels_;
    std::vector<gl::Buffer> buffers_;
    std::int64_t written_ = 0;
    std::uint64_t version_ = 0;
    std::size_t level_ = 0;        ///< being built; levels_.size() when all are
    std::int64_t next_row_ = 0;    ///< of its tiles
    std::int64_t work_ = 1 << 20;  ///< elements or tiles in one dispatch, from how long the latest took
};

/// The same figures of elements in host memory: 'bits' are their bit patterns.
TileStats stats_of(const PyramidSource&, const std::uint32_t* bits, std::int64_t count);

}  // namespace convscope
