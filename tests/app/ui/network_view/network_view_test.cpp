// The Network view as a user uses it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/session/file/session_file.h"
#include "app/ui/network_view/network_data.h"
#include "app/ui/network_view/recorded_network.h"
#include "kernels/files/preset_folder.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/onnx/onnx_writer.h"

namespace convscope::app {
namespace {

/// By words, as the list is longer than what is in sight.
void choose_network(Driver& app, const std::string& network) {
    app.click("network/choose");
    app.frames(2);
    app.type(network);
    app.frames(2);
    app.click("network/choose/" + network);
}

/// The view, with a network chosen in its list.
void open_network(Driver& app, const std::string& network) {
    app.press(Key::five);
    ASSERT_EQ(app.session().view, ViewId("network"));
    choose_network(app, network);
    ASSERT_EQ(app.session().network.name, network);
}

const NetworkProgress* progress(Driver& app) {
    return measured_network(app.session(), app.shell().live().snapshot());
}

TEST(NetworkView, shows_what_it_would_measure_before_anything_is_measured) {
    Driver app;
    app.press(Key::five);
    EXPECT_EQ(app.session().network.name, "shapes") << "one with the maps that a trained network made";
    EXPECT_EQ(progress(app), nullptr);
    const NetworkData& data = app.shell().network().data();
    EXPECT_EQ(data.layers.size(), 9U);
    for (const NetworkLayer& layer : data.layers) EXPECT_EQ(layer.from, "measured") << layer.name;
    EXPECT_TRUE(app.has("network/conv2"));
    EXPECT_FALSE(app.has("network/total ocpa"));
    EXPECT_FALSE(app.has("live/methods")) << "the view fills the centre";
}

TEST(NetworkView, shows_what_was_recorded_of_a_network_behind_the_invitation) {
    Driver app;
    open_network(app, "vgg19");
    const std::optional<RecordedNetwork> recorded = recorded_network(*chosen_network(app.session()));
    ASSERT_TRUE(recorded);
    EXPECT_NE(recorded->provenance.find("NVIDIA"), std::string::npos);
    ASSERT_EQ(recorded->data.layers.size(), 16U);
    for (const NetworkLayer& layer : recorded->data.layers)
        for (const NetworkBar& bar : layer.bars) EXPECT_TRUE(bar.time_us) << layer.name;
    app.frames(2);
    app.keep_image("network-invitation");
    const ItemRect row = app.item("network/conv4_3");
    app.click_at({row.min.x + 30, row.centre().y});
    EXPECT_EQ(app.session().choices.workload.name, "vgg19/conv4_3") << "its rows are the network's";
    open_network(app, "lenet");
    EXPECT_FALSE(recorded_network(*chosen_network(app.session()))) << "of this one nothing was recorded";
}

TEST(NetworkView, shows_nothing_of_the_network_that_was_chosen_before) {
    Driver app;
    open_network(app, "googlenet");
    const std::size_t layers = app.shell().network().data().layers.size();
    ASSERT_GT(layers, 40U);
    // The lowest row in sight is far beyond what a small network has.
    ItemRect low = app.item("network/choose");
    for (const auto& [name, rect] : app.items())
        if (name.starts_with("network/") && rect.centre().y > low.centre().y) low = rect;
    app.point_at(ImVec2{low.min.x + 30, low.centre().y});
    app.press(Key::one);
    app.press(Key::k, true);
    app.type("network lenet");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().network.name, "lenet");
    ASSERT_EQ(app.session().view, ViewId("network"));
    EXPECT_EQ(app.shell().network().data().layers.size(), 2U);
    // And to one with more layers, which were recorded.
    app.session().network.name = "vgg19";
    app.frames(1);
    EXPECT_EQ(app.shell().network().data().layers.size(), 16U);
    EXPECT_TRUE(app.has("network/conv5_4+pool"));
}

TEST(NetworkView, a_chain_shows_no_zeros_before_it_has_run) {
    Driver app;
    open_network(app, "lenet");
    const auto zeros = [&](std::size_t layer) { return app.shell().network().data().layers.at(layer).zeros; };
    EXPECT_TRUE(zeros(1)) << "a preset says them";
    app.click("network/chain");
    app.frames(2);
    ASSERT_TRUE(app.session().network.chain);
    EXPECT_FALSE(zeros(0) || zeros(1));
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().network_wanted(); }));
    app.frames(2);
    EXPECT_TRUE(zeros(0) && zeros(1));
    EXPECT_EQ(app.shell().network().data().layers.at(0).weight_zeros, 0) << "measured: drawn weights have none";
}

