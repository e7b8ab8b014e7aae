// A user's own kernel for a sweep: compiled once for each choice of its defines, and called for each layer.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/sweep/done_rows.h"
#include "app/sweep/user_source.h"
#include "app/user_kernel/user_kernel.h"

namespace convscope::app {

class UserVariants final : public UserSource {
public:
    /// 'file' is "FILE.cu", or "FILE.cu:NAME" where the file has several kernels. Reads it; throws Error(file), and
    /// Error(usage) where the kernel cannot be told.
    explicit UserVariants(const std::string& file, std::stop_token stop = {});

    const std::filesystem::path& file() const { return call_.file; }
    const std::string& source() const { return source_; }
    const std::string& base() const { return base_; }  ///< "conv"
    std::string id() const { return "own/" + base_; }

    UserLaunch planned(const DeviceInfo&, const UserVariant&) const override;
    /// Throws what compile_to_ptx and read_kernel throw, besides.
    UserLaunch made(const WorkloadSpec&, const DeviceInfo&, const UserVariant&) override;
    /// Rows of runs that began before the file was saved last: which text they are of is not known.
    void forget_older(DoneRows&) const;

private:
    struct Compiled {
        std::shared_ptr<const UserKernel> kernel;
        std::string reason;  ///< why there is none
    };
    KernelCall call_of(const DeviceInfo&, const UserVariant&) const;
    const Compiled& compiled(const KernelCall&);
    void require_unchanged() const;

    std::stop_token stop_;  ///< ends a compilation
    KernelCall call_;
    std::string source_, base_;
    std::map<std::string, Compiled> compiled_;    ///< by architecture and defines
    std::map<std::string, UserLaunch> launches_;  ///< by those, the rest of the call and the shape
};

}  // namespace convscope::app
