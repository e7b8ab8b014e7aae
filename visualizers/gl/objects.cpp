#include "visualizers/gl/objects.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "kernels/core/error.h"

namespace convscope::gl {
namespace {

const char* error_name(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "invalid enum";
        case GL_INVALID_VALUE:
            return "invalid value";
        case GL_INVALID_OPERATION:
            return "invalid operation";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "invalid framebuffer operation";
        case GL_OUT_OF_MEMORY:
            return "out of memory";
        default:
            return "unknown error";
    }
}

void set_label(GLenum kind, unsigned id, const std::string& label) {
    glObjectLabel(kind, id, static_cast<GLsizei>(label.size()), label.c_str());
}

unsigned compile(GLenum kind, const std::string& label, const std::string& source) {
    const unsigned shader = glCreateShader(kind);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok) return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    throw Error(ErrorKind::failed, fmt::format("OpenGL could not compile shader '{}': {}", label, log));
}

}  // namespace

void check(const std::string& what) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    // Further queued errors belong to the same failure. A lost context reports errors for ever, hence the bound.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) continue;
    if (error == GL_OUT_OF_MEMORY) throw OutOfMemory(fmt::format("OpenGL ran out of memory in {}", what));
    throw Error(ErrorKind::failed, fmt::format("OpenGL reported '{}' in {}", error_name(error), what));
}

std::int64_t limit(unsigned name) {
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

Buffer::Buffer(std::string label, std::int64_t bytes) : Buffer(std::move(label), bytes, Use::by_shaders) {}

Buffer::Buffer(std::string label, std::int64_t bytes, Use use) : bytes_(bytes), label_(std::move(label)) {
    glGenBuffers(1, &id_);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes, nullptr, use == Use::to_read_back ? GL_STREAM_READ : GL_DYNAMIC_COPY);
    set_label(GL_BUFFER, id_, label_);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    check(fmt::format("making the buffer '{}' of {} bytes", label_, bytes));
}

Buffer::~Buffer() {
    if (id_) glDeleteBuffers(1, &id_);
}

void Buffer::write(const void* data, std::int64_t bytes, std::int64_t offset) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, offset, bytes, data);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    check("writing the buffer '" + label_ + "'");
}

void Buffer::read(void* data, std::int64_t bytes, std::int64_t offset) const {
    read_rows(data, 1, bytes, offset, bytes);
}

// By way of a buffer that is made for it: of any other, a driver may first move all to host memory, however little is
// read (40 ms of a frame for 512 MB).
void Buffer::read_rows(void* data, std::int64_t rows, std::int64_t row_bytes, std::int64_t offset,
                       std::int64_t stride) const {
    const bool together = rows == 1 || stride == row_bytes;
    const std::int64_t runs = together ? 1 : rows, run_bytes = together ? rows * row_bytes : row_bytes;
    const Buffer gathered("part of " + label_, rows * row_bytes, Use::to_read_back);
    glBindBuffer(GL_COPY_READ_BUFFER, id_);
    glBindBuffer(GL_COPY_WRITE_BUFFER, gathered.id_);
    for (std::int64_t run = 0; run < runs; ++run)
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, offset + run * stride, run * run_bytes,
                            run_bytes);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, rows * row_bytes, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    check("reading the buffer '" + label_ + "'");
}

VertexArray::VertexArray(const std::string& label) {
    glGenVertexArrays(1, &id_);
    glBindVertexArray(id_);
    set_label(GL_VERTEX_ARRAY, id_, label);
    glBindVertexArray(0);
}

VertexArray::~VertexArray() {
    glDeleteVertexArrays(1, &id_);
}

Program::Program(const std::string& label, const std::string& vertex_source, const std::string& fragment_source) {
    const unsigned vertex = compile(GL_VERTEX_SHADER, label + ".vert", vertex_source);
    unsigned fragment = 0;
    try {
        fragment = compile(GL_FRAGMENT_SHADER, label + ".frag", fragment_source);
    } catch (...) {
        glDeleteShader(vertex);
        throw;
    }
    id_ = glCreateProgram();
    glAttachShader(id_, vertex);
    glAttachShader(id_, fragment);
    // Deleted with the program that they are attached to.
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    link(label);
}

Program::Program(const std::string& label, const std::string& compute_source) {
    const unsigned shader = compile(GL_COMPUTE_SHADER, label + ".comp", compute_source);
    id_ = glCreateProgram();
    glAttachShader(id_, shader);
    glDeleteShader(shader);
    link(label);
}

void Program::link(const std::string& label) {
    glLinkProgram(id_);
    GLint ok = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &ok);
    if (!ok) {
        char log[2048] = "";
        glGetProgramInfoLog(id_, sizeof log, nullptr, log);
        glDeleteProgram(id_);
        throw Error(ErrorKind::failed, fmt::format("OpenGL could not link shader '{}': {}", label, log));
    }
    set_label(GL_PROGRAM, id_, label);
}

Program::~Program() {
    glDeleteProgram(id_);
}

int Program::uniform(const char* name) const {
    return glGetUniformLocation(id_, name);
}

}  // namespace convscope::gl
