#include "kernels/runtime/gpu.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/runtime/call.h"
#include "kernels/runtime/fat_binary.h"
#include "kernels/runtime/finding_json.h"
#include "kernels/runtime/host_faults.h"
#include "kernels/runtime/textures.h"

namespace convscope::runtime {
namespace {

constexpr std::size_t max_source_bytes = 64 << 20;
constexpr std::size_t max_freed = 256;          ///< allocations of which a launch is told that they are
constexpr std::size_t max_host_pages = 10'000;  ///< of a launch that reaches the host's memory

/// The struct that nvcc and clang register: a magic number, a version, the address of the images.
struct FatBinaryWrapper {
    std::uint32_t magic, version;
    const std::byte* data;
};

/// The images of what nvcc made; of what clang made of PTX alone, that text.
std::string ptx_of(const void* fat_binary, int major, int minor, std::string& problem) {
    const std::byte* data = static_cast<const FatBinaryWrapper*>(fat_binary)->data;
    std::size_t bytes = fat_binary_bytes(data);
    if (bytes == 0) return reinterpret_cast<const char*>(data);
    // A first header may have nothing in it, before the one that has.
    if (bytes == fat_binary_header) bytes += fat_binary_bytes(data + bytes);
    const std::vector<PtxImage> images = ptx_images({data, bytes});
    const auto known = static_cast<unsigned>(10 * major + minor);
    const PtxImage* best = nullptr;
    for (const PtxImage& image : images)
        if (image.architecture <= known && (!best || image.architecture > best->architecture)) best = &image;
    for (const PtxImage& image : images)
        if (!best) best = &image;
    problem = !best ? "the program holds no PTX: compile with -arch=compute_80" : best->problem;
    return best ? best->text : "";
}

/// Bytes of an element, by the words of CUDA; 0: not known.
unsigned element_bytes(const std::string& type) {
    static const std::map<std::string, unsigned> sizes{{"char", 1},
                                                       {"signed char", 1},
                                                       {"unsigned char", 1},
                                                       {"bool", 1},
                                                       {"int8_t", 1},
                                                       {"uint8_t", 1},
                                                       {"short", 2},
                                                       {"unsigned short", 2},
                                                       {"int16_t", 2},
                                                       {"uint16_t", 2},
                                                       {"half", 2},
                                                       {"__half", 2},
                                                       {"int", 4},
                                                       {"unsigned", 4},
                                                       {"unsigned int", 4},
                                                       {"int32_t", 4},
                                                       {"uint32_t", 4},
                                                       {"float", 4},
                                                       {"double", 8},
                                                       {"long", 8},
                                                       {"unsigned long", 8},
                                                       {"long long", 8},
                                                       {"unsigned long long", 8},
                                                       {"size_t", 8},
                                                       {"int64_t", 8},
                                                       {"uint64_t", 8}};
    const auto known = sizes.find(type);
    return known == sizes.end() ? 0 : known->second;
}

bool is_mapped(std::uint64_t address) {
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(address / page_bytes() * page_bytes()), page_bytes(), &resident) == 0;
}
bool is_mapped(std::uint64_t begin, std::uint64_t bytes) {
    for (std::uint64_t at = begin / page_bytes() * page_bytes(); at < begin + bytes; at += page_bytes())
        if (!is_mapped(at)) return false;
    return true;
}

/// Keeps only the last of a stream's repeated accesses: waiting for that one waits for all.
void add_pending(Allocation& used, PendingUse use) {
    for (PendingUse& known : used.pending)
        if (known.work.stream == use.work.stream && known.from == use.from && known.to == use.to &&
            known.written == use.written && known.by == use.by) {
            known.work = use.work;
            return;
        }
    used.pending.push_back(std::move(use));
}

void report_allocation(const Allocation& made) {
    report({{"event", "allocation"},
            {"id", made.id},
            {"bytes", made.bytes},
            {"call", made.call},
            {"frames", frames_here()}});
}

/// Copies the record of written bytes along with the bytes.
void copy_written(Allocation& to, std::uint64_t to_at, const Allocation& from, std::uint64_t from_at,
                  std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes;) {
        const std::uint64_t at = to_at + i, source = from_at + i;
        if (at % 4 == 0 && source % 4 == 0 && bytes - i >= 4) {
            const std::uint64_t words = (bytes - i) / 4;
            std::memmove(&to.written[at / 4], &from.written[source / 4], words);
            i += 4 * words;
            continue;
        }
        const unsigned bit = 1u << (at % 4);
        const bool known = from.written[source / 4] >> (source % 4) & 1;
        std::uint8_t& word = to.written[at / 4];
        word = static_cast<std::uint8_t>(known ? word | bit : word & ~bit);
        ++i;
    }
}

}  // namespace

