// A dense 4-D array of float on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convscope {

/// How a 4-D tensor is stored. 'blocked' is a vendor's own format (oneDNN's nChw16c and the like).
enum class Layout { nchw, nhwc, blocked };
const char* to_string(Layout);

/// Owns its elements. dims are always the logical (n, c, h, w) - or (k, c, r, s) for filters -
/// whatever the storage order.
struct Tensor {
    std::int64_t n = 0, c = 0, h = 0, w = 0;
    Layout layout = Layout::nchw;  ///< nchw or nhwc
    std::vector<float> data;

    Tensor() = default;
    /// Zero-filled. Throws OutOfMemory when the host cannot hold it.
    Tensor(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w, Layout layout = Layout::nchw);

    std::int64_t elements() const { return n * c * h * w; }
    std::int64_t offset(std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) const {
        return layout == Layout::nhwc ? ((in * h + ih) * w + iw) * c + ic : ((in * c + ic) * h + ih) * w + iw;
    }
    float& at(std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) {
        return data[offset(in, ic, ih, iw)];
    }
    float at(std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) const {
        return data[offset(in, ic, ih, iw)];
    }
};

/// The elements that are zero over all; NaN is not.
double share_of_zeros(const Tensor&);

/// The same values in another storage order.
Tensor to_layout(const Tensor&, Layout);

}  // namespace convscope
