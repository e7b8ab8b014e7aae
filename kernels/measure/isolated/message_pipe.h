// Messages over a socket: a letter for the kind, a length, bytes.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace convscope {

/// The kinds of messages between a sweep and its measuring process.
enum class MessageKind : char {
    measure = 'M',   ///< to the process: whether it asks before each sample, a PointRequest
    user_run = 'O',  ///< to the process: an UserRunRequest; the answer is of the same kind, an UserRunResult
    go = 'G',        ///< to the process: the sample may begin
    stop = 'S',      ///< to the process: end after the sample under way
    phase = 'h',     ///< a text
    warning = 'w',   ///< a text
    working = 'k',   ///< a candidate's place: it is put to work now
    failed = 'f',    ///< a candidate's place
    progress = 'p',
    before_sample = 'b',  ///< waits for 'go'
    after_sample = 'a',
    rows = 'R',   ///< vector of Record: the answer to 'measure'
    error = 'E',  ///< an ErrorKind, whether memory ran out, a sentence: the other answer
};

struct Message {
    MessageKind kind{};
    std::string bytes;
};

class MessagePipe {
public:
    /// Owns the connected socket and closes it.
    explicit MessagePipe(int socket) : socket_(socket) {}
    ~MessagePipe();
    MessagePipe(const MessagePipe&) = delete;
    MessagePipe& operator=(const MessagePipe&) = delete;

    /// Thread-safe. False when the other side is gone.
    bool send(MessageKind, const std::string& bytes = {});
    /// Whether receive() has something to say: a message begins, or the other side is gone. Waits at most so long.
    bool wait(std::chrono::milliseconds longest) const;
    /// Empty when the other side is gone.
    std::optional<Message> receive();

private:
    int socket_;
    std::mutex sending_;
};

}  // namespace convscope
