// One map and one filter on the host: what the views explain. No OpenGL, no ImGui.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Owns a copy of one channel of one image and of one filter, with n = c = k = 1 in its shape.
class MapValues {
public:
    MapValues() = default;
    /// 'x' is h x w, 'w' is r x s. n, c and k of the shape are taken as 1.
    MapValues(const ConvShape&, const float* x, const float* w);

    const ConvShape& shape() const { return shape_; }
    /// Input at padded coordinates less the pad: zero outside the map.
    float x(std::int64_t row, std::int64_t col) const {
        return inside(row, col) ? x_[static_cast<std::size_t>(row * shape_.w + col)] : 0.0f;
    }
    bool inside(std::int64_t row, std::int64_t col) const {
        return row >= 0 && row < shape_.h && col >= 0 && col < shape_.w;
    }
    float w(std::int64_t row, std::int64_t col) const { return w_[static_cast<std::size_t>(row * shape_.s + col)]; }
    const std::vector<float>& x_values() const { return x_; }
    const std::vector<float>& w_values() const { return w_; }

    /// Input under filter element (i, j) of convolution window (oy, ox).
    float under(std::int64_t oy, std::int64_t ox, std::int64_t i, std::int64_t j) const {
        return x(shape_.x_row(oy, i), shape_.x_col(ox, j));
    }
    /// Non-zero inputs of a convolution window: the multiplications that ECR keeps.
    std::int64_t needed(std::int64_t oy, std::int64_t ox) const {
        return needed_[static_cast<std::size_t>(oy * shape_.q() + ox)];
    }
    std::int64_t needed_in_row(std::int64_t oy) const;
    std::int64_t needed_in_all() const { return needed_total_; }
    /// The convolution result, summed in double.
    double result(std::int64_t oy, std::int64_t ox) const;
    /// After ReLU and max-pooling; only with a pooled shape.
    double pooled(std::int64_t py, std::int64_t px) const;

private:
    ConvShape shape_;
    std::vector<float> x_, w_;
    std::vector<std::int32_t> needed_;
    std::int64_t needed_total_ = 0;
};

}  // namespace convscope
