// What only the source of a kernel says: its parameters' names and types, and in a comment before it how it is called:
//
//   // convscope: grid = (ceil(q/16), ceil(p/16), n*k), block = (16, 16), height = h
#pragma once

#include <map>
#include <string>
#include <vector>

namespace convscope::ptx {

struct ParameterText {
    std::string name;
    std::string type;  ///< "float", "unsigned char"; without const, & and *
    bool pointer = false;
    bool constant = false;  ///< what it points to
};

struct KernelText {
    std::string name;
    unsigned line = 0;
    std::vector<ParameterText> parameters;
    /// From the comment: what stands before each '=', with the expressions behind it (several in parentheses).
    std::map<std::string, std::vector<std::string>> call;
};

/// Every __global__ function, in order. Throws Error(usage), "NAME:LINE: ...", for a comment that does not read.
std::vector<KernelText> read_kernel_texts(const std::string& source, const std::string& name);

}  // namespace convscope::ptx
