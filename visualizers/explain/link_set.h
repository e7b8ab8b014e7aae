// Puts a LinkSet together. Internal to the links.
#pragma once

#include <vector>

#include "visualizers/explain/link_products.h"
#include "visualizers/explain/links.h"

namespace convscope {

/// Sorts the elements into the set's cells, each once.
void set_cells(LinkSet&, const std::vector<ElementRef>&);
/// Block and thread, where all of these products are one thread's.
void set_place(LinkSet&, Format, const ConvShape&, const std::vector<Product>&, const ThreadMap&);

/// The part of x under windows (oy, ox) .. (oy + rows - 1, ox + cols - 1).
LinkArea window_in_x(const ConvShape&, std::int64_t oy, std::int64_t ox, std::int64_t rows, std::int64_t cols);
/// Threads of a block: never more than there are windows (or pooling windows) in its row.
std::int64_t threads_of(Format, const ConvShape&, const ThreadMap&);

}  // namespace convscope
