// Session files, NAME.convscope.toml: a SessionState as TOML that a user can read and edit (docs/sessions.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace convscope::app {

inline constexpr int session_version = 1;
inline constexpr const char* session_ending = ".convscope.toml";

/// Whether a path is named as session files are.
bool is_session_file(const std::filesystem::path&);
/// "xu" of "/home/me/xu.convscope.toml".
std::string session_name(const std::filesystem::path&);

/// The content of a session file.
struct SessionFile {
    SessionState state;
    std::string device_name;  ///< of the device that measures: "NVIDIA H100 80GB HBM3"
    std::string saved_as;     ///< of an autosave: the session file that it belongs to; empty: none yet
};

struct SessionRead {
    SessionFile file;
    std::vector<std::string> notes;  ///< sentences: keys that are unknown and ignored
};

/// The text of a file. Throws Error(file) where a path in it is not UTF-8, which TOML cannot hold.
std::string session_text(const SessionFile&);
/// Reads a text; 'path' names it in messages, and is where relative paths in it begin. What the text does not say is as
/// in 'default_value'. Throws Error(file) with place ("FILE:12:5"), what is wrong and what is accepted: text that is no
/// TOML, a value of the wrong kind or out of range, a layer that cannot be, or a newer version.
SessionRead read_session_text(const std::string& text, const std::filesystem::path& path,
                              const SessionState& default_value);

/// The same of files. Writing replaces the file in one step. Both throw Error(file).
void write_session(const std::filesystem::path&, const SessionFile&);
SessionRead read_session(const std::filesystem::path&, const SessionState& default_value);

/// Makes of a state what this machine can show: a device that is not here gives way to one that is, and so do methods,
/// networks and files. Returns a sentence for each.
std::vector<std::string> fit_to_machine(SessionFile&, const Session& present, const Registry&);
/// The name of the device that the session measures on; empty when there is none.
std::string device_name_of(const Session&, const Registry&);

}  // namespace convscope::app
