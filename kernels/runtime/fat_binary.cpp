#include "kernels/runtime/fat_binary.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace convscope::runtime {
namespace {

constexpr std::uint32_t magic = 0xBA55ED50;
constexpr std::uint64_t lz4_compressed = 0x2000, zstd_compressed = 0x8000;
constexpr std::size_t max_text = 256 << 20;

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// A block of LZ4: literals, then a copy of what came before, again and again.
std::optional<std::string> expand_lz4(std::span<const std::byte> from, std::size_t size) {
    std::string text;
    std::size_t at = 0;
    const auto byte = [&] { return at < from.size() ? static_cast<unsigned>(from[at++]) : 0u; };
    const auto length = [&](unsigned begin) {
        std::size_t sum = begin;
        for (unsigned more = begin == 15 ? 255 : 0; more == 255 && at < from.size();) sum += more = byte();
        return sum;
    };
    while (at < from.size()) {
        const unsigned token = byte();
        const std::size_t literals = length(token >> 4);
        if (literals > from.size() - at || text.size() + literals > size) return std::nullopt;
        text.append(reinterpret_cast<const char*>(from.data() + at), literals);
        at += literals;
        if (at >= from.size()) break;
        const unsigned low = byte();
        const std::size_t back = low + 256 * byte(), copied = length(token & 15) + 4;
        if (back == 0 || back > text.size() || text.size() + copied > size) return std::nullopt;
        for (std::size_t i = 0; i < copied; ++i) text += text[text.size() - back];
    }
    return text;
}

/// With the system's library: what makes packages of distributions has it, and so has nearly every machine.
std::optional<std::string> expand_zstd(std::span<const std::byte> from, std::size_t size, std::string& problem) {
    static void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    using Decompress = std::size_t (*)(void*, std::size_t, const void*, std::size_t);
    const auto decompress = library ? reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress")) : nullptr;
    if (!decompress) {
        problem = "its PTX is compressed, and libzstd.so.1 is missing: compile with --no-compress";
        return std::nullopt;
    }
    std::string text(size, '\0');
    if (decompress(text.data(), text.size(), from.data(), from.size()) != size) return std::nullopt;
    return text;
}

PtxImage image_of(std::span<const std::byte> header, std::span<const std::byte> payload) {
    PtxImage image;
    image.architecture = value_at<std::uint32_t>(header, 28);
    const auto flags = value_at<std::uint64_t>(header, 40);
    const auto packed = value_at<std::uint32_t>(header, 16);
    const auto size = static_cast<std::size_t>(value_at<std::uint64_t>(header, 56));
    std::optional<std::string> text;
    if (!(flags & (lz4_compressed | zstd_compressed)))
        text = std::string(reinterpret_cast<const char*>(payload.data()), payload.size());
    else if (packed <= payload.size() && size <= max_text)
        text = flags & lz4_compressed ? expand_lz4(payload.first(packed), size)
                                      : expand_zstd(payload.first(packed), size, image.problem);
    if (!text)
        image.problem =
            image.problem.empty() ? "its PTX cannot be unpacked: compile with --no-compress" : image.problem;
    else
        image.text = text->substr(0, text->find('\0'));
    return image;
}

}  // namespace

std::size_t fat_binary_bytes(const std::byte* begin) {
    const std::span<const std::byte> header(begin, fat_binary_header);
    if (value_at<std::uint32_t>(header, 0) != magic) return 0;
    return fat_binary_header + static_cast<std::size_t>(value_at<std::uint64_t>(header, 8));
}

std::vector<PtxImage> ptx_images(std::span<const std::byte> most) {
    constexpr std::size_t head = fat_binary_header, shortest_entry = 64;
    std::vector<PtxImage> images;
    for (std::size_t at = 0; at + head <= most.size();) {
        const auto rest = most.subspan(at);
        if (value_at<std::uint32_t>(rest, 0) != magic) {
            at += 8;  // they are aligned to it
            continue;
        }
        const auto skipped = value_at<std::uint16_t>(rest, 6);
        const auto size = value_at<std::uint64_t>(rest, 8);
        if (skipped < head || skipped > rest.size() || size > rest.size() - skipped) {
            at += head;
            continue;
        }
        auto entries = rest.subspan(skipped, size);
        while (entries.size() >= shortest_entry) {
            const auto kind = value_at<std::uint16_t>(entries, 0);
            const auto header = value_at<std::uint32_t>(entries, 4);
            const auto bytes = value_at<std::uint64_t>(entries, 8);
            if (header < shortest_entry || header > entries.size() || bytes > entries.size() - header) break;
            if (kind == 1) images.push_back(image_of(entries.first(header), entries.subspan(header, bytes)));
            entries = entries.subspan(header + bytes);
        }
        at += skipped + size;
    }
    return images;
}

}  // namespace convscope::runtime
