// Keys that are equal for two measurements of the same thing.
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

/// The CSV's columns that state what was measured: those of the key, and dtype, which follows from the method.
std::span<const char* const> point_columns();

/// Describes the key: "ecr3 [32x4x1] T=4 on cuda, 1x512x14x14 * 512x512x3x3, stride 1, pad 1, uniform data, 85 % zeros,
/// seed 1: scope kernel, cache hot", with the zeros in w before the scope where some were requested.
std::string point_text(const Record&);

/// "weights 50 % zeros (2:4)", as requested.
std::string weights_text(const Record&);

/// Whether 'next' replaces 'there', a row of the same point further up in the files: the one that was finished later
/// counts. A cancelled row was not finished.
bool supersedes(const Record& next, const Record& there);

/// The kind of the row's device: "cuda" for "cuda:0".
std::string device_kind(const Record&);

}  // namespace convscope
