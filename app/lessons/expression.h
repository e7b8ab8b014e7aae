// The expressions of lessons, "needed < dense / 10", compiled once and evaluated over the live state. They are what
// stands in {= ...} in a lesson's text, and in its conditions and answers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lessons/names.h"

namespace convscope {
class Registry;
}

namespace convscope::lessons {

/// How far a measured value can be relied on.
struct Bounds {
    double low = 0, median = 0, high = 0;
    bool reliable = false;  ///< enough samples for the bounds to count
    bool complete = false;  ///< measuring on is not worth the wait
};

/// Gives the facts that expressions name. A fact that is not there yet is said with 'not_known'.
class FactSource {
public:
    virtual ~FactSource() = default;
    virtual double name(const std::string& name) const = 0;
    virtual double call(const std::string& function, const std::string& word,
                        std::span<const double> numbers) const = 0;
    /// The interval of a measured value; unset for an exact one. Throws NotKnown.
    virtual std::optional<Bounds> bounds(const std::string& /*function*/, const std::string& /*word*/) const {
        return std::nullopt;
    }
};

/// Thrown by a FactSource, and caught by Expression::evaluate.
struct NotKnown {
    std::string why;                 ///< "ecr1 is not measured yet": what has to happen first
    bool needs_measurement = false;  ///< running the live measurement would tell
    bool never_known = false;        ///< the measurement is complete, and does not tell
};

struct Answer {
    std::optional<double> value;     ///< unset: not known yet
    std::string why;                 ///< then, why not
    bool needs_measurement = false;  ///< then: the live measurement would tell
    bool never_known = false;        ///< then: the measurement is complete, and does not tell
    bool holds() const { return value && *value != 0; }
};

/// time("ecr1@setup"): one value of the live measurement that an expression asks for.
struct MeasuredValue {
    std::string function, word;
    std::string method() const { return word.substr(0, word.find('@')); }
    auto operator<=>(const MeasuredValue&) const = default;
};

class Expression {
public:
    Expression() = default;
    /// Unset where it is wrong; each sentence of 'problems' names what and says what is accepted. 'doubts' are about
    /// methods that this machine does not have. With 'live' names of numbers that the caller defines (see evaluate).
    static std::optional<Expression> compile(const std::string& text, const Registry&,
                                             std::vector<std::string>& problems, std::vector<std::string>& doubts);

    Answer evaluate(const FactSource&) const;
    const std::string& text() const;
    /// The live measurements that it asks for.
    const std::vector<MeasuredValue>& measured_values() const;

private:
    struct Compiled;
    std::shared_ptr<Compiled> compiled_;
};

}  // namespace convscope::lessons
