#include "kernels/ptx/run/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/grid_run.h"
#include "kernels/ptx/text/written_variables.h"

namespace convscope::ptx {
namespace {

// Limits of every GPU of today (CUDA C++ Programming Guide, 'Technical Specifications per Compute Capability').
constexpr std::int64_t max_threads = 1024, max_block_z = 64, max_grid_x = 2147483647, max_grid_yz = 65535,
                       max_cluster = 16;
constexpr std::uint64_t max_shared_bytes = 227 * 1024, max_static_shared_bytes = 48 * 1024;

void require_sizes(const Program& program, const LaunchRequest& request) {
    const Dim3 &grid = request.grid, &block = request.block;
    const auto reject = [](const std::string& sentence) { throw Error(ErrorKind::usage, sentence); };
    if (std::min({grid.x, grid.y, grid.z}) < 1 || grid.x > max_grid_x || std::max(grid.y, grid.z) > max_grid_yz)
        reject(fmt::format(
            "a grid of {} blocks cannot be launched; each size is 1 or more, the first up to {}, the others up to {}",
            to_string(grid), max_grid_x, max_grid_yz));
    if (std::min({block.x, block.y, block.z}) < 1 || std::max(block.x, block.y) > max_threads ||
        block.z > max_block_z || block.count() > max_threads)
        reject(fmt::format("a block of {} threads cannot be launched; a block has 1 to {}, along z up to {}",
                           to_string(block), max_threads, max_block_z));
    const Dim3 cluster = cluster_of(program, request);
    if (std::min({cluster.x, cluster.y, cluster.z}) < 1 || std::max({cluster.x, cluster.y, cluster.z}) > max_cluster ||
        cluster.count() > max_cluster)
        reject(
            fmt::format("a cluster of {} blocks cannot be launched; it has 1 to {}", to_string(cluster), max_cluster));
    if (program.entry->cluster.count() > 1 && cluster != program.entry->cluster)
        reject(fmt::format("a cluster of {} blocks cannot be launched: the kernel's __cluster_dims__ say {}",
                           to_string(cluster), to_string(program.entry->cluster)));
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        reject(fmt::format("a grid of {} blocks cannot be launched: its clusters are of {}", to_string(grid),
                           to_string(cluster)));
    if (program.entry->max_threads != 0 && block.count() > program.entry->max_threads)
        reject(fmt::format("a block of {} threads cannot be launched: the kernel's __launch_bounds__ say {}",
                           block.count(), program.entry->max_threads));
    if (program.static_shared_bytes > max_static_shared_bytes)
        reject(
            fmt::format("the kernel declares {} bytes of shared memory, and ptxas takes up to {}; more has to be "
                        "dynamic: 'extern __shared__', and --shared BYTES",
                        program.static_shared_bytes, max_static_shared_bytes));
    if (request.shared_bytes > max_shared_bytes ||
        program.static_shared_bytes + request.shared_bytes > max_shared_bytes)
        reject(fmt::format("{} bytes of shared memory cannot be launched; a block has up to {}",
                           program.static_shared_bytes + request.shared_bytes, max_shared_bytes));
    if (request.arguments.size() != program.parameters.size())
        reject(fmt::format("the kernel has {} parameters, and {} arguments are given", program.parameters.size(),
                           request.arguments.size()));
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const Argument& argument = request.arguments[i];
        const std::size_t given = argument.tensor ? tensor_map_bytes : argument.array ? 8 : argument.value.size();
        for (const Argument::Member& member : argument.members)
            if (member.offset > given || given - member.offset < 8)
                reject(fmt::format("{}, which parameter {} of the kernel points to, lies behind its {} bytes",
                                   member.array.name, i + 1, given));
        if (given != program.parameters[i].bytes)
            reject(fmt::format("parameter {} of the kernel takes {} bytes, and {} are given", i + 1,
                               program.parameters[i].bytes, given));
    }
}

/// In the order in which they are added, of LaunchRequest::arguments.
template <class Do>
void for_each_array(const LaunchRequest& request, Do&& act) {
    for (const Argument& argument : request.arguments) {
        if (argument.array) act(*argument.array);
        for (const Argument::Member& member : argument.members) act(member.array);
    }
}

void add_parameters(const Program& program, const LaunchRequest& request, Arrays& arrays) {
    Array& parameters = arrays.add("the parameters", Space::parameter, program.parameter_bytes, false);
    parameters.writable = false;
    parameters.element_bytes = 0;
    parameters.mark_written();
    std::size_t next_array = program.first_free_array();
    const auto point = [&](std::byte* to, const ArrayArgument& array) {
        const std::uint64_t address = address_of_global(next_array++) + array.misaligned_bytes;
        std::memcpy(to, &address, sizeof address);
        return address;
    };
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const Argument& argument = request.arguments[i];
        std::byte* to = parameters.data + program.parameters[i].offset;
        if (argument.array) {
            const std::uint64_t address = point(to, *argument.array);
            if (!argument.tensor) continue;
            const TensorMap map = TensorMap::of(*argument.tensor, address, argument.array->element_bytes);
            std::memcpy(to, &map, sizeof map);
        } else {
            std::ranges::copy(argument.value, to);
        }
        for (const Argument::Member& member : argument.members) point(to + member.offset, member.array);
    }
}

