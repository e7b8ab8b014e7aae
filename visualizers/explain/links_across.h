// The same element in another format: its copies in a second layout, next to the first.
#pragma once

#include <cstdint>

#include "visualizers/explain/links.h"

namespace convscope {

/// The elements of 'to' that are linked with an element of 'from', of the same map. Two elements of different formats
/// are linked when they take part in one multiplication of the convolution. Multiplications by a zero input count: a
/// window's Ptr is linked with the whole window in L; but the zeros themselves are not stored in the sparse formats,
/// and no slot is linked with them. An element that is in no multiplication (an unused slot) is linked with nothing.
/// The set's focus is the element of 'from', its cells are those of 'to', its block and thread those that 'to' gives
/// the work to; its sentence says what 'to' has of it. 'most' bounds the multiplications that are listed.
LinkSet find_links_across(Format from, Format to, const MapValues&, const ElementRef& focus, const ThreadMap& = {},
                          std::int64_t most = 65536);

/// The array in which a format keeps the inputs: L, F_data, Data, im2col.
ArrayId storage_of(Format);
/// "ECR", "PECR", "MEC", "im2col": as people write them.
const char* title_of(Format);

}  // namespace convscope
