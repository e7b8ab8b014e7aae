// Errors that end an operation. Each carries one sentence for the user and the exit status of the
// command line (docs: README, 'Exit status'). A failure while measuring is data, not an exception: the
// measuring code catches these and writes a record.
#pragma once

#include <stdexcept>
#include <string>

namespace convscope {

enum class ErrorKind {
    usage = 2,      ///< a flag, a value, a shape or a launch configuration that cannot be
    not_found = 3,  ///< no such device, method or preset
    wrong = 4,      ///< a result differed from the reference's
    failed = 5,     ///< a run failed: a library or a device reported an error
    file = 6,       ///< a file could not be read or written
};

class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
    ErrorKind kind() const { return kind_; }
    int exit_status() const { return static_cast<int>(kind_); }

private:
    ErrorKind kind_;
};

/// Memory on a host or a device ran out. Recorded with status out_of_memory.
class OutOfMemory : public Error {
public:
    explicit OutOfMemory(const std::string& sentence) : Error(ErrorKind::failed, sentence) {}
};

}  // namespace convscope