Gpu& Gpu::get() {
    static Gpu* const gpu = new Gpu;
    return *gpu;
}

Gpu::Gpu()
    : model_([]() -> const DeviceModel& {
          const DeviceModel* chosen = find_device_model(settings().model);
          return chosen ? *chosen : default_device_model();
      }()),
      heap_(static_cast<std::uint64_t>(model_.memory_bytes)),
      process_(getpid()) {}

void** Gpu::add_module(const void* fat_binary) {
    modules_.push_back(std::make_unique<Module>());
    modules_.back()->fat_binary = fat_binary;
    return reinterpret_cast<void**>(modules_.back().get());
}

void Gpu::add_kernel(void** module, const void* host, std::string symbol) {
    Kernel& added = kernels_[host];
    added.module = reinterpret_cast<Module*>(module);
    added.symbol = std::move(symbol);
}

void Gpu::add_variable(void** module, const void* host, std::string name, void** managed) {
    auto* const in = reinterpret_cast<Module*>(module);
    if (managed) in->managed.emplace_back(name, managed);
    variables_[host] = {in, std::move(name)};
}

void Gpu::load(void** module) {
    ready(*reinterpret_cast<Module*>(module));
}

Gpu::Module& Gpu::ready(Module& module) {
    if (!module.read) {
        module.read = true;
        const std::string text = ptx_of(module.fat_binary, model_.cc_major, model_.cc_minor, module.problem);
        if (module.problem.empty()) try {
                module.ptx = ptx::read_module(text, "the program's PTX");
                static const std::regex target(R"(\.target\s+sm_(\d+))");
                if (std::smatch match; std::regex_search(text, match, target))
                    module.architecture = std::stoi(match[1]);
                place_variables(module);
                module.text = LaunchRecorder::get().keep(text);
            } catch (const Error& error) {
                module.problem = error.what();  // of every call that needs it, not of the first alone
            }
    }
    if (!module.problem.empty()) throw Fault{cudaErrorNoKernelImageForDevice, "not_supported", module.problem};
    return module;
}

void Gpu::place_variables(Module& module) {
    const auto lies_in_memory = [](const ptx::Variable& variable) {
        return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
    };
    module.addresses.assign(module.ptx.variables.size(), 0);
    for (std::size_t i = 0; i < module.ptx.variables.size(); ++i) {
        const ptx::Variable& variable = module.ptx.variables[i];
        if (!lies_in_memory(variable)) continue;
        const auto managed = std::ranges::find(module.managed, variable.name, &std::pair<std::string, void**>::first);
        const bool is_managed = managed != module.managed.end();
        Allocation& made =
            heap_.allocate(is_managed ? MemoryKind::managed : MemoryKind::variable, variable.bytes, "a variable");
        made.name = ptx::short_name(variable.name);
        made.align = variable.align;
        made.space = variable.space;
        made.writable = variable.space == ptx::Space::global;
        std::memset(made.data, 0, made.bytes);
        std::ranges::fill(made.written, std::uint8_t{15});  // zero where nothing else is said
        std::ranges::copy(variable.initial, made.data);
        module.addresses[i] = made.address;
        if (is_managed) *managed->second = made.data;
    }
    for (std::size_t i = 0; i < module.ptx.variables.size(); ++i)
        for (const ptx::Variable::Link& link : module.ptx.variables[i].links) {
            const auto to = std::ranges::find(module.ptx.variables, link.to, &ptx::Variable::name);
            if (to == module.ptx.variables.end()) continue;
            std::byte* const at = heap_.find(module.addresses[i])->data + link.at;
            std::uint64_t address = 0;
            std::memcpy(&address, at, sizeof address);
            address += module.addresses[static_cast<std::size_t>(to - module.ptx.variables.begin())];
            std::memcpy(at, &address, sizeof address);
        }
}

Gpu::Kernel& Gpu::kernel(const void* host) {
    const auto found = kernels_.find(host);
    if (found == kernels_.end())
        throw Fault{cudaErrorInvalidDeviceFunction, "error", "is given what is no kernel of the program"};
    return found->second;
}

