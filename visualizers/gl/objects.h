// OpenGL objects that free themselves. Each carries a label, which errors and debuggers show.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace convscope::gl {

/// Throws Error(failed) naming 'what' when OpenGL has recorded an error since the last check.
void check(const std::string& what);

/// A limit of this OpenGL by its name: GL_MAX_SHADER_STORAGE_BLOCK_SIZE.
std::int64_t limit(unsigned name);

/// A buffer object. Made with a fixed size; contents undefined until written.
class Buffer {
public:
    Buffer() = default;
    /// Throws OutOfMemory when the driver cannot hold it.
    Buffer(std::string label, std::int64_t bytes);
    ~Buffer();
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }

    unsigned id() const { return id_; }
    std::int64_t bytes() const { return bytes_; }
    const std::string& label() const { return label_; }
    void write(const void* data, std::int64_t bytes, std::int64_t offset = 0);
    /// Waits for the GL queue: keep it small.
    void read(void* data, std::int64_t bytes, std::int64_t offset = 0) const;
    /// 'rows' runs of 'row_bytes' that begin 'stride' bytes apart, the first at 'offset': gathered on the GPU, so that
    /// the queue is waited for once. All of them multiples of 4.
    void read_rows(void* data, std::int64_t rows, std::int64_t row_bytes, std::int64_t offset,
                   std::int64_t stride) const;

private:
    enum class Use { by_shaders, to_read_back };
    Buffer(std::string label, std::int64_t bytes, Use);
    void swap(Buffer& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(bytes_, other.bytes_);
        std::swap(label_, other.label_);
    }
    unsigned id_ = 0;
    std::int64_t bytes_ = 0;
    std::string label_;
};

/// An empty vertex array: our shaders make their vertices from gl_VertexID.
class VertexArray {
public:
    explicit VertexArray(const std::string& label);
    ~VertexArray();
    VertexArray(const VertexArray&) = delete;
    VertexArray& operator=(const VertexArray&) = delete;
    unsigned id() const { return id_; }

private:
    unsigned id_ = 0;
};

/// A vertex and a fragment shader, or a compute shader, linked. Throws Error(failed) with the compiler's log.
class Program {
public:
    Program(const std::string& label, const std::string& vertex_source, const std::string& fragment_source);
    Program(const std::string& label, const std::string& compute_source);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    unsigned id() const { return id_; }
    int uniform(const char* name) const;  ///< -1 when the compiler removed it

private:
    void link(const std::string& label);

    unsigned id_ = 0;
};

}  // namespace convscope::gl
