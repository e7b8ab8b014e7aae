// Session files: open, save, save as, the recent ones; and recovery after a crash.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/file/autosave.h"
#include "app/session/file/recent_sessions.h"
#include "app/session/file/session_file.h"
#include "app/ui/dialogs/file_dialogs.h"

namespace convscope::app {

class SessionManager {
public:
    /// All three outlive it.
    SessionManager(Session&, const Registry&, FileDialogs&);

    /// Recent sessions and autosaves are kept in this folder from now on, and what an instance left there that did not
    /// end properly can be brought back. 'delay' is how long after a change it is saved.
    void keep_state_in(const std::filesystem::path& folder, std::chrono::milliseconds delay = std::chrono::seconds(3));
    /// Once a frame: hands a change on to the autosave, unless a gesture is under way. 'own': while a lesson is open,
    /// what leaving it brings back; that is kept, not what the lesson shows.
    void update(bool in_a_gesture, const SessionState* own);

    /// Replaces the session by a file's. A file that cannot be is a notice, and the session stays as it is.
    void open(const std::filesystem::path&);
    void ask_to_open();
    void save();  ///< where it was opened from; asks where there is none yet, or another program has changed it since
    void save_as();
    void new_session();  ///< the first screen
    void open_last();    ///< what the instance before ended with
    bool has_last() const;

    const std::filesystem::path& path() const { return path_; }  ///< of the session file; empty: none yet
    /// Whether there is something that no session file holds.
    bool changed() const;
    /// "mine* - convscope", as the window is called.
    std::string title() const;
    RecentSessions& recent() { return recent_; }

    /// The session of an instance that did not end properly; null when there is none (left).
    const RecoverableSession* recoverable() const { return recoverable_.empty() ? nullptr : &recoverable_.front(); }
    std::size_t recoverable_count() const { return recoverable_.size(); }
    /// In place of the present session; the kernel and the records that the user has opened stay open.
    void restore_recoverable();
    void discard_recoverable();

    const Autosave* autosave() const { return autosave_.get(); }

private:
    bool load(const std::filesystem::path&, SessionFile&);
    void put(const SessionFile&);
    void keep_open(const KernelChoice&, const RecordSource&);
    void save_to(const std::filesystem::path&);  ///< throws Error where it cannot be saved
    void set_path(std::filesystem::path);
    SessionFile file_now() const;
    std::filesystem::path start_folder() const;

    Session& session_;
    const Registry& registry_;
    FileDialogs& dialogs_;
    SessionState first_;              ///< the first screen's
    SessionState saved_, autosaved_;  ///< what the file holds; what the autosave was given
    std::filesystem::path path_, folder_;
    std::string text_;  ///< of the file at path_ when it was read or saved last
    RecentSessions recent_;
    std::vector<RecoverableSession> recoverable_;
    std::unique_ptr<Autosave> autosave_;
};

/// "10:42", or "20 Nov 10:42" on another day, in local time.
std::string describe_time(std::chrono::system_clock::time_point, std::chrono::system_clock::time_point now);

}  // namespace convscope::app