void add_variables(const Program& program, const LaunchRequest& request, Arrays& arrays) {
    const Module& module = *program.module;
    const std::set<std::uint32_t> written =
        request.unset.empty() ? std::set<std::uint32_t>{} : written_variables(module);
    std::uint64_t bytes = 0;
    for (const std::uint32_t index : program.globals) {
        const Variable& variable = module.variables[index];
        bytes += variable.bytes;
        if (variable.bytes > max_variable_bytes || bytes > max_variable_bytes)
            throw Error(ErrorKind::usage,
                        fmt::format("the variable '{}' takes {}; those that a kernel uses may take up to {} together",
                                    short_name(variable.name), format_bytes(static_cast<double>(variable.bytes)),
                                    format_bytes(static_cast<double>(max_variable_bytes))));
        Array& array = arrays.add(short_name(variable.name), variable.space, variable.bytes, true);
        array.writable = variable.space == Space::global;
        array.of_module = true;
        array.element_bytes = 0;
        array.max_element_bytes = static_cast<unsigned>(variable.align);
        const bool zeros_count = variable.space != Space::constant && written.contains(index);
        if (!request.unset.contains(array.name) || !variable.initial.empty() || zeros_count)
            array.mark_written();  // zero where nothing else is said
        if (const auto given = request.variables.find(array.name); given != request.variables.end()) {
            std::ranges::copy(given->second, array.data);
            continue;
        }
        std::ranges::copy(variable.initial, array.data);
        for (const Variable::Link& link : variable.links) {
            const auto to = std::ranges::find_if(program.globals,
                                                 [&](std::uint32_t g) { return module.variables[g].name == link.to; });
            if (to == program.globals.end()) continue;  // of what this kernel does not use
            std::uint64_t address = 0;
            std::memcpy(&address, array.data + link.at, sizeof address);
            address += address_of_global(1 + static_cast<std::size_t>(to - program.globals.begin()));
            std::memcpy(array.data + link.at, &address, sizeof address);
        }
    }
}

void add_arrays(const LaunchRequest& request, Arrays& arrays) {
    for_each_array(request, [&](const ArrayArgument& given) {
        Array& array = arrays.add(given.name, Space::global, given.data.size(), true);
        array.element_bytes = given.element_bytes;
        array.writable = given.writable;
        array.misaligned_bytes = given.misaligned_bytes;
        std::ranges::copy(given.data, array.data);
        if (!given.history.empty())
            std::ranges::copy(given.history, array.written);
        else if (given.written)
            array.mark_written();
    });
}

void add_lent(const LaunchRequest& request, Arrays& arrays) {
    for (const LentArray& lent : request.memory) arrays.add_lent(lent.array);
}

std::optional<UnwrittenElements> unwritten_elements(const Array& array) {
    const std::int64_t bytes = array.element_bytes;
    UnwrittenElements found{.array = array.name, .of = static_cast<std::int64_t>(array.bytes) / bytes};
    for (std::int64_t i = 0; i < found.of; ++i)
        if (!array.is_written(static_cast<std::uint64_t>(i * bytes), static_cast<std::uint64_t>(bytes)))
            if (found.count++ == 0) found.first = i;
    return found.count > 0 ? std::optional(found) : std::nullopt;
}

/// Hands out the clusters of blocks in their order; keeps the first exception.
class Workers {
public:
    Workers(LaunchState& state, unsigned count)
        : state_(state),
          blocks_(state.cluster.count()),
          clusters_(state.request.grid.count() / blocks_),
          counters_(count, Counters(state.program.ops.size())) {}

