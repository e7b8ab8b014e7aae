// Serialises values between two processes of this program as they lie in memory: both are the same binary on the same
// machine. Doubles arrive as the same bits.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace convscope {

/// Appends values to a byte string. exchange() in wire_types.h calls it for whole structs.
class WireWriter {
public:
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const std::string& text) {
        (*this)(text.size());
        bytes_.append(text);
    }
    void count(std::size_t size) { (*this)(size); }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads the values in the same order. Throws std::out_of_range where the bytes end too early or no writer wrote them.
class WireReader {
public:
    /// 'bytes' outlive it.
    explicit WireReader(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    void operator()(T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        std::memcpy(&value, take(sizeof value), sizeof value);
    }
    void operator()(bool& value) {
        const char byte = *take(1);
        if (byte != 0 && byte != 1) throw std::out_of_range("a message between two processes is garbled");
        value = byte == 1;
    }
    void operator()(std::string& text) {
        std::size_t size = 0;
        (*this)(size);
        text.assign(take(size), size);
    }
    /// Reads how many values follow, each of at least a byte, so that a garbled count cannot allocate more than the
    /// message.
    void count(std::size_t& size) {
        (*this)(size);
        if (size > bytes_.size() - at_) throw std::out_of_range("a message between two processes was cut short");
    }

private:
    const char* take(std::size_t size) {
        if (size > bytes_.size() - at_) throw std::out_of_range("a message between two processes was cut short");
        at_ += size;
        return bytes_.data() + at_ - size;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace convscope
