// Session files: what is written is read back, and what is wrong is named with its place.
#include "app/session/file/session_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <random>
#include <regex>

#include "app/compare/held.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/core/preset.h"
#include "kernels/core/text_file.h"

namespace convscope::app {
namespace {

class RandomSession {
public:
    explicit RandomSession(unsigned seed) : random_(seed) {}

    SessionFile make() {
        SessionFile file;
        SessionState& state = file.state;
        Choices& choices = state.choices;
        choices.workload = workload();
        choices.selection = {whole(0, 9), whole(0, 9), whole(0, 9)};
        choices.device = text();
        choices.occupancy_model = maybe(text());
        choices.method = maybe(text());
        if (flip()) choices.live_methods = texts();
        for (std::int64_t i = whole(0, 3); i > 0; --i) {
            LaunchConfig& config = choices.launch[text()];
            config.tunables[text()] = whole(-5, 1024);
            if (flip()) config.block = Dim3{whole(1, 64), whole(1, 8), 1};
            if (flip()) config.grid = Dim3{whole(1, 64), whole(1, 8), 1};
        }
        choices.scope = static_cast<TimingScope>(whole(0, 4));
        choices.cache = static_cast<CacheMode>(whole(0, 1));
        state.view = ViewId::at(static_cast<std::size_t>(whole(0, ViewId::count - 1)));
        state.tab = TabId::at(static_cast<std::size_t>(whole(0, TabId::count - 1)));
        state.layer = {
            flip(),
            {static_cast<LayerArray>(whole(0, layer_array_count - 1)), LayerArray::Index, LayerArray::L, LayerArray::w},
            static_cast<Aggregate>(whole(0, 2)),
            static_cast<Aggregate>(whole(0, 2)),
            {},
            {}};
        if (flip()) state.layer.pinned = InputElement{whole(0, 9), whole(0, 9), whole(0, 99), whole(0, 99)};
        for (auto& pin : state.pinned)
            if (flip()) pin = ElementRef{static_cast<ArrayId>(whole(0, array_count - 1)), {whole(0, 99), whole(0, 99)}};
        for (StepSide& side : state.step_sides)
            side = {maybe(text()),
                    {whole(0, 9), 0, 2},
                    static_cast<unsigned>(whole(0, 1023)),
                    static_cast<std::size_t>(whole(0, 1 << 30))};
        state.step_beside = maybe(text());
        state.step_speed = real(1, 250);
        for (std::int64_t i = whole(0, 3); i > 0; --i)
            state.step_marks.breakpoints.insert({"kernels/" + text() + ".h", static_cast<unsigned>(whole(1, 900))});
        for (std::int64_t i = whole(0, 3); i > 0; --i) state.step_marks.watches.push_back(text());
        if (flip()) {
            state.kernel.file = "/" + text();
            state.kernel.entry = maybe(text());
            if (flip()) state.kernel.given = {{"grid", text()}, {"n", text()}};
            state.kernel.count = static_cast<LineCount>(whole(0, line_count_count - 1));
            state.kernel.ptx = flip();
            state.kernel.sass = flip();
            state.kernel.block = {whole(0, 9), whole(0, 9), whole(0, 9)};
            state.kernel.warp = whole(0, 31);
            state.kernel.lane = static_cast<unsigned>(whole(0, 31));
            state.kernel.step = static_cast<std::size_t>(whole(0, 1 << 30));
        }
        state.compare = {ComparePage::at(static_cast<std::size_t>(whole(0, ComparePage::count - 1))),
                         maybe(text()),
                         maybe(text()),
                         maybe(text()),
                         maybe(text()),
                         maybe(text()),
                         maybe(text()),
                         maybe(text()),
                         flip(),
                         maybe(text()),
                         flip(),
                         maybe(text()),
                         maybe(text()),
                         {}};
        for (const char* column : held_columns)
            if (flip()) state.compare.held[column] = text();
        if (flip()) state.pages.beside = static_cast<Format>(whole(0, 3));
        if (flip()) state.pages.solution.b = flip();
        state.pages.solution.product = whole(0, 99);
        state.pages.balance = {whole(0, 99), flip()};
        state.records.kind = static_cast<RecordSource::Kind>(whole(0, 3));
        if (state.records.kind == RecordSource::Kind::recorded) state.records.name = text();
        if (state.records.kind == RecordSource::Kind::files) state.records.files = {"/tmp/a b.csv", "/tmp/ö.json"};
        state.network = {text(), whole(1, 4096), flip(), {}, real(0.001, 3600)};
        if (flip()) state.network.methods = texts();
        state.sweep.timeout_s = real(0.001, 3600);
        if (flip()) state.sweep.methods = texts();
        if (flip()) state.sweep.axes = {{SweepKind::sparsity, "", "0:0.9:0.1"}, {SweepKind::define, text(), "1,2"}};
        state.sweep.metric = static_cast<SweepMetric>(whole(0, sweep_metric_count - 1));
        state.sweep.pane = static_cast<SweepPane>(whole(0, sweep_pane_count - 1));
        state.sweep.method = maybe(text());
        state.sweep.query = maybe(text());
        state.sweep.csv_path = maybe(text());
        file.device_name = maybe(text());
        file.saved_as = maybe("/tmp/x.convscope.toml");
        return file;
    }

private:
    WorkloadSpec workload() {
        if (flip()) return find_preset("examples/xu-fig4").spec;
        WorkloadSpec spec;
        spec.name = "custom";
        spec.shape = {.n = whole(1, 4),
                      .c = whole(1, 9),
                      .h = whole(5, 30),
                      .w = whole(5, 30),
                      .k = whole(1, 9),
                      .r = whole(1, 3),
                      .s = whole(1, 3),
                      .pad_h = whole(0, 2),
                      .pad_w = whole(0, 2)};
        spec.source = flip() ? Source::blobs : Source::file;
        if (spec.source == Source::file) spec.input_path = "/tmp/with \"quotes\" and \\.npy";
        spec.sparsity = real(0, 1);
        spec.seed = flip() ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(whole(0, 1 << 30));
        return spec;
    }
    std::int64_t whole(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    double real(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random_); }
    bool flip() { return whole(0, 1) == 1; }
    std::string text() {
        constexpr const char* words[] = {"ecr1",     "im2col",    "a.b c",        "Größe",
                                         "quote\"d", "tab\there", "\xE6\x97\xA5", "x=1"};
        return words[whole(0, 7)];
    }
    std::string maybe(const std::string& value) { return flip() ? value : std::string(); }
    std::vector<std::string> texts() { return {text(), text()}; }

