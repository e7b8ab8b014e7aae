// Included by clang before the first line of a .cu file where there is no CUDA toolkit: CUDA's language, its runtime,
// and the parts of the standard library that nvcc includes as well.
#pragma once

#include "atomics.h"
#include "library.h"
#include "runtime.h"
#include "textures.h"
#include "variables.h"
#include "warps.h"
