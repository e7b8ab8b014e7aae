// The host's memory that can still be allocated, and the size of its last-level cache.
#pragma once

#include <cstdint>
#include <string>

namespace convscope {

/// Bytes of main memory that this process can ever have: the machine's, or less where its control group
/// or a limit of the process (ulimit -v) says so.
std::int64_t host_memory_bytes();

/// Bytes that can be allocated now without swapping (MemAvailable) and within the control group's limit, never more
/// than host_memory_bytes().
std::int64_t available_host_memory_bytes();

/// Throws OutOfMemory with both figures when 'bytes' is more than what is available. 'what' starts the sentence.
void require_host_memory(double bytes, const std::string& what);

/// Bytes of the CPU's last-level cache; 0 when the system does not say.
std::int64_t last_level_cache_bytes();

}  // namespace convscope
