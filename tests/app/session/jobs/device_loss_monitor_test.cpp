// A GPU that is lost in mid-session, with a stand-in for the GPU and for CUDA's access to OpenGL: the app goes on with
// the CPU and the host path, and says so.
#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/layers/layer_writer.h"
#include "kernels/registry/register_families.h"
#include "tests/app/driver.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope::app {
namespace {

constexpr const char* sticky = "an illegal memory access was encountered (cudaErrorIllegalAddress)";
bool gone = false;  ///< every call to CUDA fails from now on

void need_card(const char* call) {
    if (gone) throw Error(ErrorKind::failed, std::string(call) + " failed: " + sticky);
}

const CudaGlModule stand_in = {
    [](int) -> const char* { return nullptr; },
    [](unsigned buffer, void** resource) -> const char* {
        *resource = reinterpret_cast<void*>(static_cast<std::uintptr_t>(buffer));
        return gone ? sticky : nullptr;
    },
    [](void*) {},
    [](void** resources, int count, void** pointers) -> const char* {
        for (int i = 0; i < count && !gone; ++i) {
            glBindBuffer(GL_COPY_WRITE_BUFFER, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(resources[i])));
            pointers[i] = glMapBuffer(GL_COPY_WRITE_BUFFER, GL_READ_WRITE);
        }
        return gone ? sticky : nullptr;
    },
    [](void** resources, int count) -> const char* {
        for (int i = 0; i < count && !gone; ++i) {
            glBindBuffer(GL_COPY_WRITE_BUFFER, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(resources[i])));
            glUnmapBuffer(GL_COPY_WRITE_BUFFER);
        }
        return gone ? sticky : nullptr;
    }};

bool dies_building = false;  ///< the next layout that is built breaks the context

int images_left = 1000;     ///< of whole layers, until writing one fails
bool dies_writing = false;  ///< and breaks the context

class CardWriter final : public LayerWriter {
public:
    explicit CardWriter(std::unique_ptr<LayerWriter> host) : host_(std::move(host)) {}
    ValueRange write(const std::vector<float>& input, void* out) override {
        const bool fails = images_left-- <= 0;
        gone = gone || (fails && dies_writing);
        need_card("cudaStreamSynchronize");
        if (fails) throw OutOfMemory("cuda:0 has no memory left");
        return host_->write(input, out);
    }

private:
    std::unique_ptr<LayerWriter> host_;
};

class CardBuilder final : public LayoutBuilder {
public:
    bool on_gpu() const override { return true; }
    std::string describe() const override { return "built by the CUDA kernels"; }
    void build(Format format, const ConvShape& shape, const float* x, const float* w,
               const std::vector<void*>& out) override {
        gone = gone || dies_building;
        need_card("cudaStreamSynchronize");
        host_->build(format, shape, x, w, out);
    }
    std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob& job, const float* w) override {
        return std::make_unique<CardWriter>(host_->make_layer_writer(job, w));
    }

private:
    std::unique_ptr<LayoutBuilder> host_ = make_host_layout_builder();
};

/// "cuda:0": measures as the scripted device does, until it is gone.
class Card final : public Device {
public:
    explicit Card(Device& scripted) : scripted_(scripted) {
        info_.id = "cuda:0";
        info_.kind = DeviceKind::cuda;
        info_.name = "a card that can be lost";
        info_.available = true;
    }
    const DeviceInfo& info() const override { return info_; }
    std::int64_t free_memory_bytes() const override {
        need_card("cudaMemGetInfo");
        return scripted_.free_memory_bytes();
    }
    std::unique_ptr<Sampler> make_sampler(Execution& execution, TimingScope scope, CacheMode cache) override {
        need_card("cudaEventCreate");
        return scripted_.make_sampler(execution, scope, cache);
    }
    std::unique_ptr<StageTimer> make_stage_timer() override { return scripted_.make_stage_timer(); }
    std::unique_ptr<LayoutBuilder> make_layout_builder() override { return std::make_unique<CardBuilder>(); }

private:
    Device& scripted_;
    DeviceInfo info_;
};

