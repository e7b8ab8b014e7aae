// The law by which ocpa4 chooses: t = t0 + work / R, two numbers for each candidate. Pure: needs no GPU.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method/zero_boxes.h"

namespace convscope {

/// A time that was measured, and the work that was executed in it.
struct MeasuredWork {
    double flops = 0, us = 0;
};

struct CandidateLine {
    std::string method = {};             ///< id
    double t0_us = 0;                    ///< with nothing left to multiply; of a dense one its whole time
    double us_per_flop = 0;              ///< 1 / R; 0: the zeros do not shorten it
    std::optional<std::size_t> of = {};  ///< which of the table's boxes its work follows; none of a dense one
    std::string left_out = {};           ///< why it takes no part; empty where it does

    /// Its time by the law. 'flops' are those of each of the table's boxes.
    double us(const std::vector<double>& flops) const { return t0_us + (of ? us_per_flop * flops.at(*of) : 0); }
};

/// Fits t0 and R to two times. Where the time does not grow with the work there is no R: t0 is then the mean of both.
void fit(CandidateLine&, const MeasuredWork& less, const MeasuredWork& more);

/// The candidates of one shape on one device, in the registry's order.
struct ChoiceTable {
    std::vector<ZeroBoxes> boxes;  ///< what is counted of x: each kind of box once
    std::vector<CandidateLine> lines;
};

/// The place of the candidate with the shortest time by the law, of equal ones the first; none where all are left out.
std::optional<std::size_t> fastest(const ChoiceTable&, const std::vector<double>& flops);

/// "ecr4: out of memory; csr1: ...": the candidates that are left out, and why.
std::string left_out_text(const ChoiceTable&);

}  // namespace convscope