const ptx::Program& Gpu::program(const void* host) {
    Kernel& of = kernel(host);
    if (of.program) return *of.program;
    Module& module = ready(*of.module);
    const ptx::Function* entry = module.ptx.find(of.symbol);
    if (!entry)
        throw Fault{cudaErrorInvalidDeviceFunction, "error",
                    fmt::format("the program's PTX has no kernel {}", ptx::plain_name(of.symbol))};
    of.program = ptx::make_program(module.ptx, *entry, module.addresses);
    const auto line = std::ranges::find_if(entry->code, [](const ptx::Instruction& i) { return i.source.file != 0; });
    if (line == entry->code.end()) return *of.program;
    const std::string& file = module.ptx.files[line->source.file];
    const std::string plain = ptx::plain_name(of.symbol);
    std::string name = plain.substr(0, plain.find_first_of("(<"));
    name = name.substr(name.find_last_of(" :") + 1);
    try {
        if (const auto text = ptx::read_kernel_text(read_text_file(file, max_source_bytes), file, name))
            if (text->parameters.size() == of.program->parameters.size()) of.parameters = text->parameters;
    } catch (const Error&) {  // it is not here, or says how 'convscope kernel' calls it, which nobody has asked for
    }
    return *of.program;
}

int Gpu::architecture(const void* host) {
    return kernel(host).module->architecture;
}

Allocation& Gpu::variable(const void* host) {
    const auto found = variables_.find(host);
    if (found == variables_.end())
        throw Fault{cudaErrorInvalidSymbol, "error",
                    "is given what is no __device__ or __constant__ variable of the program: give the variable itself, "
                    "not its name or its address"};
    Module& module = ready(*found->second.module);
    for (std::size_t i = 0; i < module.ptx.variables.size(); ++i)
        if (module.ptx.variables[i].name == found->second.name && module.addresses[i] != 0)
            return *heap_.find(module.addresses[i]);
    throw Fault{cudaErrorInvalidSymbol, "error",
                fmt::format("the program's PTX has no variable {}: no kernel uses it", found->second.name)};
}

std::uint64_t Gpu::shared_limit(const void* host) {
    return kernel(host).shared_limit.value_or(static_cast<std::uint64_t>(model_.shared_per_block));
}

void Gpu::set_shared_limit(const void* host, std::uint64_t bytes) {
    const auto most = static_cast<std::uint64_t>(model_.shared_per_block_optin);
    if (bytes + program(host).static_shared_bytes > most)
        throw Fault{cudaErrorInvalidValue, "error",
                    fmt::format("asks for {} bytes of shared memory, and a block of the {} has up to {}", bytes,
                                model_.name, most)};
    kernel(host).shared_limit = std::max<std::uint64_t>(bytes, static_cast<std::uint64_t>(model_.shared_per_block));
}

void* Gpu::allocate(MemoryKind kind, std::uint64_t bytes, const char* name) {
    if (bytes == 0) return nullptr;
    const Allocation& made = heap_.allocate(kind, bytes, name);
    report_allocation(made);
    return reinterpret_cast<void*>(made.address);
}

void Gpu::free(void* pointer, std::initializer_list<MemoryKind> may_be, bool waits) {
    if (!pointer) return;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    Allocation* found = heap_.find(address);
    if (ptx::in_malloc_heap(address))
        throw Fault{cudaErrorInvalidValue, "invalid_free",
                    "is given what malloc() of a kernel returned: free() of a kernel frees it"};
    if (!found || found->kind == MemoryKind::variable)
        throw Fault{cudaErrorInvalidValue, "invalid_free", "is given what no allocation returned"};
    if (found->freed)
        throw Fault{cudaErrorInvalidValue, "invalid_free", fmt::format("frees {} again", name_token(found->id)),
                    found->id};
    if (found->address != address)
        throw Fault{cudaErrorInvalidValue, "invalid_free",
                    fmt::format("is given a place {} bytes into {}, not its begin", address - found->address,
                                name_token(found->id)),
                    found->id};
    if (std::ranges::find(may_be, found->kind) == may_be.end())
        throw Fault{cudaErrorInvalidValue, "invalid_free",
                    fmt::format("is given {}, which comes from {}", name_token(found->id), found->call), found->id};
    if (waits) wait_for_all();
    heap_.free(*found);
}

void Gpu::add_registered(void* memory, std::uint64_t bytes) {
    if (!memory || bytes == 0) throw Fault{cudaErrorInvalidValue, "error", "is given no memory"};
    const auto begin = reinterpret_cast<std::uint64_t>(memory);
    for (const auto& [address, each] : heap_.all())
        if (address < begin + bytes && begin < address + each.bytes)
            throw Fault{each.host_reaches() ? cudaErrorHostMemoryAlreadyRegistered : cudaErrorInvalidValue, "error",
                        fmt::format("is given {}, which the GPU {}", name_token(each.id),
                                    each.freed ? "has been told to free" : "reaches already"),
                        each.id};
    if (!is_mapped(begin, bytes)) throw Fault{cudaErrorInvalidValue, "error", "is given what is no memory of the host"};
    report_allocation(heap_.add_registered(memory, bytes));
}

