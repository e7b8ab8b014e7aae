// A process of this program's own that measures, kept alive between points.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/measure/isolated/message_pipe.h"

namespace convscope {

/// The command line of the measuring process: this program with a hidden subcommand.
std::vector<std::string> own_measuring_command();

class MeasuringProcess {
public:
    /// The file descriptor of the socket in the new process.
    static constexpr int socket_number = 3;

    /// Throws Error(failed) where no process can be started.
    explicit MeasuringProcess(const std::vector<std::string>& command);
    /// Ends it, whatever it is doing; waits at most five seconds for one that the driver holds back.
    ~MeasuringProcess();
    MeasuringProcess(const MeasuringProcess&) = delete;
    MeasuringProcess& operator=(const MeasuringProcess&) = delete;

    MessagePipe& pipe() { return *pipe_; }
    /// Describes how it ended: "was ended by signal 11 (Segmentation fault)", "ended with status 3".
    std::string last_words();

private:
    pid_t pid_ = -1;
    std::optional<MessagePipe> pipe_;
};

}  // namespace convscope
