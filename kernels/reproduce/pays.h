// Decides whether skipping zeros pays: compares the fastest method that skips them with the fastest that does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_values.h"

namespace convscope {

/// The dense methods that count, by their results' precision: FP32 alone (emulated too), also TF32, also FP16.
enum class DenseClass { fp32, tf32, fp16 };
inline constexpr std::size_t dense_classes = 3;
const char* to_string(DenseClass);  ///< "FP32", "TF32", "FP16"

struct PaysTime {
    std::string method;
    double us = 0;
    std::optional<double> noise_pct;  ///< half the 95 % interval of the median, in percent of it
};

/// One point of a figure. Empty where no such method passed.
struct PaysRow {
    std::string point;
    ConvShape shape;
    double sparsity = 0;  ///< requested
    std::int64_t weight = 1;
    std::optional<PaysTime> sparse;  ///< the fastest that skips zeros
    std::optional<PaysTime> ours;    ///< the fastest dense one of ours, in FP32
    std::array<std::optional<PaysTime>, dense_classes>
        vendor;                                                ///< cuDNN's fastest that computes in just this precision
    std::array<std::optional<PaysTime>, dense_classes> dense;  ///< the fastest of the class; empty without cuDNN's
    /// By layout ("nchw"), in us, the fastest of all that take x and return y in it: sparse ones, and dense ones of the
    /// class.
    std::array<std::map<std::string, double>, dense_classes> us_in_layout;
};

/// One row per point, in order, for a figure with 'sparse'.
std::vector<PaysRow> pays_rows(const PaperFigure&, const PointRecords&);

enum class Pays { yes, no, too_close, unknown };
/// Too close where the ratio's 95 % interval contains 1.
Pays pays(const PaysRow&, DenseClass);
/// Time of the fastest dense method of the class over that of the fastest sparse one: above 1, skipping pays.
std::optional<double> pays_ratio(const PaysRow&, DenseClass);

/// The times of methods on layers without a zero. A method's gain from zeros is measured against its own time here, so
/// that a better kernel is not mistaken for a gain from zeros.
class TimesWithoutZeros {
public:
    void add(const PaperFigure&, const FigureTiming&, const PointRecords&);
    /// Time of the row's fastest sparse method without a zero over its time on the row; empty where either is missing.
    std::optional<double> gain(const PaysRow&, const FigureTiming&) const;

private:
    std::map<std::array<std::string, 3>, double> us_;  ///< by shape, method and timing
};

/// Totals over all points. The ratios are of summed, weighted times: above 1, faster than each layer with its fastest
/// dense method. Empty where a point is unknown.
struct PaysCount {
    std::size_t yes = 0, no = 0, too_close = 0, unknown = 0;
    std::optional<double> all_sparse;  ///< each layer with its fastest sparse method
    std::optional<double> better;      ///< each layer with its fastest method, sparse or dense
    /// The same with all layers in the one layout in which that is fastest: nothing is converted between layers. Empty
    /// where no layout has a method for every layer.
    std::optional<double> better_in_one_layout;
};
PaysCount pays_count(const std::vector<PaysRow>&, DenseClass);

}  // namespace convscope