class GpuLoss : public ::testing::Test {
protected:
    GpuLoss() {
        gone = dies_building = dies_writing = false;
        images_left = 1000;
        testing::Script good{"good"}, broken{"broken"};
        good.during_sample = [] { need_card("cudaEventSynchronize"); };
        broken.fail_at = 3;
        lab_ = std::make_unique<testing::FakeLab>(std::vector{good, broken}, DeviceKind::cuda);
        auto registry = std::move(lab_->registry);
        registry->add(make_cpu_device(""));
        register_families(*registry);
        registry->add(std::make_unique<Card>(*lab_->device));
        app_ = std::make_unique<Driver>(1280, 800, std::move(registry));
        app_->shell().layouts().open_cuda = [](int) { return CudaGl::with(stand_in); };
        choose_device(session(), app_->registry(), "cuda:0");
        session().choices.live_methods = std::vector<std::string>{"good"};
        app_->frames(4);
    }
    Session& session() { return app_->session(); }
    const std::string& path() { return app_->shell().layouts().path(); }
    bool says(const std::string& words) {
        return std::ranges::any_of(session().notices, [&](const Notice& notice) {
            return notice.problem && notice.text.find(words) != std::string::npos;
        });
    }
    const LayerScene* scene() { return app_->shell().layouts().layer().scene(); }
    bool shows_four_images() {
        return scene() && scene()->part().images == 4 && scene()->complete() && !app_->shell().layouts().moves();
    }
    void show_four_images(std::uint64_t seed) {
        WorkloadSpec spec;
        spec.name = "custom";
        spec.shape.n = 4;
        spec.shape.c = 3;
        spec.shape.h = spec.shape.w = 20;
        spec.shape.r = spec.shape.s = 3;
        spec.seed = seed;
        set_workload(session(), spec);
        session().layer.whole = false;  // nothing is written of the layer before
        ASSERT_TRUE(app_->wait([&] {
            const auto latest = app_->shell().builder().latest();
            return latest && latest->workload->spec == spec;
        }));
        session().layer.whole = true;
        app_->frames(2);
        ASSERT_TRUE(app_->wait([&] { return shows_four_images(); }));
    }
    void expect_the_host_path() {
        EXPECT_EQ(session().choices.device, "cpu");
        EXPECT_TRUE(says("cuda:0 is lost: cudaMemGetInfo failed: an illegal memory access"));
        app_->frames(3);
        EXPECT_EQ(path(), "host upload (no CUDA device in use), built on the CPU");
        // The arrays are there.
        EXPECT_FALSE(app_->shell().layouts().result().lead.empty());
    }

    std::unique_ptr<testing::FakeLab> lab_;
    std::unique_ptr<Driver> app_;
};

TEST_F(GpuLoss, is_noticed_while_a_layout_is_built) {
    EXPECT_EQ(path(), "interop, built by the CUDA kernels");
    dies_building = true;
    app_->type_into("workload/h", "9");
    EXPECT_TRUE(app_->wait([&] { return session().choices.device == "cpu"; }));
    expect_the_host_path();
    EXPECT_EQ(session().good.shape.h, 9);
}

TEST_F(GpuLoss, is_noticed_while_a_whole_layer_is_written) {
    show_four_images(1);
    EXPECT_EQ(path(), "interop, built by the CUDA kernels");
    EXPECT_EQ(scene()->host_bytes(), 0);
    dies_writing = true;
    images_left = 2;
    show_four_images(2);
    EXPECT_TRUE(app_->wait([&] { return session().choices.device == "cpu"; }));
    EXPECT_TRUE(app_->wait([&] { return shows_four_images(); }));
    EXPECT_TRUE(says("cuda:0 is lost: cudaMemGetInfo failed: an illegal memory access"));
    EXPECT_EQ(path(), "host upload (no CUDA device in use), built on the CPU");
    EXPECT_EQ(scene()->host_bytes(), scene()->bytes());
}

TEST_F(GpuLoss, is_not_a_whole_layer_that_its_memory_does_not_hold) {
    images_left = 2;
    show_four_images(1);
    EXPECT_EQ(scene()->host_bytes(), scene()->bytes() / 2);
    EXPECT_EQ(path(), "host upload (the GPU's build failed: cuda:0 has no memory left), built on the CPU");
    app_->frames(5);
    EXPECT_EQ(session().choices.device, "cuda:0");
    images_left = 1000;
    show_four_images(2);
    EXPECT_EQ(path(), "interop, built by the CUDA kernels");
    EXPECT_EQ(scene()->host_bytes(), 0);
}

TEST_F(GpuLoss, is_noticed_before_a_buffer_is_mapped) {
    gone = true;
    app_->type_into("workload/h", "9");
    EXPECT_TRUE(app_->wait([&] { return session().choices.device == "cpu"; }));
    expect_the_host_path();
}

TEST_F(GpuLoss, is_noticed_while_it_is_measured) {
    app_->press(Key::space);
    ASSERT_TRUE(app_->wait([&] { return app_->shell().live().latest("good") != nullptr; }));
    gone = true;
    ASSERT_TRUE(app_->wait([&] { return session().choices.device == "cpu"; }));
    EXPECT_FALSE(app_->shell().live().wanted());
    expect_the_host_path();
}

TEST_F(GpuLoss, is_not_a_method_that_fails) {
    session().choices.live_methods = std::vector<std::string>{"broken"};
    app_->press(Key::space);
    ASSERT_TRUE(app_->wait([&] {
        const Record* row = app_->shell().live().latest("broken");
        return row && row->status == Status::runtime_error;
    }));
    app_->frames(5);
    EXPECT_EQ(session().choices.device, "cuda:0");
    EXPECT_EQ(path(), "interop, built by the CUDA kernels");
}

TEST_F(GpuLoss, lasts_until_the_program_ends) {
    gone = true;
    app_->type_into("workload/h", "9");
    ASSERT_TRUE(app_->wait([&] { return session().choices.device == "cpu"; }));
    choose_device(session(), app_->registry(), "cuda:0");
    app_->frames(2);
    EXPECT_EQ(session().choices.device, "cpu");
    EXPECT_TRUE(says("was lost earlier"));
}

}  // namespace
}  // namespace convscope::app
