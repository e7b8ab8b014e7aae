// How far the reading of a file of records is, and how long the rest will take.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace convscope {

/// Is told the share of the bytes whose rows have been read, 0 to 1, now and then. Whoever reads the whole
/// file before its first row begins with 0.
using ReadProgress = std::function<void(double share)>;

/// "43 %, about 12 s left", after so many seconds.
std::string describe_progress(double share, double seconds);

/// What is said of a file whose reading takes long: once how long that will be, then how far it is.
class ReadingTime {
public:
    explicit ReadingTime(std::string file) : file_(std::move(file)) {}
    /// "reading big.csv takes about 24 s", the first time that so much of it is left that it should be said; else
    /// empty.
    std::string announcement(double share, double seconds);
    bool announced() const { return announced_; }

private:
    std::string file_;
    bool announced_ = false;
};

}  // namespace convscope
