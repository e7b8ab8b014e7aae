#include "app/request/axes.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/layers/preset.h"

namespace convscope {
namespace {

constexpr std::size_t max_values = 100000;

[[noreturn]] void reject_length(const std::string& flag, const std::string& text) {
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' has more than {} values", flag, text, max_values));
}

[[noreturn]] void reject_range(const std::string& flag, const std::string& text) {
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not a range; give start:stop:step with start <= stop and a "
                                              "step above 0",
                                              flag, text));
}

std::vector<std::string> expand_range(const std::string& flag, const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 3) reject_range(flag, text);
    constexpr double most = 1e15;  // doubles count exactly up to here
    const double start = parse_real(flag, parts[0], 0, most);
    const double stop = parse_real(flag, parts[1], 0, most);
    const double step = parse_real(flag, parts[2], 0, most);
    if (step <= 0 || start > stop) reject_range(flag, text);
    // A stop that is a whole number of steps away counts, whatever the last bit of the division says.
    const double count = std::floor((stop - start) / step + 1e-9) + 1;
    if (count > static_cast<double>(max_values)) reject_length(flag, text);
    const bool whole = std::all_of(parts.begin(), parts.end(), digits_only);
    std::vector<std::string> values;
    for (double i = 0; i < count; ++i) {
        const double value = start + i * step;
        // Twelve digits: 0.1 + 2 * 0.1 is 0.3 again.
        values.push_back(whole ? fmt::format("{:.0f}", value) : fmt::format("{:.12g}", value));
    }
    return values;
}

std::vector<std::string> expand_presets(const std::string& text) {
    std::vector<std::string> names;
    for (const std::string& part : split(text, ',')) {
        const std::size_t before = names.size();
        if (part.ends_with(".toml")) {
            for (std::string& name : names_in_file(part)) names.push_back(std::move(name));
            continue;
        }
        if (part.find('*') == std::string::npos) {
            names.push_back(part);
            continue;
        }
        for (const Preset& preset : all_presets())
            if (fnmatch(part.c_str(), preset.spec.name.c_str(), 0) == 0) names.push_back(preset.spec.name);
        if (names.size() == before)
            throw Error(ErrorKind::not_found, fmt::format("--preset: no preset matches '{}'; see convscope list "
                                                          "presets",
                                                          part));
    }
    return names;
}

/// "tile=8,16" gives "tile=8" and "tile=16".
std::vector<std::string> expand_setting(const std::string& flag, const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) return {text};
    const std::string name = text.substr(0, sign + 1);
    std::vector<std::string> settings;
    for (const std::string& value : expand_list(flag, text.substr(sign + 1))) settings.push_back(name + value);
    return settings;
}

/// Other values are text of the program: "FILL=f(1,2)".
bool is_list_of_numbers(const std::string& define) {
    const std::size_t sign = define.find('=');
    return sign != std::string::npos && define.find_first_not_of("0123456789,:", sign + 1) == std::string::npos;
}

std::vector<std::string> expand(const std::string& flag, const std::string& text) {
    if (flag == "--preset") return expand_presets(text);
    if (flag == "--block" || flag == "--grid") return expand_dim3(flag, text);
    if (flag == "--set") return expand_setting(flag, text);
    if (flag == "--define") return is_list_of_numbers(text) ? expand_setting(flag, text) : std::vector{text};
    if (flag == "--own") return {text};
    // "cuda:0" and "2:4" are not ranges.
    if (flag == "--device" || flag == "--weight-pattern") return split(text, ',');
    return expand_list(flag, text);
}

}  // namespace

std::vector<std::string> expand_list(const std::string& flag, const std::string& text) {
    std::vector<std::string> values;
    for (const std::string& part : split(text, ',')) {
        if (part.find(':') == std::string::npos) {
            values.push_back(part);
        } else {
            for (std::string& value : expand_range(flag, part)) values.push_back(std::move(value));
        }
        if (values.size() > max_values) reject_length(flag, text);
    }
    return values;
}

std::vector<std::string> expand_dim3(const std::string& flag, const std::string& text) {
    if (text.find('x') != std::string::npos) return split(text, ',');
    std::vector<std::string> points{""};
    for (const std::string& extent : split(text, ',')) {
        std::vector<std::string> longer;
        const std::vector<std::string> values = expand_list(flag, extent);
        if (points.size() * values.size() > max_values) reject_length(flag, text);
        for (const std::string& point : points)
            for (const std::string& value : values)
                longer.push_back(point.empty() ? value : fmt::format("{},{}", point, value));
        points = std::move(longer);
    }
    return points;
}

std::vector<Axis> find_axes(const FlagValues& given) {
    std::vector<Axis> axes;
    for (auto list : {workload_flags(), launch_flags(), user_flags(), timing_flags()})
        for (const Flag& flag : list) {
            const std::vector<std::string> texts = given.all(flag.name);
            if (texts.size() > 1 && !flag.repeatable) given.get(flag.name);  // says that it is given twice
            for (std::size_t place = 0; place < texts.size(); ++place) {
                Axis axis{flag.name, place, expand(flag.name, texts[place])};
                if (axis.values.size() > 1 || axis.values[0] != texts[place]) axes.push_back(std::move(axis));
            }
        }
    return axes;
}

std::vector<FlagValues> span_points(const FlagValues& base, const std::vector<Axis>& axes, std::size_t most) {
    std::size_t count = 1;
    for (const Axis& axis : axes) {
        count *= axis.values.size();
        if (count > most)
            throw Error(ErrorKind::usage,
                        fmt::format("the sweep has more than {} points; narrow {}", most, base.label(axis.flag)));
    }
    std::vector<FlagValues> points{base};
    for (const Axis& axis : axes) {
        std::vector<FlagValues> more;
        for (const FlagValues& point : points)
            for (const std::string& value : axis.values) {
                std::vector<std::string> values = point.all(axis.flag);
                values[axis.place] = value;
                more.push_back(point);
                more.back().set_all(axis.flag, std::move(values));
            }
        points = std::move(more);
    }
    return points;
}

}  // namespace convscope
