// A measuring process with one more method, whose kernel writes where it must not: a sticky error of its context.
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/measuring_process.h"
#include "tests/kernels/gpu/illegal_method.h"

int main() {
    const auto registry = convscope::make_registry();
    registry->add(convscope::testing::make_illegal_method());
    convscope::serve_measurements(*registry, convscope::MeasuringProcess::socket_number);
}
