#include "kernels/measure/isolated/message_pipe.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace convscope {
namespace {

constexpr std::size_t head_size = 1 + sizeof(std::uint64_t);

bool write_all(int descriptor, const char* bytes, std::size_t size) {
    while (size > 0) {
        // Without the flag, a process that died would take this one with it.
        const ssize_t written = ::send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool read_all(int descriptor, char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t got = read(descriptor, bytes, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

}  // namespace

MessagePipe::~MessagePipe() {
    close(socket_);
}

bool MessagePipe::send(MessageKind kind, const std::string& bytes) {
    const std::uint64_t size = bytes.size();
    std::string whole(head_size, '\0');
    whole[0] = static_cast<char>(kind);
    std::memcpy(whole.data() + 1, &size, sizeof size);
    whole += bytes;
    const std::scoped_lock lock(sending_);
    return write_all(socket_, whole.data(), whole.size());
}

bool MessagePipe::wait(std::chrono::milliseconds longest) const {
    pollfd look{socket_, POLLIN, 0};
    return poll(&look, 1, static_cast<int>(longest.count())) > 0;
}

std::optional<Message> MessagePipe::receive() {
    char head[head_size];
    if (!read_all(socket_, head, sizeof head)) return std::nullopt;
    Message message;
    message.kind = static_cast<MessageKind>(head[0]);
    std::uint64_t size = 0;
    std::memcpy(&size, head + 1, sizeof size);
    message.bytes.resize(size);
    if (!read_all(socket_, message.bytes.data(), size)) return std::nullopt;
    return message;
}

}  // namespace convscope
