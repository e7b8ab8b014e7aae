// What a sweep starts to measure in a process of its own; nothing for people.
#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "kernels/core/error.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/measuring_process.h"

#include <sys/socket.h>

namespace convscope::cli {
namespace {

int measure_for_sweep() {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(MeasuringProcess::socket_number, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
        throw Error(ErrorKind::usage, "measure-for-sweep is what a sweep starts for itself; give convscope sweep");
    const auto registry = make_registry();
    serve_measurements(*registry, MeasuringProcess::socket_number);
}

}  // namespace

Command add_measure_for_sweep(CLI::App& program) {
    CLI::App* app = program.add_subcommand("measure-for-sweep", "")->group("");  // not in the help
    return {app, measure_for_sweep};
}

}  // namespace convscope::cli