    std::mt19937 random_;
};

TEST(SessionFile, of_any_session_reads_back_the_same) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const SessionFile written = RandomSession(seed).make();
        const std::string text = session_text(written);
        const SessionRead read = read_session_text(text, "/tmp/any.convscope.toml", {});
        EXPECT_EQ(read.file.state, written.state) << text;
        EXPECT_EQ(read.file.device_name, written.device_name);
        EXPECT_EQ(read.file.saved_as, written.saved_as);
        EXPECT_TRUE(read.notes.empty()) << read.notes.front();
        if (HasFailure()) return;
    }
}

TEST(SessionFile, has_an_array_of_the_layer_for_those_tabs_that_show_one) {
    const std::string text = session_text({});
    for (const char* tab : {"solutions = ", "balance = "}) EXPECT_EQ(text.find(tab), std::string::npos) << text;
    // Earlier versions wrote them, and read them over what follows the arrays.
    const SessionRead read = read_session_text(
        "version = 1\n[layer]\nbelow_a_pixel = \"mean\"\nsolutions = \"Count\"\nbalance = \"y\"\n", "a", {});
    EXPECT_EQ(read.file.state.layer.aggregate, Aggregate::mean);
    EXPECT_EQ(read.file.state.layer.map_aggregate, LayerChoice{}.map_aggregate);
    ASSERT_EQ(read.notes.size(), 2U);
    EXPECT_EQ(read.notes[0].rfind("a:5:1: unknown key 'balance' in this layer; accepted are ", 0), 0U) << read.notes[0];
}

