// Descriptors of cuDNN's graph API as values that clean up after themselves.
#pragma once

#include <cudnn_graph.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/vendor/cudnn/descriptors.h"

namespace convscope::cudnn {

/// A descriptor is filled by set(), and then finalized. What it refers to is kept alive by cuDNN.
class Backend {
public:
    explicit Backend(cudnnBackendDescriptorType_t type) {
        CONVSCOPE_CUDNN(cudnnBackendCreateDescriptor(type, &descriptor_));
    }
    ~Backend() {
        if (descriptor_) cudnnBackendDestroyDescriptor(descriptor_);
    }
    Backend(Backend&& other) noexcept : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
    Backend& operator=(Backend&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    cudnnBackendDescriptor_t get() const { return descriptor_; }

    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
        CONVSCOPE_CUDNN(cudnnBackendSetAttribute(descriptor_, name, type, 1, &value));
    }
    void set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values) {
        CONVSCOPE_CUDNN(cudnnBackendSetAttribute(descriptor_, name, CUDNN_TYPE_INT64,
                                                 static_cast<std::int64_t>(values.size()), values.data()));
    }
    void set(cudnnBackendAttributeName_t name, const Backend& other) {
        set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.descriptor_);
    }
    void set_all(cudnnBackendAttributeName_t name, const std::vector<cudnnBackendDescriptor_t>& others) {
        CONVSCOPE_CUDNN(cudnnBackendSetAttribute(descriptor_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                                 static_cast<std::int64_t>(others.size()), others.data()));
    }
    void set_pointers(cudnnBackendAttributeName_t name, const std::vector<void*>& pointers) {
        CONVSCOPE_CUDNN(cudnnBackendSetAttribute(descriptor_, name, CUDNN_TYPE_VOID_PTR,
                                                 static_cast<std::int64_t>(pointers.size()), pointers.data()));
    }
    void finalize() { CONVSCOPE_CUDNN(cudnnBackendFinalize(descriptor_)); }

    /// At most so many values of an attribute.
    template <class T>
    std::vector<T> values(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t most) const {
        std::vector<T> found(most);
        std::int64_t count = 0;
        CONVSCOPE_CUDNN(
            cudnnBackendGetAttribute(descriptor_, name, type, static_cast<std::int64_t>(most), &count, found.data()));
        found.resize(std::min(most, static_cast<std::size_t>(count)));
        return found;
    }

private:
    cudnnBackendDescriptor_t descriptor_ = nullptr;
};

}  // namespace convscope::cudnn
