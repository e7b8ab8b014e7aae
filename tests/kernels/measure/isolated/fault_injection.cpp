#include "tests/kernels/measure/isolated/fault_injection.h"

#include <signal.h>
#include <unistd.h>

#include <random>

#include "kernels/core/error.h"

namespace convscope::testing {
namespace {

void fail_when(bool ruined) {
    if (ruined) throw Error(ErrorKind::failed, "an illegal memory access was encountered");
}

}  // namespace

FakeLab fault_injection(bool armed) {
    static bool ruined = false;  // of the process, as a CUDA context is
    const auto work = [](auto action) {
        return [action]() mutable {
            fail_when(ruined);
            action();
        };
    };
    std::vector<Script> scripts{{.id = "good"},    {.id = "baseline", .times_us = {20}, .vendor = true},
                                {.id = "crashes"}, {.id = "leaves"},
                                {.id = "ruins"},   {.id = "fails", .fail_at = 3},
                                {.id = "hangs"},   {.id = "slower", .times_us = {10.3}},
                                {.id = "varies"},  {.id = "waits", .lengthened_each = 1000000}};
    if (armed) {
        std::random_device random;
        scripts[8].times_us = {std::uniform_real_distribution<double>(10, 11)(random)};
        scripts[0].during_sample = scripts[1].during_sample = scripts[5].during_sample = work([] {});
        scripts[2].during_sample = work([samples = 0]() mutable {
            if (++samples < 20) return;
            signal(SIGSEGV, SIG_DFL);  // a sanitizer's own handler would leave with a status instead
            raise(SIGSEGV);
        });
        scripts[3].during_sample = work([] { _exit(7); });
        scripts[4].during_sample = work([] {
            ruined = true;
            fail_when(true);
        });
        scripts[6].during_sample = work([samples = 0]() mutable {
            if (++samples < 20) return;
            for (;;) pause();
        });
    }
    return FakeLab(scripts);
}

}  // namespace convscope::testing
