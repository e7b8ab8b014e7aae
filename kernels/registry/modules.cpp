#include "kernels/registry/modules.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/files/module_folders.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;

/// dlerror's text, which starts with the library that could not be found.
std::string loader_error() {
    const char* text = dlerror();
    return text ? text : "the system's loader gave no reason";
}

/// The driver's library has to be there before the module's own libraries, hundreds of megabytes, are worth opening.
std::string missing_driver() {
    if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) return {};
    return fmt::format("no NVIDIA driver: {}", loader_error());
}

/// Where a module lies; nothing, and 'reason' says where it was looked for.
fs::path find_module(const char* name, std::string& reason) {
    std::string tried;
    for (const fs::path& folder : module_folders()) {
        tried += (tried.empty() ? "" : ", ") + folder.string();
        std::error_code none;
        if (fs::exists(folder / name, none)) return folder / name;
    }
    reason = fmt::format("this build has no {} (looked in {})", name, tried);
    return {};
}

/// Finds a module and opens it. Returns an empty string, or why it cannot be used.
std::string load_module(const char* name, Registry& registry) {
    std::string reason;
    const fs::path file = find_module(name, reason);
    if (file.empty()) return reason;
    if (reason = missing_driver(); !reason.empty()) return reason;
    return open_module(file, registry);
}

struct FoundModule {
    std::string reason;
    fs::path file;
};

const FoundModule& ptx_module() {
    static const FoundModule found = [] {
        FoundModule made;
        made.file = find_module("convscope_ptx.so", made.reason);
        return made;
    }();
    return found;
}

std::vector<std::string> gpu_ids(const Registry& registry) {
    std::vector<std::string> ids;
    for (const DeviceInfo* info : registry.devices())
        if (info->kind == DeviceKind::cuda && info->available) ids.push_back(info->id);
    return ids;
}

DeviceInfo unavailable_gpu(const std::string& reason) {
    DeviceInfo info;
    info.id = "cuda:0";
    info.kind = DeviceKind::cuda;
    info.name = "NVIDIA GPU";
    info.reason = reason;
    return info;
}

}  // namespace

std::string open_module(const fs::path& file, Registry& registry) {
    const std::string name = file.filename().string();
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) return fmt::format("{} cannot be loaded: {}", name, loader_error());
    const auto add = reinterpret_cast<RegisterModule>(dlsym(module, "convscope_register"));
    if (!add) return fmt::format("{} is not a module of this program: it has no convscope_register", name);
    try {
        const char* reason = add(registry);
        return reason ? reason : "";
    } catch (const std::exception& error) {
        return fmt::format("{} failed to start: {}", name, error.what());
    }
}

CompiledMethods* open_compiled_methods(const fs::path& file, std::string& reason) {
    const std::string name = file.filename().string();
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto make =
        module ? reinterpret_cast<MakeCompiledMethods>(dlsym(module, "convscope_compiled_methods")) : nullptr;
    try {
        if (make) return make();
        reason = fmt::format("{} cannot be loaded: {}", name, loader_error());
    } catch (const std::exception& error) {
        reason = fmt::format("{} failed to start: {}", name, error.what());
    }
    return nullptr;
}

CompiledMethods* compiled_methods(std::string* reason) {
    static std::string why = missing_compiled_methods();
    static CompiledMethods* const methods = why.empty() ? open_compiled_methods(ptx_module().file, why) : nullptr;
    if (reason) *reason = why;
    return methods;
}

std::string missing_compiled_methods() {
    return ptx_module().reason;
}

void load_modules(Registry& registry) {
    if (const std::string reason = load_module("convscope_cuda.so", registry); !reason.empty()) {
        registry.add_unavailable(unavailable_gpu(reason));
        return;
    }
    const std::string reason = load_module("convscope_cudnn.so", registry);
    if (reason.empty()) return;
    for (const std::string& id : gpu_ids(registry)) registry.device(id).set_vendor("", reason);
}

}  // namespace convscope
