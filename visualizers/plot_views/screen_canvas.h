// The canvas of the screen: the present window's draw list.
#pragma once

#include <imgui.h>

#include <vector>

#include "visualizers/plots/canvas.h"
#include "visualizers/style/view_style.h"

namespace convscope {

class ScreenCanvas : public Canvas {
public:
    explicit ScreenCanvas(const ViewStyle&);

    void rectangle(double x, double y, double w, double h, const Rgba& fill) override;
    void outline(double x, double y, double w, double h, const Rgba&) override;
    void line(double x0, double y0, double x1, double y1, const Rgba&, double width = 1, bool dashed = false) override;
    void polyline(std::span<const CanvasPoint>, const Rgba&, double width = 1, bool dashed = false) override;
    void band(std::span<const CanvasPoint> above, std::span<const CanvasPoint> below, const Rgba& fill) override;
    void dot(double x, double y, double radius, const Rgba&, bool hollow = false) override;
    void squares(std::span<const CanvasPoint>, double edge, const Rgba&) override;
    /// Text has the size of captions whatever is asked: glyphs that are scaled have uneven gaps.
    double text_width(const std::string&, double size, bool bold = false) override;
    void text(const std::string&, double x, double y, double size, const Rgba&, Align = Align::left, bool bold = false,
              bool turned = false) override;
    void clip(const CanvasBox&) override;
    void unclip() override;

private:
    const ViewStyle& style_;
    ImDrawList& list_;
    ImFont& font_;
    std::vector<ImVec2> points_;
};

}  // namespace convscope
