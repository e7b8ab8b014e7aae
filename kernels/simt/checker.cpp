#include "kernels/simt/checker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/simt/kernel_sources.h"

namespace convscope::simt {

constinit thread_local Checker* checker = nullptr;

void Checker::add(void* memory, std::size_t bytes, std::string name) {
    auto* begin = static_cast<std::byte*>(memory);
    WatchedMemory& added = allocations_[begin];
    added = {Space::global, begin, bytes, nullptr, std::move(name), nullptr};
    added.owned = std::make_unique<Cell[]>(added.words());
    added.cells = added.owned.get();
}

void Checker::remove(void* memory) noexcept {
    allocations_.erase(static_cast<std::byte*>(memory));
}

WatchedMemory* Checker::find(const void* address) {
    const auto* byte = static_cast<const std::byte*>(address);
    auto above = allocations_.upper_bound(byte);
    if (above == allocations_.begin()) return nullptr;
    WatchedMemory& candidate = std::prev(above)->second;
    return byte < candidate.begin + candidate.bytes ? &candidate : nullptr;
}

namespace {

/// The cells of the words that a range of bytes touches.
std::pair<Cell*, Cell*> cells_of(const WatchedMemory& memory, const void* from, std::size_t bytes) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(from) - memory.begin);
    return {memory.cells + offset / 4, memory.cells + std::min((offset + bytes + 3) / 4, memory.words())};
}

}  // namespace

void Checker::mark_written(const void* from, std::size_t bytes) {
    constexpr std::uint32_t by_host = 1;
    if (WatchedMemory* memory = find(from)) {
        const auto [first, end] = cells_of(*memory, from, bytes);
        std::fill(first, end, Cell{{by_host, 0, 0}, {}});
    }
}

void Checker::mark_unwritten(const void* from, std::size_t bytes) {
    if (WatchedMemory* memory = find(from)) {
        const auto [first, end] = cells_of(*memory, from, bytes);
        std::fill(first, end, Cell{});
    }
}

void Checker::require_written(const void* from, std::size_t bytes) {
    if (const WatchedMemory* memory = find(from); memory && options.uninitialised) {
        const auto [first, end] = cells_of(*memory, from, bytes);
        const Cell* unwritten = std::find_if(first, end, [](const Cell& cell) { return cell.write.stamp == 0; });
        if (unwritten != end) report_unwritten_operand(*memory, static_cast<std::size_t>(unwritten - memory->cells));
    }
}

void Checker::begin_launch(const KernelLaunch& launch, const std::vector<KernelArgument>& arguments) {
    if (now_ > std::numeric_limits<std::uint32_t>::max() / 2) renew_stamps();
    launch_ = launch;
    shared_.clear();
    shared_keys_.clear();
    block_starts_.clear();
    dynamic_begin_ = nullptr;
    dynamic_cells_.assign(launch.shared_bytes / 4 + 1, Cell{});
    hazard_since_[static_cast<int>(Space::global)] = ++now_;
    const std::vector<std::string> names = parameter_names(launch.kernel);
    parameters_.clear();
    numbers_.clear();
    for (std::size_t i = 0; i < std::min(arguments.size(), names.size()); ++i) {
        const KernelArgument& given = arguments[i];
        if (given.address) parameters_.push_back({static_cast<const std::byte*>(given.address), names[i]});
        for (const auto& [member, number] : given.numbers)
            numbers_[*member ? names[i] + '.' + member : names[i]] = number;
    }
}

void Checker::begin_block(const Dim3& block) {
    block_ = block;
    block_since_ = barrier_since_ = ++now_;
    block_starts_.push_back(now_);
    written_since_[static_cast<int>(Space::shared)] = hazard_since_[static_cast<int>(Space::shared)] = now_;
    warp_since_.fill(now_);
    quiet_left_ = steps_behind_ = options.step_limit;
    begin_slice();
    recording_ = recorder && recorder->begin_block(launch_, block);
    if (recording_) recorder->set_arguments(numbers_);
}

void Checker::begin_slice() {
    constexpr std::uint64_t slice = 1'000'000;
    if (options.stop.stop_requested()) throw Error(ErrorKind::failed, launch_.kernel + " was stopped");
    steps_left_ = std::min(slice, steps_behind_);
    steps_behind_ -= steps_left_;
}

void Checker::end_slice(const std::source_location& at) {
    if (steps_behind_ == 0) report_endless(at);
    begin_slice();
}

void Checker::release_warp(unsigned warp, std::uint32_t lanes, bool all) {
    ++now_;
    if (all) {
        warp_since_[warp] = now_;
        return;
    }
    if (lane_since_.empty()) lane_since_.resize(warp_since_.size());
    std::array<std::uint32_t, 32> together{};
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        for (unsigned other = 0; other < 32; ++other)
            together[other] = std::max(together[other], lane_since_[warp][lane][other]);
    }
    for (unsigned lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) together[lane] = now_;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) lane_since_[warp][lane] = together;
}

void Checker::enter_thread(unsigned thread) {
    if (thread != me_) last_step_ = {};
    me_ = static_cast<std::uint16_t>(thread);
}

// Once in some thousand million synchronisations: all that is remembered of a word is whether it was written.
void Checker::renew_stamps() {
    for (auto& [begin, memory] : allocations_)
        for (std::size_t word = 0; word < memory.words(); ++word)
            memory.cells[word] = Cell{{memory.cells[word].write.stamp > 0 ? 1u : 0u, 0, 0}, {}};
    lane_since_.clear();
    now_ = 2;
}

WatchedMemory* Checker::shared_array(std::byte* memory, std::size_t bytes, const std::source_location& declaration,
                                     bool dynamic, const char* name) {
    const Inside inside(this);
    const std::uint16_t source = sources_.id(declaration);
    if (dynamic && !dynamic_begin_) dynamic_begin_ = memory;
    const auto offset = dynamic ? static_cast<std::size_t>(memory - dynamic_begin_) : 0;
    for (std::size_t i = 0; i < shared_.size(); ++i)
        if (shared_keys_[i].source == source && shared_keys_[i].offset == offset && shared_keys_[i].bytes == bytes) {
            shared_[i].begin = memory;  // a static array moves from block to block
            return &shared_[i];
        }
    if (dynamic && offset + bytes > launch_.shared_bytes) report_too_much_shared(offset + bytes, declaration);
    WatchedMemory array{Space::shared, memory, bytes, nullptr, name ? name : declared_name(declaration), nullptr};
    if (!dynamic) array.owned = std::make_unique<Cell[]>(array.words());
    array.cells = dynamic ? dynamic_cells_.data() + offset / 4 : array.owned.get();
    shared_.push_back(std::move(array));
    shared_keys_.push_back({source, offset, bytes});
    return &shared_.back();
}

}  // namespace convscope::simt
