// The state of the Kernel view, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "kernels/core/launch.h"

namespace convscope::app {

/// Counts of source lines, one of which stands next to the source.
enum class LineCount { lanes, instructions, sectors, wavefronts };
inline constexpr int line_count_count = 4;

/// Beyond the last step: the view takes the last.
inline constexpr std::size_t max_line_step = 1u << 30;
inline constexpr std::size_t max_launch = 1u << 30;

struct KernelChoice {
    std::string file;                          ///< absolute; empty: none is open
    std::string method;                        ///< in its place: one of ours that needs compute capability 9.0
    std::string entry;                         ///< of several kernels in the file, or of the method
    std::map<std::string, std::string> given;  ///< arguments that were typed, by name
    std::size_t launch = 0;                    ///< of a whole program, from 1 on; 0: what the view takes
    LineCount count = LineCount::lanes;
    bool ptx = false;     ///< the compiler's PTX stands next to the source
    bool sass = false;    ///< in its place what the GPU executes
    Dim3 block{0, 0, 0};  ///< whose warp is stepped through
    std::int64_t warp = 0;
    unsigned lane = 0;
    std::size_t step = 0;  ///< line steps done before the one that is shown
    bool operator==(const KernelChoice&) const = default;

    bool is_open() const { return !file.empty() || !method.empty(); }
    /// Another file, with nothing typed.
    void open(const std::string& path) {
        const LineCount kept = count;
        const bool with_ptx = ptx, with_sass = sass;
        *this = {};
        file = path;
        count = kept;
        ptx = with_ptx;
        sass = with_sass;
    }
    /// Another kernel of it, or all of it; empty: the only one, or all of a program.
    void choose_entry(const std::string& name) {
        entry = name;
        given.clear();
        launch = step = 0;
    }
    void choose_launch(std::size_t number) {
        launch = number;
        block = {0, 0, 0};
        warp = 0;
        step = 0;
    }
    void open_method(const std::string& id) {
        open("");
        method = id;
    }
};

}  // namespace convscope::app