TEST(SessionFile, says_what_is_not_in_it_as_the_first_screen_has_it) {
    SessionState default_value;
    default_value.choices.workload = find_preset("examples/xu-fig7").spec;
    default_value.view = "step";
    const SessionState state = read_session_text("version = 1\n", "a.convscope.toml", default_value).file.state;
    EXPECT_EQ(state, default_value);
}

struct Broken {
    const char* text;
    const char* place;
    const char* says;
};

TEST(SessionFile, that_is_broken_is_named_with_line_and_column_and_what_is_accepted) {
    constexpr Broken all[] = {
        {"version = 1\nview = [\n", "a:2:", "not valid TOML"},
        {"version = 1\nview = \"banana\"\n", "a:2:8", "'view' is 'banana'; it must be one of layout, step"},
        {"version = 1\nview = 3\n", "a:2:8", "one of layout"},
        {"version = 1\n[workload]\nn = 0\n", "a:2:1", "[workload] cannot be"},
        {"version = 1\n[workload]\nsparsity = 1.5\n", "a:3:12", "from 0 to 1"},
        {"version = 1\n[workload]\nh = \"five\"\n", "a:3:5", "whole number"},
        {"version = 1\n[workload]\nseed = -1\n", "a:3:8", "'seed' is -1; it must be a whole number of at least 0"},
        {"version = 1\n[workload]\nsource = \"file\"\n", "a:3:10", "without an input"},
        {"version = 1\n[measure]\nscope = \"all\"\n", "a:3:9", "setup"},
        {"version = 1\n[measure]\nmethods = 1\n", "a:3:11", "a list of texts"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\nblock = [32, 1]\n", "a:4:9", "[x, y, z]"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"TW\"]\n", "a:4:12", "NAME=VALUE"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"T=99999999999999999999\"]\n", "a:4:12",
         "NAME=VALUE"},
        {"version = 1\n[[launch]]\nblock = [32, 1, 1]\n", "a:2:1", "no method"},
        {"version = 1\n[[pin]]\narray = \"z\"\n", "a:3:9", "F_data"},
        {"version = 1\n[step]\nbreakpoints = [\"ecr1_kernel.h\"]\n", "a:3:15", "FILE:LINE"},
        {"version = 1\n[step]\nbreakpoints = [\"ecr1_kernel.h:0\"]\n", "a:3:15", "FILE:LINE"},
        {"version = 1\n[step]\nwatches = 3\n", "a:3:11", "a list of texts"},
        {"version = 1\n[kernel]\ngiven = [\"n\"]\n", "a:3:9", "NAME=VALUE"},
        {"version = 1\n[kernel]\ncount = \"bytes\"\n", "a:3:9", "wavefronts"},
        {"version = 1\n[compare]\nrecords = \"files\"\n", "a:3:11", "list of paths"},
        {"version = 1\n[sweep]\naxis = 3\n", "a:3:8", "[[axis]]"},
        {"version = 1\nsweep = 3\n", "a:2:9", "a table headed by [sweep]"},
        {"version = 7\n", "a:1:11", "version 7, and this convscope reads version 1"},
        {"view = \"layout\"\n", "a ", "no 'version = 1'"},
        {"version = \"1\"\n", "a:1:11", "whole number"},
        {"\xFF\n", "a:1:1", "not valid TOML"},
    };
    for (const Broken& each : all) {
        try {
            read_session_text(each.text, "a", {});
            ADD_FAILURE() << "was read: " << each.text;
        } catch (const Error& error) {
            const std::string said = error.what();
            EXPECT_EQ(error.exit_status(), 6);
            EXPECT_EQ(said.rfind(each.place, 0), 0U) << each.text << said;
            EXPECT_NE(said.find(each.says), std::string::npos) << each.text << said;
        }
    }
}

TEST(SessionFile, survives_any_text_without_more_than_a_sentence) {
    const std::string whole = session_text(RandomSession(3).make());
    std::mt19937 random(5);
    for (int i = 0; i < 400; ++i) {
        std::string text = whole;
        const std::size_t at = random() % text.size();
        if (i % 2 == 0)
            text.resize(at);
        else
            text[at] = static_cast<char>(random() % 256);
        try {
            read_session_text(text, "a", {});
        } catch (const Error& error) {
            EXPECT_FALSE(std::string(error.what()).empty());
        }
    }
}

