// Links put into words, for the inspector.
#pragma once

#include <vector>

#include "visualizers/explain/link_products.h"
#include "visualizers/explain/links.h"

namespace convscope {

/// Fills in sentence and details. Everything else in the set is final.
void describe_links(Format, const MapValues&, const std::vector<Product>&, LinkSet&);

}  // namespace convscope