bool Gpu::is_device(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    return (address >= ptx::lent_begin && address < ptx::lent_end) || ptx::in_malloc_heap(address);
}

/// The allocation that so many bytes from a place on lie in.
Allocation& Gpu::reach(const void* pointer, std::size_t bytes, const char* what, bool writes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    Allocation* found = heap_.find(address, true);
    const char* to = writes ? "to" : "from";
    if (!found && ptx::in_malloc_heap(address))
        throw Fault{cudaErrorInvalidValue, "device_pointer",
                    fmt::format("{} {} what malloc() of a kernel returned, which kernels alone reach", what, to)};
    if (!found)
        throw Fault{cudaErrorInvalidValue, "out_of_bounds", fmt::format("{} {} an address of no allocation", what, to)};
    if (found->freed)
        throw Fault{cudaErrorInvalidValue, "use_after_free",
                    fmt::format("{} {} {}, which has been freed", what, to, name_token(found->id)), found->id};
    const std::uint64_t offset = address - found->address;
    if (offset > found->bytes || bytes > found->bytes - offset) {
        const std::string place =
            address == found->address
                ? name_token(found->id)
                : fmt::format("{} bytes {} the begin of {}", address < found->address ? ~offset + 1 : offset,
                              address < found->address ? "before" : "behind", name_token(found->id));
        throw Fault{cudaErrorInvalidValue, "out_of_bounds",
                    fmt::format("{} {} bytes {} {}, which has {}", what, bytes, to, place, found->bytes), found->id};
    }
    return *found;
}

void Gpu::check_direction(const Plane& to, const Plane& from, cudaMemcpyKind kind) {
    constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                     "cudaMemcpyDeviceToDevice"};
    if (kind == cudaMemcpyDefault) return;
    if (kind < 0 || kind > cudaMemcpyDefault)
        throw Fault{cudaErrorInvalidMemcpyDirection, "error",
                    fmt::format("has no direction {}", static_cast<int>(kind))};
    const auto require = [&](const void* pointer, bool device, const char* which) {
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const Allocation* in = heap_.find(address, true);
        if (!device && is_device(pointer))
            throw Fault{cudaErrorInvalidValue, "device_pointer",
                        fmt::format("says {}, and what it copies {} is memory of the GPU{}", names[kind], which,
                                    in ? ", " + name_token(in->id) : ""),
                        in ? in->id : 0};
        if (device && !is_device(pointer) && !in)
            throw Fault{cudaErrorInvalidValue, "host_pointer",
                        fmt::format("says {}, and what it copies {} is memory of the host", names[kind], which)};
    };
    require(to.data, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice, "to");
    require(from.data, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice, "from");
}

void Gpu::mark_written(Allocation& in, std::uint64_t from, std::uint64_t bytes) {
    if (in.host_reaches()) return;
    ptx::Array array;
    array.written = in.written.data();
    array.mark_written(from, bytes);
}

void Gpu::copy(Plane to, Plane from, std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
               bool waits, const char* what) {
    const std::uint64_t on = stream_of(stream);
    if (width == 0 || height == 0) return;
    if (!to.data || !from.data)
        throw Fault{cudaErrorInvalidValue, "error", fmt::format("copies {} a null pointer", to.data ? "from" : "to")};
    if (height > 1 && (to.pitch < width || from.pitch < width))
        throw Fault{cudaErrorInvalidPitchValue, "error",
                    fmt::format("copies rows of {} bytes, and a pitch is {}", width, std::min(to.pitch, from.pitch))};
    check_direction(to, from, kind);
    const auto extent = [&](const Plane& plane) { return height == 1 ? width : plane.pitch * (height - 1) + width; };
    const auto known = [&](const Plane& plane, bool writes) -> Allocation* {
        const Allocation* near = heap_.find(reinterpret_cast<std::uint64_t>(plane.data), true);
        if (!is_device(plane.data) && !near) return nullptr;
        return &reach(plane.data, extent(plane), "copies", writes);
    };
    Allocation *const target = known(to, true), *const source = known(from, false);
    const Work work = streams_.enqueue(on);
    const auto offset = [](const Plane& plane, const Allocation& in) {
        return reinterpret_cast<std::uint64_t>(plane.data) - in.address;
    };
    const auto host = [&](const Plane& plane, const Allocation* in) {
        return in ? in->data + offset(plane, *in) : static_cast<std::byte*>(plane.data);
    };
    std::uint64_t unwritten = 0, first_unwritten = 0;
    for (std::size_t row = 0; row < height; ++row) {
        std::memmove(host(to, target) + row * to.pitch, host(from, source) + row * from.pitch, width);
        const std::uint64_t source_at = source ? offset(from, *source) + row * from.pitch : 0;
        const bool watched = source && !source->host_reaches();
        if (target && !target->host_reaches()) {
            const std::uint64_t target_at = offset(to, *target) + row * to.pitch;
            if (!watched) {
                mark_written(*target, target_at, width);
            } else {
                copy_written(*target, target_at, *source, source_at, width);
            }
        } else if (watched) {
            for (std::uint64_t word = (source_at + 3) / 4; word < (source_at + width) / 4; ++word)
                if (source->written[word] == 0 && unwritten++ == 0) first_unwritten = 4 * word;
        }
    }
    if (unwritten > 0)
        report({{"event", "note"},
                {"call", what},
                {"what", fmt::format("copies {} bytes of {} that nobody has written, from byte {} on", 4 * unwritten,
                                     name_token(source->id), first_unwritten)},
                {"allocation", source->id},
                {"frames", frames_here()}});
    if (waits) return wait_for(on);
    for (Allocation* const used : {target, source})
        if (used && used->kind != MemoryKind::registered && used->host_reaches()) {
            const std::uint64_t at = offset(used == target ? to : from, *used);
            add_pending(*used, {work, at, at + extent(used == target ? to : from), used == target, what});
        }
}

