#include "kernels/runtime/launch_recorder.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "kernels/core/format_units.h"

namespace convscope::runtime {
namespace {

constexpr std::size_t max_launches = 100;         ///< in which nothing is found
constexpr std::size_t max_arrays = 1000;          ///< of a launch
constexpr std::uint64_t max_copied = 8ULL << 30;  ///< bytes, a few seconds: small launches may use much memory

std::uint64_t up(std::uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

std::uint64_t size_of(const ptx::Array& array) {
    return array.freed ? 0 : up(array.bytes + array.words());
}

}  // namespace

LaunchRecorder& LaunchRecorder::get() {
    static LaunchRecorder* const recorder = new LaunchRecorder;
    return *recorder;
}

LaunchRecorder::LaunchRecorder() : wanted_(settings().launches >= 0) {
    struct stat about {};
    if (!wanted_) return;
    if (fstat(settings().launches, &about) == 0 && about.st_size > 0) {
        room_ = static_cast<std::uint64_t>(about.st_size);
        void* memory = mmap(nullptr, room_, PROT_READ | PROT_WRITE, MAP_SHARED, settings().launches, 0);
        if (memory != MAP_FAILED) shared_ = static_cast<std::byte*>(memory);
    }
    close(settings().launches);
}

std::optional<SharedBytes> LaunchRecorder::keep(const std::string& text) {
    if (!shared_ || text.size() > room_ - end_) return std::nullopt;
    const SharedBytes kept{end_, text.size()};
    std::memcpy(shared_ + end_, text.data(), text.size());
    end_ = std::min(room_, end_ + up(text.size()));
    return kept;
}

void LaunchRecorder::take(std::span<const ptx::LentArray> memory, std::string why_not) {
    taken_.clear();
    why_not_ = std::move(why_not);
    if (!why_not_.empty()) return;
    std::uint64_t bytes = 0;
    for (const ptx::LentArray& lent : memory) bytes += size_of(lent.array);
    if (!shared_)
        why_not_ = "there is no memory to keep it in";
    else if (memory.size() > max_arrays)
        why_not_ = fmt::format("it may reach {} allocations, and is kept with up to {}", memory.size(), max_arrays);
    else if (bytes > room_ - end_)
        why_not_ = fmt::format("its allocations take {}, and of {} for all launches {} are left",
                               format_bytes(static_cast<double>(bytes)), format_bytes(static_cast<double>(room_)),
                               format_bytes(static_cast<double>(room_ - end_)));
    else if (bytes > max_copied - copied_)
        why_not_ = "the launches before it have used too much memory to look at each";
    if (!why_not_.empty()) return;
    copied_ += bytes;
    std::uint64_t at = end_;
    for (const ptx::LentArray& lent : memory) {
        const ptx::Array& array = lent.array;
        taken_.push_back(at);
        if (array.freed) continue;
        std::memcpy(shared_ + at, array.data, array.bytes);
        std::memcpy(shared_ + at + array.bytes, array.written, array.words());
        at += size_of(array);
    }
}

Json LaunchRecorder::memory_of(std::span<const ptx::LentArray> memory, bool ended,
                               const std::vector<std::string>& found, std::string& left_out) {
    left_out = why_not_;
    if (!left_out.empty()) return {};
    const auto counts = [&](const ptx::Array& array) { return !array.freed && (array.used != 0 || !ended); };
    bool is_new = false;
    for (const std::string& each : found) is_new |= found_.insert(each).second;
    std::uint64_t bytes = 0;
    for (const ptx::LentArray& lent : memory)
        if (counts(lent.array)) bytes += size_of(lent.array);
    if (!is_new && launches_ >= max_launches)
        left_out = fmt::format("{} launches before it are kept, and nothing else is found in it", launches_);
    else if (!is_new && end_ + bytes > room_ / 2)
        left_out = "the launches before it have taken the room, but for those with other findings";
    if (!left_out.empty()) return {};
    ++launches_;
    Json all = Json::array();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const ptx::Array& array = memory[i].array;
        Json one{{"address", memory[i].address},
                 {"room", memory[i].room},
                 {"name", array.name},
                 {"bytes", array.bytes},
                 {"element_bytes", array.element_bytes},
                 {"constant", array.space == ptx::Space::constant},
                 {"writable", array.writable},
                 {"freed", array.freed}};
        if (counts(array)) {  // the others only lie there
            std::memmove(shared_ + end_, shared_ + taken_[i], array.bytes + array.words());
            one["at"] = end_;
            end_ += size_of(array);
        }
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace convscope::runtime
