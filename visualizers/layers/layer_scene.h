// One array of a whole layer in a GL buffer, with its aggregates. It arrives image by image and can be drawn from the
// first frame on. Where CUDA can write the buffer, the methods' kernels do, and the array never passes through the
// host; elsewhere the host's images are copied to OpenGL a few megabytes in each frame.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/layers/layer_writer.h"
#include "visualizers/gl/interop.h"
#include "visualizers/grid/grid_view.h"

namespace convscope {

/// The budget of the array itself; its aggregates take up to half as much again. A lowered matrix of 10^8 elements
/// fits.
constexpr std::int64_t layer_budget_bytes = 512'000'000;

/// One image: either its rows, written by the host, or what the GPU makes them from.
struct LayerPiece {
    std::int64_t first_row = 0;        ///< of the part
    std::vector<std::uint32_t> words;  ///< empty where the GPU writes the rows
    std::vector<float> input;          ///< of layer_input(); empty where the host wrote the rows
    ValueRange range{0, 0};            ///< of the words
};

/// How whole layers get to the screen.
struct LayerPath {
    std::shared_ptr<CudaGl> cuda;
    LayoutBuilder* builder = nullptr;  ///< outlives the scenes; used where it writes GPU memory. Null: the host writes
};

/// Belongs to the thread of the GL context.
class LayerScene {
public:
    /// Nothing is written yet. Throws OutOfMemory, or Error(failed) for what OpenGL cannot draw.
    LayerScene(LayerArraySpec, LayerPart, std::shared_ptr<const Workload>, std::shared_ptr<PyramidPrograms>,
               const LayerPath&);

    const LayerArraySpec& spec() const { return job_.spec; }
    const LayerPart& part() const { return part_; }

    /// True while the GPU writes: pieces are to hold the input. False: they are to hold the words.
    bool by_gpu() const { return gpu_ != nullptr; }
    /// Why the GPU does not write though there is one, once; empty otherwise. From then on the scene waits for the
    /// words of the image that begins at rows_written(), which may be the first one again.
    std::string take_failure() { return std::exchange(failure_, {}); }

    /// Ready for the next piece. Pieces come in the order of their rows.
    bool wants_piece() const { return pending_.words.empty() && pending_.input.empty() && !all_written(); }
    void take(LayerPiece piece);
    /// Goes on for about 'milliseconds': has the GPU write the image that is there, or copies a part of it to OpenGL;
    /// then aggregates. Returns the bytes of the array that it copied through the host.
    std::int64_t advance(double milliseconds);

    std::int64_t rows() const { return part_.rows(); }
    std::int64_t cols() const { return job_.spec.cols; }
    std::int64_t rows_written() const { return written_; }
    bool all_written() const { return written_ == rows(); }
    bool complete() const { return all_written() && pyramid_.complete(); }
    std::int64_t bytes() const { return buffer().bytes(); }
    /// Bytes of the array copied through the host so far; 0 with interop. The inputs of the kernels, the layer's x and
    /// w, do not count, and neither do values that are read back for printing.
    std::int64_t host_bytes() const { return host_bytes_; }
    /// "interop" or "host upload (reason)", and who writes the array: for the status line.
    std::string describe() const;
    const ValueRange& range() const { return range_; }
    TilePyramid& pyramid() { return pyramid_; }

    /// The part written so far. Refers to this scene.
    GridSource source();
    /// Bit patterns of rows x cols elements from (row, col), read back; the latest answer is kept.
    const std::vector<std::uint32_t>& read(std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols);

private:
    const gl::Buffer& buffer() const { return buffers_[0]; }
    void begin();
    void write_on_gpu();
    std::int64_t copy(double milliseconds);
    void widen(const ValueRange&);

    const LayerJob job_;
    const LayerPart part_;
    const std::shared_ptr<const Workload> workload_;
    SharedBuffers buffers_;  ///< one
    TilePyramid pyramid_;
    LayoutBuilder* gpu_ = nullptr;
    std::unique_ptr<LayerWriter> writer_;  ///< while the GPU writes
    std::string failure_, gpu_failure_;    ///< the latter for describe()
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
