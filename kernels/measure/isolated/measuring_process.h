// A process of this program's own that measures, kept alive between points.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/measure/isolated/message_pipe.h"

namespace convscope {

/// This program: what is run as the measuring process, with the hidden subcommand that makes it one.
std::vector<std::string> own_measuring_command();

class MeasuringProcess {
public:
    /// The descriptor that the process finds its socket at.
    static constexpr int socket_number = 3;

    /// Throws Error(failed) where no process can be started.
    explicit MeasuringProcess(const std::vector<std::string>& command);
    /// Ends it, whatever it is doing; one that the driver holds back is not waited for longer than five seconds.
    ~MeasuringProcess();
    MeasuringProcess(const MeasuringProcess&) = delete;
    MeasuringProcess& operator=(const MeasuringProcess&) = delete;

    MessagePipe& pipe() { return *pipe_; }
    /// Once it is gone: "was ended by signal 11 (Segmentation fault)", "ended with status 3".
    std::string last_words();

private:
    pid_t pid_ = -1;
    std::optional<MessagePipe> pipe_;
};

}  // namespace convscope
