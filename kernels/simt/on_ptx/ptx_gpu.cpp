#include "kernels/simt/on_ptx/ptx_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/ptx/run/program.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/on_ptx/cuda_runtime.h"
#include "kernels/simt/on_ptx/ptx_texts.h"
#include "kernels/simt/on_sim/sim_device.h"

namespace convscope::on_ptx {
namespace {

/// A module of all kernels is large: one is cut out, with what stands before the first. Several GPUs may ask at a time.
class Kernels {
public:
    struct Made {
        std::string text;
        ptx::Module module;
        ptx::Program program;
    };
    const Made& kernel(const std::string& symbol, const std::string& forgotten) {
        const auto key = std::pair(symbol, forgotten);
        const std::lock_guard lock(mutex_);
        if (const auto made = kernels_.find(key); made != kernels_.end()) return *made->second;
        auto made = std::make_unique<Made>();
        made->text = text_of(symbol);
        if (!forgotten.empty()) {
            std::istringstream lines(std::exchange(made->text, {}));
            for (std::string line; std::getline(lines, line);)
                if (line.find(forgotten) == std::string::npos) made->text += line + '\n';
        }
        made->module = ptx::read_module(made->text, symbol);
        made->program = ptx::make_program(made->module, *made->module.find(symbol));
        return *kernels_.emplace(key, std::move(made)).first->second;
    }

private:
    static std::string text_of(const std::string& symbol) {
        const std::string head = ".entry " + symbol + "(";
        for (const std::string_view text : ptx_texts()) {
            const std::size_t entry = text.find(head);
            if (entry == std::string::npos) continue;
            // Variables stand before the first kernel, the files of the line numbers behind the last.
            const std::size_t begin = text.rfind('\n', entry), first = text.rfind('\n', text.find(".entry "));
            const std::size_t files_of_lines = text.find("\n\t.file");
            const std::size_t end =
                std::min({text.find("\n.visible ", entry), text.find("\n.weak ", entry), files_of_lines});
            std::string cut(text.substr(0, first));
            return cut.append(text.substr(begin, end - begin))
                .append(text.substr(std::min(files_of_lines, text.size())));
        }
        throw Error(ErrorKind::not_found, "no PTX has the kernel " + symbol);
    }

    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Made>> kernels_;
};

/// "ecr4" of convscope::on_cuda::ecr4<3, 3, 4>(...).
std::string base_name(const std::string& symbol) {
    const std::string name = ptx::plain_name(symbol);
    const std::string head = name.substr(0, name.find_first_of("<("));
    return head.substr(head.rfind(':') + 1);
}

CompiledLaunch compiled_launch(const std::string& kernel, const std::string& text, const std::string& symbol,
                               const ptx::LaunchRequest& request) {
    CompiledLaunch launch{kernel, text, symbol, request.grid, request.block, request.cluster, request.shared_bytes, {}};
    for (const ptx::Argument& argument : request.arguments) {
        CompiledLaunch::Argument& made = launch.arguments.emplace_back();
        made.bytes = argument.value;
        made.tensor = argument.tensor;
        if (!argument.array) continue;
        made.array = true;
        made.bytes.assign(argument.array->data.begin(), argument.array->data.end());
        made.misaligned_bytes = argument.array->misaligned_bytes;
        made.written.assign(argument.array->history.begin(), argument.array->history.end());
    }
    return launch;
}

}  // namespace

void* PtxGpu::allocate(std::size_t bytes) {
    void* made = SimGpu::allocate(bytes);
    memory_[static_cast<const std::byte*>(made)] = {bytes, std::vector<std::uint8_t>((bytes + 3) / 4)};
    return made;
}

void PtxGpu::release(void* memory) noexcept {
    if (const auto freed = memory_.find(static_cast<const std::byte*>(memory)); freed != memory_.end()) {
        forget_tensor_maps({freed->first, freed->second.bytes});
        memory_.erase(freed);
    }
    SimGpu::release(memory);
}

PtxGpu::Place PtxGpu::find(const void* address) {
    const auto* at = static_cast<const std::byte*>(address);
    auto above = memory_.upper_bound(at);
    if (above == memory_.begin()) return {};
    --above;
    const auto offset = static_cast<std::size_t>(at - above->first);
    if (offset >= above->second.bytes) return {};
    return {&above->second, offset};
}

void PtxGpu::note_written(const void* address, std::size_t bytes, bool written) {
    const Place place = find(address);
    if (!place.memory) return;  // no bytes
    auto& words = place.memory->written;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(place.at / 4), (bytes + 3) / 4,
                static_cast<std::uint8_t>(written ? 15 : 0));
}

