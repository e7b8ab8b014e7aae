// Writes one array of a whole layer, image by image, into the memory that it is drawn from: host memory, or GPU memory
// that the methods' own kernels fill. The input of each image may be prepared on another thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/core/value_range.h"
#include "kernels/layers/layer_layout.h"

namespace convscope {

/// The rows to write of each image: the same for every image of a LayerPart.
struct LayerJob {
    LayerArraySpec spec;
    std::int64_t rows = 0;  ///< of an image, from the first on; whole units of the array
    /// The layer with n = 1, cut to what these rows need, and pooled only where the array is PECR's. May have more
    /// outputs than the rows take.
    ConvShape shape;

    std::int64_t units() const { return rows / spec.rows_per_unit; }
    std::int64_t elements() const { return rows * spec.cols; }
};
LayerJob layer_job(const LayerArraySpec&, const ConvShape& layer, std::int64_t rows);

/// The input for the rows of image 'image': x cut to the job's shape, NHWC for im2col, L and y, NCHW for ECR and PECR;
/// for x and w the rows themselves. 'image' counts from the layer's first.
std::vector<float> layer_input(const LayerJob&, const Workload&, std::int64_t image);

/// Belongs to one thread. Holds the extra memory that writing takes, until it is destroyed.
class LayerWriter {
public:
    virtual ~LayerWriter() = default;
    /// Turns 'input', from layer_input(), into the job's elements() elements at 'out', in the memory of the
    /// LayoutBuilder that made this. Unused slots have all bits set. Returns the range of the written values, as
    /// range_of() does. Done on return. Throws the device's error; the elements at 'out' are undefined then.
    virtual ValueRange write(const std::vector<float>& input, void* out) = 0;
};

/// Writes to host memory, from the host layouts of the method families. 'w' is the layer's filters, KCRS; read before
/// the call returns. Throws OutOfMemory.
std::unique_ptr<LayerWriter> make_host_layer_writer(const LayerJob&, const float* w);

/// The range of finite values, 0 included. Integers count only above 0: -1 stands for 'none' or 'unused'.
ValueRange range_of(Element, const std::uint32_t* words, std::int64_t count);

}  // namespace convscope
