#include "app/cli/load_workload.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/request/request.h"
#include "kernels/core/say.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/measure/measure.h"

namespace convscope::cli {

Workload load_workload(const WorkloadSpec& spec, bool checked) {
    if (checked) require_room_to_check(spec.shape);
    Workload workload = make_workload(spec);
    note_unusual_data(workload);
    return workload;
}

bool note_unread_formats() {
    for (const UnreadFormat& unread : unread_sparse_formats()) say("convscope: {}\n", unread.error);
    return !unread_sparse_formats().empty();
}

void note_unusual_data(const Workload& workload) {
    if (const std::string note = unusual_data(workload); !note.empty()) say("convscope: {}\n", note);
}

}  // namespace convscope::cli