void PtxGpu::note_written_to_the_end(const void* address) {
    if (const Place place = find(address); place.memory) note_written(address, place.memory->bytes - place.at, true);
}

void PtxGpu::upload(void* device, const void* host, std::size_t bytes) {
    SimGpu::upload(device, host, bytes);
    note_written(device, bytes, true);
}

void PtxGpu::fill_bytes(void* device, int byte, std::size_t bytes) {
    SimGpu::fill_bytes(device, byte, bytes);
    note_written(device, bytes, byte != 0xff);
}

void PtxGpu::gemm(const GemmShape& shape, const float* a, const float* b, float* c) {
    SimGpu::gemm(shape, a, b, c);
    note_written_to_the_end(c);
}

void PtxGpu::sparse_product(const SparseProductShape& shape, const CsrArrays& arrays, const float* d, float* c) {
    SimGpu::sparse_product(shape, arrays, d, c);
    note_written_to_the_end(c);
}

void PtxGpu::transform(const MapTransform& transform, const FftShape& shape, FftDirection direction, float* maps) {
    SimGpu::transform(transform, shape, direction, maps);
    note_written_to_the_end(maps);
}

void PtxGpu::launch(const std::string& symbol, ptx::LaunchRequest request, void** arguments) {
    static Kernels kernels;
    const auto& [text, module, program] = kernels.kernel(symbol, forgotten);
    // Where the arrays begin that lie in one piece of memory: each ends where the next one begins.
    std::set<const std::byte*> begins;
    const auto pointer_of = [&](std::size_t i) -> const std::byte* {
        const ptx::Parameter& parameter = program.parameters[i];
        if (const auto map = tensor_map_of(arguments[i], parameter.bytes))
            return static_cast<const std::byte*>(map->address);
        const std::byte* pointer = nullptr;
        if (parameter.bytes == sizeof pointer) std::memcpy(&pointer, arguments[i], sizeof pointer);
        return find(pointer).memory ? pointer : nullptr;
    };
    for (std::size_t i = 0; i < program.parameters.size(); ++i)
        if (const std::byte* pointer = pointer_of(i)) begins.insert(pointer);
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
        ptx::Argument& argument = request.arguments.emplace_back();
        const std::byte* pointer = pointer_of(i);
        if (!pointer) {
            const auto* value = static_cast<const std::byte*>(arguments[i]);
            argument.value.assign(value, value + program.parameters[i].bytes);
            continue;
        }
        const Place place = find(pointer);
        std::size_t bytes = place.memory->bytes - place.at;
        if (const auto next = begins.upper_bound(pointer); next != begins.end())
            bytes = std::min(bytes, static_cast<std::size_t>(*next - pointer));
        argument.array =
            ptx::ArrayArgument{.name = fmt::format("argument {}", i + 1),
                               .data = {const_cast<std::byte*>(pointer), bytes},
                               .history = std::span(place.memory->written).subspan(place.at / 4, (bytes + 3) / 4),
                               .misaligned_bytes = static_cast<unsigned>(place.at % 256)};
        if (const auto map = tensor_map_of(arguments[i], program.parameters[i].bytes)) argument.tensor = map->box;
    }
    request.counts = true;
    request.lines = lines;
    if (before) before(compiled_launch(base_name(symbol), text, symbol, request));
    request.stop = stop;
    request.max_seconds = max_seconds;
    const ptx::LaunchResult result = ptx::run(program, request);
    PtxLaunch& done = launches.emplace_back();
    done.kernel = base_name(symbol);
    done.stage = stage;
    done.grid = request.grid;
    done.block = request.block;
    done.shared_bytes = request.shared_bytes + program.static_shared_bytes;
    done.counts = result.counts;
    done.seconds = result.seconds;
    for (const ptx::Finding& finding : result.findings) done.findings.push_back(finding.line(module));
    if (!result.failure.empty()) throw Error(ErrorKind::failed, done.kernel + ": " + result.failure);
}

PtxDevice::PtxDevice() {
    auto made = std::make_unique<PtxGpu>();
    gpu = made.get();
    registry.add(make_sim_device(std::move(made), "cuda:0", DeviceKind::cuda));
    on_cuda::register_gpu_methods(registry);
}

}  // namespace convscope::on_ptx
