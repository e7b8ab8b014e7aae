// The expressions of lessons, "needed < dense / 10", compiled once and evaluated over the live state.
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

/// What expressions ask. An answer that is not there yet is said with 'not_known'.
class FactSource {
public:
    virtual ~FactSource() = default;
    virtual double name(const std::string& name) const = 0;
    virtual double call(const std::string& function, const std::string& word,
                        std::span<const double> numbers) const = 0;
};

/// Thrown by a FactSource, and caught by Expression::evaluate.
struct NotKnown {
    std::string why;                 ///< "ecr1 is not measured yet": what has to happen first
    bool needs_measurement = false;  ///< running the live measurement would tell
};

struct Answer {
    std::optional<double> value;     ///< unset: not known yet
    std::string why;                 ///< then, why not
    bool needs_measurement = false;  ///< then: the live measurement would tell
    bool holds() const { return value && *value != 0; }
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
    /// Whether it asks for any of what a live measurement gives; and of which methods.
    const std::vector<std::string>& measured_methods() const;

private:
    struct Compiled;
    std::shared_ptr<Compiled> compiled_;
};

}  // namespace convscope::lessons
