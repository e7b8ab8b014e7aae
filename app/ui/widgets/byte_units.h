// Which units bytes() of app/ui/widgets/format.h writes: a user's choice, for the screen alone. Files have plain
// bytes.
#pragma once

namespace convscope::app {

/// False, the default: kB, MB, GB in steps of 1000. True: KiB, MiB, GiB in steps of 1024.
void use_binary_bytes(bool);

}  // namespace convscope::app
