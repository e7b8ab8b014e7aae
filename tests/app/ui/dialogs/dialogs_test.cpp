// File dialogs without a portal: the dialog of our own, by real events.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/ui/dialogs/folder_list.h"
#include "kernels/files/text_file.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

class Dialogs : public ::testing::Test {
protected:
    Dialogs() : folder_(fs::temp_directory_path() / ("convscope dialogs " + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "data" / "deep");
        for (const char* name : {"alpha.csv", "alpine.csv", "beta.convscope.toml", ".hidden.csv", "note.txt"})
            std::ofstream(folder_ / "data" / name) << "version = 1\n";
    }
    ~Dialogs() override { fs::remove_all(folder_); }

    fs::path data(const std::string& name = "") const { return folder_ / "data" / name; }

    fs::path folder_;
};

TEST_F(Dialogs, fall_back_to_one_of_our_own) {
    setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + data("no bus").string()).c_str(), 1);
    Driver app;
    app.shell().dialogs().set_asking(Asking::desktop);
    app.press(Key::o, true);
    EXPECT_TRUE(app.wait([&] { return app.has("dialog/path"); }));
    app.frames(5);  // the dialog takes its size and the keyboard in its first frames
    app.type_into("dialog/path", data("beta.convscope.toml").string());
    EXPECT_EQ(app.shell().sessions().path(), data("beta.convscope.toml"));
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
}

class BuiltinDialog : public Dialogs {
protected:
    BuiltinDialog() {
        app_.shell().dialogs().set_asking(Asking::builtin);
        setenv("HOME", data().c_str(), 1);
    }
    void open() {
        app_.press(Key::o, true);
        app_.frames(3);
    }
    Driver app_;
};

TEST_F(BuiltinDialog, shows_the_folder_and_enters_those_in_it) {
    open();
    EXPECT_TRUE(app_.has("dialog/beta.convscope.toml"));
    EXPECT_TRUE(app_.has("dialog/alpha.csv"));
    EXPECT_FALSE(app_.has("dialog/note.txt")) << "nothing that the window opens";
    app_.click("dialog/all");
    app_.frames(2);
    EXPECT_TRUE(app_.has("dialog/note.txt"));
    EXPECT_FALSE(app_.has("dialog/.hidden.csv"));
    app_.click("dialog/deep");
    app_.frames(3);
    EXPECT_FALSE(app_.has("dialog/beta.convscope.toml"));
    app_.click("dialog/up");
    app_.frames(3);
    app_.click("dialog/beta.convscope.toml");
    app_.frames(3);
    app_.click("dialog/accept");
    EXPECT_EQ(app_.shell().sessions().path(), data("beta.convscope.toml"));
}

TEST_F(BuiltinDialog, a_double_click_opens_whatever_stands_above_it) {
    open();
    app_.click("dialog/all");
    app_.frames(2);
    app_.double_click("dialog/beta.convscope.toml");
    app_.frames(2);
    EXPECT_FALSE(app_.has("dialog/path"));
    EXPECT_EQ(app_.shell().sessions().path(), data("beta.convscope.toml"));
}

TEST_F(BuiltinDialog, lists_what_came_since_it_was_last_open_with_size_and_home) {
    open();
    EXPECT_FALSE(app_.has("dialog/gamma.convscope.toml"));
    app_.press(Key::escape);
    app_.press(Key::escape);
    std::ofstream(data("gamma.convscope.toml")) << "version = 1\n";
    open();
    EXPECT_TRUE(app_.has("dialog/gamma.convscope.toml"));
    app_.click("dialog/deep");
    app_.frames(3);
    app_.click("dialog/home");
    app_.frames(3);
    EXPECT_TRUE(app_.has("dialog/gamma.convscope.toml"));
    const auto list = list_folder(data(), {});
    const auto found = std::ranges::find(list->entries, "note.txt", &FolderEntry::name);
    ASSERT_NE(found, list->entries.end());
    EXPECT_EQ(found->bytes, 12U);
    EXPECT_EQ(found->changed.substr(7, 4).substr(0, 2), "20") << found->changed;
}

TEST_F(BuiltinDialog, completes_what_is_typed_and_says_what_is_not_there) {
    open();
    app_.type("b");
    app_.press(Key::tab);
    app_.press(Key::enter);
    EXPECT_EQ(app_.shell().sessions().path(), data("beta.convscope.toml"));
    open();
    app_.type_into("dialog/path", data("none.convscope.toml").string());
    EXPECT_TRUE(app_.has("dialog/path")) << "it stays open";
    app_.frames(2);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "and what is typed next goes on with the path";
    app_.click("dialog/all");
    app_.press(Key::two);
    EXPECT_EQ(app_.session().view, ViewId("layout")) << "keys are not for what lies behind";
    app_.press(Key::escape);
    EXPECT_FALSE(app_.shell().dialogs().open());
}

