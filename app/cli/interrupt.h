// Ctrl-C: the first one asks the work to stop after the sample under way, the second one ends the program.
#pragma once

#include <stop_token>
#include <thread>

namespace convscope::cli {

/// The exit status of a run that was stopped by Ctrl-C, as shells have it.
constexpr int interrupted_status = 130;

/// Takes SIGINT and SIGTERM for as long as it lives; there can be one at a time. The handler only writes into a pipe
/// (libraries have threads of their own from before main, and any of them may be the one that is interrupted); a
/// thread that reads the pipe does the rest.
class Interrupt {
public:
    /// 'sentence' is what is said at the first one.
    explicit Interrupt(const char* sentence = "stopping after the sample under way");
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }
    bool requested() const { return source_.stop_requested(); }

private:
    void watch();

    const char* const sentence_;
    std::stop_source source_;
    std::thread thread_;
};

}  // namespace convscope::cli
