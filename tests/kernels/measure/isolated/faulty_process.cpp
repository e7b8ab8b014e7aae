// A measuring process whose methods go wrong as GPUs do: one crashes, one ruins the context for whatever comes after
// it, one ends the process without a word.
#include <signal.h>
#include <unistd.h>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/measuring_process.h"
#include "tests/kernels/measure/fakes.h"
#include "tests/kernels/measure/isolated/fault_injection.h"

int main() {
    auto lab = convscope::testing::fault_injection(true);
    convscope::serve_measurements(*lab.registry, convscope::MeasuringProcess::socket_number);
}
