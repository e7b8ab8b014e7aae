// Opening and saving sessions as a user does; and what is there after a crash.
#include "app/ui/sessions/session_manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/session/file/undo_label.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/preset.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"
#include "tests/support/wait.h"

namespace convscope::app {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class SessionManagerTest : public ::testing::Test {
protected:
    SessionManagerTest() : folder_(fs::temp_directory_path() / ("convscope desk " + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~SessionManagerTest() override { fs::remove_all(folder_); }

    fs::path file(const std::string& name) const { return folder_ / (name + session_ending); }
    static std::string last_notice(Driver& app) {
        return app.session().notices.empty() ? std::string() : app.session().notices.back().text;
    }
    static bool wait_for(const fs::path& path) {
        return testing::wait_until([&] { return fs::exists(path); });
    }

    fs::path folder_;
};

TEST_F(SessionManagerTest, saves_under_a_name_and_opens_it_again) {
    Driver app;
    app.shell().dialogs().set_asking(Asking::builtin);
    app.type_into("workload/h", "9");
    app.press(Key::two);
    app.press(Key::s, true);
    ASSERT_TRUE(app.has("dialog/path"));
    app.type_into("dialog/path", (folder_ / "mine").string());
    EXPECT_EQ(app.shell().sessions().path(), file("mine")) << last_notice(app);
    EXPECT_EQ(app.shell().sessions().title(), "mine - convscope");
    const SessionState saved = state_of(app.session());

    app.press(Key::four);
    app.type_into("workload/h", "7");
    EXPECT_EQ(app.shell().sessions().title(), "mine* - convscope");
    app.shell().open(file("mine"));
    EXPECT_EQ(undo_label(state_of(app.session()), saved), "");
    EXPECT_FALSE(app.shell().sessions().changed());
    app.frames(3);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.h, 7) << "opening can be undone";

    app.press(Key::s, true);  // no question now
    EXPECT_FALSE(app.shell().dialogs().open());
    EXPECT_EQ(read_session(file("mine"), {}).file.state.choices.workload.shape.h, 7);
}

TEST_F(SessionManagerTest, says_which_fields_are_not_in_the_file) {
    Driver app;
    app.shell().dialogs().set_asking(Asking::builtin);
    app.type_into("workload/h", "1");
    app.press(Key::s, true);
    ASSERT_TRUE(app.has("dialog/path"));
    app.type_into("dialog/path", (folder_ / "mine").string());
    EXPECT_NE(last_notice(app).find("with the last layer that can be: h = 1 is not in it"), std::string::npos)
        << last_notice(app);
    EXPECT_EQ(read_session(file("mine"), {}).file.state.choices.workload.shape.h, 5);
}

TEST_F(SessionManagerTest, says_why_a_layer_is_not_in_the_file) {
    Driver app;
    app.shell().dialogs().set_asking(Asking::builtin);
    app.session().choices.workload.sparsity = 2;
    edit_workload(app.session());
    app.frames(3);
    ASSERT_FALSE(app.session().rejection.empty());
    app.press(Key::s, true);
    ASSERT_TRUE(app.has("dialog/path"));
    app.type_into("dialog/path", (folder_ / "mine").string());
    EXPECT_NE(last_notice(app).find(", with the last layer that can be: " + app.session().rejection), std::string::npos)
        << last_notice(app);
}

TEST_F(SessionManagerTest, asks_before_it_replaces_what_another_program_has_written) {
    Driver app;
    app.shell().dialogs().set_asking(Asking::builtin);
    const std::string others = "version = 1\n# another program's\n";
    std::ofstream(file("mine")) << "version = 1\n";
    app.shell().open(file("mine"));
    app.type_into("workload/h", "9");
    std::ofstream(file("mine")) << others;
    app.press(Key::s, true);
    ASSERT_TRUE(app.has("dialog/path"));
    EXPECT_EQ(read_text_file(file("mine")), others);
    EXPECT_NE(last_notice(app).find("was changed by another program"), std::string::npos) << last_notice(app);
    app.type_into("dialog/path", file("other").string());
    EXPECT_EQ(read_text_file(file("mine")), others);
    EXPECT_EQ(app.shell().sessions().path(), file("other")) << last_notice(app);
    app.press(Key::s, true);  // which nobody has changed
    EXPECT_FALSE(app.shell().dialogs().open());
}

TEST_F(SessionManagerTest, leaves_session_and_file_as_they_are_where_the_file_is_broken) {
    Driver app;
    app.type_into("workload/h", "9");
    const std::string text = "version = 1\nview = \"step\"\n[workload]\nh = \"five\"\n";
    std::ofstream(file("broken")) << text;
    app.shell().open(file("broken"));
    app.frames(2);
    EXPECT_NE(last_notice(app).find(file("broken").string() + ":4:5"), std::string::npos) << last_notice(app);
    EXPECT_NE(last_notice(app).find("whole number"), std::string::npos);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    EXPECT_EQ(app.session().good.shape.h, 9);
    EXPECT_EQ(read_text_file(file("broken")), text);
    EXPECT_TRUE(app.shell().sessions().path().empty());
    app.shell().open(file("missing"));
    EXPECT_NE(last_notice(app).find("No such file"), std::string::npos) << last_notice(app);
}

TEST_F(SessionManagerTest, says_when_a_session_cannot_be_saved) {
    Driver app;
    app.shell().dialogs().set_asking(Asking::builtin);
    app.shell().open("/nonexistent/x.convscope.toml");
    app.press(Key::s, true);
    app.type_into("dialog/path", "/proc/mine");
    app.frames(3);
    EXPECT_NE(app.text_of("##file dialog").find("The session is not saved"), std::string::npos);
    EXPECT_TRUE(app.shell().sessions().path().empty());
    app.type_into("dialog/path", file("mine").string());
    EXPECT_EQ(app.shell().sessions().path(), file("mine")) << "the dialog was still there";
    EXPECT_FALSE(app.shell().dialogs().open());
    fs::remove_all(folder_);
    app.press(Key::s, true);
    EXPECT_NE(last_notice(app).find("The session is not saved"), std::string::npos) << last_notice(app);
}

TEST_F(SessionManagerTest, finds_recent_sessions_in_the_palette) {
    Driver app;
    app.shell().sessions().keep_state_in(folder_ / "state");
    app.shell().sessions().recent().add(file("gone"));
    SessionFile other{state_of(app.session()), {}, {}};
    other.state.tab = "output";
    write_session(file("mine"), other);
    app.shell().sessions().recent().add(file("mine"));
    app.press(Key::k, true);
    app.type("session mine");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().tab, TabId("output"));
    app.press(Key::k, true);
    app.type("session gone");
    app.press(Key::enter);
    app.frames(2);
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_EQ(app.session().notices.back().text, "not there any more");
}

TEST_F(SessionManagerTest, lists_recent_sessions_and_greys_those_that_are_gone) {
    const fs::path state = folder_ / "state";
    {
        Driver app;
        app.shell().sessions().keep_state_in(state);
        for (int i = 0; i < 14; ++i) write_session(file(fmt::format("s{}", i)), {state_of(app.session()), "", ""});
        for (int i = 0; i < 14; ++i) app.shell().open(file(fmt::format("s{}", i)));
    }
    fs::remove(file("s12"));
    Driver app;
    app.shell().sessions().keep_state_in(state);
    app.click("toolbar/session");
    app.frames(2);
    const std::vector<RecentSession>& recent = app.shell().sessions().recent().list();
    ASSERT_EQ(recent.size(), RecentSessions::most);
    EXPECT_EQ(recent[0].path, file("s13"));
    EXPECT_EQ(recent[1].reason, "not there any more");
    app.click("session/recent/s12");
    EXPECT_TRUE(app.shell().sessions().path().empty());
    if (!app.has("session/recent/s9")) app.click("toolbar/session");
    app.frames(2);
    app.click("session/recent/s9");
    EXPECT_EQ(app.shell().sessions().path(), file("s9"));
    EXPECT_EQ(app.shell().sessions().recent().list().front().path, file("s9"));
}

TEST_F(SessionManagerTest, begins_anew_and_undoes_by_menu_and_buttons) {
    Driver app;
    app.type_into("workload/h", "9");
    app.press(Key::n, true);
    EXPECT_EQ(app.session().good.shape.h, 5);
    app.frames(2);
    app.click("toolbar/undo");
    EXPECT_EQ(app.session().good.shape.h, 9);
    app.click("toolbar/redo");
    EXPECT_EQ(app.session().good.shape.h, 5);
    app.click("toolbar/session");
    app.frames(2);
    app.click("session/undo");
    EXPECT_EQ(app.session().good.shape.h, 9);
}

/// Another instance, killed: what it was at is offered.
class Crashed : public SessionManagerTest {
protected:
    Crashed() : state_(folder_ / "state") {}