TEST(SessionFile, tells_unknown_keys_and_ignores_them) {
    const SessionRead read = read_session_text(
        "version = 1\ncolour = \"red\"\nview = \"sweep\"\n[sweep]\nspeed = 3\ntimeout_s = 2\n", "a", {});
    ASSERT_EQ(read.notes.size(), 2U);
    EXPECT_EQ(read.notes[0].rfind("a:5:1: unknown key 'speed' in this sweep", 0), 0U) << read.notes[0];
    EXPECT_TRUE(read.notes[0].ends_with("; it is ignored")) << read.notes[0];
    EXPECT_EQ(read.notes[1].rfind("a:2:1: unknown key 'colour' in this session", 0), 0U) << read.notes[1];
    EXPECT_EQ(read.file.state.view, ViewId("sweep"));
    EXPECT_EQ(read.file.state.sweep.timeout_s, 2);
}

TEST(SessionFile, takes_sizes_as_presets_and_the_command_line_do) {
    const SessionRead read = read_session_text(
        "version = 1\n[workload]\nh = 9\nw = 9\nstride = [2, 1]\npad = 1\npool = 2\npad_w = 0\n", "a", {});
    EXPECT_TRUE(read.notes.empty());
    const ConvShape& shape = read.file.state.choices.workload.shape;
    EXPECT_EQ(shape.stride_h, 2);
    EXPECT_EQ(shape.stride_w, 1);
    EXPECT_EQ(shape.pad_h, 1);
    EXPECT_EQ(shape.pad_w, 0) << "the one that is named alone";
    EXPECT_EQ(shape.pool_w, 2);
    EXPECT_EQ(shape.pool_stride, 2);
    try {
        read_session_text("version = 1\n[workload]\nstride = [1, 2, 3]\n", "a", {});
        FAIL() << "three strides";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("or two: [height, width]"), std::string::npos) << error.what();
    }
}

TEST(SessionFile, finds_files_beside_it) {
    const SessionRead read = read_session_text(
        "version = 1\n[workload]\nsource = \"file\"\ninput = \"x.npy\"\n[compare]\nrecords = \"files\"\n"
        "files = [\"../rows.csv\", \"/abs/rows.csv\"]\n",
        "/data/me/a.convscope.toml", {});
    EXPECT_EQ(read.file.state.choices.workload.input_path, "/data/me/x.npy");
    EXPECT_EQ(read.file.state.records.files, (std::vector<std::string>{"/data/rows.csv", "/abs/rows.csv"}));
}

TEST(SessionFile, rejects_to_write_what_toml_cannot_hold) {
    SessionFile file = RandomSession(1).make();
    file.state.records = {RecordSource::Kind::files, "", {"/tmp/\xFF.csv"}};
    EXPECT_THROW(session_text(file), Error);
}

TEST(SessionFile, that_cannot_be_written_is_an_error_and_the_old_one_stays) {
    const SessionFile file = RandomSession(1).make();
    EXPECT_THROW(write_session("/proc/nowhere/a.convscope.toml", file), Error);
    // A device that is always full stands for a full disk.
    EXPECT_THROW(write_session("/dev/full", file), Error);
}

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

TEST_F(OtherMachine, renames_methods_to_what_they_are_called_now) {
    SessionFile file = measured_on("cpu", "");
    file.state.choices.method = "ecr6";
    file.state.sweep.method = "ocpa3";
    file.state.choices.launch["pecr6"].tunables["filters"] = 64;
    fit_to_machine(file, present_, *registry_);
    EXPECT_EQ(file.state.choices.method, "tensor1");
    EXPECT_EQ(file.state.sweep.method, "tensor3");
    EXPECT_EQ(file.state.choices.launch.at("tensor2").tunables.at("filters"), 64);
}

TEST(SessionFile, is_known_by_its_ending) {
    EXPECT_TRUE(is_session_file("/a/b.convscope.toml"));
    EXPECT_FALSE(is_session_file("/a/b.toml"));
    EXPECT_EQ(session_name("/a/b.convscope.toml"), "b");
}

}  // namespace
}  // namespace convscope::app
