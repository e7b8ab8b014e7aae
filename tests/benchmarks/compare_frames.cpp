// How long the Compare view takes to show 10^4 to 10^6 records, and what a frame takes while one pans through them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "app/tour/headless.h"
#include "app/ui/shell/shell.h"
#include "kernels/records/csv_file.h"
#include "tests/kernels/records/many_records.h"

namespace {

using namespace convscope;
using namespace convscope::app;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Bench {
public:
    Bench() : registry_(make_registry()), headless_(1600, 1000, 1), shell_(*registry_, [] {}) {
        ItemRegistry::active = &item_registry_;
        shell_.session().view = "compare";
    }
    double frame() {
        const Clock::time_point start = Clock::now();
        item_registry_.clear();
        headless_.frame([this] {
            shell_.frame(headless_.fonts(), 1, 0);
            return shell_.background();
        });
        return ms_since(start);
    }
    /// Until nothing is being made any more.
    double settle() {
        const Clock::time_point start = Clock::now();
        do {
            frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (shell_.compare().loading());
        frame();
        return ms_since(start);
    }
    double open(const std::filesystem::path& file) {
        shell_.open(file);
        return settle();
    }
    double show(ComparePage page) {
        shell_.session().compare = {};
        shell_.session().compare.page = page;
        return settle();
    }
    /// The median and the slowest of 60 frames with the wheel turned in each.
    std::pair<double, double> pan(const char* item) {
        headless_.move_to(item_registry_.items().at(item).centre());
        std::vector<double> times;
        for (int i = 0; i < 60; ++i) {
            headless_.wheel(i < 30 ? 1.0F : -1.0F);
            times.push_back(frame());
        }
        std::ranges::sort(times);
        return {times[30], times.back()};
    }

private:
    std::unique_ptr<Registry> registry_;
    Headless headless_;
    Shell shell_;
    ItemRegistry item_registry_;
};

}  // namespace

int main() {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("compare-frames-{}.csv", getpid());
    fmt::print("{:>9} {:>9} {:>9} {:>20} {:>9} {:>20} {:>9}\n", "rows", "open ms", "table ms", "table frame ms",
               "lines ms", "lines frame ms", "roof ms");
    for (const std::size_t rows : {10'000, 100'000, 1'000'000}) {
        write_csv(file, testing::many_records(rows));
        Bench bench;
        const double open = bench.open(file);
        const double table = bench.show(ComparePage("table"));
        const auto [table_median, table_most] = bench.pan("compare/row/3");
        const double lines = bench.show(ComparePage("lines"));
        const auto [lines_median, lines_most] = bench.pan("compare/plot 0");
        const double roof = bench.show(ComparePage("roofline"));
        fmt::print("{:>9} {:>9.0f} {:>9.0f} {:>9.1f} most {:>5.1f} {:>9.0f} {:>9.1f} most {:>5.1f} {:>9.0f}\n", rows,
                   open, table, table_median, table_most, lines, lines_median, lines_most, roof);
    }
    std::filesystem::remove(file);
}
