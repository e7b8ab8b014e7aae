// ocpa4: the better of sparse and dense for each layer, chosen by the zeros of x.
#pragma once

#include <memory>
#include <vector>

#include "kernels/method/registry.h"
#include "kernels/ocpa/choice_table.h"
#include "kernels/ocpa/map_launchers.h"

namespace convscope {

/// The table and the counts by which an execution of ocpa4 chose. Known from its first upload() on.
class ChoiceByZeros {
public:
    virtual ~ChoiceByZeros() = default;
    virtual const ChoiceTable& table() const = 0;
    /// FLOPs of each of the table's boxes, by the zeros that were counted on the GPU.
    virtual const std::vector<double>& flops() const = 0;
};

/// The first upload() of an execution calibrates the shape on this device, where no execution has before with as many
/// zeros in w, counts the zeros of x on the GPU and chooses the candidate (candidates.h) whose time is the shortest by
/// the law (choice_table.h); the execution then is the chosen one's. Later uploads keep the choice: what a run uses
/// stays where it is. No timing scope contains calibration, count or choice. Execution::choice() is the chosen method's
/// id. upload() throws Error(failed) where every candidate is left out.
///
/// "ocpa4" for DType::f32 and NCHW, "ocpa4-tf32" for DType::tf32; "ocpa4-nhwc" and "ocpa4-nhwc-tf32" take and return
/// NHWC. The registry outlives the method, and may be added to.
std::unique_ptr<Method> make_ocpa4(const Registry&, DeviceKind, DType, Layout, const MapLaunchers&);

/// Such a method derives from this as well: what it launches besides its candidates' kernels, for tests of them alone.
class HasMapLaunchers {
public:
    virtual ~HasMapLaunchers() = default;
    virtual const MapLaunchers& launchers() const = 0;
};

}  // namespace convscope
