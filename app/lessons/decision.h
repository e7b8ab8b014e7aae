// Whether a question about measured times can be decided: what is true within the noise only is not taught as true.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lessons/expression.h"

namespace convscope::lessons {

struct Decision {
    enum class Kind {
        unknown,    ///< something is not there yet
        measuring,  ///< it is still within the noise, and measuring on may tell
        too_close,  ///< it is within the noise of a complete measurement, or no sample of that counts
        decided
    };
    Kind kind = Kind::unknown;
    bool right = false;              ///< where it is decided
    std::string why;                 ///< otherwise: a sentence
    bool needs_measurement = false;  ///< the live measurement would tell
};

/// Says whether an answer is right in a state; unset 'value' where that is not known there.
using IsRight = std::function<Answer(const FactSource&)>;

/// An answer that rests on no measured value is decided by the state. Otherwise it is when every measured value is
/// reliable and the answer stays right, or stays wrong, wherever each value is within its 97.5 % interval: for two
/// times that is with at least 95 % confidence (Bonferroni), as for the interval of their ratio.
Decision decide(const IsRight&, const std::vector<MeasuredValue>&, const FactSource&);

}  // namespace convscope::lessons