TEST_F(BuiltinDialog, takes_a_path_from_the_root_that_is_typed_behind_a_folder) {
    open();
    app_.type(data("beta.convscope.toml").string());
    app_.press(Key::enter);
    EXPECT_EQ(app_.shell().sessions().path(), data("beta.convscope.toml"));
}

TEST_F(BuiltinDialog, a_path_or_a_name_that_is_typed_takes_the_place_of_the_proposed_name) {
    setenv("HOME", folder_.c_str(), 1);
    for (const std::string& typed : {data("one.convscope.toml").string(), std::string("~/data/two.convscope.toml")}) {
        app_.press(Key::s, true, true);
        app_.frames(5);
        app_.type(typed);
        app_.press(Key::enter);
        EXPECT_EQ(app_.shell().sessions().path(), data(fs::path(typed).filename()));
        EXPECT_TRUE(fs::exists(data(fs::path(typed).filename())));
    }
    app_.press(Key::s, true, true);
    app_.frames(5);
    app_.type("three");
    app_.press(Key::enter);
    EXPECT_EQ(app_.shell().sessions().path(), data("three.convscope.toml"));
}

TEST_F(BuiltinDialog, for_kernels_begins_where_the_last_one_was_opened) {
    std::ofstream(data("deep") / "mine.cu") << "__global__ void k(float* y) { y[0] = 1; }\n";
    app_.shell().open(data("deep") / "mine.cu");
    for (const bool closed : {false, true}) {
        if (closed) app_.press(Key::n, true);
        app_.press(Key::o, true, true);
        app_.frames(3);
        EXPECT_TRUE(app_.has("dialog/mine.cu")) << (closed ? "after it was closed" : "while it is open");
        app_.press(Key::escape);
        app_.press(Key::escape);
    }
    fs::remove_all(data("deep"));
    app_.press(Key::o, true, true);
    app_.frames(3);
    EXPECT_NE(app_.text_of("##file dialog").find(fs::current_path().filename().string()), std::string::npos);
}

TEST_F(BuiltinDialog, names_the_plots_that_are_saved) {
    app_.press(Key::three);
    ASSERT_TRUE(app_.wait([&] { return app_.shell().compare().result() && !app_.shell().compare().loading(); }));
    app_.click("compare/Table");
    app_.wait([&] { return app_.has("compare/export") && !app_.shell().compare().loading(); });
    app_.click("compare/export");
    app_.frames(3);
    ASSERT_TRUE(app_.has("dialog/path"));
    app_.type_into("dialog/path", data("rows").string());
    EXPECT_TRUE(fs::exists(data("rows.csv")));
    app_.click("compare/export");
    app_.frames(3);
    app_.type_into("dialog/path", data("rows").string());
    EXPECT_TRUE(app_.has("dialog/path")) << "rows.csv is not replaced unasked";
    app_.frames(3);
    EXPECT_NE(app_.text_of("##file dialog").find("exists already"), std::string::npos);
    std::ofstream(data("rows.csv")) << "another program's";
    app_.click("dialog/accept");
    EXPECT_FALSE(app_.has("dialog/path"));
    EXPECT_NE(read_text_file(data("rows.csv")), "another program's") << "that name itself was chosen";
}

TEST(FolderList, completes_as_far_as_names_agree) {
    const std::vector<FolderEntry> entries{{"alpha.csv", false}, {"alpine.csv", false}};
    EXPECT_EQ(completed(entries, "a"), "alp");
    EXPECT_EQ(completed(entries, "alp"), "alp");
    EXPECT_EQ(completed({{"deep", true}}, "d"), "deep/");
    EXPECT_EQ(completed({}, "x"), "x");
}

TEST(FolderList, says_why_a_folder_cannot_be_read) {
    const auto list = list_folder("/nonexistent", {});
    EXPECT_EQ(list->problem, "The folder cannot be read: No such file or directory");
}

TEST(Asking, is_set_by_the_environment) {
    std::string problem;
    setenv("CONVSCOPE_DIALOGS", "own", 1);
    EXPECT_EQ(asking_of_environment(problem), Asking::builtin);
    setenv("CONVSCOPE_DIALOGS", "windows", 1);
    EXPECT_EQ(asking_of_environment(problem), Asking::desktop);
    EXPECT_EQ(problem, "CONVSCOPE_DIALOGS is 'windows'; accepted: portal, own");
    unsetenv("CONVSCOPE_DIALOGS");
}

}  // namespace
}  // namespace convscope::app
