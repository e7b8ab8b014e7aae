// The CSV's columns as members of Record. CSV, JSON, tables and the measuring process's wire are made from this list.
// Its order is a contract: docs/records.md. The last column holds a word that is never empty and is checked, so that a
// row that was cut off is noticed.
#pragma once

#include <tuple>

#include "kernels/layers/shape_fields.h"
#include "kernels/records/record.h"

namespace convscope {

struct SchemaVersion {
    const char* name = "schema_version";
};
template <auto member>
struct Field {
    const char* name;
};
/// Pooling sizes are empty when no pooling layer follows. Files of schema version 1 have no cells for the fields that
/// came later.
template <ShapeMember member, bool may_be_empty = field_of(member).pooling>
struct ShapeSize {
    const char* name = field_of(member).name;
};
/// Padding, of both sides in one cell (pad_cell.h): 'extra' is the excess of the far side.
template <ShapeMember member, ShapeMember extra>
struct PadSize {
    const char* name = field_of(member).name;
};
/// A quantity that follows from the shape: printed, and skipped when read.
template <auto function>
struct Derived {
    const char* name;
};
/// One extent of the grid or block: all three cells are empty, or none.
template <auto dim, auto extent>
struct Extent {
    const char* name;
};

inline constexpr std::tuple record_columns{SchemaVersion{},
                                           Field<&Record::run_id>{"run_id"},
                                           Field<&Record::timestamp_utc>{"timestamp_utc"},
                                           Field<&Record::app_version>{"app_version"},
                                           Field<&Record::device>{"device"},
                                           Field<&Record::device_name>{"device_name"},
                                           Field<&Record::compute_capability>{"compute_capability"},
                                           Field<&Record::driver_version>{"driver_version"},
                                           Field<&Record::cuda_version>{"cuda_version"},
                                           Field<&Record::vendor_version>{"vendor_version"},
                                           Field<&Record::method>{"method"},
                                           Field<&Record::family>{"family"},
                                           Field<&Record::dtype>{"dtype"},
                                           Field<&Record::layout>{"layout"},
                                           ShapeSize<&ConvShape::n>{},
                                           ShapeSize<&ConvShape::c>{},
                                           ShapeSize<&ConvShape::h>{},
                                           ShapeSize<&ConvShape::w>{},
                                           ShapeSize<&ConvShape::k>{},
                                           ShapeSize<&ConvShape::r>{},
                                           ShapeSize<&ConvShape::s>{},
                                           Derived<&ConvShape::p>{"p"},
                                           Derived<&ConvShape::q>{"q"},
                                           PadSize<&ConvShape::pad_h, &ConvShape::pad_extra_h>{},
                                           PadSize<&ConvShape::pad_w, &ConvShape::pad_extra_w>{},
                                           ShapeSize<&ConvShape::stride_h>{},
                                           ShapeSize<&ConvShape::stride_w>{},
                                           ShapeSize<&ConvShape::pool_h>{},
                                           ShapeSize<&ConvShape::pool_w>{},
                                           ShapeSize<&ConvShape::pool_stride>{},
                                           Field<&Record::source>{"source"},
                                           Field<&Record::seed>{"seed"},
                                           Field<&Record::sparsity_target>{"sparsity_target"},
                                           Field<&Record::sparsity_measured>{"sparsity_measured"},
                                           Extent<&Record::grid, &Dim3::x>{"grid_size_x"},
                                           Extent<&Record::grid, &Dim3::y>{"grid_size_y"},
                                           Extent<&Record::grid, &Dim3::z>{"grid_size_z"},
                                           Extent<&Record::block, &Dim3::x>{"block_size_x"},
                                           Extent<&Record::block, &Dim3::y>{"block_size_y"},
                                           Extent<&Record::block, &Dim3::z>{"block_size_z"},
                                           Field<&Record::tunables>{"tunables"},
                                           Field<&Record::shared_bytes>{"shared_bytes"},
                                           Field<&Record::registers>{"registers"},
                                           Field<&Record::occupancy_pct>{"occupancy_pct"},
                                           Field<&Record::timing_scope>{"timing_scope"},
                                           Field<&Record::cache_mode>{"cache_mode"},
                                           Field<&Record::samples>{"samples"},
                                           Field<&Record::time_median_us>{"time_median_us"},
                                           Field<&Record::time_mean_us>{"time_mean_us"},
                                           Field<&Record::time_min_us>{"time_min_us"},
                                           Field<&Record::time_q1_us>{"time_q1_us"},
                                           Field<&Record::time_q3_us>{"time_q3_us"},
                                           Field<&Record::noise_pct>{"noise_pct"},
                                           Field<&Record::convert_us>{"convert_us"},
                                           Field<&Record::multiply_us>{"multiply_us"},
                                           Field<&Record::pool_us>{"pool_us"},
                                           Field<&Record::workspace_bytes>{"workspace_bytes"},
                                           Field<&Record::flops_dense>{"flops_dense"},
                                           Field<&Record::flops_effective>{"flops_effective"},
                                           Field<&Record::gflops>{"gflops"},
                                           Field<&Record::gb_per_s>{"gb_per_s"},
                                           Field<&Record::sm_clock_mhz>{"sm_clock_mhz"},
                                           Field<&Record::throttled>{"throttled"},
                                           Field<&Record::status>{"status"},
                                           Field<&Record::status_reason>{"status_reason"},
                                           Field<&Record::max_rel_err>{"max_rel_err"},
                                           Field<&Record::verified_against>{"verified_against"},
                                           Field<&Record::speedup_vs_vendor>{"speedup_vs_vendor"},
                                           Field<&Record::vendor_method>{"vendor_method"},
                                           ShapeSize<&ConvShape::dilation_h, true>{},
                                           ShapeSize<&ConvShape::dilation_w, true>{},
                                           ShapeSize<&ConvShape::groups, true>{},
                                           Field<&Record::library_workspace_bytes>{"library_workspace_bytes"},
                                           Field<&Record::flops_executed>{"flops_executed"},
                                           Field<&Record::arithmetic>{"arithmetic"},
                                           Field<&Record::noise_from>{"noise_from"},
                                           Field<&Record::weight_sparsity_target>{"weight_sparsity_target"},
                                           Field<&Record::weight_sparsity_measured>{"weight_sparsity_measured"},
                                           Field<&Record::weight_pattern>{"weight_pattern"}};

}  // namespace convscope
