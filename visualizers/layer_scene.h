// One array of a whole layer in a GL buffer, with its aggregates. It arrives image by image, is copied to OpenGL a
// few megabytes in each frame, and can be drawn from the first frame on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/core/layer_layout.h"
#include "visualizers/grid_view.h"

namespace convscope {

/// Of the array itself; its aggregates take up to half as much again. A lowered matrix of 10^8 elements fits.
constexpr std::int64_t layer_budget_bytes = 512'000'000;

/// The rows of one image, built by the host.
struct LayerPiece {
    std::int64_t first_row = 0;  ///< of the part
    std::vector<std::uint32_t> words;
    ValueRange range;
};

/// The range of a piece's finite values, for the colours; 0 is in it.
ValueRange range_of(Element, const std::vector<std::uint32_t>& words);

/// Belongs to the thread of the GL context.
class LayerScene {
public:
    /// Nothing is written yet. Throws OutOfMemory, or Error(failed) for what OpenGL cannot draw.
    LayerScene(LayerArraySpec, LayerPart, std::shared_ptr<PyramidPrograms>);

    const LayerArraySpec& spec() const { return spec_; }
    const LayerPart& part() const { return part_; }

    /// Ready for the next piece. Pieces come in the order of their rows.
    bool wants_piece() const { return pending_.words.empty() && !all_written(); }
    void take(LayerPiece piece);
    /// Copies on for about 'milliseconds'. Returns the bytes that it copied to OpenGL.
    std::int64_t advance(double milliseconds);

    std::int64_t rows() const { return part_.rows(); }
    std::int64_t cols() const { return spec_.cols; }
    std::int64_t rows_written() const { return written_; }
    bool all_written() const { return written_ == rows(); }
    bool complete() const { return all_written() && pyramid_.complete(); }
    std::int64_t bytes() const { return buffer_.bytes(); }
    std::int64_t aggregate_bytes() const { return pyramid_.bytes(); }
    std::int64_t host_bytes() const { return host_bytes_; }  ///< copied through the host so far
    const ValueRange& range() const { return range_; }
    TilePyramid& pyramid() { return pyramid_; }

    /// What is written so far. Refers to this scene.
    GridSource source();
    /// Bit patterns of rows x cols elements from (row, col), read back; the latest answer is kept.
    const std::vector<std::uint32_t>& read(std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols);

private:
    LayerArraySpec spec_;
    LayerPart part_;
    gl::Buffer buffer_;
    TilePyramid pyramid_;
    LayerPiece pending_;
    std::int64_t written_ = 0, host_bytes_ = 0;
    std::int64_t chunk_ = 4 << 20;  ///< bytes copied at once, from how long the latest took
    ValueRange range_{0, 0};
    struct Mirror {
        std::int64_t row = -1, rows = 0, col = 0, cols = 0;
        std::vector<std::uint32_t> words;
    };
    Mirror mirror_;
};

}  // namespace convscope
