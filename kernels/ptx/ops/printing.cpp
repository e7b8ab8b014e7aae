#include "kernels/ptx/ops/printing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "kernels/ptx/run/lane_access.h"

namespace convscope::ptx {
namespace {

constexpr std::size_t max_text = 4096;  ///< bytes of a format, a string or a converted argument

/// Reads a lane's memory, a piece at a time.
class LaneReader {
public:
    LaneReader(Warp& warp, const Op& op, unsigned lane) : warp_(warp), op_(op), lane_(lane) {}

    template <class T>
    T read(std::uint64_t address) {
        T value{};
        LaneAccess access(warp_, op_, sizeof(T), AccessKind::read);
        if (const std::byte* memory = access.reach(lane_, address))
            std::memcpy(&value, memory, sizeof value);
        else
            broken_ = true;
        return value;
    }
    std::string text(std::uint64_t address) {
        std::string all;
        for (char c; all.size() < max_text && !broken_ && (c = read<char>(address + all.size())) != 0;) all += c;
        return all;
    }
    bool broken() const { return broken_; }

private:
    Warp& warp_;
    const Op& op_;
    const unsigned lane_;
    bool broken_ = false;
};

/// As a GPU prints it.
double unsigned_nan(double value) {
    return std::isnan(value) ? std::abs(value) : value;
}

template <class T>
std::string converted(const std::string& specification, T value) {
    char buffer[max_text];
    std::snprintf(buffer, sizeof buffer, specification.c_str(), value);
    return buffer;
}

/// As printf does it: integers lie in 4 or 8 bytes, floats in 8, each aligned.
class Formatter {
public:
    Formatter(LaneReader& reader, std::uint64_t arguments) : reader_(reader), at_(arguments) {}

    std::string format(const std::string& text) {
        std::string all;
        for (std::size_t i = 0; i < text.size() && !reader_.broken(); ++i) {
            if (text[i] != '%') {
                all += text[i];
            } else if (i + 1 < text.size() && text[i + 1] == '%') {
                all += text[++i];
            } else {
                const std::size_t end = text.find_first_of("diouxXcsfFeEgGaAp", i + 1);
                if (end == std::string::npos) return all + text.substr(i);
                all += one(text.substr(i, end - i), text[end]);
                i = end;
            }
        }
        return all;
    }

private:
    template <class T>
    T next() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        const T value = reader_.read<T>(at_);
        at_ += sizeof(T);
        return value;
    }
    static std::string short_mark(std::size_t halvings) { return std::string(std::min<std::size_t>(halvings, 2), 'h'); }
    /// 'flags' with a width and a precision that a converted argument can have: no more is kept of it.
    static std::string bounded(const std::string& flags) {
        std::string all;
        for (std::size_t i = 0; i < flags.size();) {
            if (flags[i] < '1' || flags[i] > '9') {
                all += flags[i++];
                continue;
            }
            std::size_t number = 0;
            for (; i < flags.size() && std::isdigit(static_cast<unsigned char>(flags[i])); ++i)
                number = std::min(max_text - 1, 10 * number + static_cast<std::size_t>(flags[i] - '0'));
            all += std::to_string(number);
        }
        return all;
    }
    /// 'start' is "%-8.3l".
    std::string one(const std::string& start, char conversion) {
        std::string flags;
        bool wide = false;
        std::size_t halvings = 0;  // "h" and "hh": of the 4 bytes that are passed, 2 or 1 count
        for (const char c : start) {
            if (c == 'h') ++halvings;
            if (c == 'l' || c == 'j' || c == 'z' || c == 't') wide = true;
            if (c == '*')
                flags += std::to_string(next<std::int32_t>() % 1000);
            else if (std::strchr("%-+ #0123456789.", c))
                flags += c;
        }
        flags = bounded(flags);
        switch (conversion) {
            case 'c':
                return converted(flags + conversion, next<std::int32_t>());
            case 's':
                return converted(flags + conversion, reader_.text(next<std::uint64_t>()).c_str());
            case 'p':
                return fmt::format("{:#x}", next<std::uint64_t>());
            case 'd':
            case 'i':
                return wide ? converted(flags + "ll" + conversion, static_cast<long long>(next<std::int64_t>()))
                            : converted(flags + short_mark(halvings) + conversion, next<std::int32_t>());
            case 'o':
            case 'u':
            case 'x':
            case 'X':
                return wide ? converted(flags + "ll" + conversion,
                                        static_cast<unsigned long long>(next<std::uint64_t>()))
                            : converted(flags + short_mark(halvings) + conversion, next<std::uint32_t>());
            default:
                return converted(flags + conversion, unsigned_nan(next<double>()));
        }
    }

    LaneReader& reader_;
    std::uint64_t at_;
};

}  // namespace

void print(Warp& warp, const Op& op) {
    const Dim3 &at = warp.block().index(), &grid = warp.block().launch().request.grid;
    const std::int64_t number = at.x + grid.x * (at.y + grid.y * at.z);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        LaneAccess result(warp, op, 4, AccessKind::write);
        if (std::byte* memory = result.reach(lane, warp.values<std::uint64_t>(op.c)[lane])) std::memset(memory, 0, 4);
        if (warp.block().launch().printed.full()) continue;
        LaneReader reader(warp, op, lane);
        // The addresses lie in the parameters of the call.
        const auto format = reader.read<std::uint64_t>(warp.values<std::uint64_t>(op.a)[lane]);
        const auto arguments = reader.read<std::uint64_t>(warp.values<std::uint64_t>(op.b)[lane]);
        const std::string text = Formatter(reader, arguments).format(reader.text(format));
        if (!reader.broken()) warp.block().launch().printed.add(number, text);
    }
}

void fail_assertion(Warp& warp, const Op& op) {
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.mask));
    LaneReader reader(warp, op, lane);
    const auto text = reader.read<std::uint64_t>(warp.values<std::uint64_t>(op.a)[lane]);
    Finding found;
    found.kind = FindingKind::assertion;
    found.found = warp.block().location(warp, lane, op.line);
    found.what = fmt::format("'{}' does not hold", reader.text(text));
    warp.block().report(std::move(found));
    const std::uint32_t which = warp.mask;
    warp.exit_lanes(which);
    warp.block().lanes_left(warp, which, op.line);
}

}  // namespace convscope::ptx
