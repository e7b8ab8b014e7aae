// How far the reading of a file of records is, and how long the rest will take.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace convscope {

/// Called now and then with the share of the bytes whose rows have been read, 0 to 1. A reader that loads the whole
/// file before its first row begins with 0.
using ReadProgress = std::function<void(double share)>;

/// "43 %, about 12 s left", after this many seconds.
std::string describe_progress(double share, double seconds);

/// Announces a slow read: once the expected time, then the progress.
class ReadingTime {
public:
    explicit ReadingTime(std::string file) : file_(std::move(file)) {}
    /// "reading big.csv takes about 24 s", the first time that the remaining time is long enough to be announced; else
    /// empty.
    std::string announcement(double share, double seconds);
    bool announced() const { return announced_; }

private:
    std::string file_;
    bool announced_ = false;
};

}  // namespace convscope
