#include "app/session/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "app/desktop/app.h"
#include "app/session/file/history.h"
#include "app/session/jobs/sample_gate.h"
#include "app/session/snapshot.h"
#include "app/ui/widgets/format.h"
#include "kernels/core/error.h"
#include "kernels/layers/preset.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

TEST(Session, a_changed_preset_is_custom_and_values_of_another_size_are_drawn_again) {
    Session session;
    set_workload(session, find_preset("examples/xu-fig4").spec);
    session.choices.workload.shape.stride_w = 2;
    edit_workload(session);
    EXPECT_EQ(session.good.name, "custom");
    EXPECT_EQ(session.good.source, Source::example);  // the same 5x5 values still fill it
    session.choices.workload.shape.w = 6;
    edit_workload(session);
    EXPECT_EQ(session.good.source, Source::uniform);
}

TEST(Session, a_smaller_layer_keeps_the_selection_inside) {
    Session session;
    WorkloadSpec spec;
    spec.shape.c = 8;
    spec.shape.h = spec.shape.w = 4;
    set_workload(session, spec);
    session.choices.selection.channel = 7;
    session.choices.workload.shape.c = 3;
    edit_workload(session);
    EXPECT_EQ(session.choices.selection.channel, 2);
}

TEST(Session, an_edit_before_the_first_map_is_known_leaves_the_choice_of_it) {
    Session session;
    WorkloadSpec spec;
    spec.shape.c = 8;
    spec.shape.h = spec.shape.w = 4;
    set_workload(session, spec);
    session.choices.workload.sparsity = 0.5;
    edit_workload(session);
    EXPECT_TRUE(session.choices.selection.automatic);
    session.choices.selection.channel = 2;  // the one with values in it
    session.choices.workload.sparsity = 0.6;
    edit_workload(session);
    EXPECT_FALSE(session.choices.selection.automatic);
    EXPECT_EQ(session.choices.selection.channel, 2);
}

TEST(Session, a_sparsity_out_of_range_is_rejected) {
    Session session;
    set_workload(session, {});
    session.choices.workload.sparsity = 1.5;
    edit_workload(session);
    EXPECT_NE(session.rejection.find("sparsity is 1.5; it must be between 0 and 1"), std::string::npos)
        << session.rejection;
    EXPECT_EQ(session.good.sparsity, 0);
}

TEST(Session, only_the_field_that_is_to_blame_is_rejected) {
    Session session;
    set_workload(session, find_preset("vgg19/conv5_1").spec);
    session.choices.workload.shape.k = 7;
    session.choices.workload.shape.r = 99;
    edit_workload(session);
    EXPECT_FALSE(session.rejection.empty());
    EXPECT_TRUE(is_rejected(session, &ConvShape::r));
    EXPECT_FALSE(is_rejected(session, &ConvShape::k)) << "changed as well, and could be";
    session.choices.workload.shape.s = 99;
    edit_workload(session);
    EXPECT_TRUE(is_rejected(session, &ConvShape::r) && is_rejected(session, &ConvShape::s)) << "neither fixes it alone";
}

TEST(Session, a_layer_of_gigabytes_asks_first) {
    Session session;
    set_workload(session, find_preset("vgg19/conv5_1").spec);
    const ConvShape before = session.good.shape;
    session.choices.workload.shape.h = 99999;
    edit_workload(session);
    EXPECT_EQ(session.rejection.rfind("This layer's input and filters take 2.9 GB of the host's memory, of which ", 0),
              0U)
        << session.rejection;
    EXPECT_TRUE(session.needs_consent);
    EXPECT_FALSE(is_rejected(session, &ConvShape::h)) << "it can be";
    EXPECT_EQ(session.good.shape, before) << "nothing is built of it";
    EXPECT_EQ(state_of(session).choices.workload.shape.h, 99999) << "what is saved is what was typed";
    agree(session);
    EXPECT_TRUE(session.rejection.empty());
    EXPECT_EQ(session.good.shape.h, 99999);
    session.choices.workload.sparsity = 0.5;
    edit_workload(session);
    EXPECT_TRUE(session.rejection.empty()) << "the same size is not asked about twice";
    session.choices.workload.shape.h = 99998;
    edit_workload(session);
    EXPECT_TRUE(session.needs_consent);
}

TEST(History, does_not_remember_values_that_cannot_be) {
    Session session;
    set_workload(session, find_preset("examples/xu-fig4").spec);
    History history;
    history.observe(session, false);
    session.choices.workload.shape.r = 99;
    edit_workload(session);
    history.observe(session, false);
    EXPECT_TRUE(history.undo(session));
    EXPECT_EQ(session.choices.workload.shape.r, 3);
    EXPECT_TRUE(session.rejection.empty());
}