TEST(NetworkView, runs_a_network_and_loads_the_layer_that_is_clicked) {
    Driver app;
    open_network(app, "lenet");
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().network_wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().network_wanted(); }));
    ASSERT_NE(progress(app), nullptr);
    ASSERT_EQ(progress(app)->layers->size(), 2U);

    const NetworkData& data = app.shell().network().data();
    ASSERT_GE(data.methods.size(), 2U);
    EXPECT_EQ(data.methods[0].id, "ocpa");
    for (const NetworkLayer& layer : data.layers) {
        ASSERT_EQ(layer.bars.size(), data.methods.size()) << layer.name;
        EXPECT_TRUE(layer.bars[0].time_us) << layer.bars[0].reason;
        EXPECT_EQ(layer.bars[0].chosen, "pecr3") << "pooling follows both layers";
    }
    EXPECT_TRUE(app.has("network/total ocpa"));
    EXPECT_EQ(app.shell().live().snapshot().records.size(), 2 * data.methods.size()) << "rows that can be exported";

    app.click("network/conv2");
    EXPECT_EQ(app.session().good.name, "lenet/conv2");
    EXPECT_EQ(app.session().good.shape.c, 20);
    EXPECT_EQ(app.session().view, ViewId("network"));

    app.click("network/total ocpa");
    app.click("network/total ocpa");
    EXPECT_NE(progress(app), nullptr) << "hiding bars forgets nothing";

    app.session().network.n = 2;
    app.frames(2);
    EXPECT_EQ(progress(app), nullptr) << "figures of batch 1 are not those of batch 2";
    EXPECT_TRUE(app.shell().network().data().layers[0].bars.empty());
}

TEST(NetworkView, invites_to_what_the_device_does) {
    Driver app;
    open_network(app, "lenet");
    choose_device(app.session(), app.registry(), "cpu");
    app.frames(2);
    EXPECT_TRUE(app.shell().network().data().empty_hint.starts_with("Press Space to time "));
    choose_device(app.session(), app.registry(), "sim");
    app.frames(2);
    EXPECT_TRUE(app.shell().network().data().empty_hint.starts_with("Press Space to check "));
}

TEST(NetworkView, stops_when_asked_and_lets_the_live_measurement_run_instead) {
    Driver app;
    open_network(app, "vgg19");
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return progress(app) && progress(app)->running; }));
    app.click("toolbar/run");
    EXPECT_FALSE(app.shell().live().network_wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    EXPECT_LT(progress(app)->layers->size(), 16U);

    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().network_wanted());
    app.press(Key::one);
    app.press(Key::space);
    EXPECT_FALSE(app.shell().live().network_wanted()) << "Space stops what runs, in either view";
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return app.shell().live().latest("im2col") != nullptr; }));
    EXPECT_FALSE(progress(app)->running);
}

TEST(NetworkView, methods_are_ticked_and_one_at_least_is_needed) {
    Driver app;
    open_network(app, "lenet");
    const std::vector<std::string> before = chosen_network_methods(app.session(), app.registry());
    ASSERT_NE(std::ranges::find(before, "im2col"), before.end());
    app.click("network/methods");
    app.click("network/im2col");
    app.press(Key::escape);
    const std::vector<std::string> after = chosen_network_methods(app.session(), app.registry());
    EXPECT_EQ(after.size() + 1, before.size());
    EXPECT_EQ(std::ranges::find(after, "im2col"), after.end());

    app.session().network.methods = std::vector<std::string>{};
    app.press(Key::space);
    EXPECT_FALSE(app.shell().live().network_wanted());
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_EQ(app.session().notices.back().text, "Tick at least one method to measure");
}

TEST(NetworkView, only_networks_that_chain_can_be_chained) {
    Driver app;
    open_network(app, "lenet");
    app.click("network/chain");
    EXPECT_TRUE(app.session().network.chain);
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().network_wanted(); }));
    ASSERT_EQ(progress(app)->layers->size(), 2U);
    EXPECT_EQ((*progress(app)->layers)[1].rows[0].source, "chain");
    EXPECT_EQ(app.shell().network().data().layers[1].from, "chain");

    choose_network(app, "resnet50");
    app.frames(2);
    EXPECT_FALSE(app.session().network.chain);
    app.click("network/chain");
    EXPECT_FALSE(app.session().network.chain);
}

