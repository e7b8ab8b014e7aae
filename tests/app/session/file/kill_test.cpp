// kill -9 at each call in turn that a save of a session, of settings or of an autosave makes, and in the middle of each
// write: what stands there is one that was saved, whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "app/session/file/autosave.h"
#include "app/session/file/session_file.h"
#include "app/session/settings/settings.h"
#include "kernels/files/text_file.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/failing_calls.h"

namespace convscope::app {
namespace {

using testing::fail_call;
using testing::FailingCall;
using testing::kill_at_call;

SessionFile session_in(ViewId view) {
    SessionFile session;
    session.state.view = view;
    return session;
}

class KilledSave : public ::testing::Test {
protected:
    /// Runs 'save' in a process that is killed at its first call, then in one killed at its second, and so on until one
    /// comes to the end; 'prepare' before and 'check' after each. Returns how many were killed.
    static int kill_at_each_call(const std::function<void()>& prepare, const std::function<void()>& save,
                                 const std::function<void()>& check) {
        for (int n = 1;; ++n) {
            SCOPED_TRACE(n);
            prepare();
            const pid_t saver = fork();
            if (saver == 0) {
                kill_at_call(n);
                save();
                _exit(0);
            }
            int status = 0;
            EXPECT_EQ(waitpid(saver, &status, 0), saver);
            const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
            EXPECT_TRUE(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << status;
            check();
            if (!killed || HasFailure()) return n - 1;
        }
    }

    /// The file's text is 'before' when 'save' begins: each kill leaves it, until one leaves what the save wrote.
    /// A kill may also leave what did not get its name yet: a whole file, or where files cannot be without a name a
    /// part of one.
    void expect_old_or_new(const std::filesystem::path& path, const std::string& before, const std::string& after,
                           const std::function<void()>& save) const {
        ASSERT_NE(before, after);
        for (const bool unnamed : {true, false}) {
            SCOPED_TRACE(unnamed ? "without a name" : "under a name of its own");
            const bool whole = unnamed && has_unnamed_files();
            bool saved = false;
            const auto prepare = [&] {
                for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
                    std::filesystem::remove(entry);
                write_text_file(path, before);
            };
            const auto save_so = [&] {
                if (!unnamed) fail_call(FailingCall::open, 1);
                save();
            };
            const int kills = kill_at_each_call(prepare, save_so, [&] {
                const std::string now = read_text_file(path);
                EXPECT_EQ(now, saved || now != before ? after : before);
                saved = now == after;
                for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
                    if (entry.path() == path) continue;
                    EXPECT_EQ(entry.path().extension(), ".partial") << entry.path();
                    const std::string partial = read_text_file(entry.path());
                    EXPECT_TRUE(whole ? partial == after : after.starts_with(partial)) << partial;
                }
            });
            EXPECT_TRUE(saved) << "the save that was not killed is not there";
            EXPECT_GE(kills, 5) << "opening, writing, half of it, syncing and renaming";
        }
    }

    bool has_unnamed_files() const {
        const int descriptor = open((folder_ / "").c_str(), O_TMPFILE | O_WRONLY, 0600);
        if (descriptor >= 0) close(descriptor);
        return descriptor >= 0;
    }

    TempFolder folder_;
};

TEST_F(KilledSave, leaves_the_old_session_or_the_new_one) {
    const auto path = folder_ / "a.convscope.toml";
    const SessionFile before = session_in("step"), after = session_in("layout");
    expect_old_or_new(path, session_text(before), session_text(after), [&] { write_session(path, after); });
}

TEST_F(KilledSave, leaves_the_old_settings_or_the_new_ones) {
    const auto path = folder_ / "settings.toml";
    Settings before, after;
    after.window.width = 777;
    const auto text_of = [&](const Settings& settings) {
        EXPECT_EQ(save_settings(path, settings, {}), "");
        return read_text_file(path);
    };
    const std::string old = text_of(before), fresh = text_of(after);
    expect_old_or_new(path, old, fresh, [&] { save_settings(path, after, before); });
}

TEST_F(KilledSave, leaves_an_autosave_that_is_found_and_whole) {
    const SessionFile sessions[] = {session_in("step"), session_in("layout")};
    const auto clear = [&] {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) std::filesystem::remove(entry);
    };
    const auto save_both = [&] {
        Autosave autosave(folder_ / "", std::chrono::milliseconds(0));
        for (const SessionFile& session : sessions) {
            autosave.schedule_save(session);
            while (!std::filesystem::exists(autosave.file()) ||
                   read_text_file(autosave.file()) != session_text(session))
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    };
    // The state on disk never goes back, wherever the kill falls: nothing, the first, the second, and this as the last
    // session once it has ended.
    enum Stage { nothing, first, second, ended };
    Stage stage = nothing;
    int kills_in[ended + 1] = {};
    kill_at_each_call(clear, save_both, [&] {
        const auto last = Autosave::last_session(folder_ / "");
        std::vector<RecoverableSession> recovered = find_recoverable_sessions(folder_ / "");
        ASSERT_LE(recovered.size(), 1U);
        Stage now = nothing;
        if (std::filesystem::exists(last)) {
            now = ended;
            EXPECT_TRUE(recovered.empty()) << "a session that has ended is offered";
            EXPECT_EQ(read_session(last, {}).file.state, sessions[1].state);
        } else if (!recovered.empty()) {
            const SessionState state = read_session(recovered[0].file, {}).file.state;
            now = state == sessions[0].state ? first : second;
            EXPECT_TRUE(now == first || state == sessions[1].state);
            recovered[0].discard();
        }
        EXPECT_GE(now, stage);
        stage = now;
        ++kills_in[now];
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
            EXPECT_TRUE(entry.path() == last || entry.path().extension() == ".partial") << entry.path();
    });
    EXPECT_EQ(stage, ended);
    for (const int kills : kills_in) EXPECT_GT(kills, 0);
}

}  // namespace
}  // namespace convscope::app
