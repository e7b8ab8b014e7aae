// The Compare view as a user uses it.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "app/compare/recorded_catalogue.h"
#include "app/session/method_choice.h"
#include "app/ui/input/focus.h"
#include "kernels/files/text_file.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/json.h"
#include "kernels/records/record_csv.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/many_records.h"

namespace convscope::app {
namespace {

void settle(Driver& app) {
    app.frames(3);
    ASSERT_TRUE(app.wait([&] { return !app.shell().compare().loading(); }));
    app.frames(3);
}

void open_file(Driver& app, const std::filesystem::path& file) {
    app.shell().open(file);
    ASSERT_EQ(app.session().view, ViewId("compare"));
    settle(app);
}

void show(Driver& app, ComparePage page) {
    const std::string tab = std::string("compare/") + page->name;
    ASSERT_TRUE(app.wait([&] { return app.has(tab); })) << "what was read takes a moment to be shown";
    app.click(tab);
    ASSERT_EQ(app.session().compare.page, page);
    settle(app);
}

std::filesystem::path many(const TempFolder& folder, std::size_t count) {
    const auto path = folder / "many.csv";
    write_csv(path, testing::many_records(count));
    return path;
}

TEST(CompareView, opens_on_a_recorded_session_and_says_where_it_is_from) {
    Driver app(1280, 800);
    app.press(Key::three);
    ASSERT_EQ(app.session().view, ViewId("compare"));
    settle(app);
    const CompareResult* result = app.shell().compare().result();
    ASSERT_NE(result, nullptr);
    EXPECT_TRUE(result->data->recorded);
    EXPECT_TRUE(result->data->provenance.starts_with("Recorded on NVIDIA H200")) << result->data->provenance;
    EXPECT_NE(result->data->provenance.find("cuDNN"), std::string::npos);
    EXPECT_EQ(result->data->title, "zeros-vgg19-conv5_1");
    ASSERT_EQ(result->plots.size(), 1U);
    EXPECT_GE(result->plots[0].series.size(), 9U) << "time over zeros, every dense method beside";
}

TEST(CompareView, reads_several_files_as_one) {
    const TempFolder folder;
    const std::filesystem::path first = many(folder, 9'000), second = folder / "second.csv";
    std::filesystem::copy_file(first, second);
    std::vector<double> shares;
    const auto data = open_compare_data({{first, second}}, {}, [&](double share) { shares.push_back(share); });
    EXPECT_EQ(data->table.rows(), 18'000U);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_NE(std::ranges::find(shares, 0.5), shares.end()) << "the end of the first";
    EXPECT_EQ(shares.back(), 1);
}

// A pipe that somebody holds open is a file that takes as long as one likes.
TEST(CompareView, says_what_it_reads_and_how_far_it_is) {
    const TempFolder folder;
    const std::filesystem::path pipe = folder / "slow.json";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int writer = ::open(pipe.c_str(), O_RDWR);
    ASSERT_GE(writer, 0);
    Driver app;
    open_file(app, many(folder, 10));
    app.shell().open(pipe);
    app.frames(3);
    EXPECT_EQ(app.shell().compare().reading(), "Reading slow.json");
    const std::string text = to_json(testing::many_records(3));
    ASSERT_EQ(write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(writer);
    settle(app);
    EXPECT_EQ(app.shell().compare().reading(), "");
    EXPECT_EQ(app.shell().compare().data()->table.rows(), 3U);
}

// Records that are restored after a crash are opened from another folder.
TEST(CompareView, a_file_is_known_by_its_whole_path) {
    const TempFolder folder;
    const auto path = many(folder, 10);
    Driver app;
    open_file(app, std::filesystem::relative(path));
    const std::vector<std::string> files = app.session().records.files;
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files.front(), path);
}

TEST(CompareView, the_status_line_says_nothing_of_the_live_timing_there) {
    Driver app;
    app.press(Key::space);
    const std::string method = live_methods(app.session(), app.registry()).front();
    ASSERT_TRUE(app.wait([&] { return app.shell().live().latest(method) != nullptr; }));
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.frames(2);
    EXPECT_TRUE(app.has("status/now")) << "the fastest method stands under the Layout view";
    app.press(Key::three);
    settle(app);
    EXPECT_FALSE(app.has("status/now") || app.has("status/clock")) << "recorded rows were measured elsewhere";
}

TEST(CompareView, says_where_no_row_meets_the_filter) {
    const TempFolder folder;
    Driver app(1280, 800);
    open_file(app, many(folder, 700));
    for (const ComparePage page : {ComparePage("winners"), ComparePage("lines"), ComparePage("table")}) {
        app.type_into("compare/query", "zeros>1%");
        settle(app);
        show(app, page);
        EXPECT_EQ(app.words_on_screen().find("No row meets"), std::string::npos) << page->id;
        app.type_into("compare/query", "zeros>96%");
        settle(app);
        EXPECT_NE(app.words_on_screen().find("|No row meets the filter.|"), std::string::npos) << page->id;
    }
    app.type_into("compare/query", "zeros>50");
    settle(app);
    EXPECT_NE(app.words_on_screen().find("accepted are 0 to 1 and 0% to 100%"), std::string::npos);
}

TEST(CompareView, the_scope_control_changes_the_speed_ups) {
    Driver app;
    app.press(Key::three);
    settle(app);
    app.shell().compare().open_recorded("xu2022-layers");
    settle(app);
    const auto speedups = [&](const char* scope) {
        app.click(std::string("compare/scope/") + scope);
        settle(app);
        EXPECT_EQ(app.shell().compare().result()->lists.set.scope, scope);
        return app.shell().compare().result()->plots[0].series[0].y;
    };
    const std::vector<double> setup = speedups("setup"), kernel = speedups("kernel");
    ASSERT_FALSE(setup.empty());
    EXPECT_NE(setup, kernel);
    app.click("compare/scope/launch");
    settle(app);
    EXPECT_EQ(app.shell().compare().result()->lists.set.scope, "kernel") << "a scope without rows cannot be chosen";
}

TEST(CompareView, every_page_of_every_recorded_session_can_be_drawn) {
    Driver app(1280, 800);
    app.press(Key::three);
    ASSERT_FALSE(recorded_sessions().empty());
    for (const std::filesystem::path& session : recorded_sessions()) {
        app.shell().compare().open_recorded(session.stem().string());
        settle(app);
        EXPECT_TRUE(app.shell().compare().result()->data->problems.lines.empty()) << session;
        for (std::size_t i = 0; i < ComparePage::count; ++i) {
            show(app, ComparePage::at(i));
            EXPECT_EQ(app.shell().compare().result()->problem, "") << session;
        }
    }
}

TEST(CompareView, plots_keep_half_of_their_panel_and_the_others_are_a_click_away) {
    for (const auto& [width, height] : {std::pair{800, 600}, {1280, 720}, {1920, 1080}}) {
        Driver app(width, height);
        app.press(Key::three);
        for (const char* name :
             {"xu2022-scopes", "vgg19-layers", "mec-cv-batch32", "size-sparsity-map", "xu2019-layers"}) {
            app.shell().compare().open_recorded(name);
            settle(app);
            for (std::size_t i = 0; i + 1 < ComparePage::count; ++i) {
                show(app, ComparePage::at(i));
                for (const PlotResult& plot : app.shell().compare().plots())
                    EXPECT_GE(plot.area.h, 0.45 * plot.height)
                        << name << " " << ComparePage::at(i)->name << " " << width;
            }
        }
        app.shell().compare().open_recorded("xu2022-scopes");
        show(app, ComparePage("scopes"));
        settle(app);
        const std::size_t shown = app.shell().compare().plots().size();
        EXPECT_EQ(shown, width < 1900 ? 2U : 4U) << width;
        EXPECT_EQ(app.has("compare/show What conversion costs (Xu 2022, Fig. 14)"), shown < 4);
        if (shown == 4) continue;
        EXPECT_FALSE(app.has("compare/plot 3"));
        app.click("compare/show What conversion costs (Xu 2022, Fig. 14)");
        app.frames(2);
        EXPECT_TRUE(app.has("compare/plot 3"));
        EXPECT_TRUE(app.has("compare/plot 2"));
    }
}

TEST(CompareView, a_click_on_a_point_loads_its_layer_and_launch_configuration) {
    const TempFolder folder;
    Driver app;
    open_file(app, many(folder, 700));
    show(app, ComparePage("table"));
    app.click("compare/row/2");
    const Record record = app.shell().compare().result()->data->table.record(2);
    EXPECT_EQ(record.method, "ecr3");
    EXPECT_EQ(app.session().good.shape, record.shape);
    EXPECT_EQ(app.session().good.sparsity, record.sparsity_target);
    EXPECT_EQ(app.session().choices.method, "ecr3");
    EXPECT_EQ(app.session().choices.launch.at("ecr3").block, record.block);
    EXPECT_EQ(app.session().choices.launch.at("ecr3").tunables.at("convert_warps"), 8);
    ASSERT_FALSE(app.session().notices.empty());
    const std::string said = app.session().notices.back().text;
    EXPECT_NE(said.find("%, ecr3 with block "), std::string::npos) << said;
}

TEST(CompareView, a_click_on_a_chip_holds_another_value) {
    Driver app(1280, 800);
    app.press(Key::three);
    app.shell().compare().open_recorded("xu2022-sparsity");
    settle(app);
    show(app, ComparePage("scopes"));
    const auto speedups = [&] { return app.shell().compare().result()->plots[0].series[0].y; };
    const std::vector<double> before = speedups();
    app.click("compare/chip 0 sparsity_target");
    app.frames(2);
    app.click("compare/chip/95 %");
    settle(app);
    EXPECT_EQ(app.session().compare.fixed.at("sparsity_target"), "0.95");
    EXPECT_NE(speedups(), before);
    show(app, ComparePage("winners"));
    for (std::size_t i = 0; i < app.shell().compare().result()->plots.size(); ++i)
        EXPECT_TRUE(app.has(fmt::format("compare/chip {} n", i))) << "over every plot";
}

TEST(CompareView, compares_two_files_that_are_opened_together_and_names_their_zeros) {
    const TempFolder folder;
    for (const auto& [name, factor] : {std::pair{"before.csv", 2.0}, std::pair{"after.csv", 1.0}}) {
        std::vector<Record> rows = testing::many_records(1);
        rows.push_back(rows.front());
        for (std::size_t i = 0; i < 2; ++i) {
            rows[i].sparsity_target = i == 0 ? 0.5 : 0.85;
            rows[i].time_median_us = factor * 100;
        }
        write_csv(folder / name, rows);
    }
    Driver app;
    for (const char* name : {"before.csv", "after.csv"}) app.shell().open(folder / name);
    app.frames(2);
    settle(app);
    EXPECT_EQ(app.session().compare.page, ComparePage("files"));
    const CompareResult* result = app.shell().compare().result();
    EXPECT_EQ(result->lists.set.before, "before.csv");
    EXPECT_EQ(result->lists.set.after, "after.csv");
    ASSERT_EQ(result->pairs.size(), 2U);
    std::set<std::string> points;
    for (const ComparedPair& pair : result->pairs) points.insert(pair.point);
    EXPECT_EQ(points, (std::set<std::string>{"zeros 50 %", "zeros 85 %"}));
    EXPECT_TRUE(app.has("compare/pair 1"));
}

TEST(CompareView, filters_sorts_and_exports_rows) {
    const TempFolder folder;
    Driver app;
    app.session().csv_path = (folder / "out.csv").string();
    open_file(app, many(folder, 700));
    show(app, ComparePage("table"));
    app.type_into("compare/query", "method=ecr2 time_median_us>0");
    settle(app);
    const CompareResult* result = app.shell().compare().result();
    EXPECT_EQ(result->order.size(), 98U);
    app.click("compare/column/time_median_us");
    settle(app);
    result = app.shell().compare().result();
    const std::size_t time = table_column("time_median_us");
    EXPECT_LE(result->data->number(result->order[0], time), result->data->number(result->order[1], time));
    app.click("compare/column/time_median_us");
    settle(app);
    EXPECT_TRUE(app.session().compare.descending);
    app.click("compare/export");
    const CsvContent saved = read_csv(folder / "out.rows.csv");
    ASSERT_EQ(saved.records.size(), 98U);
    EXPECT_GE(saved.records[0].time_median_us, saved.records[1].time_median_us);
}

TEST(CompareView, keeps_the_keyboard_in_a_filter_that_does_not_read_and_says_why) {
    const TempFolder folder;
    Driver app;
    open_file(app, many(folder, 700));
    show(app, ComparePage("table"));
    app.type_into("compare/query", "foo>>3");
    settle(app);
    app.point_at(ImVec2{4, 4});
    EXPECT_NE(app.words_on_screen().find("'foo"), std::string::npos) << app.words_on_screen();
    app.press(Key::five);
    app.type("5");
    EXPECT_EQ(app.session().view, ViewId("compare"));
    EXPECT_EQ(app.session().compare.query, "foo>>35");
    app.press(Key::a, true);
    app.type("method=ecr2");
    app.press(Key::enter);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    app.press(Key::five);
    EXPECT_EQ(app.session().view, ViewId("network"));
}

TEST(CompareView, copies_the_rows_of_the_table_on_a_right_click) {
    const TempFolder folder;
    Driver app;
    open_file(app, many(folder, 700));
    show(app, ComparePage("table"));
    app.type_into("compare/query", "method=ecr2");
    settle(app);
    app.right_click("compare/row/1");
    app.frames(2);
    ASSERT_TRUE(app.has("compare/table menu/1"));
    app.click("compare/table menu/1");
    const std::string text = ImGui::GetClipboardText();
    EXPECT_TRUE(text.starts_with("layer,")) << text.substr(0, 200);
    EXPECT_NE(text.substr(0, text.find('\n')).find("time_median_us"), std::string::npos);
    const std::size_t rows = app.shell().compare().result()->order.size();
    EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(rows) + 1);
}

TEST(CompareView, copies_the_padding_of_both_sides) {
    const TempFolder folder;
    std::vector<Record> records = testing::many_records(2);
    records[1].shape.pad_h = 0, records[1].shape.pad_extra_h = 1;
    write_csv(folder / "sides.csv", records);
    Driver app;
    open_file(app, folder / "sides.csv");
    show(app, ComparePage("table"));
    app.type_into("compare/query", "pad_h=0+1");
    settle(app);
    ASSERT_EQ(app.shell().compare().result()->order.size(), 1U);
    app.right_click("compare/row/0");
    app.frames(2);
    ASSERT_TRUE(app.has("compare/table menu/1"));
    app.click("compare/table menu/1");
    const std::string text = ImGui::GetClipboardText();
    EXPECT_NE(text.find(", pad 0,1,1,1\""), std::string::npos) << text;
}

TEST(CompareView, shift_and_a_drag_choose_rows_and_escape_lets_go) {
    Driver app;
    app.shell().compare().open_recorded("xu2022-sparsity-batch");
    app.press(Key::three);
    settle(app);
    show(app, ComparePage("lines"));
    const ItemRect area = app.item("compare/plot 0");
    app.point_at(ImVec2{area.min.x + 4, area.min.y + 4});
    app.shift(true);
    app.drag({area.min.x + 2, area.min.y + 2}, {area.max.x - 2, area.max.y - 2});
    app.shift(false);
    app.frames(2);
    EXPECT_GT(app.shell().compare().selected(), 5U);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_EQ(app.shell().compare().selected(), 0U);
}

TEST(CompareView, the_good_lines_of_a_broken_file_are_shown_and_the_bad_one_named) {
    const TempFolder folder;
    std::vector<Record> records = testing::many_records(20);
    std::string text = csv_header() + "\n";
    for (const Record& record : records) text += csv_row(record) + "\n";
    const std::size_t at = text.find(",1980,", text.size() / 2);
    text.replace(at, 6, ",often,");
    Driver app;
    open_file(app, folder.write("broken.csv", text));
    const CompareResult* result = app.shell().compare().result();
    EXPECT_EQ(result->data->table.rows(), 19U);
    ASSERT_EQ(result->data->problems.lines.size(), 1U);
    EXPECT_NE(result->data->problems.lines[0].find("sm_clock_mhz: 'often' is not a number"), std::string::npos);
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find("broken.csv:"), std::string::npos);
}

TEST(CompareView, two_files_opened_together_are_compared) {
    const TempFolder folder;
    std::vector<Record> records = testing::many_records(40);
    write_csv(folder / "before.csv", records);
    for (Record& record : records)
        if (record.time_median_us) *record.time_median_us *= 2;
    write_csv(folder / "after.csv", records);
    Driver app;
    app.shell().open(folder / "before.csv");
    app.shell().open(folder / "after.csv");
    settle(app);
    show(app, ComparePage("files"));
    const CompareResult* result = app.shell().compare().result();
    EXPECT_EQ(result->pairs.size(), 40U);
    EXPECT_EQ(result->findings[0].text(),
              "Of 40 measurements in both, 0 improved, 40 are worse, 0 are tied (within 1 %), 0 are unclear.");
}

TEST(CompareView, the_table_is_scrolled_by_wheel_and_keys_and_draws_what_is_in_sight) {
    const TempFolder folder;
    Driver app;
    open_file(app, many(folder, 5000));
    show(app, ComparePage("table"));
    EXPECT_TRUE(app.has("compare/row/0"));
    app.press(Key::end);
    EXPECT_TRUE(app.has("compare/row/4999"));
    EXPECT_FALSE(app.has("compare/row/0")) << "rows out of sight are not drawn";
    app.press(Key::home);
    app.wheel("compare/row/5", -2);
    EXPECT_TRUE(app.has("compare/row/6"));
    EXPECT_FALSE(app.has("compare/row/0"));
}

TEST(CompareView, recorded_sessions_and_pages_are_in_the_palette) {
    Driver app;
    app.press(Key::k, true);
    app.type_into("palette/search", "recorded mec-cv");
    settle(app);
    ASSERT_EQ(app.session().view, ViewId("compare"));
    EXPECT_EQ(app.shell().compare().result()->data->title, "mec-cv");
    app.press(Key::k, true);
    app.type_into("palette/search", "compare: memory");
    settle(app);
    EXPECT_EQ(app.session().compare.page, ComparePage("memory"));
}

/// The list of sources, opened, with its cards.
void open_sources(Driver& app) {
    app.press(Key::three);
    settle(app);
    app.click("compare/source");
    ASSERT_TRUE(app.wait([&] { return app.has("compare/source/blocks-ecr3"); }));
    app.frames(3);
}

TEST(CompareView, heads_each_recorded_session_by_its_finding_in_one_line) {
    const std::vector<RecordedCard> cards = read_recorded_catalogue({});
    for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}})
        for (const float scale : {1.0F, 2.0F})
            for (const bool dark : {true, false}) {
                SCOPED_TRACE(fmt::format("{}x{} at {}", width, height, scale));
                Driver app(width, height);
                app.session().appearance.scale = scale;
                app.session().appearance.dark = dark;
                open_sources(app);
                app.keep_image(fmt::format("sources-{}-{}-{}", width, scale, dark ? "dark" : "light"));
                const std::string words = app.words_on_screen();
                std::size_t seen = 0;
                for (const RecordedCard& card : cards) {
                    if (!app.has("compare/source/" + card.name)) continue;
                    const ItemRect box = app.item("compare/source/" + card.name);
                    const bool whole = box.min.y > 0 && box.max.y < static_cast<float>(height) * 0.6F;
                    if (!whole || words.find("|" + card.name + ": ") == std::string::npos) continue;
                    ++seen;
                    EXPECT_NE(words.find("|" + card.answer(0).headline + "|"), std::string::npos)
                        << card.answer(0).headline;
                }
                EXPECT_GT(seen, 0U);
            }
}

