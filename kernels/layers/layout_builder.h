// Builds the arrays of a format for one map and one filter, or the array of a whole layer image by image, in the memory
// that they are drawn from: host memory, or GPU memory filled by the real kernels (CUDA-GL interop hands in the mapped
// buffers).
//
// All arrays are dense: a window's segment has the capacity that the kernels reserve for it, and unused slots hold the
// 'empty' value (all bits set: a NaN for float, -1 for an int). So they look like the shared memory that Algorithm 1
// fills.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/layers/conv_shape.h"

namespace convscope {

enum class Format { im2col, mec, ecr, pecr };
const char* to_string(Format);
Format parse_format(const std::string&);  ///< throws Error(usage) that lists the names

enum class Element { f32, i32 };

/// One array of a layout. Elements are 4 bytes; rows x cols, row-major.
struct ArraySpec {
    std::string name;     ///< as in the paper: "F_data"
    std::string meaning;  ///< one sentence, shapes in the field's words
    Element element = Element::f32;
    std::int64_t rows = 0, cols = 0;
    std::int64_t bytes() const { return rows * cols * 4; }
};

/// Throws Error(usage) where a format has no arrays for such a layer: PECR without pooling, MEC with dilation.
void require_layout(Format, const ConvShape&);

/// The arrays of a format for one map and one filter (shape with n = c = k = 1), in a fixed order:
///   im2col: matrix [p q][r s], y [p][q]
///   mec:    L [q][padded_h s], y [p][q]
///   ecr:    F_data [p q][r s], K_data [p q][r s], Ptr [p][q], y [p][q]
///   pecr:   Data [out_h out_w][pool_h pool_w r s], Index (same), Count [out_h out_w][pool_h pool_w],
///           conv [p][q], y [out_h][out_w]
/// Throws Error(usage) when the shape has more than one map or filter, and what require_layout() throws.
std::vector<ArraySpec> layout_arrays(Format, const ConvShape&);

struct LayerJob;
class LayerWriter;  // kernels/layers/layer_writer.h

class LayoutBuilder {
public:
    virtual ~LayoutBuilder() = default;
    /// True when build() and the layer writers take pointers to GPU memory.
    virtual bool on_gpu() const = 0;
    /// Fills x [h][w] and w [r][s], then every array of layout_arrays(format, shape): out[0] is x, out[1] is w,
    /// out[2..] the format's arrays. 'x' and 'w' are host memory. Done on return.
    virtual void build(Format, const ConvShape&, const float* x, const float* w, const std::vector<void*>& out) = 0;
    /// Prepares to write an array of a whole layer: 'w' is the layer's filters, KCRS, in host memory, read before the
    /// call returns. The writer must be destroyed before the builder. Throws the errors of writing that are known
    /// beforehand.
    virtual std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob&, const float* w) = 0;
    /// One short phrase for the status line: "simulated on the CPU", "built by ecr1 on cuda:0".
    virtual std::string describe() const = 0;
};

/// The builder in host memory, from the host layouts of the method families.
std::unique_ptr<LayoutBuilder> make_host_layout_builder();

}  // namespace convscope