TEST(NetworkPlot, has_a_row_for_each_layer_and_a_csv_with_all_of_it) {
    NetworkData data;
    data.methods = {{"onednn", true}, {"ocpa", false}};
    data.baseline = "onednn";
    data.layers = {{"conv1", "3x8x8 * 4x3x3", 0, "image", 1, {{100, 90, 110}, {200, 180, 220, 0.5, "ecr3", ""}}},
                   {"conv2+pool", "4x8x8, pool 2", 0.85, "ramp", 3, {{400}, {{}, {}, {}, {}, "", "timeout"}}},
                   {"conv3", "4x4x4 * 4x3x3", 0.9, "printed", 1, {}}};
    NetworkBar stopped{90, {}, {}, {}, "ecr3", "", "onednn too busy", false};
    data.layers[2].bars = {{{}, {}, {}, {}, "", "cancelled"}, stopped};
    data.layers[1].weight_zeros = 0.75;
    const Plot plot = network_plot(data);
    EXPECT_EQ(plot.x.names.size(), 3U);
    EXPECT_EQ(plot.rows->note,
              (std::vector<std::string>{"0 % image", "85 % ramp, 75 % in w, 3 times", "90 % printed"}));
    ASSERT_EQ(plot.series.size(), 2U);
    EXPECT_EQ(plot.series[0].y[1], 400);
    EXPECT_EQ(plot.series[0].result_name, "") << "the baseline is compared with nothing";
    EXPECT_EQ(plot.series[1].result_name, "ocpa vs onednn");
    EXPECT_EQ(plot.series[1].result[0], "ecr3  0.50x");
    EXPECT_EQ(plot.series[1].result[2], "ecr3  no ratio: onednn too busy");
    EXPECT_EQ(plot.series[1].unsure, (std::vector<bool>{false, false, true})) << "hollow";
    EXPECT_EQ(plot.series[1].reason[1], "timeout");
    EXPECT_EQ(network_csv(data),
              "layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason,zeros_in_w\r\n"
              "conv1,3x8x8 * 4x3x3,0,image,1,onednn,,100,,,\r\n"
              "conv1,3x8x8 * 4x3x3,0,image,1,ocpa,ecr3,200,0.5,,\r\n"
              "conv2+pool,\"4x8x8, pool 2\",0.85,ramp,3,onednn,,400,,,0.75\r\n"
              "conv2+pool,\"4x8x8, pool 2\",0.85,ramp,3,ocpa,,,,timeout,0.75\r\n"
              "conv3,4x4x4 * 4x3x3,0.9,printed,1,onednn,,,,cancelled,\r\n"
              "conv3,4x4x4 * 4x3x3,0.9,printed,1,ocpa,ecr3,90,,no ratio: onednn too busy,\r\n");
}

TEST(NetworkProgressWords, say_how_far_it_is) {
    NetworkPlan plan;
    plan.network.layers.resize(16);
    NetworkProgress progress;
    progress.plan = std::make_shared<const NetworkPlan>(plan);
    progress.layers = std::make_shared<const std::vector<LayerRows>>(5);
    progress.running = true;
    EXPECT_EQ(describe_progress(progress), "5 of 16 layers");
    progress.seconds_left = 40.2;
    progress.phase = "sampling ocpa";
    EXPECT_EQ(describe_progress(progress), "5 of 16 layers, 40 s left: sampling ocpa");
    progress.seconds_left = 600;
    EXPECT_EQ(describe_progress(progress), "5 of 16 layers, 10 min left: sampling ocpa");
    progress.running = false;
    EXPECT_EQ(describe_progress(progress), "5 of 16 layers");
}

class ModelInWindow : public ::testing::Test {
protected:
    static std::filesystem::path resnet8(const char* file = "resnet8.onnx") {
        return preset_folder() / "models" / file;
    }
    bool has_run() {
        return app.wait([&] { return app.session().model.network && !app.session().model.running; });
    }
    Driver app;
    const TempFolder folder;
};

