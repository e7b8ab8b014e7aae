// Launch configurations: the user's request, the kernels that a method resolves it to, and why a point is invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace convscope {

struct Dim3 {
    std::int64_t x = 1, y = 1, z = 1;
    std::int64_t count() const { return x * y * z; }
    bool operator==(const Dim3&) const = default;
};
std::string to_string(const Dim3&);  ///< "32x4x1"

/// Yes, or no with the reason as one sentence.
struct Support {
    bool ok = true;
    std::string reason;
    explicit operator bool() const { return ok; }
    static Support no(std::string reason) { return {false, std::move(reason)}; }
};

struct Tunable {
    std::string name;                  ///< as in --set NAME=VALUE
    std::string meaning;               ///< one short sentence
    std::vector<std::int64_t> values;  ///< the allowed values, ascending
    std::int64_t default_value = 0;    ///< the default, one of values
};

/// A user's request. Unset parts take the method's default.
struct LaunchConfig {
    std::optional<Dim3> block, grid;
    std::map<std::string, std::int64_t> tunables;
    bool operator==(const LaunchConfig&) const = default;
};

/// The settings that a method offers for one shape.
struct LaunchSpace {
    bool block_free = false;  ///< --block is accepted
    bool grid_free = false;   ///< --grid is accepted; otherwise it follows from block and shape
    std::vector<Tunable> tunables;
};

/// One kernel of a resolved configuration.
struct KernelLaunch {
    std::string kernel;  ///< the function's name in the source
    std::string stage;   ///< which stage of the method it belongs to
    Dim3 grid, block;
    std::size_t shared_bytes = 0;  ///< static + dynamic
    int registers = 0;             ///< per thread; 0 when not known
};

/// A number that a method's plan rests on, shown to the user.
struct Quantity {
    std::string symbol;   ///< the paper's: "N_FMA"
    double value = 0;     ///< a whole number in most cases
    std::string unit;     ///< "B", "FMA"; empty for a count
    std::string meaning;  ///< one short sentence
};

/// The kernels of a configuration, in launch order, or why it cannot run. A rejected configuration is never launched.
struct ResolvedLaunch {
    Support support;
    std::vector<KernelLaunch> kernels;
    std::size_t main = 0;  ///< index of the kernel whose block and grid the user sets (the CSV's columns)
    std::vector<Quantity> quantities = {};  ///< of methods that plan; there also where the plan is rejected
};

}  // namespace convscope
