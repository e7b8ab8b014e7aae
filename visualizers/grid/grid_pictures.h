// Pictures of aggregates, kept from frame to frame: drawn again only when they would show something else. While that is
// so in every frame, as when panning, and would take too long, their pixels are made larger, each with the figures of
// what it covers; the fine picture follows once the grid stands still.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "visualizers/gl/framebuffer.h"
#include "visualizers/grid/aggregate_shader.h"

namespace convscope {

/// Belongs to the thread of the GL context.
class GridPictures {
public:
    /// 'moving_ms': what drawing a picture may take of a frame while it changes in every one.
    explicit GridPictures(double moving_ms = 8);
    ~GridPictures();
    /// Once per frame, before any draw. Pictures that the latest frame did not show are let go.
    void begin_frame();
    /// Draws the part of a grid that is in the box into the bound framebuffer, which stays bound; leaves the rest of
    /// OpenGL's state as it comes.
    void draw(const GridDraw&, const PixelBox&, int fb_width, int fb_height);
    /// A picture of this frame has larger pixels than the screen: a later frame shows more.
    bool coarse() const { return coarse_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Picture {
        std::unique_ptr<gl::Framebuffer> target;  ///< null: nothing is drawn yet
        GridDraw grid;
        PixelBox box;
        int pitch = 1;  ///< screen pixels to one of its own
        Clock::time_point changed;
    };
    class Stopwatch;

    int pitch_for(const Picture&, const GridDraw&, const PixelBox&, bool same) const;
    void render(Picture&, const GridDraw&, const PixelBox&);
    void show(const Picture&, int fb_width, int fb_height);

    const double moving_ms_;
    std::vector<Picture> pictures_;  ///< in the order in which a frame draws them
    std::size_t shown_ = 0;          ///< of this frame so far
    bool coarse_ = false;
    AggregateShader shader_;
    std::unique_ptr<Stopwatch> stopwatch_;
    std::unique_ptr<gl::Program> show_;
    gl::VertexArray vertices_;
};

}  // namespace convscope
