// File dialogs by a portal, on a bus of the test's own: run through tests/app/under_dbus.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/ui/dialogs/portal_dialog.h"
#include "app/ui/sessions/session_manager.h"
#include "tests/app/driver.h"
#include "tests/app/ui/dialogs/fake_portal.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

FileQuestion question(FileQuestion::Kind kind) {
    return {kind,
            "A title",
            kind == FileQuestion::Kind::save ? "/data/ö/x.csv" : "/data/ö",
            {{"Records", {"*.csv", "*.json"}}},
            kind == FileQuestion::Kind::open,
            ""};
}

TEST(Portal, is_asked_for_several_files_and_its_uris_are_read) {
    FakePortal portal({0, {"file:///data/a%20b.csv", "file:///data/%C3%B6.csv", "http://elsewhere/x"}, false, false});
    const FileAnswer answer = ask_portal(question(FileQuestion::Kind::open), "x11:2a", {});
    EXPECT_EQ(answer.outcome, FileAnswer::Outcome::chosen) << answer.reason;
    EXPECT_EQ(answer.files, (std::vector<std::filesystem::path>{"/data/a b.csv", "/data/ö.csv"}));
    const PortalAsked requested = portal.requested();
    EXPECT_EQ(requested.method, "OpenFile");
    EXPECT_EQ(requested.window, "x11:2a");
    EXPECT_EQ(requested.title, "A title");
    EXPECT_EQ(requested.folder, "/data/ö");
    EXPECT_TRUE(requested.several);
    EXPECT_EQ(requested.filters, (std::vector<std::string>{"Records: *.csv *.json"}));
}

TEST(Portal, is_asked_where_to_save_with_a_name_suggested) {
    FakePortal portal({0, {"file:///data/y.csv"}, true, false});
    const FileAnswer answer = ask_portal(question(FileQuestion::Kind::save), "", {});
    EXPECT_EQ(answer.files, (std::vector<std::filesystem::path>{"/data/y.csv"})) << "answered before the call returned";
    EXPECT_EQ(portal.requested().method, "SaveFile");
    EXPECT_EQ(portal.requested().name, "x.csv");
    EXPECT_EQ(portal.requested().folder, "/data/ö");
}

TEST(Portal, that_is_cancelled_answers_nothing) {
    FakePortal portal({1, {}, false, false});
    EXPECT_EQ(ask_portal(question(FileQuestion::Kind::open), "", {}).outcome, FileAnswer::Outcome::cancelled);
}

TEST(Portal, is_told_to_close_when_the_program_ends) {
    FakePortal portal({0, {}, false, true});
    std::stop_source stop;
    std::jthread later([&] {
        while (portal.requested().method.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    EXPECT_EQ(ask_portal(question(FileQuestion::Kind::open), "", stop.get_token()).outcome,
              FileAnswer::Outcome::cancelled);
    EXPECT_TRUE(portal.closed());
}

TEST(Portal, that_is_not_there_is_unavailable_and_so_is_a_missing_bus) {
    EXPECT_EQ(ask_portal(question(FileQuestion::Kind::open), "", {}).outcome, FileAnswer::Outcome::unavailable);
    const std::string bus = std::getenv("DBUS_SESSION_BUS_ADDRESS");
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
    const FileAnswer answer = ask_portal(question(FileQuestion::Kind::open), "", {});
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.c_str(), 1);
    EXPECT_EQ(answer.outcome, FileAnswer::Outcome::unavailable);
    EXPECT_EQ(answer.reason, "the desktop's portal cannot ask: there is no session bus");
}

TEST(Portal, opens_a_session_while_frames_go_on) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("portal " + std::to_string(getpid()) + session_ending);
    Driver app;
    app.press(Key::two);
    write_session(file, {state_of(app.session()), "", ""});
    app.press(Key::one);
    std::string uri = "file://" + file.string();
    uri.replace(uri.find(' '), 1, "%20");
    FakePortal portal({0, {uri}, false, true});
    app.shell().dialogs().set_asking(Asking::desktop);
    app.press(Key::o, true);
    EXPECT_TRUE(app.shell().dialogs().open());
    app.press(Key::three);  // the window goes on
    EXPECT_EQ(app.session().view, ViewId("compare"));
    EXPECT_TRUE(app.shell().dialogs().open());
    app.press(Key::o, true);
    EXPECT_NE(app.session().notices.back().text.find("Another file dialog is open"), std::string::npos);
    portal.answer_now();
    EXPECT_TRUE(app.wait([&] { return app.session().view == ViewId("step"); }));
    EXPECT_EQ(app.shell().sessions().path(), file);
    EXPECT_FALSE(app.shell().dialogs().open());
    std::filesystem::remove(file);
}

TEST(Portal, opens_a_file_of_any_name_and_runs_none_of_it) {
    const TempFolder folder;
    setenv("RAN", (folder / "ran").c_str(), 1);
    const std::filesystem::path file =
        folder / (std::string("$(touch $RAN) `touch $RAN`; touch $RAN; '") + session_ending);
    Driver app;
    app.press(Key::two);
    write_session(file, {state_of(app.session()), "", ""});
    app.press(Key::one);
    std::string uri = "file://";
    for (const char c : file.string())
        uri += std::strchr(" $`;'()", c) ? fmt::format("%{:02X}", static_cast<int>(c)) : std::string(1, c);
    FakePortal portal({0, {uri}, false, false});
    app.shell().dialogs().set_asking(Asking::desktop);
    app.press(Key::o, true);
    EXPECT_TRUE(app.wait([&] { return app.session().view == ViewId("step"); }));
    EXPECT_EQ(app.shell().sessions().path(), file);
    EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
    unsetenv("RAN");
}

TEST(Uri, is_read_with_its_escapes) {
    EXPECT_EQ(path_of_uri("file:///a/b%20c"), "/a/b c");
    EXPECT_EQ(path_of_uri("file://localhost/a"), "/a");
    EXPECT_EQ(path_of_uri("file:///100%"), "/100%");
    EXPECT_EQ(path_of_uri("file:///a%zz"), "/a%zz");
    EXPECT_EQ(path_of_uri("https://x/a"), "");
}

}  // namespace
}  // namespace convscope::app
