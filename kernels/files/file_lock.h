// Opens a file that only one run of convscope may write at a time.
#pragma once

#include <filesystem>

namespace convscope {

/// Opens the file with these flags (O_CLOEXEC is added) and locks it until the descriptor is closed. The lock is on the
/// file that has the name when this returns, even if another run replaces it at this moment. Throws Error(file), naming
/// the file as 'shown', when it cannot be opened or another run holds the lock.
int open_locked(const std::filesystem::path&, int flags, const std::filesystem::path& shown);

/// Whether the name still refers to the open file: another run may have removed or replaced it.
bool still_has_its_name(int descriptor, const std::filesystem::path&);

}  // namespace convscope
