// Session files: what is written is read back, and what is wrong is named with its place.
#include "app/session/file/session_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <random>
#include <regex>

#include "app/compare/fixed_columns.h"
#include "app/session/file/fields.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

class RandomSession {
public:
    explicit RandomSession(unsigned seed) : random_(seed) {}

    SessionFile make() {
        SessionFile file{state(), maybe(text()), maybe("/tmp/x.convscope.toml")};
        std::vector<SavedScene> scenes;
        for (std::int64_t i = whole(0, 3); i > 0; --i) {
            // The one before with one change, or another moment altogether.
            const bool other = scenes.empty() || flip();
            scenes.push_back({maybe(text()), other ? state() : scenes.back().state});
            if (!other) scenes.back().state.step.sides[0].done += 3;
        }
        file.state.scenes.set(std::move(scenes));
        return file;
    }

    // A visitor of fields (fields.h).
    template <class T>
    void operator()(const Field& field, T& value) {
        const double most = std::min(field.rules.max, 1e9);
        if constexpr (std::is_same_v<T, bool>)
            value = flip();
        else if constexpr (std::is_floating_point_v<T>)
            value = real(field.rules.min, most);
        else if constexpr (std::is_integral_v<T>)
            value = static_cast<T>(whole(static_cast<std::int64_t>(field.rules.min), static_cast<std::int64_t>(most)));
        else if constexpr (HasTokens<T>)
            value = any<T>();
        else if constexpr (HasFields<T>)
            visit_fields(*this, value);
        else
            fill(value);
    }
    void operator()(const Field& field, std::string& value) {
        value = maybe(field.rules.path == PathKind::none ? text() : "/tmp/rows of \"a\" sweep.csv");
    }
    void operator()(const Field& field, std::vector<std::string>& value) {
        if (flip()) value = {"/tmp/a b.csv", field.rules.path == PathKind::none ? text() : "/tmp/ö.json"};
    }
    void operator()(const Field&, std::array<LayerArray, layer_tabs>& value) {
        for (LayerArray& each : value) each = any<LayerArray>();
    }
    template <class T>
    void operator()(const Field& field, std::optional<T>& value) {
        if (flip()) (*this)(field, value.emplace());
    }
    void operator()(const Field&, const std::tuple<CompareChoice&, RecordSource&>& both) {
        visit_fields(*this, std::get<0>(both));
        visit_fields(*this, std::get<1>(both));
    }
    void rest_goes_with(const auto&...) {}

private:
    template <HasTokens T>
    T any() {
        return all_named<T>()[static_cast<std::size_t>(whole(0, token_count<T> - 1))].value;
    }
    SessionState state() {
        SessionState state;
        visit_fields(*this, state);
        if (flip()) state.choices.selection = {{}, true};
        if (flip()) state.kernel = {};
        (flip() ? state.kernel.file : state.kernel.method).clear();
        if (!state.kernel.is_open()) state.kernel = {};
        if (state.records.files.empty() && state.records.kind == RecordSource::Kind::files) state.records = {};
        for (const char* column : fixable_columns)
            if (flip()) state.compare.fixed[column] = text();
        return state;
    }
    void fill(WorkloadSpec& spec) { spec = workload(); }
    void fill(std::map<std::string, LaunchConfig>& launches) {
        for (std::int64_t i = whole(0, 3); i > 0; --i) {
            LaunchConfig& config = launches[text()];
            config.tunables[text()] = whole(-5, 1024);
            if (flip()) config.block = Dim3{whole(1, 64), whole(1, 8), 1};
            if (flip()) config.grid = Dim3{whole(1, 64), whole(1, 8), 1};
        }
    }
    void fill(std::array<std::optional<ElementRef>, TabId::count>& pinned) {
        for (auto& pin : pinned)
            if (flip()) pin = ElementRef{any<ArrayId>(), {whole(0, 99), whole(0, 99)}};
    }
    void fill(std::array<StepSide, 2>& sides) {
        for (StepSide& side : sides) visit_fields(*this, side);
    }
    void fill(std::vector<SweepAxis>& axes) {
        for (SweepAxis& axis : axes = std::vector<SweepAxis>(2)) visit_fields(*this, axis);
    }
    void fill(StepMarks& marks) {
        for (std::int64_t i = whole(0, 3); i > 0; --i)
            marks.breakpoints.insert({"kernels/" + text() + ".h", static_cast<unsigned>(whole(1, 900))});
        for (std::int64_t i = whole(0, 3); i > 0; --i) marks.watches.push_back(text());
    }
    void fill(SolutionChoice& solution) {
        if (flip()) solution.b = flip();
        solution.product = whole(0, 99);
    }
    void fill(std::map<std::string, std::string>& given) {
        if (flip()) given = {{"grid", text()}, {"n", text()}};
    }
    void fill(Dim3& dim) { dim = {whole(0, 9), whole(0, 9), whole(0, 9)}; }
    void fill(TimingScope& scope) { scope = static_cast<TimingScope>(whole(0, 4)); }
    void fill(CacheMode& cache) { cache = static_cast<CacheMode>(whole(0, 1)); }
    void fill(MatrixOf& of) { of = static_cast<MatrixOf>(whole(0, 2)); }
    void fill(Format& format) { format = static_cast<Format>(whole(0, 3)); }
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
        spec.shape.pad_extra_h = whole(-spec.shape.pad_h, 1);
        spec.shape.pad_extra_w = whole(-spec.shape.pad_w, 1);
        spec.source = flip() ? Source::blobs : Source::file;
        if (spec.source == Source::file) spec.input_path = "/tmp/with \"quotes\" and \\.npy";
        spec.sparsity = real(0, 1);
        spec.weight_pattern = weight_patterns[static_cast<std::size_t>(whole(0, 4))];
        spec.weight_sparsity = spec.weight_pattern == WeightPattern::two_of_four ? two_of_four_sparsity : real(0, 1);
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

TEST(SessionFile, of_a_shape_alone_has_data_drawn) {
    SessionState first;
    WorkloadSpec& spec = first.choices.workload;
    spec.shape = {.h = 5, .w = 5, .r = 3, .s = 3};
    spec.source = Source::example;
    spec.example_x.resize(25);
    spec.example_w.resize(9);
    spec.name = "the example";
    const std::string head = "version = 1\n[workload]\n";
    const WorkloadSpec drawn =
        read_session_text(head + "h = 9\nw = 9\nc = 1\nr = 3\ns = 3\n", "a", first).file.state.choices.workload;
    EXPECT_EQ(drawn.source, Source::uniform);
    EXPECT_TRUE(drawn.example_x.empty());
    EXPECT_EQ(drawn.name, "custom") << "it is not the example";
    const WorkloadSpec same = read_session_text(head, "a", first).file.state.choices.workload;
    EXPECT_EQ(same.source, Source::example);
    EXPECT_EQ(same.name, "the example");
    EXPECT_THROW(read_session_text(head + "h = 9\nw = 9\nsource = \"example\"\n", "a", first), Error);
}

TEST(SessionFile, that_is_broken_is_named_with_line_and_column_and_what_is_accepted) {
    constexpr Broken all[] = {
        {"version = 1\nview = [\n", "a:2:", "not valid TOML"},
        {"version = 1\nview = \"banana\"\n", "a:2:8", "'view' is 'banana'; it must be one of layout, step"},
        {"version = 1\nview = 3\n", "a:2:8", "one of layout"},
        {"version = 1\n[workload]\nn = 0\n", "a:3:5", "'n' is 0; it must be a whole number from 1 to 2147483647"},
        {"version = 1\n[workload]\nr = 9\n", "a:2:1", "[workload] cannot be"},
        {"version = 1\n[workload]\nsparsity = 1.5\n", "a:3:12", "from 0 to 1"},
        {"version = 1\n[workload]\nweight_sparsity = -1\n", "a:3:19", "from 0 to 1"},
        {"version = 1\n[workload]\nweight_pattern = \"blobs\"\n", "a:3:18", "uniform, 2:4, rows, blocks, magnitude"},
        {"version = 1\n[workload]\nweight_pattern = \"2:4\"\nweight_sparsity = 0.3\n", "a:2:1",
         "[workload] cannot be: weight sparsity is 0.3; the pattern 2:4"},
        {"version = 1\n[workload]\nh = \"five\"\n", "a:3:5", "whole number"},
        {"version = 1\n[workload]\nseed = -1\n", "a:3:8", "'seed' is -1; it must be a whole number of at least 0"},
        {"version = 1\n[workload]\nseed = \"\"\n", "a:3:8",
         "'seed' must be a whole number from 0 to 18446744073709551615"},
        {"version = 1\n[workload]\nseed = \"99999999999999999999\"\n", "a:3:8", "'seed' must be a whole number"},
        {"version = 1\n[workload]\nseed = \"7x\"\n", "a:3:8", "'seed' must be a whole number"},
        {"version = 1\n[workload]\nsource = \"file\"\n", "a:3:10", "without an input"},
        {"version = 1\n[measure]\nscope = \"all\"\n", "a:3:9", "setup"},
        {"version = 1\n[measure]\nmethods = 1\n", "a:3:11", "a list of texts"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\nblock = [32, 1]\n", "a:4:9", "[x, y, z]"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"TW\"]\n", "a:4:12", "NAME=VALUE"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"=4\"]\n", "a:4:12", "NAME=VALUE"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"TW=4x\"]\n", "a:4:12", "NAME=VALUE"},
        {"version = 1\n[[launch]]\nmethod = \"ecr1\"\ntunables = [\"T=99999999999999999999\"]\n", "a:4:12",
         "NAME=VALUE"},
        {"version = 1\n[[launch]]\nblock = [32, 1, 1]\n", "a:2:1", "no method"},
        {"version = 1\n[[pin]]\narray = \"z\"\n", "a:3:9", "F_data"},
        {"version = 1\n[step]\nbreakpoints = [\"ecr1_kernel.h\"]\n", "a:3:15", "FILE:LINE"},
        {"version = 1\n[step]\nbreakpoints = [\"ecr1_kernel.h:0\"]\n", "a:3:15", "FILE:LINE"},
        {"version = 1\n[step]\nwatches = 3\n", "a:3:11", "a list of texts"},
        {"version = 1\n[[step.side]]\n[[step.side]]\n[[step.side]]\n", "a:2:1", "more than two sides"},
        {"version = 1\n[kernel]\nfile = \"a.cu\"\nmethod = \"ecr1\"\n", "a:4:10", "a file and a method"},
        {"version = 1\n[kernel]\ngiven = [\"n\"]\n", "a:3:9", "NAME=VALUE"},
        {"version = 1\n[kernel]\ncount = \"bytes\"\n", "a:3:9", "wavefronts"},
        {"version = 1\n[compare]\nrecords = \"files\"\n", "a:3:11", "list of paths"},
        {"version = 1\n[sweep]\naxis = 3\n", "a:3:8", "[[axis]]"},
        {"version = 1\nsweep = 3\n", "a:2:9", "a table headed by [sweep]"},
        {"version = 1\nscene = 3\n", "a:2:9", "[[scene]]"},
        {"version = 1\n[[scene]]\ntitle = 3\n", "a:3:9", "text"},
        {"version = 1\n[[scene]]\nview = \"banana\"\n", "a:3:8", "must be one of layout, step"},
        {"version = 1\n[[scene]]\n[[scene]]\n[scene.workload]\nsparsity = 2\n", "a:5:12", "from 0 to 1"},
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

TEST(SessionFile, has_watches_as_many_and_as_long_as_fit) {
    const auto read = [](std::size_t count, std::size_t letters) {
        SessionFile file;
        file.state.step.marks.watches.assign(count, std::string(letters, 'x'));
        return read_session_text(session_text(file), "a", {}).file.state.step.marks.watches.size();
    };
    EXPECT_EQ(read(max_watches, max_watch_letters), max_watches);
    EXPECT_THROW(read(max_watches + 1, 1), Error);
    EXPECT_THROW(read(1, max_watch_letters + 1), Error);
}

TEST(SessionFile, has_scenes_as_many_and_with_titles_as_long_as_fit) {
    const auto read = [](std::size_t count, std::size_t bytes) {
        SessionFile file;
        file.state.scenes.set(std::vector<SavedScene>(count, {std::string(bytes, 'x'), {}}));
        return read_session_text(session_text(file), "a", {}).file.state.scenes.size();
    };
    EXPECT_EQ(read(max_scenes, max_title_bytes), max_scenes);
    EXPECT_THROW(read(max_scenes + 1, 1), Error);
    EXPECT_THROW(read(1, max_title_bytes + 1), Error);
}

TEST(SessionFile, has_of_a_scene_what_differs_from_the_session) {
    SessionFile file;
    file.state.choices.workload = find_preset("examples/xu-fig7").spec;
    SavedScene scene{"steps", file.state};
    scene.state.view = "step";
    scene.state.step.sides[0].done = 22;
    file.state.scenes.set({scene});
    const std::string text = session_text(file);
    EXPECT_NE(text.find("[scene.step]"), std::string::npos) << text;
    for (const char* same : {"[scene.workload]", "[scene.compare]", "scene.launch", "[scene.kernel]"})
        EXPECT_EQ(text.find(same), std::string::npos) << text;
    EXPECT_EQ(read_session_text(text, "a", {}).file.state, file.state);
}

TEST(SessionFile, takes_a_table_of_a_scene_without_its_keys_from_the_first_screen) {
    const SessionState state = read_session_text(
                                   "version = 1\n[step]\nspeed = 9\nslice = true\n[[scene]]\n[scene.step]\nspeed = 2\n"
                                   "[[scene]]\nview = \"step\"\n",
                                   "a", {})
                                   .file.state;
    ASSERT_EQ(state.scenes.size(), 2U);
    EXPECT_EQ(state.scenes.all()[0].state.step.speed, 2);
    EXPECT_FALSE(state.scenes.all()[0].state.step.slice);
    EXPECT_EQ(state.scenes.all()[1].state.step, state.step);
    EXPECT_EQ(state.scenes.all()[1].state.view, ViewId("step"));
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

TEST(SessionFile, has_padding_by_side_where_a_layer_has_it) {
    const std::string head = "version = 1\n[workload]\nh = 9\nw = 9\nr = 2\ns = 2\n";
    const auto shape_of = [&](const std::string& more) {
        return read_session_text(head + more, "a", {}).file.state.choices.workload.shape;
    };
    EXPECT_EQ(to_string(shape_of("pad = [0, 1, 2, 1]\n")), "1x1x9x9 * 1x1x2x2, stride 1, pad 0,1,2,1");
    EXPECT_EQ(to_string(shape_of("pad = \"same\"\n")), "1x1x9x9 * 1x1x2x2, stride 1, pad 0,1,0,1");
    EXPECT_EQ(shape_of("pad_h = 2\npad_extra_h = -2\n").pad_bottom(), 0);
    SessionFile file;
    file.state.choices.workload.name = "custom";
    file.state.choices.workload.shape = {.h = 9, .w = 9, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    EXPECT_EQ(session_text(file).find("pad_extra"), std::string::npos) << "as it was written before";
    file.state.choices.workload.shape.pad_extra_h = -1;
    const std::string text = session_text(file);
    EXPECT_EQ(read_session_text(text, "a", {}).file.state.choices.workload.shape, file.state.choices.workload.shape)
        << text;
    EXPECT_THROW(shape_of("pad_extra_h = -1\n"), Error) << "less than nothing below";
    EXPECT_THROW(shape_of("pad = [0, 1, 2]\n"), Error);
}

TEST(SessionFile, finds_files_beside_it) {
    const SessionRead read = read_session_text(
        "version = 1\n[workload]\nsource = \"file\"\ninput = \"x.npy\"\n[compare]\nrecords = \"files\"\n"
        "files = [\"../rows.csv\", \"/abs/rows.csv\"]\n[sweep]\ncsv = \"sweep.csv\"\n",
        "/data/me/a.convscope.toml", {});
    EXPECT_EQ(read.file.state.choices.workload.input_path, "/data/me/x.npy");
    EXPECT_EQ(read.file.state.records.files, (std::vector<std::string>{"/data/rows.csv", "/abs/rows.csv"}));
    EXPECT_EQ(read.file.state.sweep.csv_path, "/data/me/sweep.csv");
    SessionFile typed;
    typed.state.sweep.csv_path = "here.csv";
    EXPECT_NE(session_text(typed).find(std::filesystem::absolute("here.csv").string()), std::string::npos)
        << "it is found again from any folder";
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

TEST(SessionFile, is_known_by_its_ending) {
    EXPECT_TRUE(is_session_file("/a/b.convscope.toml"));
    EXPECT_FALSE(is_session_file("/a/b.toml"));
    EXPECT_EQ(session_name("/a/b.convscope.toml"), "b");
    EXPECT_EQ(session_name("/a/b.toml"), "b.toml");
}

}  // namespace
}  // namespace convscope::app
