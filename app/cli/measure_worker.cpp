// Measures in a process of its own, which a sweep starts; no command for people.

#include "app/cli/subcommand.h"
#include "kernels/core/error.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/measuring_process.h"

#include <sys/socket.h>

namespace convscope::cli {
namespace {

int measure_worker() {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(MeasuringProcess::socket_number, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
        throw Error(ErrorKind::usage, "measure-worker is what a sweep starts for itself; give convscope sweep");
    const auto registry = make_registry();
    serve_measurements(*registry, MeasuringProcess::socket_number);
}

}  // namespace

Command add_measure_worker(CLI::App& program) {
    Subcommand command(program, "measure-worker", "");
    command.hide();
    return command.runs(measure_worker);
}

}  // namespace convscope::cli
