// The data of a command, with what a user should know about it on stderr.
#pragma once

#include "kernels/layers/workload.h"

namespace convscope::cli {

/// Builds the data. NaN and infinity in it are reported on stderr. Throws OutOfMemory before allocating what the host
/// cannot hold, with what the reference needs when the result is to be checked.
Workload load_workload(const WorkloadSpec&, bool checked = true);

/// Reports files of formats that are wrong; whether there are any.
bool note_unread_formats();

/// Reports NaN and infinity in it on stderr.
void note_unusual_data(const Workload&);

}  // namespace convscope::cli