void Gpu::fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream,
               const char* what) {
    const std::uint64_t on = stream_of(stream);
    if (width == 0 || height == 0) return;
    if (!to) throw Fault{cudaErrorInvalidValue, "error", "fills a null pointer"};
    if (!is_device(to) && !heap_.find(reinterpret_cast<std::uint64_t>(to), true))
        throw Fault{cudaErrorInvalidValue, "host_pointer", "fills memory of the host: memset does"};
    if (height > 1 && pitch < width)
        throw Fault{cudaErrorInvalidPitchValue, "error",
                    fmt::format("fills rows of {} bytes, and the pitch is {}", width, pitch)};
    const std::size_t extent = height == 1 ? width : pitch * (height - 1) + width;
    Allocation& target = reach(to, extent, "writes", true);
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(to) - target.address;
    for (std::size_t row = 0; row < height; ++row) {
        std::memset(target.data + at + row * pitch, value, width);
        mark_written(target, at + row * pitch, width);
    }
    const Work work = streams_.enqueue(on);
    if (target.kind == MemoryKind::managed) add_pending(target, {work, at, at + extent, true, what});
}

int Gpu::blocks_per_sm(const void* host, const Dim3& block, std::uint64_t dynamic_shared_bytes) {
    KernelLaunch of;
    of.block = block;
    of.shared_bytes = program(host).static_shared_bytes + dynamic_shared_bytes;
    return occupancy(model_, of).blocks_per_sm;
}

