// The block row that ECR, PECR and Balance take apart: one choice, in rows of the convolution; a block row of PECR
// covers several.
#pragma once

#include <cstdint>

#include "app/session/snapshot.h"

namespace convscope::app {

/// From 0; the last one where the layer has fewer.
std::int64_t shown_block_row(const Session&, const Snapshot&, Format);
/// Chosen by hand. Does nothing where it is the one that is shown.
void choose_block_row(Session&, const Snapshot&, Format, std::int64_t block);

}  // namespace convscope::app