TEST(CompareView, a_switch_shows_another_devices_file_under_the_same_question) {
    Driver app(1280, 800);
    open_sources(app);
    app.type("xu2022-sparsity fp32");
    app.frames(3);
    ASSERT_TRUE(app.has("compare/source/xu2022-sparsity on H100"));
    EXPECT_FALSE(app.has("compare/source/blocks-ecr3")) << "it does not have these words";
    EXPECT_EQ(app.words_on_screen().find("|H200 alone: "), std::string::npos);
    app.click("compare/source/xu2022-sparsity on H100");
    app.frames(2);
    EXPECT_NE(app.words_on_screen().find("|H200 alone: Skipping zeros beats dense FP32 on "), std::string::npos);
    app.keep_image("sources-h100");
    app.click("compare/source/xu2022-sparsity");
    settle(app);
    EXPECT_EQ(app.shell().compare().data()->title, "xu2022-sparsity-h100");
}

TEST(CompareView, a_search_takes_its_first_session_by_enter_and_the_next_by_arrows) {
    Driver app(1280, 800);
    open_sources(app);
    app.type("grisett");
    app.press(Key::enter);
    settle(app);
    EXPECT_FALSE(app.has("compare/source/grisett-tables")) << "the list has closed";
    EXPECT_EQ(app.shell().compare().data()->title, "grisett-tables");
    open_sources(app);
    app.type("launch matters");
    app.frames(2);
    std::vector<std::string> found;
    for (const RecordedCard& card : read_recorded_catalogue({}))
        if (app.has("compare/source/" + card.name)) found.push_back(card.name);
    ASSERT_GT(found.size(), 1U);
    EXPECT_TRUE(app.has("compare/source/tunables-fcr"));
    EXPECT_FALSE(app.has("compare/source/grisett-tables"));
    for (int i = 0; i < 20 && focus_order().name() != "compare/source/" + found[1]; ++i) {
        app.press(Key::down);
        app.frames(2);
    }
    ASSERT_EQ(focus_order().name(), "compare/source/" + found[1]);
    app.press(Key::enter);
    settle(app);
    EXPECT_EQ(app.shell().compare().data()->title, found[1]);
}

