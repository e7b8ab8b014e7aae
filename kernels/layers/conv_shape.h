// The shape of one convolution layer, and every quantity the papers derive from it.
#pragma once

#include <cstdint>
#include <string>

namespace convscope {

/// One convolution (cross-correlation) layer, optionally followed by ReLU and max-pooling.
/// x is n x c x h x w, the filters are k x (c / groups) x r x s, the output is n x k x p x q. All sizes in elements.
/// Its fields are listed once more, with what is accepted of each, in shape_fields.h.
struct ConvShape {
    std::int64_t n = 1, c = 1, h = 1, w = 1;
    std::int64_t k = 1, r = 1, s = 1;
    std::int64_t stride_h = 1, stride_w = 1;
    /// Rows of zeros above the map, columns of zeros left of it; below and right of it as many, and pad_extra_h and
    /// pad_extra_w.
    std::int64_t pad_h = 0, pad_w = 0;
    /// Max-pooling after ReLU; 0 x 0 means that no pooling layer follows. No padding, rounding down.
    std::int64_t pool_h = 0, pool_w = 0, pool_stride = 0;
    /// From one element under a filter to the next: a filter spans (r - 1) dilation_h + 1 rows.
    std::int64_t dilation_h = 1, dilation_w = 1;
    /// Channels and filters are divided into so many equal groups; a filter sees its own group's channels only.
    std::int64_t groups = 1;
    /// Rows of zeros more below the map than above it, columns more right of it than left of it; negative for fewer.
    std::int64_t pad_extra_h = 0, pad_extra_w = 0;

    bool operator==(const ConvShape&) const = default;

    bool pooled() const { return pool_h > 0; }
    bool dilated() const { return dilation_h != 1 || dilation_w != 1; }

    bool padded_by_side() const { return pad_extra_h != 0 || pad_extra_w != 0; }

    std::int64_t pad_top() const { return pad_h; }
    std::int64_t pad_bottom() const { return pad_h + pad_extra_h; }
    std::int64_t pad_left() const { return pad_w; }
    std::int64_t pad_right() const { return pad_w + pad_extra_w; }
    std::int64_t padded_h() const { return h + pad_top() + pad_bottom(); }
    std::int64_t padded_w() const { return w + pad_left() + pad_right(); }
    /// Rows and columns of the map that a window spans: r and s, but for dilation.
    std::int64_t span_h() const { return (r - 1) * dilation_h + 1; }
    std::int64_t span_w() const { return (s - 1) * dilation_w + 1; }
    /// Convolution output height and width (Cho & Brand 2017, Eq. 1).
    std::int64_t p() const { return (padded_h() - span_h()) / stride_h + 1; }
    std::int64_t q() const { return (padded_w() - span_w()) / stride_w + 1; }
    /// The row (column) of x that filter row i (column j) meets for output row oh (column ow); outside of the map where
    /// it meets padding.
    std::int64_t x_row(std::int64_t oh, std::int64_t i) const { return oh * stride_h - pad_h + i * dilation_h; }
    std::int64_t x_col(std::int64_t ow, std::int64_t j) const { return ow * stride_w - pad_w + j * dilation_w; }
    /// Height and width of the layer's output: pooled when a pooling layer follows, else p x q.
    std::int64_t out_h() const { return pooled() ? (p() - pool_h) / pool_stride + 1 : p(); }
    std::int64_t out_w() const { return pooled() ? (q() - pool_w) / pool_stride + 1 : q(); }

    std::int64_t group_channels() const { return c / groups; }  ///< channels that a filter has
    std::int64_t group_filters() const { return k / groups; }
    std::int64_t window() const { return r * s; }                           ///< elements of one channel's window
    std::int64_t reduction() const { return group_channels() * window(); }  ///< length of the sum behind one output
    std::int64_t x_elements() const { return n * c * h * w; }
    std::int64_t w_elements() const { return k * reduction(); }
    std::int64_t conv_elements() const { return n * k * p() * q(); }       ///< before pooling
    std::int64_t y_elements() const { return n * k * out_h() * out_w(); }  ///< what the layer returns

    /// Multiplications and additions of one map and one filter (Xu 2019 and 2022, Eqs. 1 and 2).
    std::int64_t multiplications_per_map() const { return p() * q() * window(); }
    std::int64_t additions_per_map() const { return p() * q() * (window() - 1); }

    /// Elements of the im2col matrix, n p q x r s c, of all groups (Cho & Brand, Eq. 2, with input channels: slip 10).
    std::int64_t im2col_elements() const { return n * p() * q() * window() * c; }
    /// Elements of MEC's L, n x q x padded_h x s x c (Cho & Brand, Eq. 3, likewise).
    std::int64_t mec_elements() const { return n * q() * padded_h() * s * c; }
    /// Elements that MEC saves over im2col (Cho & Brand, Eq. 4, exact form: n c q s (p r - padded_h)).
    std::int64_t mec_saving_elements() const { return im2col_elements() - mec_elements(); }

    /// Dense floating-point operations: 2 per multiply-add, zeros included, pooling not counted.
    double flops_dense() const { return 2.0 * static_cast<double>(conv_elements()) * static_cast<double>(reduction()); }
    /// The fewest bytes that must move in FP32: x and w read once, y written once.
    std::int64_t min_bytes() const { return 4 * (x_elements() + w_elements() + y_elements()); }
};

/// Throws Error(usage) naming the first field that cannot be, its value and what is accepted: what shape_fields.h
/// says of each, groups that divide c and k, a filter and a pooling window that fit, and a number of elements in every
/// tensor that a 31-bit index can address.
void validate(const ConvShape&);

/// Sets the padding with which p is h / stride_h and q is w / stride_w, rounded up: none where the windows reach past
/// the map without it. The odd row is below the map and the odd column right of it, as in TensorFlow's SAME and ONNX's
/// SAME_UPPER. Throws Error(usage) naming the first field that cannot be.
void pad_same(ConvShape&);

/// One of the groups as a layer of its own: c / groups channels, k / groups filters.
ConvShape one_group(const ConvShape&);

/// "1x512x14x14 * 512x512x3x3, stride 1, pad 1, pool 2 stride 2": for messages and headings. Dilation and groups are
/// named where they are not 1; "pad 0,1,0,1" is that of top, bottom, left and right, where opposite sides differ.
std::string to_string(const ConvShape&);

}  // namespace convscope
