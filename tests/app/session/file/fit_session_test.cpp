// A session that was saved on another machine: what this one lacks is left out, and said.
#include <gtest/gtest.h>

#include "app/session/file/session_file.h"
#include "kernels/method/registry.h"

namespace convscope::app {
namespace {

class OtherMachine : public ::testing::Test {
protected:
    OtherMachine() : registry_(make_registry()), present_(make_session(*registry_)) {}

    SessionFile measured_on(const std::string& id, const std::string& name) const {
        SessionFile file{state_of(present_), name, ""};
        file.state.choices.device = id;
        return file;
    }

    std::unique_ptr<Registry> registry_;
    Session present_;
};

TEST_F(OtherMachine, without_the_device_measures_on_one_that_is_here_and_says_so) {
    SessionFile file = measured_on("cuda:7", "NVIDIA Of Tomorrow");
    file.state.choices.live_methods = {{"cudnn"}};
    const std::vector<std::string> notes = fit_to_machine(file, present_, *registry_);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("cuda:7 (NVIDIA Of Tomorrow)"), std::string::npos) << notes[0];
    EXPECT_EQ(file.state.choices.device, present_.choices.device);
    EXPECT_FALSE(file.state.choices.live_methods);
}

TEST_F(OtherMachine, has_another_cpu_which_is_no_news) {
    SessionFile file = measured_on("cpu", "A CPU Of Yesterday");
    EXPECT_TRUE(fit_to_machine(file, present_, *registry_).empty());
    EXPECT_EQ(file.state.choices.device, "cpu");
}

TEST_F(OtherMachine, leaves_out_methods_networks_models_and_files_that_are_not_there) {
    SessionFile file = measured_on("cpu", "");
    file.state.choices.live_methods = {{"im2col", "of-tomorrow"}};
    file.state.choices.occupancy_model = "NVIDIA Of Tomorrow";
    file.state.network.name = "of-tomorrow";
    file.state.records = {RecordSource::Kind::files, "", {"/nonexistent/rows.csv"}};
    EXPECT_EQ(fit_to_machine(file, present_, *registry_).size(), 4U);
    EXPECT_EQ(file.state.choices.live_methods, (std::vector<std::string>{"im2col"}));
    EXPECT_EQ(file.state.network.name, present_.network.name);
    EXPECT_EQ(file.state.records, RecordSource{});
}

TEST_F(OtherMachine, says_that_a_model_is_gone) {
    SessionFile file = measured_on("cpu", "");
    NetworkChoice& network = file.state.network;
    network.name = "net.onnx";
    network.model = "/nonexistent/net.onnx";
    network.input = "/nonexistent/cat.png";
    const std::vector<std::string> notes = fit_to_machine(file, present_, *registry_);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0], "The model /nonexistent/net.onnx cannot be read (No such file or directory); shapes is shown");
    NetworkChoice without;
    without.name = "shapes";
    EXPECT_EQ(network, without);
    network.name = "vgg19";
    network.model = "/nonexistent/net.onnx";
    EXPECT_EQ(fit_to_machine(file, present_, *registry_),
              std::vector<std::string>{"The model /nonexistent/net.onnx cannot be read (No such file or directory)"});
    EXPECT_EQ(network.name, "vgg19") << "the model was open, another network was shown";
}

TEST_F(OtherMachine, fits_scenes_too_and_says_the_same_once) {
    SessionFile file = measured_on("cuda:7", "NVIDIA Of Tomorrow");
    SessionState other = file.state;
    other.choices.method = "ecr6";
    file.state.scenes.set({{"first", file.state}, {"second", other}});
    EXPECT_EQ(fit_to_machine(file, present_, *registry_).size(), 1U);
    for (const SavedScene& scene : file.state.scenes.all())
        EXPECT_EQ(scene.state.choices.device, present_.choices.device) << scene.title;
    EXPECT_EQ(file.state.scenes.all()[1].state.choices.method, "tensor1");
}

TEST_F(OtherMachine, renames_methods_to_what_they_are_called_now) {
    SessionFile file = measured_on("cpu", "");
    file.state.choices.method = "ecr6";
    file.state.sweep.method = "ocpa3";
    file.state.choices.launch["pecr6"].tunables["filters"] = 64;
    file.state.choices.launch["pecr6"].tunables["flush"] = 8;
    file.state.sweep.axes = {{SweepKind::tunable, "parts", "1,2"}, {SweepKind::define, "parts", "1,2"}};
    fit_to_machine(file, present_, *registry_);
    EXPECT_EQ(file.state.choices.method, "tensor1");
    EXPECT_EQ(file.state.sweep.method, "tensor3");
    const std::map<std::string, std::int64_t> tunables{{"filters", 64}, {"promotion_interval", 8}};
    EXPECT_EQ(file.state.choices.launch.at("tensor2").tunables, tunables);
    EXPECT_EQ(file.state.sweep.axes->at(0).tunable, "split_k");
    EXPECT_EQ(file.state.sweep.axes->at(1).tunable, "parts");  // a constant of a user's kernel
}

}  // namespace
}  // namespace convscope::app