TEST(CompareView, without_rows_it_says_what_to_do) {
    Driver app;
    app.press(Key::three);
    settle(app);
    app.choose("compare/source", "compare/source/this run");
    settle(app);
    EXPECT_TRUE(app.shell().compare().result()->data->table.empty());
    EXPECT_FALSE(app.has("compare/Table")) << "there is nothing to page through";
}

TEST(CompareView, a_tables_columns_are_as_wide_as_their_cells_need_whatever_was_shown_before) {
    const TempFolder folder;
    const std::filesystem::path file = many(folder, 20'000);
    const auto widths = [&](bool filtered_first) {
        Driver app(1280, 800);
        open_file(app, file);
        for (const bool filters : {filtered_first, !filtered_first})
            if (filters) {
                app.type_into("compare/query", "ecr1 block_size_x=32 zeros=50%");
                settle(app);
            } else {
                show(app, "table");
            }
        app.frames(4);
        EXPECT_NE(app.words_on_screen().find(" of 20 000 rows|"), std::string::npos) << app.words_on_screen();
        std::map<std::string, float> of_column;
        for (const auto& [name, box] : app.items())
            if (name.starts_with("compare/column/") && box.max.x < 1000) of_column[name] = box.max.x - box.min.x;
        return of_column;
    };
    const auto fresh = widths(true);
    EXPECT_GT(fresh.size(), 4U);
    EXPECT_EQ(widths(false), fresh);
}

}  // namespace
}  // namespace convscope::app
