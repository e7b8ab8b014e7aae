// The user's folders, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>
#include <string>

namespace convscope {

/// $HOME, or / where it is not set.
std::filesystem::path home_folder();

enum class UserFolder { config, state, data, cache };

/// The folder that all programs share: $XDG_CONFIG_HOME or ~/.config, $XDG_STATE_HOME or ~/.local/state, $XDG_DATA_HOME
/// or ~/.local/share, $XDG_CACHE_HOME or ~/.cache. Empty where neither the variable nor $HOME is set; a variable
/// without a full path counts as not set.
std::filesystem::path shared_folder(UserFolder);

/// The folder convscope in the shared one; it may not exist yet. Empty as above.
std::filesystem::path user_folder(UserFolder);

/// The system's folder for temporary files: $TMPDIR, or /tmp.
std::filesystem::path temporary_root();

/// Creates a new, empty folder there, or in another 'root', that only this user can access. Throws Error(file).
std::filesystem::path make_temporary_folder(const std::string& prefix = "convscope-",
                                            const std::filesystem::path& root = temporary_root());

/// Creates a folder for results, and those that it is in, where it is missing. Throws Error(file).
void make_folder(const std::filesystem::path&);

}  // namespace convscope