void Gpu::launch(const void* host, const LaunchCall& call) {
    ++refused_;
    const std::uint64_t on = stream_of(call.stream);
    const ptx::Program& of = program(host);
    Kernel& launched = kernel(host);
    const ptx::Module& module = launched.module->ptx;
    // Whatever cudaFuncSetAttribute says: that is for dynamic shared memory.
    if (of.static_shared_bytes > static_cast<std::uint64_t>(model_.shared_per_block))
        throw Fault{
            cudaErrorInvalidValue, "invalid_launch",
            fmt::format("the kernel has {} bytes of static shared memory, and a block has up to {}: more has to "
                        "be dynamic",
                        of.static_shared_bytes, model_.shared_per_block)};
    if (const std::uint64_t most = shared_limit(host); call.shared_bytes + of.static_shared_bytes > most)
        throw Fault{cudaErrorInvalidValue, "invalid_launch",
                    fmt::format("the block has {} bytes of shared memory, and without cudaFuncSetAttribute(..., "
                                "cudaFuncAttributeMaxDynamicSharedMemorySize, ...) it has up to {}",
                                call.shared_bytes + of.static_shared_bytes, most)};
    if (call.cooperative) {
        const std::int64_t most = std::int64_t{model_.sms} * blocks_per_sm(host, call.block, call.shared_bytes);
        if (call.grid.count() > most)
            throw Fault{cudaErrorCooperativeLaunchTooLarge, "invalid_launch",
                        fmt::format("launches {} blocks cooperatively, and the {} holds {} of them at a time",
                                    call.grid.count(), model_.name, most)};
    }
    ptx::LaunchRequest request;
    request.cooperative = call.cooperative;
    request.grid = call.grid;
    request.block = call.block;
    request.cluster = call.cluster;
    request.shared_bytes = call.shared_bytes;
    request.counts = settings().counts;
    request.max_seconds = settings().max_seconds;
    std::map<std::uint64_t, std::pair<std::string, unsigned>>
        names;  // of the arrays of parameters, with element's bytes
    for (std::size_t i = 0; i < of.parameters.size(); ++i) {
        const auto* const bytes = static_cast<const std::byte*>(call.arguments[i]);
        request.arguments.emplace_back().value.assign(bytes, bytes + of.parameters[i].bytes);
        std::uint64_t address = 0;
        if (of.parameters[i].bytes != sizeof address) continue;
        std::memcpy(&address, bytes, sizeof address);
        const Allocation* array = heap_.find(address);
        if (!array || i >= launched.parameters.size() || !launched.parameters[i].pointer) continue;
        names.try_emplace(array->address, launched.parameters[i].name, element_bytes(launched.parameters[i].type));
    }
    std::vector<ptx::LentArray> memory;
    std::map<std::string, std::int64_t> ids;  // by the array's name
    std::size_t freed = heap_.freed();        // that are left; of very many the latest are told
    for (auto& [address, allocation] : heap_.all()) {
        if (allocation.freed && freed-- > max_freed) continue;
        ptx::LentArray& lent = memory.emplace_back();
        lent.address = address;
        lent.room = allocation.room;
        ptx::Array& array = lent.array;
        const auto named = names.find(address);
        array.name = named != names.end()       ? named->second.first
                     : !allocation.name.empty() ? allocation.name
                                                : name_token(allocation.id);
        if (!ids.emplace(array.name, allocation.id).second) ids[array.name = name_token(allocation.id)] = allocation.id;
        array.space = allocation.space;
        array.bytes = allocation.bytes;
        array.element_bytes = named != names.end() ? named->second.second : 0;
        array.writable = allocation.writable;
        array.freed = allocation.freed;
        array.data = allocation.data;
        array.written = allocation.written.data();
    }
    request.memory = memory;
    request.heap = &malloc_heap_;
    request.textures = &Textures::get().all();
    std::set<std::uint64_t> host_pages;
    std::mutex pages_mutex;
    request.foreign = [&](std::uint64_t address) {
        if (!is_mapped(address)) return "";
        if (LaunchRecorder::get().on()) {
            const std::lock_guard lock(pages_mutex);
            if (host_pages.size() < max_host_pages) host_pages.insert(address / host_page_bytes * host_page_bytes);
        }
        return host_pointer_sentence;
    };
    malloc_limit_settled_ |= of.uses_heap;
    if (LaunchRecorder::get().on()) LaunchRecorder::get().take(memory, why_not_kept(launched, request));
    const auto frames = frames_here();
    ptx::LaunchResult result;
    try {
        const NoFaultHandling ours;
        result = ptx::run(of, request);
    } catch (const OutOfMemory& error) {
        throw Fault{cudaErrorMemoryAllocation, "failed", error.what()};
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::failed) throw Fault{cudaErrorLaunchFailure, "failed", error.what()};
        throw Fault{cudaErrorInvalidConfiguration, "invalid_launch", error.what()};
    }
    --refused_;
    const Work work = streams_.enqueue(on);
    const std::string plain = ptx::plain_name(launched.symbol);
    std::string name = plain.substr(0, plain.find('('));
    if (name.starts_with("void ")) name = name.substr(5);
    for (ptx::LentArray& lent : memory) {
        Allocation& used = heap_.all().at(lent.address);
        // A kernel may leave padding there that nobody has written; what the host writes over it is not seen.
        if (used.host_reaches() && (lent.array.used & ptx::Array::was_written))
            std::ranges::fill(used.written, std::uint8_t{15});
        if (lent.array.used == 0 || !used.host_reaches() || used.kind == MemoryKind::registered) continue;
        for (const bool written : {false, true})
            if (const auto& bytes = written ? lent.written : lent.read; bytes.from < bytes.to)
                add_pending(used, {work, bytes.from, bytes.to, written, "the kernel " + name});
    }
    Json event{{"event", "launch"},
               {"kernel", name},
               {"grid", json_of(request.grid)},
               {"block", json_of(request.block)},
               {"shared_bytes", of.static_shared_bytes + request.shared_bytes},
               {"stream", on},
               {"seconds", result.seconds}};
    if (!result.failure.empty()) event["failure"] = result.failure;
    if (result.cut_short) event["cut_short"] = true;
    if (!result.notes.empty()) event["notes"] = result.notes;
    if (settings().counts) event["figures"] = json_of(result.counts);
    event["findings"] = Json::array();
    bool endless = !result.failure.empty(), assertion = false;
    for (const ptx::Finding& finding : result.findings) {
        Json json = json_of(module, finding);
        const auto about = ids.find(finding.element.substr(0, finding.element.find('[')));
        if (about != ids.end()) json["allocation"] = about->second;
        json["source"] = finding.found.at.file == 0 ? "" : module.files[finding.found.at.file];
        event["findings"].push_back(std::move(json));
        endless |= finding.kind == ptx::FindingKind::endless;
        assertion |= finding.kind == ptx::FindingKind::assertion;
    }
    event["frames"] = frames;
    if (LaunchRecorder::get().on()) event.update(kept(launched, request, host_pages, event));
    report(event);
    if (!result.printed.empty()) {
        printed_ += result.printed;
        printed_by_ = name;
        printed_frames_ = frames;
    }
    if (endless) broken = cudaErrorLaunchTimeout;
    if (assertion) broken = cudaErrorAssert;
    if (broken != cudaSuccess) wait_for_all();  // nothing is in flight on a GPU that has stopped
}

