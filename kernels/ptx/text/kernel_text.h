// Reads from a kernel's source: its parameters' names and types, and, from a comment before it, how it is called:
//
//   // convscope: grid = (ceil(q/16), ceil(p/16), n*k), block = (16, 16), height = h
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace convscope::ptx {

/// The position of a structure's member in its parameter.
struct MemberPlace {
    std::uint64_t offset = 0, bytes = 0;  ///< of all elements
    std::vector<std::int64_t> shape;      ///< of an array that is inside of the structure; empty: it is none
    unsigned first_bit = 0, bits = 0;     ///< of a bit-field, from 'offset' on; 0 bits: it is none
};

/// A parameter, or a member of one that is a structure.
struct ParameterText {
    std::string name;  ///< "n", "p.n"
    std::string type;  ///< "float", "unsigned char"; without const, & and *; no name that the text gives to a type
    bool pointer = false;
    bool constant = false;                   ///< what it points to
    std::size_t parameter = 0;               ///< which of the kernel's, from 0
    std::optional<MemberPlace> member = {};  ///< unset: it is the parameter
};

struct KernelText {
    std::string name;
    unsigned line = 0;
    std::vector<ParameterText> parameters;
    /// The call comment: the names before each '=', with the expressions behind it (several in parentheses).
    std::map<std::string, std::vector<std::string>> call;
    std::map<std::string, std::int64_t> constants;  ///< whole numbers that the source has names for
    std::map<std::string, std::string> shared;      ///< types of the elements of its arrays in shared memory: "float"
    std::map<std::string, std::string> variables;   ///< likewise of what the file has in __constant__ and __device__
    std::set<std::string> unset;                    ///< of these, what the file gives no value
    /// Types of structures by the name of their variable: "Params" of "p", "Item" of "p.items[1]".
    std::map<std::string, std::string> structures;
};

/// Reads the function 'kernel', and the comments between it and the function before it, or at the top of the file where
/// there are none. Empty where the source has no such function. Throws Error(usage), "FILE:LINE: ...", for a comment
/// that does not parse. 'expanded', where given, is the preprocessed source, line for line: the function and its
/// parameters are searched there. Among several functions of the name, in namespaces or overloaded, the last that
/// begins at or before 'line' counts; the first where none does.
std::optional<KernelText> read_kernel_text(const std::string& source, const std::string& file,
                                           const std::string& kernel, const std::string& expanded = {},
                                           unsigned line = 0);

/// The names of the kernels in a source, which need not compile; none twice.
std::vector<std::string> kernel_names(const std::string& source);

}  // namespace convscope::ptx
