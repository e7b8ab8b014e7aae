// The methods of the faulty process, as both of its sides know them.
#pragma once

#include "tests/kernels/measure/fakes.h"

namespace convscope::testing {

/// "good", "baseline", "crashes" (a signal in mid-sampling), "leaves" (the process ends), "ruins" (fails, and so does
/// everything after it), "fails" (alone), "hangs" (in mid-sampling, for
/// ever). Only 'armed' ones do.
FakeLab fault_injection(bool armed);

}  // namespace convscope::testing
