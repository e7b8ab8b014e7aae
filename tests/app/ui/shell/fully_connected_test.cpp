// A fully connected layer, a 1x1 convolution of a 1x1 map, in every view and on every page.
#include <gtest/gtest.h>

#include <string>

#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

void show(Driver& app, const WorkloadSpec& spec) {
    set_workload(app.session(), spec);
    ASSERT_TRUE(app.wait([&] {
        const auto latest = app.shell().builder().latest();
        return latest && latest->workload->spec.shape == spec.shape;
    }));
    app.frames(3);
}

WorkloadSpec small_layer() {
    WorkloadSpec spec;
    spec.shape.n = 2;
    spec.shape.c = 70;
    spec.shape.k = 9;
    spec.sparsity = 0.6;
    spec.name = "custom";
    return spec;
}

TEST(FullyConnected, is_described_by_its_inputs_and_outputs) {
    Driver app;
    show(app, small_layer());
    const std::string words = app.words_on_screen();
    EXPECT_NE(words.find("fully connected, 70 -> 9"), std::string::npos) << words;
    EXPECT_EQ(words.find("output n, k, p, q"), std::string::npos) << words;
}

TEST(FullyConnected, is_shown_by_every_view_and_page) {
    Driver app;
    for (const WorkloadSpec& spec : {small_layer(), find_preset("vgg19/fc8").spec}) {
        SCOPED_TRACE(spec.name);
        show(app, spec);
        for (const bool whole : {false, true})
            for (std::size_t tab = 0; tab < TabId::count; ++tab) {
                app.session().view = ViewId("layout");
                app.session().tab = TabId::at(tab);
                app.session().layer.whole = whole;
                app.frames(10);
                EXPECT_EQ(app.session().good.shape, spec.shape) << app.session().tab->name;
            }
        for (std::size_t view = 0; view < ViewId::count; ++view) {
            app.session().view = ViewId::at(view);
            app.frames(5);
            EXPECT_EQ(app.session().good.shape, spec.shape) << app.session().view->name;
        }
    }
}

TEST(FullyConnected, is_stepped_through_with_its_own_kernel) {
    Driver app;
    show(app, small_layer());
    choose_method(app.session(), "fcr1");
    app.session().view = ViewId("step");
    ASSERT_TRUE(app.wait([&] { return app.has("step/scrub") && !app.shell().step().tracing(); }));
    EXPECT_NE(app.words_on_screen().find("fcr_multiply"), std::string::npos) << app.words_on_screen();
}

}  // namespace
}  // namespace convscope::app
