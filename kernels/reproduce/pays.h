// Whether skipping zeros pays: the fastest method that skips them against the fastest that does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_values.h"

namespace convscope {

/// Of the dense methods that count: FP32 results alone (emulated ones too), those from TF32 as well, those from FP16
/// too.
enum class DenseClass { fp32, tf32, fp16 };
inline constexpr std::size_t dense_classes = 3;
const char* to_string(DenseClass);  ///< "FP32", "TF32", "FP16"

struct PaysTime {
    std::string method;
    double us = 0;
    double noise_pct = 0;  ///< half the 95 % interval of the median, in percent of it
};

/// One point of a figure. Empty where no such method passed.
struct PaysRow {
    std::string point;
    double sparsity = 0;  ///< requested
    std::int64_t weight = 1;
    std::optional<PaysTime> sparse;  ///< the fastest that skips zeros
    std::optional<PaysTime> ours;    ///< the fastest dense one of ours, in FP32
    std::array<std::optional<PaysTime>, dense_classes>
        vendor;                                                ///< cuDNN's fastest that computes in just this precision
    std::array<std::optional<PaysTime>, dense_classes> dense;  ///< the fastest of the class; empty without cuDNN's
};

/// For a figure with 'sparse': one for each point, in order.
std::vector<PaysRow> pays_rows(const PaperFigure&, const PointRecords&);

enum class Pays { yes, no, too_close, unknown };
/// Too close where the ratio's 95 % interval has 1 in it.
Pays pays(const PaysRow&, DenseClass);
/// Time of the fastest dense method of the class over that of the fastest sparse one: above 1, skipping pays.
std::optional<double> pays_ratio(const PaysRow&, DenseClass);

/// What all points come to.
struct PaysCount {
    std::size_t yes = 0, no = 0, too_close = 0, unknown = 0;
    std::optional<double> total;  ///< ratio of the summed, weighted times; empty where a point is unknown
};
PaysCount pays_count(const std::vector<PaysRow>&, DenseClass);

}  // namespace convscope