    /// A process that keeps this session, and is ended by 'signal' once it is on disk.
    void crash(const SessionState& state, int signal) {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) {
            Autosave* autosave = new Autosave(state_ / "running", 1ms);
            autosave->schedule_save({state, "", file("mine").string()});
            const bool written = wait_for(autosave->file());
            if (write(ready[1], written ? "y" : "n", 1) != 1) _exit(2);
            raise(signal);
            _exit(3);
        }
        char said = 'n';
        ASSERT_EQ(read(ready[0], &said, 1), 1);
        EXPECT_EQ(said, 'y');
        close(ready[0]);
        close(ready[1]);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status));
    }
    static SessionState some_state(std::int64_t height) {
        SessionState state;
        state.choices.workload.name = "custom";
        state.choices.workload.shape.h = state.choices.workload.shape.w = height;
        state.view = "step";
        return state;
    }
    std::size_t files_left() const {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(state_ / "running"))
            count += entry.path().filename() != Autosave::last_session("").filename();
        return count;
    }

    fs::path state_;
};

TEST_F(Crashed, is_offered_and_restored_once) {
    crash(some_state(9), SIGKILL);
    {
        Driver app;
        app.shell().sessions().keep_state_in(state_, 1ms);
        app.frames(2);
        ASSERT_TRUE(app.has("recovery/restore"));
        const float end = app.item("recovery/restore").max.y;
        for (const char* below : {"workload/n", "tab/ECR", "fold left", "fold right"})
            EXPECT_GT(app.item(below).min.y, end) << below << ": the offer lies on nothing";
        EXPECT_LT(app.item("view/Layout").max.y, app.item("recovery/restore").min.y);
        app.keep_image("recovery");
        app.click("recovery/restore");
        EXPECT_EQ(app.session().good.shape.h, 9);
        EXPECT_EQ(app.session().view, ViewId("step"));
        EXPECT_EQ(app.shell().sessions().path(), file("mine"));
        EXPECT_TRUE(app.shell().sessions().changed());
        app.frames(2);
        EXPECT_FALSE(app.has("recovery/restore"));
    }
    EXPECT_EQ(files_left(), 0U) << "a proper end leaves nothing to offer";
    Driver app;
    app.shell().sessions().keep_state_in(state_, 1ms);
    EXPECT_EQ(app.shell().sessions().recoverable(), nullptr);
    EXPECT_TRUE(app.shell().sessions().has_last());
    app.shell().sessions().open_last();
    EXPECT_EQ(app.session().good.shape.h, 9);
}

