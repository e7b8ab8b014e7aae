#include "visualizers/gl/interop.h"

#include <dlfcn.h>
#include <epoxy/gl.h>

#include <exception>
#include <filesystem>

#include "kernels/files/module_folders.h"

namespace convscope {
namespace {

constexpr const char* module_file = "convscope_cuda_gl.so";

}  // namespace

std::shared_ptr<CudaGl> CudaGl::open(int cuda_device) {
    auto cuda = std::make_shared<CudaGl>();
    cuda->reason_ = std::string(module_file) + " is not installed next to the program";
    for (const auto& folder : module_folders()) {
        const auto path = folder / module_file;
        if (!std::filesystem::exists(path)) continue;
        // Never closed: CUDA's runtime registers exit handlers of its own.
        void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            cuda->reason_ = dlerror();
            continue;
        }
        using Entry = const CudaGlModule* (*)();
        const auto entry = reinterpret_cast<Entry>(dlsym(handle, "convscope_cuda_gl"));
        if (!entry) {
            cuda->reason_ = std::string(module_file) + " has no entry point";
            continue;
        }
        cuda->module_ = *entry();
        const char* error = cuda->module_.select_device(cuda_device);
        cuda->available_ = error == nullptr;
        cuda->reason_ = error ? error : "";
        return cuda;
    }
    return cuda;
}

std::shared_ptr<CudaGl> CudaGl::none(std::string reason) {
    auto cuda = std::make_shared<CudaGl>();
    cuda->reason_ = std::move(reason);
    return cuda;
}

std::shared_ptr<CudaGl> CudaGl::with(const CudaGlModule& module) {
    auto cuda = std::make_shared<CudaGl>();
    cuda->module_ = module;
    cuda->available_ = true;
    return cuda;
}

SharedBuffers::SharedBuffers(std::shared_ptr<CudaGl> cuda) : cuda_(std::move(cuda)) {}

SharedBuffers::~SharedBuffers() {
    unregister_all();
}

void SharedBuffers::resize(const std::vector<std::string>& labels, const std::vector<std::int64_t>& bytes) {
    bool same = bytes.size() == buffers_.size();
    for (std::size_t i = 0; same && i < bytes.size(); ++i)
        same = buffers_[i].bytes() == bytes[i] && buffers_[i].label() == labels[i];
    if (same) return;
    unregister_all();
    buffers_.clear();
    for (std::size_t i = 0; i < bytes.size(); ++i) buffers_.emplace_back(labels[i], bytes[i]);
    register_all();
}

void SharedBuffers::register_all() {
    const CudaGlModule* module = cuda_->module();
    if (!module) {
        reason_ = cuda_->reason();
        return;
    }
    for (const gl::Buffer& buffer : buffers_) {
        void* resource = nullptr;
        if (const char* error = module->register_buffer(buffer.id(), &resource)) {
            reason_ = error;
            unregister_all();
            return;
        }
        resources_.push_back(resource);
    }
    interop_ = true;
    reason_.clear();
}

void SharedBuffers::unregister_all() {
    for (void* resource : resources_) cuda_->module()->unregister_buffer(resource);
    resources_.clear();
    interop_ = false;
}

/// OpenGL must not touch buffers that CUDA still holds: new buffers replace these, for the host to fill.
void SharedBuffers::abandon(const std::string& reason) {
    unregister_all();
    reason_ = reason;
    try {
        for (gl::Buffer& buffer : buffers_) buffer = gl::Buffer(buffer.label(), buffer.bytes());
    } catch (const std::exception& error) {
        reason_ += std::string("; ") + error.what();
    }
}

bool SharedBuffers::write_mapped(const std::function<void(const std::vector<void*>&)>& write) {
    mapped_ = false;
    if (!interop_) return false;
    const CudaGlModule& module = *cuda_->module();
    const int count = static_cast<int>(resources_.size());
    std::vector<void*> pointers(resources_.size());
    if (const char* error = module.map(resources_.data(), count, pointers.data())) {
        reason_ = error;
        unregister_all();
        return false;
    }
    struct Unmap {
        SharedBuffers& buffers;
        ~Unmap() {
            const CudaGlModule& m = *buffers.cuda_->module();
            if (const char* error = m.unmap(buffers.resources_.data(), static_cast<int>(buffers.resources_.size())))
                buffers.abandon(error);
        }
    };
    {
        const Unmap guard{*this};
        write(pointers);
    }
    host_bytes_ = 0;
    mapped_ = interop_;
    return mapped_;
}

void SharedBuffers::write_host(const std::function<void(const std::vector<void*>&)>& write) {
    std::vector<std::vector<std::uint32_t>> memory;
    std::vector<void*> pointers;
    for (const gl::Buffer& buffer : buffers_) {
        memory.emplace_back((buffer.bytes() + 3) / 4);
        pointers.push_back(memory.back().data());
    }
    write(pointers);
    mapped_ = false;
    host_bytes_ = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        buffers_[i].write(memory[i].data(), buffers_[i].bytes());
        host_bytes_ += buffers_[i].bytes();
    }
}

void SharedBuffers::write_part(std::size_t i, const void* data, std::int64_t bytes, std::int64_t offset) {
    buffers_[i].write(data, bytes, offset);
    mapped_ = false;
    host_bytes_ = bytes;
}

std::string SharedBuffers::describe() const {
    if (mapped_) return "interop";
    if (interop_) return "host upload (built on the CPU)";
    return reason_.empty() ? "host upload" : "host upload (" + reason_ + ")";
}

}  // namespace convscope
