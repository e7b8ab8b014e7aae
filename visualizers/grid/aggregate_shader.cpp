#include "visualizers/grid/aggregate_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "visualizers/grid/grid_shader_source.h"
#include "visualizers/grid/grid_uniforms.h"

namespace convscope {
namespace {

constexpr int sample_taps = 4;  // per axis, where elements stand for their neighbours

/// Elements under a pixel of the picture.
struct Under {
    double rows, cols;
    Under(const GridDraw& d, int pitch)
        : rows(std::max(1.0, pitch / static_cast<double>(d.cell_h))),
          cols(std::max(1.0, pitch / static_cast<double>(d.cell_w))) {}
    /// Per axis, at most. So few that each of them is looked at?
    int taps() const {
        return std::ceil(rows) * std::ceil(cols) <= max_single_taps ? static_cast<int>(max_single_taps) : sample_taps;
    }
};

std::size_t level_of(const GridDraw& d, const Under& under) {
    return d.pyramid ? level_for(d.pyramid->levels(), under.rows, under.cols) : no_level;
}

void use(const gl::Program& program, const GridDraw& d, const PixelBox& box, int pitch) {
    glUseProgram(program.id());
    set_grid_uniforms(program, d, d.aggregate == Aggregate::share ? ValueRange{0, 1} : d.range);
    glUniform2f(program.uniform("corner"), static_cast<float>(box.x0) - d.x, static_cast<float>(box.y0) - d.y);
    glUniform1f(program.uniform("pitch"), static_cast<float>(pitch));
}

}  // namespace

const gl::Program& AggregateShader::program(Kind kind, Aggregate aggregate) const {
    auto& program = programs_[static_cast<std::size_t>(aggregate_count * kind) + static_cast<std::size_t>(aggregate)];
    if (!program) {
        constexpr const char* kinds[] = {"#define SAMPLES\n", "#define TILES\n"};
        constexpr const char* shows[] = {"#define SHOW_SHARE\n", "#define SHOW_LARGEST\n", "#define SHOW_MEAN\n"};
        std::string source = glsl_version;
        source += kinds[kind];
        source += shows[static_cast<int>(aggregate)];
        source += grid_common_source;
        source += grid_aggregates_source;
        program = std::make_unique<gl::Program>("aggregates", grid_vertex_source, source);
    }
    return *program;
}

double AggregateShader::looks(const GridDraw& d, int pitch) {
    const Under under(d, pitch);
    const std::size_t level = level_of(d, under);
    if (level == no_level)
        return std::min<double>(std::ceil(under.rows), under.taps()) *
               std::min<double>(std::ceil(under.cols), under.taps());
    const PyramidLevel& tile = d.pyramid->levels()[level];
    return std::max(1.0, under.rows / static_cast<double>(tile.tile_rows)) *
           std::max(1.0, under.cols / static_cast<double>(tile.tile_cols));
}

void AggregateShader::draw(const GridDraw& d, const PixelBox& box, int pitch) const {
    const std::size_t level = level_of(d, Under(d, pitch));
    if (level != no_level)
        draw_tiles(d, level, box, pitch);
    else
        draw_samples(d, box, pitch);
}

void AggregateShader::draw_tiles(const GridDraw& d, std::size_t at, const PixelBox& box, int pitch) const {
    const gl::Program& drawn = program(tiles, d.aggregate);
    const PyramidLevel& level = d.pyramid->levels()[at];
    use(drawn, d, box, pitch);
    glUniform2i(drawn.uniform("tile"), static_cast<GLint>(level.tile_cols), static_cast<GLint>(level.tile_rows));
    glUniform2i(drawn.uniform("tiles"), static_cast<GLint>(level.cols), static_cast<GLint>(level.rows));
    for (GLuint plane = 0; plane < TilePyramid::planes; ++plane)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1 + plane, d.pyramid->buffer(at),
                          plane * TilePyramid::plane_bytes(level), 8 * level.tiles());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (GLuint plane = 0; plane < TilePyramid::planes; ++plane)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1 + plane, 0);
}

void AggregateShader::draw_samples(const GridDraw& d, const PixelBox& box, int pitch) const {
    const gl::Program& drawn = program(samples, d.aggregate);
    use(drawn, d, box, pitch);
    glUniform1i(drawn.uniform("max_taps"), Under(d, pitch).taps());
    const int rows = (box.height() + pitch - 1) / pitch, cols = (box.width() + pitch - 1) / pitch;
    for_each_band(drawn, d, box, [&](int y0, int y1) {
        const int row0 = std::max(0, (y0 - box.y0) / pitch - 1), row1 = std::min(rows, (y1 - box.y0) / pitch + 2);
        glScissor(0, row0, cols, row1 - row0);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    });
    glScissor(0, 0, cols, rows);
}

}  // namespace convscope
