// What two rows must have in common to be measurements of the same thing.
#pragma once

#include <span>
#include <string>

#include "kernels/records/record.h"

namespace convscope {

/// Equal for two rows of the same method, shape, data, launch configuration, scope and cache mode on the same kind of
/// device (cpu, cuda, sim), whichever device that was. measurement_key has the device, too.
std::string point_key(const Record&);

/// Equal for two rows that measure the same thing: device, method, shape, data, launch configuration and scope.
std::string measurement_key(const Record&);

/// The columns of the CSV that say what was measured: those of the key, and dtype, which follows from the method.
std::span<const char* const> point_columns();

/// What the key says, for people: "ecr3 [32x4x1] T=4 on cuda, 1x512x14x14 * 512x512x3x3, stride 1, pad 1, uniform data,
/// 85 % zeros, seed 1, scope kernel, cache hot".
std::string point_text(const Record&);

/// Whether of two rows of one point, 'next' further down in the files, that one counts: the one that was finished
/// later. A cancelled row was not finished.
bool supersedes(const Record& next, const Record& there);

/// "cuda" of "cuda:0".
std::string device_kind(const Record&);

}  // namespace convscope
