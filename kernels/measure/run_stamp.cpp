#include "kernels/measure/run_stamp.h"

#include <fmt/format.h>

#include <ctime>
#include <random>

namespace convscope {
namespace {

std::tm utc(std::time_t time = std::time(nullptr)) {
    std::tm parts{};
    gmtime_r(&time, &parts);
    return parts;
}

}  // namespace

std::string utc_now() {
    const std::tm t = utc();
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                       t.tm_min, t.tm_sec);
}

std::string run_stamp(std::time_t time) {
    const std::tm t = utc(time);
    return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                       t.tm_min, t.tm_sec);
}

std::string make_run_id(const std::string& mark) {
    return fmt::format("{}-{:08x}{}{}", run_stamp(std::time(nullptr)), std::random_device{}(), mark.empty() ? "" : "-",
                       mark);
}

}  // namespace convscope
