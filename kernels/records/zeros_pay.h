// Whether skipping zeros pays on one layer, by its measured times over the share of zeros.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// The fastest method that skips zeros against the fastest that does not, by the precision of its results.
struct ZerosPay {
    struct Dense {
        std::string precision, method;  ///< "FP32", of emulated FP32 too; "TF32", "FP16"
        double us = 0;                  ///< at the largest share of zeros
        /// The smallest measured share from which on the skipping method is the faster one at every share, by more than
        /// the 95 % interval. Empty: it is not at the largest.
        std::optional<double> from;
    };
    double zeros = 0;    ///< the largest measured share below 1: with nothing but zeros there is nothing to compute
    std::string method;  ///< the fastest that skips zeros there
    double us = 0;
    std::vector<Dense> dense;  ///< the slowest first
    bool of_x = false;         ///< zeros were requested in w too: the sentence says that it is about those of x

    /// The answer: "pays from 95 % zeros on", "does not pay".
    std::string verdict() const;
    /// "Skipping zeros pays from 95 % zeros on against FP32 (tensor1, 15.2 us), not against FP16 (cudnn-fp16, 11.5 us):
    /// at 99 % zeros ecr4 takes 11.5 us."
    std::string sentence() const;
};

/// Compares rows that differ in method and zeros of x alone. A row skips zeros where its method executes less than at
/// its smallest share of zeros; a library's unknown work counts as dense. A row of ours that does not tell
/// counts as neither. Empty where no row skips, or none is dense.
std::optional<ZerosPay> zeros_pay(const std::vector<Record>&);

/// The precision of the results of an Arithmetic: "FP32", of three TF32 products too; "?" where it is not known.
std::string precision_of(const std::string& arithmetic);

}  // namespace convscope
