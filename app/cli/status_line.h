// One line on stderr that says what is going on; nothing where stderr is not a terminal.
#pragma once

#include <chrono>
#include <string>

#include "kernels/measure/measure.h"

namespace convscope::cli {

class StatusLine {
public:
    StatusLine();
    ~StatusLine() { clear(); }
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    /// Stands before every text: "12/360, 3 min left".
    void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
    void show(const std::string& text);
    void show(const Progress&);  ///< at most ten times a second
    void clear();
    /// A sentence of its own, in place of the line.
    void warn(const std::string& sentence);
    bool is_terminal() const { return terminal_; }

private:
    bool terminal_;
    bool shown_ = false;
    std::string prefix_;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace convscope::cli