std::string Gpu::why_not_kept(const Kernel& launched, const ptx::LaunchRequest& request) {
    if (getpid() != process_) return "a copy of the program's process launched it";
    if (!launched.module->text) return "the program's PTX takes all the room for launches";
    if (launched.program->uses_heap || request.heap->used())
        return "it may use what kernels have allocated by malloc(), which is not kept";
    if (launched.program->uses_textures) return "it reads textures or surfaces, which are not kept";
    for (const auto& [address, each] : heap_.all())
        if (each.kind == MemoryKind::registered && !each.freed && !is_mapped(address, each.bytes))
            return "memory that cudaHostRegister was given is there no longer";
    return "";
}

Json Gpu::kept(const Kernel& launched, const ptx::LaunchRequest& request, const std::set<std::uint64_t>& pages,
               const Json& event) {
    std::vector<std::string> found;
    if (event.contains("failure")) found.push_back(event["kernel"]);
    for (const Json& each : event["findings"])
        found.push_back(fmt::format("{} {}", each["kind"].get<std::string>(), each["at"].get<std::string>()));
    std::string left_out;
    const bool ended = !event.contains("failure") && !event.contains("cut_short");
    Json memory = LaunchRecorder::get().memory_of(request.memory, ended, found, left_out);
    if (!left_out.empty()) return {{"left_out", left_out}};
    Json kept{{"symbol", launched.symbol},
              {"ptx", {{"at", launched.module->text->at}, {"bytes", launched.module->text->bytes}}},
              {"dynamic_bytes", request.shared_bytes},
              {"variables", launched.module->addresses},
              {"host_pages", pages},
              {"memory", std::move(memory)}};
    if (request.cluster) kept["cluster"] = json_of(*request.cluster);
    if (request.cooperative) kept["cooperative"] = *request.cooperative;
    for (const ptx::Argument& argument : request.arguments) {
        std::string& digits = kept["arguments"].emplace_back("").get_ref<std::string&>();
        for (const std::byte each : argument.value) digits += fmt::format("{:02x}", std::to_integer<unsigned>(each));
    }
    return {{"kept", std::move(kept)}};
}

std::uint64_t Gpu::stream_of(cudaStream_t stream) {
    const auto id = reinterpret_cast<std::uint64_t>(stream);
    if (id <= 2) return Streams::legacy;
    if (!streams_.known(id))
        throw Fault{cudaErrorInvalidResourceHandle, "error", "is given a stream that there is not, or no longer"};
    return id;
}

void Gpu::show_printed() {
    if (printed_.empty()) return;
    std::fwrite(printed_.data(), 1, printed_.size(), stdout);
    printed_.clear();
}

void Gpu::wait_for(std::uint64_t stream) {
    streams_.host_waits_for(stream);
    show_printed();
}

void Gpu::wait_for(const Clock& clock) {
    streams_.host_waits(clock);
    show_printed();
}

void Gpu::wait_for_all() {
    streams_.host_waits_for_all();
    show_printed();
}

void Gpu::free_all() {
    wait_for_all();
    for (auto at = heap_.all().begin(); at != heap_.all().end();) {
        Allocation& each = (at++)->second;  // that a registered one leaves
        if (!each.freed && each.kind != MemoryKind::variable && each.name.empty()) heap_.free(each);
    }
    Textures::get().clear();
    malloc_heap_ = ptx::MallocHeap();
    malloc_limit_settled_ = false;
}

void Gpu::finish() {
    if (getpid() != process_) return;  // a copy of the process, as fork() makes
    report_unseen();
    if (!printed_.empty()) {
        report(
            {{"event", "fault"},
             {"kind", "unsynchronised"},
             {"call", printed_by_},
             {"what",
              "what this kernel prints may never be seen: the program ends without cudaDeviceSynchronize() after it"},
             {"frames", printed_frames_}});
        show_printed();
        std::fflush(stdout);
    }
    for (const auto& [address, each] : heap_.all())
        if (!each.freed && each.name.empty() && each.kind != MemoryKind::registered)
            report({{"event", "leak"}, {"allocation", each.id}, {"bytes", each.bytes}, {"call", each.call}});
    if (refused_ == 0) report_leaks_of_kernels();  // what was not run may have been to free them
    report({{"event", "end"}});
}

