// The measured peak rates of a device: the roof of its roofline.
#pragma once

namespace convscope {

struct Ceilings {
    double copy_gb_per_s = 0;  ///< memory copied by kernels as fast as it goes, bytes read and written; 10^9 bytes
    double fp32_tflops = 0;    ///< multiply-adds on registers alone, 2 FLOPs each; 10^12 per second
    bool busy = false;         ///< other programs held the processor meanwhile: it may reach more
};

/// A device that can measure its ceilings implements this as well (see measured_ceilings).
class CeilingMeter {
public:
    virtual ~CeilingMeter() = default;
    /// Takes a fraction of a second and some memory. Throws Error when the device fails.
    virtual Ceilings measure_ceilings() = 0;
};

}  // namespace convscope
