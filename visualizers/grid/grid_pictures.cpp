#include "visualizers/grid/grid_pictures.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>

#include "visualizers/grid/grid_shader_source.h"

namespace convscope {
namespace {

constexpr std::array pitches = {1, 2, 3, 4, 6, 8};
constexpr auto still_after = std::chrono::milliseconds(80);
constexpr double pixel_cost = 4;  // of a pixel itself, in looks

double cost(const GridDraw& d, const PixelBox& box, int pitch) {
    const double pixels = static_cast<double>(box.width()) / pitch * box.height() / pitch;
    return pixels * (pixel_cost + AggregateShader::looks(d, pitch));
}

}  // namespace

/// How long drawing takes, by OpenGL's clock and without waiting for it.
class GridPictures::Stopwatch {
public:
    Stopwatch() { glGenQueries(1, &query_); }
    ~Stopwatch() { glDeleteQueries(1, &query_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    template <class Draw>
    void time(double cost, Draw draw) {
        const bool timed = timed_cost_ == 0;
        if (timed) glBeginQuery(GL_TIME_ELAPSED, query_);
        draw();
        if (!timed) return;
        glEndQuery(GL_TIME_ELAPSED);
        timed_cost_ = cost;
    }
    /// Takes the time of the last timed work, if OpenGL has finished it.
    void take_result() {
        if (timed_cost_ == 0) return;
        GLint there = 0;
        glGetQueryObjectiv(query_, GL_QUERY_RESULT_AVAILABLE, &there);
        if (!there) return;
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(query_, GL_QUERY_RESULT, &nanoseconds);
        const double latest = static_cast<double>(nanoseconds) * 1e-6 / timed_cost_;
        // A small picture, a minimap, says little about a large one. What took too long is learnt from at once.
        constexpr double telling_cost = 500'000;
        const double trust = latest > ms_per_cost_ ? 1 : 0.3;
        const double weight = ms_per_cost_ == 0 ? 1 : trust * std::min(1.0, timed_cost_ / telling_cost);
        ms_per_cost_ += weight * (latest - ms_per_cost_);
        timed_cost_ = 0;
    }
    /// The predicted time of work with this cost; 0 before anything was timed.
    double milliseconds(double cost) const { return cost * ms_per_cost_; }

private:
    unsigned query_ = 0;
    double timed_cost_ = 0;  ///< of what is being timed; 0: nothing is
    double ms_per_cost_ = 0;
};

GridPictures::GridPictures(double moving_ms)
    : moving_ms_(moving_ms), stopwatch_(std::make_unique<Stopwatch>()), vertices_("grid picture") {}
GridPictures::~GridPictures() = default;

void GridPictures::begin_frame() {
    stopwatch_->take_result();
    pictures_.resize(shown_);
    shown_ = 0;
    coarse_ = false;
}

void GridPictures::draw(const GridDraw& d, const PixelBox& box, int fb_width, int fb_height) {
    if (shown_ == pictures_.size()) pictures_.emplace_back();
    Picture& picture = pictures_[shown_++];
    const bool same = picture.target && d.contents != 0 && picture.grid == d && picture.box == box;
    const int pitch = pitch_for(picture, d, box, same);
    if (!same) picture.changed = Clock::now();
    if (!same || pitch != picture.pitch) {
        picture.pitch = pitch;
        render(picture, d, box);
    }
    coarse_ = coarse_ || picture.pitch > 1;
    show(picture, fb_width, fb_height);
}

/// A picture that appears is as fine as the screen, one that changes as fine as there is time for. Where it is not
/// known whether it changes, it would never be found to stand still.
int GridPictures::pitch_for(const Picture& picture, const GridDraw& d, const PixelBox& box, bool same) const {
    if (same) return Clock::now() - picture.changed < still_after ? picture.pitch : 1;
    if (!picture.target || d.contents == 0) return 1;
    for (const int pitch : pitches)
        if (stopwatch_->milliseconds(cost(d, box, pitch)) <= moving_ms_) return pitch;
    return pitches.back();
}

void GridPictures::render(Picture& picture, const GridDraw& d, const PixelBox& box) {
    GLint drawn_to = 0, read_from = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn_to);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_from);  // a picture of the window is read after the frame
    if (!picture.target || picture.target->width() != box.width() || picture.target->height() != box.height()) {
        picture.target.reset();  // before the next one takes its memory
        picture.target = std::make_unique<gl::Framebuffer>(box.width(), box.height());
    }
    picture.grid = d;
    picture.box = box;
    const int pitch = picture.pitch;
    const GLsizei rows = (box.height() + pitch - 1) / pitch, cols = (box.width() + pitch - 1) / pitch;
    picture.target->bind();
    glDisable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, cols, rows);
    constexpr GLfloat nothing[4] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, nothing);
    glBindVertexArray(vertices_.id());
    stopwatch_->time(cost(d, box, pitch), [&] { shader_.draw(d, box, pitch); });
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawn_to));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_from));
}

void GridPictures::show(const Picture& picture, int fb_width, int fb_height) {
    if (!show_) show_ = std::make_unique<gl::Program>("grid picture", grid_vertex_source, grid_picture_source);
    const PixelBox& box = picture.box;
    glViewport(0, 0, fb_width, fb_height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.x0, fb_height - box.y1, box.width(), box.height());
    glUseProgram(show_->id());
    glBindVertexArray(vertices_.id());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, picture.target->texture());
    glUniform1i(show_->uniform("picture"), 0);
    glUniform2i(show_->uniform("corner"), box.x0, box.y0);
    glUniform1i(show_->uniform("pitch"), picture.pitch);
    glUniform1f(show_->uniform("fb_height"), static_cast<float>(fb_height));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace convscope
