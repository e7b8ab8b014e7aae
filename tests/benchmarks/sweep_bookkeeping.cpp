// A sweep's cost besides measuring: planning, reporting, rows on disk before the next point. In this process and with a
// process of its own that measures. Give a folder for the CSV as the argument; the default is the present one.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "app/sweep/sweep_run.h"
#include "kernels/measure/isolated/isolated_measurer.h"
#include "kernels/measure/isolated/local_measurer.h"
#include "kernels/records/csv_file.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Measuring is what happens inside the process that measures, from the request to the rows.
class Stopwatch final : public PointMeasurer {
public:
    explicit Stopwatch(PointMeasurer& measurer) : measurer_(measurer) {}
    std::vector<Record> measure(const PointRequest& request, const PointSinks& sinks, std::stop_token stop) override {
        const auto begin = Clock::now();
        PointSinks none;  // the rows and what is told of them count as bookkeeping
        std::vector<Record> rows = measurer_.measure(request, none, std::move(stop));
        seconds_ += seconds_since(begin);
        for (const Record& row : rows) sinks.measure.record(row);
        return rows;
    }
    WorkloadSpec settled(const WorkloadSpec& spec) override { return measurer_.settled(spec); }
    double seconds() const { return seconds_; }

private:
    PointMeasurer& measurer_;
    double seconds_ = 0;
};

void report(const char* how, Registry& registry, PointMeasurer& measurer, const std::filesystem::path& csv) {
    FlagValues flags;
    flags.set("--device", "cpu");
    flags.set("--h", "14,28");
    flags.set("--r", "3");
    flags.set("--c", "16,32,64");
    flags.set("--k", "32");
    flags.set("--sparsity", "0:0.9:0.1");
    flags.set("--methods", "ecr,im2col");
    flags.set("--timeout", "0.05");
    std::filesystem::remove(csv);
    const auto begin = Clock::now();
    const SweepPlan plan(registry, flags);
    CsvFile file(csv);
    Stopwatch stopwatch(measurer);
    SweepRun run(registry, stopwatch, plan);
    SweepSinks sinks;
    sinks.record = [&](std::size_t, const Record& record) { file.append(record); };
    SweepControl control;
    run.run(sinks, control);
    const double all = seconds_since(begin), measuring = stopwatch.seconds();
    fmt::print("{}: {} points, {} rows: {:.2f} s measuring, {:.1f} ms bookkeeping, {:.2f} % of it\n", how,
               plan.points().size(), run.progress().rows, measuring, 1e3 * (all - measuring),
               100 * (all - measuring) / measuring);
    std::filesystem::remove(csv);
}

}  // namespace
}  // namespace convscope

int main(int count, char** arguments) {
    using namespace convscope;
    const std::filesystem::path csv = std::filesystem::path(count > 1 ? arguments[1] : ".") / "sweep_bookkeeping.csv";
    const auto registry = make_registry();
    LocalMeasurer local(*registry);
    report("in this process", *registry, local, csv);
    IsolatedMeasurer isolated(*registry, {CONVSCOPE_PROGRAM, "measure-worker"});
    report("in a process of its own", *registry, isolated, csv);
}
