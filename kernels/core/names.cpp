// The printed names of what a measurement is of, and their parsers.
#include <fmt/format.h>

#include <array>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/core/parse_name.h"
#include "kernels/core/timing.h"

namespace convscope {

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
    return parse_name(std::array{kernel, launch, copies, alloc, setup}, text, "timing scope");
}

const char* to_string(CacheMode mode) {
    return mode == CacheMode::hot ? "hot" : "cold";
}

CacheMode parse_cache(const std::string& text) {
    return parse_name(std::array{CacheMode::hot, CacheMode::cold}, text, "cache mode");
}

std::string to_string(const Dim3& dim) {
    return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
}

}  // namespace convscope
