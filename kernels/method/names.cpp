// The printed names of the core's enumerations, and their parsers.
#include <fmt/format.h>

#include <array>
#include <string>

#include "kernels/core/error.h"
#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/layers/workload.h"
#include "kernels/method/method.h"

namespace convscope {
namespace {

template <class Enum, std::size_t N>
Enum parse(const std::array<Enum, N>& values, const std::string& text, const char* what) {
    std::string accepted;
    for (Enum value : values) {
        if (text == to_string(value)) return value;
        accepted += (accepted.empty() ? "" : ", ") + std::string(to_string(value));
    }
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a {}; accepted are {}", text, what, accepted));
}

}  // namespace

const char* to_string(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cpu:
            return "cpu";
        case DeviceKind::cuda:
            return "cuda";
        case DeviceKind::sim:
            return "sim";
    }
    return "?";
}

const char* to_string(DType dtype) {
    switch (dtype) {
        case DType::f32:
            return "fp32";
        case DType::tf32:
            return "tf32";
        case DType::f16:
            return "fp16";
    }
    return "?";
}

const char* to_string(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::fp32:
            return "fp32";
        case Arithmetic::fp64:
            return "fp64";
        case Arithmetic::tf32:
            return "tf32";
        case Arithmetic::fp16:
            return "fp16";
        case Arithmetic::fp32_by_3xtf32:
            return "fp32_by_3xtf32";
        case Arithmetic::fp32_by_3xfp16:
            return "fp32_by_3xfp16";
    }
    return "?";
}

const char* to_string(TimingScope scope) {
    switch (scope) {
        case TimingScope::kernel:
            return "kernel";
        case TimingScope::launch:
            return "launch";
        case TimingScope::copies:
            return "copies";
        case TimingScope::alloc:
            return "alloc";
        case TimingScope::setup:
            return "setup";
    }
    return "?";
}

TimingScope parse_scope(const std::string& text) {
    using enum TimingScope;
    return parse(std::array{kernel, launch, copies, alloc, setup}, text, "timing scope");
}

const char* to_string(CacheMode mode) {
    return mode == CacheMode::hot ? "hot" : "cold";
}

CacheMode parse_cache(const std::string& text) {
    return parse(std::array{CacheMode::hot, CacheMode::cold}, text, "cache mode");
}

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
    return parse(std::array{uniform, blobs, channels, pixels, file, example}, text, "data source");
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
    return parse(weight_patterns, text, "weight pattern");
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
    return parse(std::array{ecr, pecr, mec, im2col}, text, "layout format");
}

std::string to_string(const Dim3& dim) {
    return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
}

}  // namespace convscope
