#include "app/ui/layout_view/block_row.h"

#include <algorithm>

#include "visualizers/explain/thread_balance.h"

namespace convscope::app {
namespace {

std::int64_t rows_each(Format format, const ConvShape& shape) {
    return format == Format::pecr ? shape.pool_stride : 1;
}

}  // namespace

std::int64_t shown_block_row(const Session& session, const Snapshot& snapshot, Format format) {
    const ConvShape& shape = snapshot.map_shape;
    const std::int64_t row = session.pages.block.value_or(snapshot.opening_row);
    return std::min(row / rows_each(format, shape), block_rows(format, shape) - 1);
}

void choose_block_row(Session& session, const Snapshot& snapshot, Format format, std::int64_t block) {
    if (block != shown_block_row(session, snapshot, format))
        session.pages.block = block * rows_each(format, snapshot.map_shape);
}

}  // namespace convscope::app
