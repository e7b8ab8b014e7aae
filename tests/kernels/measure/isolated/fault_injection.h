// The methods of the faulty process, as both of its sides know them.
#pragma once

#include "tests/kernels/measure/fakes.h"

namespace convscope::testing {

/// "good", "baseline", "crashes" (a signal in mid-sampling), "leaves" (the process ends), "ruins" (fails, and so does
/// everything after it), "fails" (alone), "hangs" (in mid-sampling, for
/// ever), "slower" (than "good" by 3 %), "varies" (10 to 11 us, another time in each process), "waits" (for a core in
/// nearly every sample). Only 'armed' ones do.
FakeLab fault_injection(bool armed);

}  // namespace convscope::testing
