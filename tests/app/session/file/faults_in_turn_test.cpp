// Each write, sync, rename and opening of a save fails once, in turn: what stood there stays, or all of the new is
// there.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <thread>

#include "app/session/file/autosave.h"
#include "app/session/file/session_file.h"
#include "app/session/settings/settings.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/failing_calls.h"

namespace convscope::app {
namespace {

using testing::counted_calls;
using testing::fail_call;
using testing::failing_file_calls;
using testing::FailingCall;

/// Runs 'save' with each of its calls failing in turn, 'prepare' before and 'check' after each.
void fail_each_call(const std::function<void()>& prepare, const std::function<void()>& save,
                    const std::function<void(const std::string& which)>& check) {
    long in_all = 0;
    for (const FailingCall call : failing_file_calls) {
        long calls = 1;
        for (long n = 1; n <= calls; ++n) {
            prepare();
            fail_call(call, n);
            save();
            calls = counted_calls();
            fail_call(FailingCall::none, 0);
            check(std::string(to_string(call)) + " " + std::to_string(n));
        }
        in_all += calls;
    }
    EXPECT_GE(in_all, 4) << "a save that calls nothing tests nothing";
}

class SaveFaults : public ::testing::Test {
protected:
    std::size_t files() const {
        const auto all = std::filesystem::directory_iterator(folder_ / "");
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }
    TempFolder folder_;
};

TEST_F(SaveFaults, leave_the_old_session_or_the_new_one) {
    const auto path = folder_ / "a.convscope.toml";
    SessionFile before, after;
    after.state.view = "step";
    const std::string old = session_text(before), fresh = session_text(after);
    const auto put_old = [&] { std::ofstream(path) << old; };
    std::string said;
    const auto save = [&] {
        said.clear();
        try {
            write_session(path, after);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::file);
            said = error.what();
        }
    };
    fail_each_call(put_old, save, [&](const std::string& which) {
        const std::string now = read_text_file(path);
        EXPECT_EQ(now, said.empty() ? fresh : old) << which << ": " << said;
        EXPECT_TRUE(said.empty() || said.find("a.convscope.toml' cannot be written: ") != std::string::npos) << said;
        EXPECT_EQ(files(), 1U) << which;
    });
}

TEST_F(SaveFaults, leave_the_old_settings_or_the_new_ones) {
    const auto path = folder_ / "settings.toml";
    Settings before, after;
    after.window.width = 777;
    ASSERT_EQ(save_settings(path, before, {}), "");
    const std::string old = read_text_file(path);
    const auto put_old = [&] { std::ofstream(path) << old; };
    std::string said;
    const auto save = [&] { said = save_settings(path, after, before); };
    fail_each_call(put_old, save, [&](const std::string& which) {
        const LoadedSettings now = load_settings(path);
        EXPECT_EQ(now.problem, "") << which;
        EXPECT_EQ(now.settings, said.empty() ? after : before) << which << ": " << said;
        EXPECT_EQ(files(), 1U) << which;
    });
}

TEST_F(SaveFaults, leave_an_autosave_that_reads_or_none) {
    SessionFile session;
    session.state.view = "step";
    std::string problem;
    const auto clear = [&] {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) std::filesystem::remove(entry);
    };
    const auto save = [&] {
        Autosave autosave(folder_ / "", std::chrono::milliseconds(1));
        autosave.schedule_save(session);
        problem = autosave.take_problem();
        while (problem.empty() && !std::filesystem::exists(autosave.file())) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            problem = autosave.take_problem();
        }
    };
    fail_each_call(clear, save, [&](const std::string& which) {
        const auto last = Autosave::last_session(folder_ / "");
        if (std::filesystem::exists(last)) {
            EXPECT_EQ(read_session(last, {}).file.state, session.state) << which;
        } else {
            EXPECT_NE(problem, "") << which << ": nothing is kept, and nothing is said";
        }
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << which << entry.path();
    });
}

}  // namespace
}  // namespace convscope::app
