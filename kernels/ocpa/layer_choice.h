// Methods that have no kernel of their own for a layer: they choose another method, by its shape or by its zeros.
#pragma once

#include <functional>
#include <memory>

#include "kernels/method/method.h"

namespace convscope {

/// The base of every method that leaves a layer to another one; no choice is made among these.
class ChoosingMethod : public Method {
public:
    /// Whether it chooses by times: then it runs on no device without a clock.
    virtual bool times_candidates() const { return false; }
};
bool times_candidates(const Method&);  ///< false of a method that does not choose

/// The method for a layer. It outlives the choice.
using ChooseMethod = std::function<const Method&(const ConvShape&)>;

/// Chooses by the shape. Supports, launches and computes what the chosen method does; Execution::choice() names it.
std::unique_ptr<Method> make_layer_choice(MethodInfo, ChooseMethod);

}  // namespace convscope
