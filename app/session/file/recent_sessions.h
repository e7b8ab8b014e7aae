// The session files that were opened or saved last, on this machine by this user. All instances share one list.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convscope::app {

struct RecentSession {
    std::filesystem::path path;
    std::string reason;  ///< why it cannot be opened: "not there any more"; empty when it can
};

class RecentSessions {
public:
    static constexpr std::size_t most = 12;

    /// Kept in 'folder'/recent.toml; empty: only in memory. A file that is not a list is begun again.
    void keep_in(const std::filesystem::path& folder);
    /// Moves it to the front. What other instances have added stays. A list that cannot be written is no misfortune.
    void add(const std::filesystem::path&);
    /// Looks at the list and at its files again.
    void refresh();

    const std::vector<RecentSession>& list() const { return list_; }

private:
    std::filesystem::path file_;
    std::vector<RecentSession> list_;  ///< the latest first
};

}  // namespace convscope::app
