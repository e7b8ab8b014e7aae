// ReLU and max-pooling, defined once for every method.
//
// NaN propagates through both, as in the deep-learning frameworks: ReLU(NaN) is NaN, and the maximum over a
// window that holds a NaN is NaN. After ReLU nothing is below zero, so a pooling maximum may start at 0.
#pragma once

namespace convscope {

template <class T>
constexpr T relu(T value) {
    return value < T(0) ? T(0) : value;
}

/// The larger of the two; NaN when either is NaN. Start with 0 and this takes in the ReLU as well.
template <class T>
constexpr T max_or_nan(T most, T value) {
    return value > most || value != value ? value : most;
}

}  // namespace convscope
