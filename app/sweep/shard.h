// A part of a sweep, for one of several machines: --shard i/n.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace convscope {

/// The i-th of n parts, counted from 1. Together the n parts hold every point once; their sizes differ by one at most.
struct Shard {
    std::size_t index = 1, count = 1;

    bool whole() const { return count == 1; }
    /// Whether the point at this place of the sweep, counted from 0, belongs to the part. Of each n points in a row
    /// every part has one, in an order that changes from n to n: parts that took turns in one order would each get
    /// the same values of an axis whose length n divides, and with them all of the slow points.
    bool holds(std::size_t point) const;
    /// "2of4", as it ends the run_id of the part's rows; empty for a whole sweep.
    std::string mark() const;

    template <class Point>
    std::vector<Point> take_from(std::vector<Point> points) const {
        std::vector<Point> mine;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (holds(i)) mine.push_back(std::move(points[i]));
        return mine;
    }
};

/// Reads "i/n". Throws Error(usage).
Shard parse_shard(const std::string& text);

}  // namespace convscope