    void run() {
        {
            std::vector<std::jthread> threads;  // joined, also where one cannot be started
            for (unsigned worker = 1; worker < counters_.size(); ++worker)
                threads.emplace_back([this, worker] { work(worker); });
            work(0);
        }
        if (failure_) std::rethrow_exception(failure_);
    }
    std::int64_t done() const { return done_; }
    const std::vector<Counters>& counters() const { return counters_; }

private:
    void work(unsigned worker) {
        try {
            if (state_.grid_workers > 0) {
                GridRun(state_, state_.grid_workers, counters_[worker]).run();
                if (!state_.stop) done_ = blocks_ * clusters_;
                return;
            }
            ClusterRun cluster(state_, worker, counters_[worker]);
            for (std::int64_t next = next_++; next < clusters_ && !state_.must_stop(); next = next_++) {
                cluster.run(next);
                if (!state_.stop) done_ += blocks_;
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            state_.stop = true;
        }
    }

    LaunchState& state_;
    const std::int64_t blocks_, clusters_;  ///< of a cluster, of the grid
    std::vector<Counters> counters_;
    std::atomic<std::int64_t> next_{0}, done_{0};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

Dim3 cluster_of(const Program& program, const LaunchRequest& request) {
    return request.cluster.value_or(program.entry->cluster);
}

Array* LaunchState::lent_at(std::uint64_t address, std::uint64_t& begin) {
    const auto next = std::ranges::upper_bound(request.memory, address, {}, &LentArray::address);
    const auto take = [&](auto found) {
        begin = found->address;
        return &arrays[first_lent + static_cast<std::size_t>(found - request.memory.begin())];
    };
    if (next != request.memory.begin()) {
        const auto before = next - 1;
        if (address - before->address < before->array.bytes + before->room) return take(before);
    }
    if (next != request.memory.end() && next->address - address <= next->room) return take(next);
    return nullptr;
}

bool LaunchState::must_stop() {
    if (stop) return true;
    if (std::chrono::steady_clock::now() < deadline && !request.stop.stop_requested()) return false;
    out_of_time = true;
    return stop = true;
}

void LaunchState::ran_out_of_time_at(const ThreadLocation& location) {
    const std::lock_guard lock(reached_mutex);
    if (!reached) reached = location;
}

std::string UnwrittenElements::text() const {
    return fmt::format("{0}: {1} of {2} elements {3} not written, the first is {0}[{4}]", array, count, of,
                       count == 1 ? "is" : "are", first);
}

void PrintedText::add(std::int64_t block, std::string text) {
    const std::lock_guard lock(mutex_);
    if (dropped_ > 0 || bytes_ + text.size() > max_bytes_) {
        ++dropped_;
        return;
    }
    bytes_ += text.size();
    texts_.emplace_back(block, std::move(text));
}

bool PrintedText::full() {
    const std::lock_guard lock(mutex_);
    if (dropped_ == 0) return false;
    ++dropped_;
    return true;
}

std::string PrintedText::take(bool by_block) {
    if (by_block) std::ranges::stable_sort(texts_, {}, &std::pair<std::int64_t, std::string>::first);
    std::string all;
    for (const auto& [block, text] : texts_) all += text;
    if (dropped_ > 0) all += fmt::format("[{} more calls of printf are left out]\n", dropped_);
    return all;
}

namespace {

bool is_cooperative(const Program& program, const LaunchRequest& request) {
    return request.cooperative.value_or(program.uses_grid);
}

/// One run on so many host threads; what it did is the caller's only after take_over().
class Launch {
public:
    Launch(const Program& program, const LaunchRequest& request, unsigned workers)
        : program_(program),
          request_(request),
          cluster_(cluster_of(program, request)),
          heap_(request.heap ? *request.heap : own_heap_),
          printed_(request.max_printed_bytes) {
        const auto blocks = static_cast<unsigned>(cluster_.count());  // that each of them runs at a time
        workers_ = static_cast<unsigned>(
            std::min<std::int64_t>({workers, max_workers / blocks, request.grid.count() / blocks}));
        const bool cooperative = is_cooperative(program, request);
        if (cooperative) {
            grid_workers_ =
                static_cast<unsigned>(std::min<std::int64_t>(max_workers / blocks, request.grid.count() / blocks));
            workers_ = 1;
        }
        const double resident = cooperative ? static_cast<double>(request.grid.count()) : workers_ * blocks;
        const double warps = static_cast<double>((request.block.count() + lanes - 1) / lanes);
        const double shared = cooperative ? 12 * static_cast<double>(program.static_shared_bytes + request.shared_bytes)
                                          : 0;  // with its history
        require_host_memory(
            resident * (warps * program.file_bytes + shared +
                        static_cast<double>(request.block.count()) * 1.25 * static_cast<double>(program.local_bytes)),
            "what the threads of the blocks keep");
        add_parameters(program, request, arrays_);
        add_variables(program, request, arrays_);
        first_argument_ = arrays_.size();
        add_arrays(request, arrays_);
        if (cooperative) {
            arrays_.add("the grid's barrier", Space::global, 16, false).mark_written();
            grid_barrier_ = address_of_global(arrays_.size() - 1) + 4;
        }
        first_lent_ = arrays_.size();
        add_lent(request, arrays_);
    }

    void run() {
        heap_.begin_launch();
        const auto limit = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(request_.max_seconds));
        LaunchState state{
            .program = program_,
            .request = request_,
            .cluster = cluster_,
            .arrays = arrays_,
            .heap = heap_,
            .first_lent = first_lent_,
            .findings = findings_,
            .printed = printed_,
            .log = BlockLog(std::max(workers_, grid_workers_) * static_cast<unsigned>(cluster_.count()), request_.grid),
            .trace = request_.trace ? &result_.trace : nullptr,
            .deadline = std::chrono::steady_clock::now() + limit,
            .grid_workers = grid_workers_,
            .grid_barrier = grid_barrier_};
        if (request_.trace) {
            result_.trace.block = request_.trace->block;
            result_.trace.warp = request_.trace->warp;
        }
        Workers workers(state, workers_);
        workers.run();
        result_.counts = launch_counts_of(program_, workers.counters());
        result_.cut_short = state.too_many_findings;
        ended_ = !state.stop;
        if (request_.stop.stop_requested())
            result_.failure = "the run was stopped";
        else if (state.out_of_time)
            say_out_of_time(state, workers.done());
        if (ended_ && !request_.heap) report_leaks();
        result_.findings = findings_.take();
        result_.printed = printed_.take(workers_ > 1);
        result_.notes = program_.notes;
    }

    /// Whether another run may report something else.
    bool may_vary() const { return workers_ > 1 && !result_.findings.empty() && result_.failure.empty(); }
    unsigned workers() const { return workers_; }
    /// 'lent' is an index of LaunchRequest::memory.
    bool wrote(std::size_t lent) { return (arrays_[first_lent_ + lent].used & Array::was_written) != 0; }
    const LaunchResult& result() const { return result_; }

    LaunchResult take_over() {
        std::size_t next = first_argument_;
        for_each_array(request_, [&](const ArrayArgument& given) {
            const Array& array = arrays_[next++];
            if (ended_ && !given.written && given.history.empty())
                if (auto unwritten = unwritten_elements(array)) result_.unwritten.push_back(std::move(*unwritten));
            std::memcpy(given.data.data(), array.data, array.bytes);
            std::copy_n(array.written, given.history.size(), given.history.begin());
        });
        for (std::size_t i = 0; i < request_.memory.size(); ++i)
            give_back(request_.memory[i], arrays_[first_lent_ + i]);
        for (std::size_t i = 1; i < program_.first_free_array(); ++i)
            if (const auto given = request_.variables.find(arrays_[i].name); given != request_.variables.end())
                std::memcpy(given->second.data(), arrays_[i].data, arrays_[i].bytes);
        return std::move(result_);
    }

private:
    static void give_back(LentArray& lent, const Array& array) {
        lent.array.used = array.used;
        const auto is_written = [&](std::uint64_t word) {
            return array.shadow[word].plain != 0 || (array.updated && array.updates[word][0] != 0);
        };
        if (array.used & Array::was_written) lent.written = bytes_of_words(array, is_written, array.past_writes);
        if (array.used & Array::was_read)
            lent.read = bytes_of_words(
                array,
                [&](std::uint64_t word) {
                    return array.shadow[word].read[0] != 0 || is_written(word);  // a write forgets the reads before it
                },
                array.past_reads);
    }
    /// From the first word that is so to the last.
    template <class IsSo>
    static LentArray::Bytes bytes_of_words(const Array& array, IsSo&& is_so, const WordRange& before) {
        std::uint64_t first = 0, end = array.words();
        while (first < end && !is_so(first)) ++first;
        while (end > first && !is_so(end - 1)) --end;
        if (first == end) first = before.from;
        first = std::min(first, before.from);
        end = std::max(end, before.to);
        return {4 * first, std::min(4 * end, array.bytes)};
    }
    void report_leaks() {
        for (const auto& [address, allocation] : heap_.all())
            if (!allocation.array.freed)
                findings_.add({.kind = FindingKind::leak,
                               .found = allocation.by,
                               .element = {},
                               .what = fmt::format("allocates {} bytes that no thread frees", allocation.array.bytes),
                               .other = {},
                               .other_action = {}});
    }
    void say_out_of_time(const LaunchState& state, std::int64_t done) {
        result_.failure = fmt::format("the kernel did not end within {} s: {} of {} blocks were done",
                                      request_.max_seconds, done, request_.grid.count());
        result_.reached = state.reached;
        if (state.reached)
            result_.failure +=
                fmt::format(", and thread {} of block {} was at {}", thread_text(state.reached->thread),
                            thread_text(state.reached->block), source_location(*program_.module, state.reached->at));
    }

    const Program& program_;
    const LaunchRequest& request_;
    const Dim3 cluster_;
    unsigned workers_ = 1, grid_workers_ = 0;
    std::uint64_t grid_barrier_ = 0;
    Arrays arrays_;
    MallocHeap own_heap_;
    MallocHeap& heap_;
    std::size_t first_argument_ = 0, first_lent_ = 0;
    FindingList findings_;
    PrintedText printed_;
    LaunchResult result_;
    bool ended_ = false;
};

/// A copy of the lent memory, to restore it. Made only where that costs little compared with the run: otherwise, and
/// where there are few blocks, the launch has one host thread, whose findings do not vary.
class LentContent {
public:
    LentContent(const LaunchRequest& request, unsigned workers) : request_(request) {
        constexpr std::int64_t bytes_of_a_thread = 512;  // that are copied in the time that a thread takes to run
        std::int64_t bytes = 0;
        for (const LentArray& lent : request.memory) bytes += static_cast<std::int64_t>(lent.array.bytes);
        kept_ = workers > 1 && request.grid.count() > 1 &&
                bytes <= request.grid.count() * request.block.count() * bytes_of_a_thread;
        if (!kept_) return;
        for (const LentArray& lent : request.memory) {
            if (lent.array.freed) continue;
            data_.emplace_back(lent.array.data, lent.array.data + lent.array.bytes);
            written_.emplace_back(lent.array.written, lent.array.written + lent.array.words());
        }
    }
    bool kept() const { return kept_; }
    /// Restores the arrays that this launch wrote; other host threads may have written others meanwhile.
    void take_back(Launch& launch) const {
        std::size_t next = 0;
        for (std::size_t i = 0; i < request_.memory.size(); ++i) {
            const Array& array = request_.memory[i].array;
            if (array.freed) continue;
            const std::size_t kept = next++;
            if (!launch.wrote(i)) continue;
            std::ranges::copy(data_[kept], array.data);
            std::ranges::copy(written_[kept], array.written);
        }
    }

private:
    const LaunchRequest& request_;
    bool kept_ = false;
    std::vector<std::vector<std::byte>> data_;
    std::vector<std::vector<std::uint8_t>> written_;
};

}  // namespace

LaunchResult run(const Program& program, const LaunchRequest& request) {
    require_sizes(program, request);
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    unsigned workers = request.workers ? request.workers : std::max(1u, std::thread::hardware_concurrency());
    if (is_cooperative(program, request)) workers = 1;
    const LentContent lent(request, workers);
    const bool heap = program.uses_heap || (request.heap && request.heap->used());
    if (heap || (!request.memory.empty() && !lent.kept())) workers = 1;
    auto launch = std::make_unique<Launch>(program, request, workers);
    launch->run();
    if (!launch->may_vary() || seconds() * launch->workers() > request.max_seconds / 2) {
        LaunchResult result = launch->take_over();
        result.seconds = seconds();
        return result;
    }
    const LaunchResult first = launch->result();
    lent.take_back(*launch);
    launch.reset();  // its memory
    launch = std::make_unique<Launch>(program, request, 1);
    launch->run();
    LaunchResult result = launch->take_over();
    // A block that waits for a later one comes to no end on one thread. (Memory that is lent has what that run left in
    // it, so that its failure stands.)
    const bool ended = result.failure.empty() && std::ranges::find(result.findings, FindingKind::endless,
                                                                   &Finding::kind) == result.findings.end();
    if (!ended && request.memory.empty()) result = first;
    result.seconds = seconds();
    return result;
}

}  // namespace convscope::ptx
