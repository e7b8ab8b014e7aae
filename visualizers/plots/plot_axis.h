// Axes: ranges and ticks at round numbers. No ImGui.
#pragma once

#include <string>
#include <vector>

namespace convscope {

struct Tick {
    double value = 0;
    std::string label;  ///< empty for a minor tick
};

/// Ticks inside [low, high] at 1, 2 or 5 times a power of ten, about 'wanted' of them, all with the same decimals.
/// Nothing for an empty or infinite range. 'whole': at whole numbers only, of what is counted; there may be one alone.
std::vector<Tick> nice_ticks(double low, double high, int wanted, bool whole = false);
/// On a logarithmic axis: labels at 1, 2 and 5 (fewer over many decades), minor ticks between. low > 0.
std::vector<Tick> log_ticks(double low, double high, int wanted, bool whole = false);

/// On a logarithmic axis: at powers of two, every second or third where they are many. low > 0.
std::vector<Tick> binary_ticks(double low, double high, int wanted);

bool are_powers_of_two(const std::vector<double>&);

/// Range of an axis that shows low..high with a margin; a single value gets room on both sides. Never below zero for
/// values that are not.
struct AxisRange {
    double low = 0, high = 1;
};
AxisRange padded_range(double low, double high, bool log_scale);

/// The unit in which microseconds up to 'largest' read best: name and size in microseconds.
struct TimeUnit {
    const char* name;
    double us;
};
TimeUnit time_unit_for(double largest_us);

}  // namespace convscope
