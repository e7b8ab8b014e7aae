#include "visualizers/grid/grid_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "visualizers/grid/grid_shader_source.h"
#include "visualizers/grid/grid_uniforms.h"

namespace convscope {
namespace {

template <std::size_t N>
void set_colors(int location, const std::array<Rgba, N>& colors) {
    std::array<float, 3 * N> flat;
    for (std::size_t i = 0; i < N; ++i) {
        flat[3 * i] = colors[i].r;
        flat[3 * i + 1] = colors[i].g;
        flat[3 * i + 2] = colors[i].b;
    }
    glUniform3fv(location, static_cast<GLsizei>(N), flat.data());
}

}  // namespace

GridShader::GridShader() : vertices_("grid") {}

void GridShader::draw(const GridDraw& d, int fb_width, int fb_height, const float clip[4]) {
    PixelBox box;
    box.x0 = std::clamp(static_cast<int>(std::floor(std::max(clip[0], d.x))), 0, fb_width);
    box.y0 = std::clamp(static_cast<int>(std::floor(std::max(clip[1], d.y))), 0, fb_height);
    box.x1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[2], d.x + d.width))), 0, fb_width);
    box.y1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[3], d.y + d.height))), 0, fb_height);
    if (box.width() <= 0 || box.height() <= 0) return;
    if (d.aggregated()) {
        pictures_.draw(d, box, fb_width, fb_height);
    } else {
        glViewport(0, 0, fb_width, fb_height);
        draw_cells(d, box, fb_height);
    }
    glBindVertexArray(0);
    glUseProgram(0);
}

void GridShader::draw_cells(const GridDraw& d, const PixelBox& box, int fb_height) {
    if (!cells_)
        cells_ = std::make_unique<gl::Program>("cells", grid_vertex_source,
                                               std::string(glsl_version) + grid_common_source + grid_cells_source);
    const gl::Program& drawn = *cells_;
    glUseProgram(drawn.id());
    glBindVertexArray(vertices_.id());
    set_grid_uniforms(drawn, d, d.range);
    glUniform2f(drawn.uniform("box"), d.x, d.y);
    glUniform1f(drawn.uniform("fb_height"), static_cast<float>(fb_height));
    glUniform1f(drawn.uniform("line"), d.line);
    glUniform1f(drawn.uniform("hatch"), d.hatch);
    glUniform1f(drawn.uniform("scale"), d.scale);
    glUniform1i(drawn.uniform("tint_rows"), d.tint_rows);
    glUniform1i(drawn.uniform("tint_first"), d.tint_first);
    set_colors(drawn.uniform("tints"), d.theme->categorical);
    set_color_uniform(drawn.uniform("hatch_color"), d.theme->hatch);
    glEnable(GL_SCISSOR_TEST);
    for_each_band(drawn, d, box, [&](int y0, int y1) {
        glScissor(box.x0, fb_height - y1, box.width(), y1 - y0);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    });
}

}  // namespace convscope
