#include <burn/compiler/kernel_tensors.h>

#include <burn/ops/cast.h>

#include <algorithm>

namespace burn::compiler {

using kernel::Access;
using kernel::kIndex;
using kernel::splat;
using kernel::Value;

namespace {

constexpr std::size_t kCacheLine = 64;

Value widen(const Value& value) { return cast(value, ops::accumulator_of(value.dtype())); }

}  // namespace

void KernelTensors::declare_buffers() {
    const Group& group = outline_.group;
    for (const ValueId name : group.names) places_.push_back(walk_.k.buffer(outline_.dtype(name), Access::Read));
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
        const ValueId output = group.outputs[i];
        const bool parted = outline_.grid.combines && i >= outline_.stored_outputs();
        places_.push_back(
            walk_.k.buffer(parted ? outline_.compute_dtype(output) : outline_.dtype(output), Access::Write));
    }
}

void KernelTensors::declare_strides(FunctionRef<Value(std::int64_t)> size) {
    const Space& space = outline_.space;
    axis_sizes_.resize(space.sizes.size());
    for (std::size_t axis = 1; axis < space.last(); ++axis) {
        if (axis != space.outer) axis_sizes_[axis] = size(space.sizes[axis]);
    }
    for (const auto& strides : space.strides) {
        strides_.emplace_back();
        for (std::size_t axis = 0; axis < strides.size(); ++axis) {
            const bool inner = axis + 1 == strides.size();
            const bool fixed = strides[axis] == 0 || (inner && strides[axis] == 1);
            strides_.back().push_back(fixed ? std::nullopt : std::optional(size(strides[axis])));
        }
    }
}

std::size_t KernelTensors::number_of(ValueId input) const {
    const auto& names = outline_.group.names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), input) - names.begin());
}

bool KernelTensors::is_one_per_row(std::size_t input) const {
    const Space& space = outline_.space;
    const auto& strides = space.strides[input];
    const std::size_t first = outline_.grid.lines_in_cubes ? space.last() : space.outer;
    return std::all_of(strides.begin() + static_cast<std::ptrdiff_t>(first), strides.end(),
                       [](std::int64_t stride) { return stride == 0; });
}

// ---- moving

void KernelTensors::step_along(std::vector<Value>& begins, const Value& coordinate, std::size_t first_axis,
                               std::size_t end_axis) const {
    Value rest = coordinate;
    for (std::size_t axis = end_axis; axis-- > first_axis;) {
        const Value mine = axis == first_axis ? rest : rem(rest, *axis_sizes_[axis]);
        if (axis > first_axis) rest = rest / *axis_sizes_[axis];
        for (std::size_t t = 0; t < begins.size(); ++t) {
            if (strides_[t][axis]) begins[t] = begins[t] + mine * *strides_[t][axis];
        }
    }
}

void KernelTensors::begin() { cube_begins_.assign(strides_.size(), walk_.k.index(0)); }

void KernelTensors::enter_cube(const Value& line) {
    step_along(cube_begins_, line, outline_.space.outer, outline_.space.last());
}

void KernelTensors::enter_row(const Value& row) {
    row_begins_ = cube_begins_;
    step_along(row_begins_, row, 0, outline_.space.outer);
    enter_first_line();
}

void KernelTensors::enter_line(const Value& line) {
    enter_first_line();
    step_along(line_begins_, line, outline_.space.outer, outline_.space.last());
}

// ---- elements

Value KernelTensors::load(std::size_t input, const Columns& at) const {
    const Value& begin = line_begins_[input];
    if (outline_.space.strides[input].back() == 0) return widen(places_[input].load(begin));
    const std::optional<Value>& stride = strides_[input].back();
    if (!stride) return widen(at.load(places_[input], begin + at.first));  // neighbours
    const Value columns = splat(at.first, at.lanes) + walk_.k.iota(kIndex, at.lanes);
    const Value index = splat(begin, at.lanes) + columns * splat(*stride, at.lanes);
    return widen(at.load(places_[input], index));
}

void KernelTensors::store(std::size_t output, const Columns& at, const Value& value) const {
    at.store(places_[output], line_begins_[output] + at.first, narrow(output, value));
}

Value KernelTensors::load_one(std::size_t input) const { return widen(places_[input].load(row_begins_[input])); }

void KernelTensors::store_one(std::size_t output, const Value& value) const {
    places_[output].store(row_begins_[output], narrow(output, value));
}

Value KernelTensors::narrow(std::size_t output, const Value& value) const {
    return cast(value, places_[output].dtype());
}

void KernelTensors::prefetch(std::size_t tensor, const Columns& at, std::int64_t rows_after,
                             std::int64_t elements_after, Access access) const {
    const std::optional<Value>& row = strides_[tensor][0];
    const std::size_t bytes = walk_.lanes * size_of(places_[tensor].dtype());
    if (!row || outline_.space.strides[tensor].back() != 1 || at.copy * bytes % kCacheLine != 0) return;
    const Value here = line_begins_[tensor] + at.first;
    const Value there = rows_after == 0 ? here : here + *row * rows_after;
    places_[tensor].prefetch(elements_after == 0 ? there : there + elements_after, access);
}

void KernelTensors::prefetch_together(std::size_t tensor, const Columns& at, std::int64_t elements_after,
                                      Access access) const {
    const auto& strides = outline_.space.strides[tensor];
    if (strides.front() == 0 || strides.back() != 1) return;
    const auto line = static_cast<std::int64_t>(kCacheLine / size_of(places_[tensor].dtype()));
    const std::int64_t together = at.lanes * static_cast<std::int64_t>(at.copies);
    const Value there = line_begins_[tensor] + at.first;
    for (std::int64_t element = 0; element < together; element += line)
        places_[tensor].prefetch(there + (elements_after + element), access);
}

}  // namespace burn::compiler
