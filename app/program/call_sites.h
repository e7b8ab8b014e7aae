// Where in the program's own sources a call stands, by the addresses of its code and the program's debug information.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace convscope::app {

struct CallSite {
    std::filesystem::path file;  ///< empty where the program has no lines
    unsigned line = 0;
    std::string function;  ///< "main"

    /// "add.cu:17"; "main()" where there is no line.
    std::string text() const;
};

class CallSites {
public:
    /// Asks addr2line of the distribution's binutils about all these addresses. Knows nothing where there is none.
    CallSites(const std::filesystem::path& program, const std::vector<std::uint64_t>& addresses,
              const std::stop_token&);

    /// The innermost of a call's frames that is not in a header of the system or of CUDA.
    std::optional<CallSite> of(const std::vector<std::uint64_t>& frames) const;

private:
    std::map<std::uint64_t, std::vector<CallSite>> known_;  ///< with what is inlined there, the innermost first
};

}  // namespace convscope::app
