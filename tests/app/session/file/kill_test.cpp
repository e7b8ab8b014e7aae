// kill -9 in the middle of saves of a session, of settings and of an autosave, at a hundred moments each: what stands
// there is one that was saved, whole.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "app/session/file/autosave.h"
#include "app/session/file/session_file.h"
#include "app/session/settings/settings.h"
#include "kernels/core/text_file.h"
#include "tests/kernels/core/temp_folder.h"

namespace convscope::app {
namespace {

using namespace std::chrono_literals;

constexpr int save_kills = 100;

SessionFile session_in(ViewId view) {
    SessionFile session;
    session.state.view = view;
    return session;
}

class KilledSave : public ::testing::Test {
protected:
    /// Kills a process that calls 'save' with 0, 1, 2, ... without an end, a hundred times, each time up to so much
    /// later.
    static void kill_in_mid(std::chrono::microseconds latest, const std::function<void(int)>& save,
                            const std::function<void()>& check) {
        std::mt19937 random(11);
        for (int kill_number = 0; kill_number < save_kills && !HasFailure(); ++kill_number) {
            SCOPED_TRACE(kill_number);
            const pid_t saver = fork();
            ASSERT_GE(saver, 0);
            if (saver == 0)
                for (int i = 0;; ++i) save(i);
            std::this_thread::sleep_for(
                std::chrono::microseconds(std::uniform_int_distribution<std::int64_t>(0, latest.count())(random)));
            kill(saver, SIGKILL);
            int status = 0;
            waitpid(saver, &status, 0);
            ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
            check();
        }
    }

    /// A time in which a few saves are done, however slow the disk is.
    static std::chrono::microseconds of_some(const std::function<void(int)>& save) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 3; ++i) save(i);
        const auto taken = std::chrono::steady_clock::now() - begin;
        return std::max<std::chrono::microseconds>(8ms, std::chrono::duration_cast<std::chrono::microseconds>(taken));
    }

    /// What stands at 'path', and in what a kill may leave beside it: a whole file that did not get its name yet.
    void expect_one_of(const std::filesystem::path& path, const std::set<std::string>& saved) {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
            EXPECT_TRUE(entry.path() == path || entry.path().extension() == ".partial") << entry.path();
            EXPECT_TRUE(saved.contains(read_text_file(entry.path()))) << entry.path();
        }
        seen_.insert(read_text_file(path));
    }

    TempFolder folder_;
    std::set<std::string> seen_;
};

TEST_F(KilledSave, leaves_the_old_session_or_the_new_one) {
    const auto path = folder_ / "a.convscope.toml";
    const SessionFile one = session_in("step"), other = session_in("layout");
    const std::set<std::string> saved{session_text(one), session_text(other)};
    ASSERT_EQ(saved.size(), 2U);
    write_session(path, one);
    const auto save = [&](int i) { write_session(path, i % 2 == 0 ? other : one); };
    kill_in_mid(of_some(save), save, [&] { expect_one_of(path, saved); });
    EXPECT_EQ(seen_.size(), 2U) << "no kill was between two saves";
}

TEST_F(KilledSave, leaves_the_old_settings_or_the_new_ones) {
    const auto path = folder_ / "settings.toml";
    Settings one, other;
    other.sweep_timeout_s = 0.7;
    std::set<std::string> saved;
    for (const Settings& each : {one, other}) {
        ASSERT_EQ(save_settings(path, each, {}), "");
        saved.insert(read_text_file(path));
    }
    ASSERT_EQ(saved.size(), 2U);
    const auto save = [&](int i) { save_settings(path, i % 2 == 0 ? one : other, i % 2 == 0 ? other : one); };
    kill_in_mid(of_some(save), save, [&] { expect_one_of(path, saved); });
    EXPECT_EQ(seen_.size(), 2U) << "no kill was between two saves";
}

TEST_F(KilledSave, leaves_an_autosave_that_is_found_and_whole) {
    const SessionFile one = session_in("step"), other = session_in("layout");
    std::size_t found = 0;
    const auto save = [&](int) {
        Autosave autosave(folder_ / "", std::chrono::milliseconds(0));
        for (int i = 0;; ++i) {
            autosave.schedule_save(i % 2 == 0 ? one : other);
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    };
    kill_in_mid(40ms, save, [&] {
        for (RecoverableSession& recovered : find_recoverable_sessions(folder_ / "")) {
            const SessionState state = read_session(recovered.file, {}).file.state;
            EXPECT_TRUE(state == one.state || state == other.state);
            recovered.discard();
            ++found;
        }
    });
    EXPECT_GT(found, 0U);
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
        EXPECT_EQ(entry.path().extension(), ".partial") << entry.path();
}

}  // namespace
}  // namespace convscope::app
