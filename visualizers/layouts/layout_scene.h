// The arrays of one format, in GL buffers, ready to be drawn: x, w and everything of layout_arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/layers/layout_builder.h"
#include "visualizers/explain/element.h"
#include "visualizers/explain/map_values.h"
#include "visualizers/gl/interop.h"
#include "visualizers/grid/tile_pyramid.h"
#include "visualizers/theme/theme.h"

namespace convscope {

struct SceneArray {
    ArrayId id = ArrayId::x;
    ArraySpec spec;
    ValueRange range;          ///< for its colours
    bool empty_slots = false;  ///< all bits set means 'unused', not NaN or -1
};

/// Belongs to the thread of the GL context.
class LayoutScene {
public:
    explicit LayoutScene(std::shared_ptr<CudaGl>);

    /// Builds the arrays of one map (h x w) and one filter (r x s), both in host memory. 'builder' may write GPU
    /// memory: then the buffers are mapped for it, and where that is impossible 'host' builds instead. Throws
    /// Error(failed) for an array that OpenGL cannot draw, and what the builder throws; the scene is empty then.
    void rebuild(Format, const ConvShape&, const float* x, const float* w, LayoutBuilder& builder, LayoutBuilder& host);

    bool empty() const { return arrays_.empty(); }
    Format format() const { return format_; }
    const MapValues& map_values() const { return map_values_; }
    const std::vector<SceneArray>& arrays() const { return arrays_; }
    /// Null when the format has no such array.
    const SceneArray* find(ArrayId) const;
    unsigned buffer(ArrayId) const;  ///< GL name; 0 when the format has no such array

    /// The aggregates of an array, built by whoever draws it; null when the format has no such array.
    TilePyramid* pyramid(ArrayId) const;

    /// Elements as bit patterns, read back from the GL buffer: 'rows' runs of 'cols' elements that begin
    /// 'row_stride' apart, the first at 'first'. Small arrays are mirrored whole; of large ones only what is asked
    /// for is read, and the latest answer is kept. Asking for more than 65536 elements gives none.
    const std::vector<std::uint32_t>& read(ArrayId, std::int64_t first, std::int64_t rows, std::int64_t cols,
                                           std::int64_t row_stride) const;
    /// One element; integers are converted.
    double value(const ElementRef&) const;

    /// Grows with every rebuild.
    std::uint64_t generation() const { return generation_; }
    /// "interop" or "host upload (reason)", and who built the arrays: for the status line.
    std::string describe() const;
    bool interop() const { return built_by_gpu_; }
    std::int64_t bytes() const;  ///< of all arrays
    /// Bytes copied through the host by the latest rebuild; 0 with interop. What is read back to print values and to
    /// find the range of the results, at most 256 kB an array, is not counted.
    std::int64_t host_bytes() const { return buffers_.host_bytes(); }

private:
    struct Mirror {
        std::uint64_t generation = 0;
        std::int64_t first = 0, rows = 0, cols = 0, stride = 0;
        std::vector<std::uint32_t> values;
    };
    std::size_t index(ArrayId) const;
    void describe_arrays();
    void reset_pyramids();
    ValueRange range_of(ArrayId) const;
    bool mirrored_whole(std::size_t array) const;
    void read_elements(std::size_t array, std::int64_t first, std::int64_t count, std::uint32_t* out) const;

    SharedBuffers buffers_;
    Format format_ = Format::ecr;
    MapValues map_values_;
    std::vector<SceneArray> arrays_;
    mutable std::vector<Mirror> mirrors_;
    mutable std::vector<std::vector<std::uint32_t>> whole_;  ///< of small arrays; empty until first requested
    std::shared_ptr<PyramidPrograms> programs_ = std::make_shared<PyramidPrograms>();
    std::vector<std::unique_ptr<TilePyramid>> pyramids_;  ///< by array
    std::uint64_t generation_ = 0;
    bool built_by_gpu_ = false;
    std::string builder_;
};

}  // namespace convscope
