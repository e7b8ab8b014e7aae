// The printed names of a workload's choices and of layouts, and their parsers.
#include <array>
#include <string>

#include "kernels/core/parse_name.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/layers/workload.h"

namespace convscope {

const char* to_string(Source source) {
    switch (source) {
        case Source::uniform:
            return "uniform";
        case Source::blobs:
            return "blobs";
        case Source::channels:
            return "channels";
        case Source::pixels:
            return "pixels";
        case Source::file:
            return "file";
        case Source::example:
            return "example";
        case Source::chain:
            return "chain";
    }
    return "?";
}

Source parse_source(const std::string& text) {
    using enum Source;
    return parse_name(std::array{uniform, blobs, channels, pixels, file, example}, text, "data source");
}

std::vector<std::string> zero_pattern_names() {
    std::vector<std::string> names;
    for (const Source pattern : zero_patterns) names.emplace_back(to_string(pattern));
    return names;
}

const char* to_string(WeightPattern pattern) {
    switch (pattern) {
        case WeightPattern::uniform:
            return "uniform";
        case WeightPattern::two_of_four:
            return "2:4";
        case WeightPattern::rows:
            return "rows";
        case WeightPattern::blocks:
            return "blocks";
        case WeightPattern::magnitude:
            return "magnitude";
    }
    return "?";
}

WeightPattern parse_weight_pattern(const std::string& text) {
    return parse_name(weight_patterns, text, "weight pattern");
}

std::vector<std::string> weight_pattern_names() {
    std::vector<std::string> names;
    for (const WeightPattern pattern : weight_patterns) names.emplace_back(to_string(pattern));
    return names;
}

const char* to_string(Format format) {
    switch (format) {
        case Format::im2col:
            return "im2col";
        case Format::mec:
            return "mec";
        case Format::ecr:
            return "ecr";
        case Format::pecr:
            return "pecr";
    }
    return "?";
}

Format parse_format(const std::string& text) {
    using enum Format;
    return parse_name(std::array{ecr, pecr, mec, im2col}, text, "layout format");
}

}  // namespace convscope
