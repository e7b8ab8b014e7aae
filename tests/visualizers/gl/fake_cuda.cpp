#include "tests/visualizers/gl/fake_cuda.h"

#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace convscope::testing {
namespace {

void bind(void* resource) {
    glBindBuffer(GL_COPY_WRITE_BUFFER, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(resource)));
}

const char* register_buffer(unsigned buffer, void** resource) {
    if (stand_in.fail_register) return "cudaGraphicsGLRegisterBuffer: unknown error";
    *resource = reinterpret_cast<void*>(static_cast<std::uintptr_t>(buffer));
    ++stand_in.registered;
    return nullptr;
}

const char* map(void** resources, int count, void** pointers) {
    if (stand_in.fail_map) return "cudaGraphicsMapResources: out of memory";
    for (int i = 0; i < count; ++i) {
        bind(resources[i]);
        pointers[i] = glMapBuffer(GL_COPY_WRITE_BUFFER, GL_READ_WRITE);
        ++stand_in.mapped;
    }
    return nullptr;
}

const char* unmap(void** resources, int count) {
    if (stand_in.fail_unmap) return "cudaGraphicsUnmapResources: an illegal memory access was encountered";
    for (int i = 0; i < count; ++i) {
        bind(resources[i]);
        glUnmapBuffer(GL_COPY_WRITE_BUFFER);
        --stand_in.mapped;
    }
    return nullptr;
}

class StandInWriter final : public LayerWriter {
public:
    StandInWriter(std::unique_ptr<LayerWriter> host, std::int64_t bytes) : host_(std::move(host)), bytes_(bytes) {}

    ValueRange write(const std::vector<float>& input, void* out) override {
        const ValueRange range = host_->write(input, out);
        if (stand_in.images_left-- > 0) return range;
        std::memset(out, 0x11, static_cast<std::size_t>(bytes_ / 2));
        throw std::runtime_error("the kernel failed");
    }

private:
    std::unique_ptr<LayerWriter> host_;
    const std::int64_t bytes_;
};

}  // namespace

StandIn stand_in;

CudaGlModule stand_in_for_cuda() {
    return {[](int) -> const char* { return nullptr; }, register_buffer, [](void*) { --stand_in.registered; }, map,
            unmap};
}

void StandInBuilder::build(Format format, const ConvShape& shape, const float* x, const float* w,
                           const std::vector<void*>& out) {
    EXPECT_GT(stand_in.mapped, 0);
    if (stand_in.fail_build) throw std::runtime_error("the kernel failed");
    host_->build(format, shape, x, w, out);
}

std::unique_ptr<LayerWriter> StandInBuilder::make_layer_writer(const LayerJob& job, const float* w) {
    if (stand_in.fail_build) throw std::runtime_error("the GPU has no memory left");
    return std::make_unique<StandInWriter>(host_->make_layer_writer(job, w), 4 * job.elements());
}

}  // namespace convscope::testing