void Gpu::report_leaks_of_kernels() {
    struct Leak {
        std::uint64_t bytes = 0, allocations = 0;
    };
    std::map<std::string, Leak> leaks;  // by what malloc() is called there: "malloc(list.cu:12)"
    for (const auto& [address, each] : malloc_heap_.all()) {
        if (each.array.freed) continue;
        Leak& leak = leaks[each.array.name];
        leak.bytes += each.array.bytes;
        ++leak.allocations;
    }
    for (const auto& [name, leak] : leaks)
        report({{"event", "leak"},
                {"at", name.substr(name.find('(') + 1, name.size() - name.find('(') - 2)},
                {"call", "malloc"},
                {"bytes", leak.bytes},
                {"times", leak.allocations}});
}

void Gpu::set_malloc_limit(std::uint64_t bytes) {
    if (malloc_limit_settled_)
        throw Fault{cudaErrorInvalidValue, "error",
                    "sets the heap of malloc() in kernels after a kernel has used it: set it before"};
    if (bytes > static_cast<std::uint64_t>(model_.memory_bytes))
        throw Fault{cudaErrorInvalidValue, "error",
                    fmt::format("asks for {} for malloc() in kernels, and the GPU has {}",
                                format_bytes(static_cast<double>(bytes)),
                                format_bytes(static_cast<double>(model_.memory_bytes)))};
    malloc_heap_.resize(bytes);
}

void Gpu::open_memory() {
    if (!protected_) return;
    for (auto& [address, each] : heap_.all())
        if (each.protected_now) {
            mprotect(each.data, whole_pages(each.bytes), PROT_READ | PROT_WRITE);
            each.protected_now = false;
        }
    protected_ = false;
}

void Gpu::settle() {
    for (auto& [address, each] : heap_.all()) {
        if (each.pending.empty()) continue;
        std::erase_if(each.pending, [&](const PendingUse& use) { return streams_.done(use.work); });
        if (each.pending.empty()) continue;
        // The pages that are used, and no others: on the rest of the allocation the host may work, and the system for
        // it.
        for (const bool written : {false, true})
            for (const PendingUse& use : each.pending) {
                const std::uint64_t from = use.from / page_bytes() * page_bytes(), to = whole_pages(use.to);
                if (use.written == written) mprotect(each.data + from, to - from, written ? PROT_NONE : PROT_READ);
            }
        each.protected_now = protected_ = true;
    }
}

bool Gpu::take_segmentation_fault(std::uint64_t address, bool writes) {
    Allocation* const in = heap_.find(address, true);
    if (!in && !is_device(reinterpret_cast<void*>(address))) return false;
    const char* does = writes ? "writes" : "reads";
    Json event{{"event", "fault"}, {"call", "the host"}};
    if (in) event["allocation"] = in->id;
    bool go_on = false;
    if (in && in->protected_now && in->has(address)) {
        const std::uint64_t at = address - in->address;
        const auto use = std::ranges::find_if(in->pending, [&](const PendingUse& each) {
            return at >= each.from && at < each.to && (each.written || writes);
        });
        const bool found = use != in->pending.end();
        if (found) {
            event["kind"] = "unsynchronised";
            event["what"] = fmt::format("{} byte {} of {}, which {} may still be {}: nothing has waited for it", does,
                                        at, name_token(in->id), use->by, use->written ? "writing" : "reading");
        }
        if (found) in->pending.erase(use);  // the others are protected again by the next call
        in->protected_now = false;
        mprotect(in->data, whole_pages(in->bytes), PROT_READ | PROT_WRITE);
        if (!found) return true;
        go_on = true;
    } else if (in && in->freed) {
        event["kind"] = "use_after_free";
        event["what"] = fmt::format("{} {}, which has been freed", does, name_token(in->id));
    } else if (in && in->host_reaches()) {
        event["kind"] = "out_of_bounds";
        event["what"] = fmt::format("{} {} bytes {} the begin of {}, which has {}", does,
                                    address < in->address ? in->address - address : address - in->address,
                                    address < in->address ? "before" : "behind", name_token(in->id), in->bytes);
    } else {
        event["kind"] = "device_pointer";
        event["what"] = fmt::format("{} memory of the GPU{}, which only kernels and copies reach", does,
                                    in ? ", " + name_token(in->id) : "");
    }
    event["frames"] = frames_here(0);
    report(event);
    return go_on;
}

}  // namespace convscope::runtime