TEST_F(ModelInWindow, a_dropped_model_is_a_network_whose_layers_open_in_every_view) {
    app.shell().drop({resnet8()});
    app.frames(1);
    EXPECT_EQ(app.session().view, ViewId("network"));
    ASSERT_TRUE(has_run()) << app.session().model.state;
    app.frames(2);
    app.keep_image("network-model");
    const NetworkData& data = app.shell().network().data();
    const Network presets = find_network("resnet8");
    ASSERT_EQ(data.layers.size(), presets.layers.size());
    EXPECT_EQ(data.title, "resnet8.onnx on drawn values");
    for (std::size_t i = 0; i < data.layers.size(); ++i) {
        EXPECT_EQ(data.layers[i].shape, describe_layer(presets.layers[i]).shape);
        EXPECT_EQ(data.layers[i].weight_zeros, 0.0) << data.layers[i].name;
    }
    const std::string second = data.layers[1].name;
    const double zeros = *data.layers[1].zeros;
    const ItemRect row = app.item("network/" + second);
    app.click_at({row.min.x + 30, row.centre().y});
    EXPECT_EQ(app.session().good.name, "resnet8.onnx/" + second) << "and not the presets' layer of that network";
    app.press(Key::one);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec == app.session().good; }));
    EXPECT_DOUBLE_EQ(app.shell().builder().latest()->workload->sparsity_measured, zeros);
    app.press(Key::five);
    choose_network(app, "shapes");
    EXPECT_EQ(chosen_network(app.session())->name, "shapes");
    choose_network(app, "resnet8.onnx");
    app.frames(1);
    EXPECT_EQ(app.shell().network().data().title, "resnet8.onnx on drawn values") << "without another run";
}

TEST_F(ModelInWindow, runs_on_a_picture_that_is_dropped_and_sees_what_its_presets_have) {
    app.shell().drop({resnet8("boot.png")});
    EXPECT_EQ(app.session().notices.back().text, resnet8("boot.png").string() +
                                                     " is a picture, which a model can be run on: open an .onnx file "
                                                     "first");
    app.shell().drop({resnet8(), resnet8("boot.png")});
    app.frames(1);
    ASSERT_TRUE(has_run()) << app.session().model.state;
    app.frames(1);
    const NetworkData& data = app.shell().network().data();
    EXPECT_EQ(data.title, "resnet8.onnx on boot.png");
    expect_contains(data.command, "--model " + resnet8().string() + " --input " + resnet8("boot.png").string() +
                                      " --resize bilinear");
    EXPECT_EQ(data.command.find("--n "), std::string::npos) << "a model has its own batch";
    const Network presets = find_network("resnet8");
    for (std::size_t i = 0; i < data.layers.size(); ++i)
        EXPECT_NEAR(*data.layers[i].zeros, presets.layers[i].spec.sparsity, 1e-3) << data.layers[i].name;
}

TEST_F(ModelInWindow, a_node_that_is_not_supported_is_named_where_the_layers_would_stand) {
    using namespace convscope::testing;
    const char* const set = std::getenv("TMPDIR");
    const std::string before = set ? set : "";
    setenv("TMPDIR", (folder / "").c_str(), 1);
    const auto path =
        folder.write("net.onnx", model({{node("Einsum", {"x"}, {"y"})}, {}, {value("x", {1, 1, 4, 4})}, {value("y")}}));
    app.shell().drop({path});
    app.frames(1);
    const bool ended = app.wait([&] { return !app.session().model.running; });
    set ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
    ASSERT_TRUE(ended);
    EXPECT_FALSE(app.session().model.network);
    expect_contains(app.session().model.state, "net.onnx: ");
    expect_contains(app.session().model.state, "Einsum");
    EXPECT_TRUE(app.session().notices.back().problem);
    EXPECT_EQ(app.session().notices.back().text, app.session().model.state);
    app.keep_image("network-model-rejected");
    std::size_t of_the_runner = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "")) {
        const std::string inside = entry.path().string();
        if (inside.find("convscope-run-") == std::string::npos) continue;
        ++of_the_runner;
        EXPECT_TRUE(entry.path().filename().string().starts_with("convscope-run-")) << inside << ": a run that failed";
    }
    EXPECT_GE(of_the_runner, 1U) << "it had a folder";
}

