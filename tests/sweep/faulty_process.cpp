// A measuring process whose methods go wrong as GPUs do: one crashes, one ruins the context for whatever comes after
// it, one ends the process without a word.
#include <signal.h>
#include <unistd.h>

#include "app/sweep/measure_server.h"
#include "app/sweep/measuring_process.h"
#include "kernels/core/error.h"
#include "tests/measure/fakes.h"
#include "tests/sweep/faulty_lab.h"

int main() {
    auto lab = convscope::testing::faulty_lab(true);
    convscope::serve_measurements(*lab.registry, convscope::MeasuringProcess::socket_number);
}
