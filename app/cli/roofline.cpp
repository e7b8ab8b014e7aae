// convscope roofline: what the devices of this machine reach at best, measured, and by the datasheet.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/own_file.h"
#include "app/cli/subcommand.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/measure/ceilings.h"

namespace convscope::cli {
namespace {

constexpr Flag roofline_list[] = {
    {"--device", "ID", "cpu or cuda:0 (every device that is there)"},
    {"--csv", "FILE", "write the ceilings as CSV"},
    {"--json", "FILE", "write the ceilings as JSON"},
};

std::string share(double measured, double datasheet) {
    return fmt::format("{:.1f} % of the datasheet's {:.4g}", 100 * measured / datasheet, datasheet);
}

void print(const CeilingRow& row) {
    const Ceilings& measured = row.measured;
    // A CPU's FP32 is a small part of a TFLOP/s.
    fmt::print("{} ({})\n  copy  {:8.1f} GB/s     {}\n  FP32  {:>14}/s  {}\n", row.device, row.device_name,
               measured.copy_gb_per_s,
               row.datasheet ? share(measured.copy_gb_per_s, row.datasheet->copy_gb_per_s) : "no datasheet here",
               format_flop(1e12 * measured.fp32_tflops),
               row.datasheet ? share(measured.fp32_tflops, row.datasheet->fp32_tflops) : "");
    if (measured.busy) fmt::print("  the processor is busy; alone it may reach more\n");
    std::fflush(stdout);
}

int roofline(const FlagValues& flags) {
    const std::vector<GivenFile> outputs{{"--csv", flags.get_or("--csv", "")}, {"--json", flags.get_or("--json", "")}};
    require_own_files(outputs, {});
    require_json_or_nothing(outputs.back());
    for (const GivenFile& output : outputs) {
        require_no_records(output);
        if (!output.path.empty()) require_writable(output.path);
    }
    const auto registry = make_registry();
    std::vector<CeilingRow> rows;
    for (const DeviceInfo* info : registry->devices()) {
        const bool chosen =
            flags.has("--device") ? info->id == registry->device(flags.get("--device")).info().id : info->available;
        if (!chosen) continue;
        Device& device = registry->device(info->id);
        const auto measured = measured_ceilings(device);
        if (!measured && flags.has("--device"))
            throw Error(ErrorKind::usage,
                        fmt::format("{} has no clock that means anything; give cpu or a GPU", info->id));
        if (!measured) continue;
        rows.push_back(ceiling_row(device.info(), *measured));
        print(rows.back());
    }
    if (flags.has("--csv")) write_text_file(flags.get("--csv"), ceilings_csv(rows));
    if (flags.has("--json")) write_text_file(flags.get("--json"), ceilings_json(rows));
    return 0;
}

}  // namespace

Command add_roofline(CLI::App& program) {
    Subcommand command(program, "roofline", "measure what each device reaches at best, next to its datasheet");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, roofline_list, "Flags");
    return command.runs([flags] { return roofline(*flags); });
}

}  // namespace convscope::cli