TEST_F(ModelInWindow, is_stopped_and_run_again_by_a_key) {
    app.shell().drop({resnet8()});
    app.press(Key::space);  // in the frame in which the run begins
    app.frames(2);
    EXPECT_EQ(app.session().model.state, "resnet8.onnx was stopped; Space runs it again");
    EXPECT_FALSE(app.session().model.running);
    EXPECT_FALSE(app.session().model.network);
    app.press(Key::space);
    app.frames(1);
    ASSERT_TRUE(has_run()) << app.session().model.state;
}

TEST_F(ModelInWindow, a_run_ends_where_another_network_is_chosen_and_begins_again_with_the_model) {
    app.shell().drop({resnet8()});
    app.frames(1);
    ASSERT_TRUE(app.session().model.running);
    app.session().network.name = "shapes";
    app.frames(1);
    EXPECT_FALSE(app.session().model.running);
    EXPECT_FALSE(app.shell().network().busy(app.session())) << "the window need not be drawn";
    const std::size_t notices = app.session().notices_so_far;
    app.frames(2);
    EXPECT_EQ(app.session().notices_so_far, notices);
    app.session().network.name = "resnet8.onnx";
    app.frames(1);
    EXPECT_TRUE(app.session().model.running);
    ASSERT_TRUE(has_run()) << app.session().model.state;
    EXPECT_EQ(app.session().model.network->name, "resnet8.onnx");
}

TEST(NetworkView, a_session_opens_a_models_layer_with_the_data_of_a_new_run) {
    const TempFolder folder;
    const std::filesystem::path file = folder / "model.convscope.toml";
    const std::string model = (preset_folder() / "models/resnet8.onnx").string();
    {
        Driver first;
        first.shell().drop({model});
        ASSERT_TRUE(first.wait([&] { return first.session().model.network != nullptr; }));
        set_workload(first.session(), first.session().model.network->layers[2].spec);
        write_session(file, {state_of(first.session()), "", ""});
    }
    Driver app;
    const WorkloadSpec first_screen = app.session().choices.workload;
    app.shell().open(file);
    EXPECT_EQ(app.session().network.model, model);
    ASSERT_TRUE(app.wait([&] { return app.session().model.network != nullptr; })) << app.session().model.state;
    EXPECT_EQ(app.session().good, app.session().model.network->layers[2].spec);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec == app.session().good; }));

    set_workload(app.session(), first_screen);
    app.frames(1);
    const auto network = app.session().model.network;
    app.shell().open(file);
    app.frames(1);
    EXPECT_EQ(app.session().model.network, network) << "the model has run on this: it need not again";
    EXPECT_EQ(app.session().good, network->layers[2].spec);
    EXPECT_EQ(app.session().rejection, "");
}

TEST_F(ModelInWindow, a_layer_of_another_model_of_the_same_file_name_stays) {
    std::filesystem::create_directory(folder / "other");
    const std::filesystem::path other = folder / "other/resnet8.onnx";
    std::filesystem::copy_file(resnet8(), other);
    app.shell().drop({resnet8()});
    app.frames(1);
    ASSERT_TRUE(has_run()) << app.session().model.state;
    const WorkloadSpec layer = app.session().model.network->layers[2].spec;
    set_workload(app.session(), layer);
    app.shell().drop({other});
    app.frames(1);
    ASSERT_TRUE(has_run()) << app.session().model.state;
    app.frames(1);
    EXPECT_EQ(app.session().model.network->layers[2].spec.name, layer.name);
    EXPECT_EQ(app.session().good, layer);
    app.shell().drop({resnet8()});
    app.frames(1);
    ASSERT_TRUE(has_run()) << app.session().model.state;
    EXPECT_NE(app.session().good, layer) << "a run of its own model gives it other files";
    EXPECT_EQ(app.session().good, app.session().model.network->layers[2].spec);
}

TEST_F(ModelInWindow, the_open_dialog_takes_a_model) {
    app.shell().dialogs().set_asking(Asking::builtin);
    app.press(Key::o, true);
    app.frames(5);
    app.type_into("dialog/path", resnet8().string());
    app.frames(2);
    EXPECT_EQ(app.session().network.model, resnet8().string());
    EXPECT_TRUE(has_run()) << app.session().model.state;
}

}  // namespace
}  // namespace convscope::app
