// The files that the window opens, by their endings: on the command line, dropped on it, and in its dialog.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convscope::app {

/// Those of every kind, each with its dot. A session's (session_ending) ends in one of them.
std::vector<std::string> opened_endings();
/// Whether the name ends in one; FILE.npz:NAME does.
bool opens_in_app(const std::filesystem::path&);
/// "a preset in .toml, x in .npy, .npz or .safetensors, ...": each kind with its endings.
std::string opened_kinds();
/// ".npy, .npz or .safetensors"
std::string any_of(const std::vector<std::string>& endings);

}  // namespace convscope::app
