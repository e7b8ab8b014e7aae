// Hugging Face's .safetensors files: the length of a JSON header in 8 bytes, the header, and the tensors' data.
// Format: https://github.com/huggingface/safetensors
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/files/npy.h"

namespace convscope {

class SafetensorsFile {
public:
    /// Reads the header. Throws BadNpy where it is none, its tensors' sizes are not those of their data, or they do not
    /// fill the file. Memory in proportion to the header, which the file's size bounds.
    explicit SafetensorsFile(const std::filesystem::path&);

    std::vector<std::string> names() const;
    /// 2 to 4 sizes, of F64, F32, F16, BF16, integers or BOOL; throws BadNpy for others. 'name' is one of names().
    const NpyShape& shape(const std::string& name) const { return readable(name).shape; }
    /// Reads as float32 what shape() accepts. Throws BadNpy, also for a number beyond float32's range; OutOfMemory.
    NpyArray read(const std::string& name);

private:
    struct Entry {
        std::string type;
        NpyShape shape;
        std::int64_t begin = 0, end = 0;  ///< of the data
    };
    const Entry& readable(const std::string& name) const;
    void read_header(const std::string& text, std::int64_t data_bytes);

    std::string name_;
    std::unique_ptr<std::istream> file_;
    std::int64_t data_begin_ = 0;
    std::map<std::string, Entry> entries_;
};

}  // namespace convscope
