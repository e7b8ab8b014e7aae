// Protocol Buffers' wire format, in which ONNX files are written: a message is a sequence of fields, each a number, a
// type and a value. Format: https://protobuf.dev/programming-guides/encoding/
//
// Reading it here and not by Google's library: weights stay where they lie in the file, nothing is allocated for what a
// length only claims, and neither a generator nor a library joins the build.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace convscope {

/// Describes the defect of bytes that are not a message.
struct BadMessage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct WireField {
    enum class Type { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

    std::uint64_t number = 0;  ///< of the field in its message
    Type type = Type::varint;
    std::uint64_t bits = 0;  ///< of a varint or a fixed value
    std::string_view bytes;  ///< of a string, a message or packed values: a part of the message that is read

    std::int64_t integer() const;   ///< throws BadMessage unless it is a varint, as are the next unless of their type
    float real() const;             ///< fixed32
    std::string_view text() const;  ///< bytes
    void append_to(std::vector<std::int64_t>&) const;  ///< one varint, or packed ones
    void append_to(std::vector<float>&) const;
    void append_to(std::vector<double>&) const;
};

/// Walks over the fields of a message, in the order in which they lie.
class WireReader {
public:
    explicit WireReader(std::string_view message) : left_(message) {}

    /// Reads the next field; false at the end. Throws BadMessage.
    bool next(WireField&);

private:
    std::string_view left_;
};

}  // namespace convscope