TEST_F(Crashed, is_restored_beside_the_kernel_and_the_records_that_were_named) {
    crash(some_state(9), SIGKILL);
    const fs::path kernel = folder_ / "mine.cu", records = folder_ / "rows.csv";
    std::ofstream(kernel) << "__global__ void k(float* y) { y[0] = 1; }\n";
    write_csv(records, std::vector<Record>(1));
    Driver app;
    app.shell().sessions().keep_state_in(state_, 1ms);
    app.shell().open({records, kernel});
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return !app.session().records.files.empty(); }));
    app.click("recovery/restore");
    app.frames(3);
    EXPECT_EQ(app.session().good.shape.h, 9);
    EXPECT_EQ(app.session().view, ViewId("step"));
    EXPECT_EQ(app.session().kernel.file, kernel);
    EXPECT_EQ(app.session().records.files, std::vector<std::string>{records.string()});
    app.press(Key::three);
    app.frames(3);
    EXPECT_EQ(app.session().records.files, std::vector<std::string>{records.string()});
}

TEST_F(SessionManagerTest, opens_several_files_with_the_session_under_the_others) {
    write_session(file("mine"), {SessionState(), "", ""});
    std::ofstream(folder_ / "mine.cu") << "__global__ void k(float* y) { y[0] = 1; }\n";
    Driver app;
    app.shell().open({folder_ / "mine.cu", file("mine")});
    app.frames(2);
    EXPECT_EQ(app.shell().sessions().path(), file("mine"));
    EXPECT_EQ(app.session().kernel.file, folder_ / "mine.cu");
    EXPECT_EQ(app.session().view, ViewId("kernel"));
}