TEST(History, undo_brings_a_worked_examples_own_values_back) {
    Session session;
    set_workload(session, find_preset("examples/xu-fig4").spec);
    session.choices.workload.shape.pad_h = 1;
    edit_workload(session);
    History history;
    history.observe(session, false);
    history.note_input();
    session.choices.workload.sparsity = 0.3;
    session.choices.workload.source = Source::uniform;
    edit_workload(session);
    history.observe(session, false);
    EXPECT_TRUE(history.undo(session));
    EXPECT_EQ(session.good.source, Source::example);
    EXPECT_EQ(session.good.shape.pad_h, 1);
}

TEST(Session, a_custom_workload_chosen_again_is_what_it_says) {
    Session session;
    WorkloadSpec mine;
    mine.name = "mine";
    mine.shape.h = mine.shape.w = 8;
    set_workload(session, mine);
    mine.source = Source::channels;
    mine.shape.h = 9;
    set_workload(session, mine);
    EXPECT_EQ(session.good.name, "mine");
    EXPECT_EQ(session.good.source, Source::channels);
}

TEST(Tour, says_why_a_folder_cannot_be_made) {
    Registry registry;
    TourOptions options;
    options.out = "/dev/null";
    try {
        run_tour(registry, options);
        FAIL() << "a device is no folder";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_status(), 6);
        EXPECT_NE(std::string(error.what()).find("'/dev/null' cannot be made"), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find("Success"), std::string::npos) << error.what();
    }
}

TEST(Tour, takes_the_views_and_the_theme_that_are_named) {
    const auto registry = make_registry();
    TempFolder folder;
    TourOptions options;
    options.out = folder / "tour";
    options.views = {"output", "first-screen"};
    options.dark = false;
    EXPECT_EQ(run_tour(*registry, options), 0);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(options.out))
        names.insert(entry.path().filename().string().substr(3));  // without its number
    EXPECT_EQ(names, (std::set<std::string>{"first-screen-light.png", "output-light.png"}));
    options.views = {"output", "outptu"};
    try {
        run_tour(*registry, options);
        FAIL() << "there is no such view";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_status(), 2);
        EXPECT_NE(std::string(error.what()).find("no view 'outptu'; there are first-screen"), std::string::npos);
    }
}

TEST(QuietFrame, ends_its_turn_when_drawing_throws) {
    SampleGate gate;
    EXPECT_THROW(
        {
            const QuietFrame turn(gate, std::chrono::milliseconds(1));
            throw std::runtime_error("no more GL");
        },
        std::runtime_error);
    gate.begin_sample();  // would wait for ever if the frame had kept its turn
    gate.end_sample();
    EXPECT_EQ(gate.samples(), 1U);
}

TEST(Snapshot, counts_the_work_of_the_papers_figure_4) {
    const WorkloadSpec spec = find_preset("examples/xu-fig4").spec;
    const auto snapshot = make_snapshot(spec, {}, nullptr, {});
    ASSERT_TRUE(snapshot);
    // Slip 4 in the papers: all three block rows.
    EXPECT_EQ(snapshot->map_work.dense_multiplications, 81);
    EXPECT_EQ(snapshot->map_work.dense_additions, 72);
    EXPECT_EQ(snapshot->map_work.needed_multiplications, 27);
    EXPECT_EQ(snapshot->map_work.needed_additions, 18);
    EXPECT_EQ(snapshot->flops_effective, 54);
}

TEST(Snapshot, effective_flops_of_a_layer_are_those_of_its_maps) {
    WorkloadSpec spec;
    spec.shape = {.n = 2, .c = 3, .h = 7, .w = 6, .k = 4, .r = 3, .s = 2, .stride_h = 2, .pad_h = 1, .pad_w = 1};
    spec.sparsity = 0.5;
    double needed = 0;
    for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t c = 0; c < 3; ++c)
            needed += static_cast<double>(make_snapshot(spec, {n, c, 0}, nullptr, {})->map_work.needed_multiplications);
    EXPECT_EQ(make_snapshot(spec, {}, nullptr, {})->flops_effective, 2 * 4 * needed);
}

TEST(Format, prints_sensible_digits_with_units) {
    EXPECT_EQ(duration(4.2113), "4.21 us");
    EXPECT_EQ(duration(1299.6), "1.30 ms");
    EXPECT_EQ(duration(2.05e6), "2.05 s");
    EXPECT_EQ(bytes(512), "512 B");
    EXPECT_EQ(bytes(9.4e6), "9.40 MB");
    EXPECT_EQ(flops(0.925e9), "925 MFLOP");
}

}  // namespace
}  // namespace convscope::app
