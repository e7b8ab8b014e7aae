// Maps '.loc' to the line that a programmer wrote: code inlined from a header counts for the line that called it.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "kernels/ptx/text/module.h"

namespace convscope::ptx {

/// One '.loc'.
struct Location {
    SourceLine line;
    std::uint32_t column = 0;
    SourceLine inlined;  ///< where it was called; file 0: nowhere
    std::uint32_t inlined_column = 0;
};

class SourceLines {
public:
    static void add_file(Module&, std::uint32_t number, std::string_view quoted);
    void begin_function();
    void add(const Location&);
    /// The line of the next instruction, which stands at 'text_line' of the PTX.
    SourceLine note(std::uint32_t text_line) const;
    /// Call at the end, since '.file' may come last: clears lines in files that have no name.
    void resolve(Module&) const;

private:
    struct Called {
        SourceLine line;
        std::uint32_t column;
        auto operator<=>(const Called&) const = default;
    };
    std::uint32_t main_file_ = 0;  ///< of the function: that of its first '.loc'
    SourceLine now_;
    std::map<Called, Called> callers_;  ///< of what was inlined, in this function
};

}  // namespace convscope::ptx