TEST_F(Crashed, by_a_bad_access_is_offered_too_and_can_be_discarded) {
    crash(some_state(9), SIGSEGV);
    crash(some_state(11), SIGKILL);
    Driver app;
    app.shell().sessions().keep_state_in(state_, 1ms);
    EXPECT_EQ(app.shell().sessions().recoverable_count(), 2U);
    app.frames(2);
    app.click("recovery/discard");
    app.frames(2);
    app.click("recovery/discard");
    EXPECT_EQ(app.shell().sessions().recoverable(), nullptr);
    EXPECT_EQ(app.session().good.shape.h, 5);
    EXPECT_EQ(files_left(), 1U) << "this instance's own lock";
}

TEST_F(Crashed, in_a_lesson_keeps_the_users_own_session) {
    {
        Driver app;
        app.shell().sessions().keep_state_in(state_, 1ms);
        app.type_into("workload/h", "9");
        app.press(Key::six);
        app.frames(2);
        app.press(Key::enter);
        app.frames(3);
        ASSERT_TRUE(app.shell().lessons().player());
        ASSERT_EQ(app.session().good.name, "examples/xu-fig4") << "the lesson's layer";
    }
    Driver app;
    app.shell().sessions().keep_state_in(state_, 1ms);
    app.shell().sessions().open_last();
    EXPECT_EQ(app.session().good.shape.h, 9);
}

TEST_F(Crashed, stays_on_offer_while_nobody_decides) {
    crash(some_state(9), SIGKILL);
    for (int i = 0; i < 2; ++i) {
        Driver app;
        app.shell().sessions().keep_state_in(state_, 1ms);
        EXPECT_EQ(app.shell().sessions().recoverable_count(), 1U);
    }
}

TEST_F(Crashed, and_restored_by_one_that_crashes_as_well_is_still_there) {
    crash(some_state(9), SIGKILL);
    std::vector<RecoverableSession> recovered = find_recoverable_sessions(state_ / "running");
    ASSERT_EQ(recovered.size(), 1U);
    // Another instance is not offered what this one is deciding on.
    EXPECT_TRUE(find_recoverable_sessions(state_ / "running").empty());
    Autosave autosave(state_ / "running", 1h);
    const fs::path file = recovered[0].file;
    autosave.take_over({some_state(9), "", ""}, std::move(recovered[0]));
    EXPECT_TRUE(fs::exists(file)) << "it is taken away only when it is written again";
}

TEST_F(Crashed, by_an_exception_is_on_offer_too) {
    try {
        Autosave autosave(state_ / "running", 1h);
        autosave.schedule_save({some_state(9), "", ""});
        throw std::runtime_error("the host's memory ran out");
    } catch (const std::runtime_error&) {
    }
    const std::vector<RecoverableSession> recovered = find_recoverable_sessions(state_ / "running");
    ASSERT_EQ(recovered.size(), 1U);
    EXPECT_EQ(read_session(recovered[0].file, {}).file.state.choices.workload.shape.h, 9);
}

TEST_F(Crashed, two_instances_keep_files_of_their_own) {
    Autosave one(state_ / "running", 1ms), two(state_ / "running", 1ms);
    one.schedule_save({some_state(7), "", ""});
    two.schedule_save({some_state(8), "", ""});
    ASSERT_TRUE(wait_for(one.file()));
    ASSERT_TRUE(wait_for(two.file()));
    EXPECT_NE(one.file(), two.file());
    EXPECT_TRUE(find_recoverable_sessions(state_ / "running").empty()) << "both are alive";
    EXPECT_EQ(read_session(one.file(), {}).file.state.choices.workload.shape.h, 7);
}

TEST_F(Crashed, nothing_is_kept_where_nothing_changed_or_nothing_can_be_written) {
    {
        Driver app;
        app.shell().sessions().keep_state_in(state_, 1ms);
        app.frames(10);
        EXPECT_FALSE(fs::exists(app.shell().sessions().autosave()->file()));
        app.type_into("workload/h", "9");
        EXPECT_TRUE(wait_for(app.shell().sessions().autosave()->file()));
    }
    Driver other;
    other.shell().sessions().keep_state_in("/proc/nowhere", 1ms);
    other.frames(2);
    EXPECT_NE(last_notice(other).find("/proc/nowhere"), std::string::npos) << last_notice(other);
    other.type_into("workload/h", "9");
    EXPECT_EQ(other.session().good.shape.h, 9);
}

TEST(TimeInWords, has_the_day_only_where_it_is_another) {
    const auto now = std::chrono::system_clock::now();
    EXPECT_EQ(describe_time(now, now).size(), 5U);
    EXPECT_GT(describe_time(now - 72h, now).size(), 8U);
}

}  // namespace
}  // namespace convscope::app
